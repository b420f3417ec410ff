import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { PostgresNode } from "../faults/rig/postgres-node.ts";
import { freePort } from "../support/http/ports.ts";
import { citusInstallation, NoCitusError } from "./installation.ts";

const SETTINGS = {
  shared_preload_libraries: "citus,auto_explain",
  // Shards move by logical replication.
  wal_level: "logical",
  output_plugin_libraries: "pgoutput,citus",
  max_connections: "400",
  max_prepared_transactions: "400",
  max_worker_processes: "64",
  // Test data need not survive a crash.
  fsync: "off",
  // A shard that moves would lose commits that its node has not written to its log yet.
  synchronous_commit: "on",
  full_page_writes: "off",
  max_wal_senders: "20",
  max_replication_slots: "20",
  timezone: "UTC",
  log_timezone: "UTC",
  log_min_messages: "warning",
  // Names the database for the tests that read executed statements.
  log_line_prefix: "%m [%p] %d ",
  "citus.node_conninfo": "sslmode=disable",
  "citus.enable_statistics_collection": "off",
};

/** Not below /tmp, which may be a small file system in memory. */
const PARENT = "/var/tmp";

/** A coordinator and its workers. */
export interface Cluster {
  /** URLs of the superuser, the coordinator's first */
  urls: string[];
  /** Stops what was started, and removes its data. */
  stop: () => Promise<void>;
}

/** Starts a coordinator and workers with empty data folders. @throws NoCitusError when a part is missing */
export async function startCluster(workers = 2): Promise<Cluster> {
  const binaries = await citusInstallation();
  const folder = await mkdtemp(path.join(PARENT, "wishlist-citus-"));
  // The servers run as another user.
  await chmod(folder, 0o755);
  const nodes: PostgresNode[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.stop("immediate")));
    await rm(folder, { recursive: true, force: true });
  };
  try {
    for (let index = 0; index <= workers; index++) {
      const name = index === 0 ? "coordinator" : `worker_${index}`;
      const volume = path.join(folder, name);
      await mkdir(volume);
      const logFile = path.join(volume, "data", "server.log");
      const node = new PostgresNode(name, { volume, port: await freePort(), logFile, binaries, settings: SETTINGS });
      nodes.push(node);
      await node.create();
      await node.start();
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { urls: nodes.map((node) => node.url.replace(/wishlist$/, "postgres")), stop };
}

/** Returns the nodes of a cluster that runs. */
async function nodesOf(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ host: string; port: number }>(
      "SELECT nodename AS host, nodeport AS port FROM pg_dist_node WHERE noderole = 'primary' ORDER BY groupid",
    );
    if (rows.length < 2)
      throw new NoCitusError("The database of CITUS_URL knows no workers; add them with citus_add_node.");
    return rows.map(({ host, port }) => {
      const node = new URL(url);
      node.host = `${host}:${port}`;
      return node.href;
    });
  } finally {
    await client.end();
  }
}

/** Returns the cluster of CITUS_URL, or starts one. */
export async function openCluster(): Promise<Cluster> {
  const given = process.env["CITUS_URL"];
  if (given === undefined) return startCluster();
  return { urls: await nodesOf(given), stop: () => Promise.resolve() };
}
