import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { ClusterLocation } from "./cluster-location.ts";

/** The file in the cluster that postgresql.conf includes last; every start replaces it. */
export const settingsFile = "wishlist.conf";

const defaults = {
  max_connections: "100",
  shared_buffers: "256MB",
  effective_cache_size: "1GB",
  random_page_cost: "1.1",
  fsync: "on",
  synchronous_commit: "on",
  max_wal_size: "1GB",
  // The embedded server has no replicas.
  wal_level: "minimal",
  max_wal_senders: "0",
  // JIT compilation pays only for long analytical queries, and delays short ones.
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  log_checkpoints: "off",
};

/** Writes the cluster's settings. `overrides` replace defaults, but never the server's address. */
export async function writeSettings(
  { cluster, user }: ClusterLocation,
  port: number,
  overrides: Readonly<Record<string, string>>,
): Promise<void> {
  const addressSettings = { listen_addresses: "127.0.0.1", port: String(port), unix_socket_directories: "" };
  const lines = Object.entries({ ...defaults, ...overrides, ...addressSettings }).map(
    ([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`,
  );
  const path = join(cluster, settingsFile);
  // A new file and a rename: root must not write through a symbolic link that the server's user may have planted.
  const draft = `${path}.new`;
  await rm(draft, { force: true });
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(lines.join(""));
    if (user) await file.chown(user.uid, user.gid);
  } finally {
    await file.close();
  }
  await rename(draft, path);
}
