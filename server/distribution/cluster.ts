import type pg from "pg";
import { z } from "zod";
import type { ClusterNode } from "../../app/platform/database/distributed-sequences.server.ts";
import { Refusal } from "../commands/refusal.ts";

/** A node as the coordinator knows it. */
export interface KnownNode extends ClusterNode {
  /** 0 for the coordinator */
  groupId: number;
  /** false for the coordinator, unless the operator lets it hold shards */
  holdsShards: boolean;
  active: boolean;
}

export function nodeName({ host, port }: ClusterNode): string {
  return `${host}:${port}`;
}

const NODES = `
  SELECT nodename AS host, nodeport AS port, groupid AS "groupId", shouldhaveshards AS "holdsShards", isactive AS active
    FROM pg_dist_node WHERE noderole = 'primary' ORDER BY groupid`;

export async function readNodes(client: pg.Client): Promise<KnownNode[]> {
  return (await client.query<KnownNode>(NODES)).rows;
}

async function isAvailable(client: pg.Client, sql: string): Promise<boolean> {
  return (await client.query(sql)).rows.length > 0;
}

/** @throws Refusal when the database has no Citus extension, or is not that of the coordinator */
export async function requireCoordinator(client: pg.Client): Promise<void> {
  if (!(await isAvailable(client, "SELECT 1 FROM pg_extension WHERE extname = 'citus'"))) {
    const installed = await isAvailable(client, "SELECT 1 FROM pg_available_extensions WHERE name = 'citus'");
    throw new Refusal(
      installed
        ? "This database does not have the Citus extension. Run CREATE EXTENSION citus in the database of this name on every node, as a superuser."
        : "This PostgreSQL does not have the Citus extension. Install it on every node, set shared_preload_libraries = 'citus', restart, and run CREATE EXTENSION citus in the database.",
    );
  }
  if (!(await isAvailable(client, "SELECT 1 FROM pg_dist_local_group WHERE groupid = 0"))) {
    throw new Refusal("This is a worker of the cluster. Let DATABASE_URL name the database of the coordinator.");
  }
}

interface NodeSettings {
  port: number;
  host: string;
  success: boolean;
  result: string;
}

const SETTINGS = `
  SELECT n.nodename AS host, n.nodeport AS port, r.success, r.result
    FROM run_command_on_all_nodes($$
      SELECT json_build_object('prepared', current_setting('max_prepared_transactions')::integer, 'wal', current_setting('wal_level'),
                               'commit', current_setting('synchronous_commit'),
                               'plugins', current_setting('output_plugin_libraries', true),
                               'version', (SELECT extversion FROM pg_extension WHERE extname = 'citus')) $$) AS r
    JOIN pg_dist_node n USING (nodeid) ORDER BY n.groupid`;

const settingsShape = z.object({
  prepared: z.number(),
  wal: z.string(),
  commit: z.string(),
  /** null before the minor releases that have this setting */
  plugins: z.string().nullable(),
  version: z.string().nullable(),
});

/** @throws Refusal when nodes are missing, can't be reached, or lack a setting */
export async function requireNodes(client: pg.Client, { moves }: { moves: boolean }): Promise<KnownNode[]> {
  const nodes = await readNodes(client);
  if (!nodes.some(({ groupId }) => groupId === 0)) {
    throw new Refusal(
      "The coordinator does not know its own address. Run SELECT citus_set_coordinator_host('<host>', <port>) in its database, with the address at which the workers reach it.",
    );
  }
  if (!nodes.some(({ active, holdsShards }) => active && holdsShards)) {
    throw new Refusal(
      "The coordinator knows no worker. Run SELECT citus_add_node('<host>', <port>) in its database for each worker.",
    );
  }
  const { rows } = await client.query<NodeSettings>(SETTINGS);
  const versions: string[] = [];
  for (const { success, result, ...node } of rows) {
    const name = nodeName(node);
    if (!success) throw new Refusal(`The coordinator can't run SQL on ${name}: ${result}`);
    const { prepared, wal, commit, plugins, version } = settingsShape.parse(JSON.parse(result));
    if (prepared === 0) {
      throw new Refusal(
        `On ${name}, max_prepared_transactions is 0. Set it to at least max_connections and restart: changes of several nodes commit in two phases.`,
      );
    }
    if (moves && wal !== "logical") {
      throw new Refusal(
        `On ${name}, wal_level is ${wal}. Set it to logical and restart: shards move by logical replication.`,
      );
    }
    if (moves && commit === "off") {
      throw new Refusal(
        `On ${name}, synchronous_commit is off. Set it to on and reload: a shard that moves would lose its last commits.`,
      );
    }
    if (moves && plugins !== null && !/\bcitus\b/.test(plugins)) {
      throw new Refusal(
        `On ${name}, output_plugin_libraries lacks citus. Set it to '${plugins}, citus' and reload: shards move by logical replication.`,
      );
    }
    versions.push(`${name} has ${version ?? "none"}`);
  }
  if (new Set(versions.map((text) => text.split(" ").at(-1))).size > 1) {
    throw new Refusal(`The nodes have different versions of Citus: ${versions.join(", ")}. Bring them to one version.`);
  }
  return nodes;
}
