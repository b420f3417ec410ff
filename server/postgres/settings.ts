import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Place } from "./place.ts";

/** The file in the cluster that postgresql.conf includes last; written anew at every start. */
export const settingsFile = "wishlist.conf";

const defaults = {
  max_connections: "100",
  shared_buffers: "256MB",
  effective_cache_size: "1GB",
  random_page_cost: "1.1",
  fsync: "on",
  synchronous_commit: "on",
  max_wal_size: "1GB",
  // There are no replicas to feed.
  wal_level: "minimal",
  max_wal_senders: "0",
  // Compiling pays for long analytical queries only; here it would add its delay to short ones.
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  log_checkpoints: "off",
};

/** Writes the cluster's settings: the defaults, `extra` over them, and how to reach the server over everything. */
export async function writeSettings(
  { cluster, user }: Place,
  port: number,
  extra: Readonly<Record<string, string>>,
): Promise<void> {
  const reach = { listen_addresses: "127.0.0.1", port: String(port), unix_socket_directories: "" };
  const lines = Object.entries({ ...defaults, ...extra, ...reach }).map(
    ([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`,
  );
  const path = join(cluster, settingsFile);
  // A new file and a rename: root must not write through a link that the server's user could have put there.
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
