import { run, statement } from "../../app/platform/database/database.server.ts";

/** Tables in the list of the largest. */
const LARGEST = 8;

const serverStatement = statement<{ version: string; standby: boolean; connections: number; limit: number }>(
  "status_server",
  `SELECT current_setting('server_version') AS version, pg_is_in_recovery() AS standby,
          (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS connections,
          current_setting('max_connections')::int AS limit`,
);

const processesStatement = statement<{ name: string; connections: number }>(
  "status_processes",
  `SELECT application_name AS name, count(*) AS connections FROM pg_stat_activity
    WHERE datname = current_database() AND application_name LIKE 'wishlist%' AND pid <> pg_backend_pid()
    GROUP BY 1 ORDER BY 1`,
);

const sizesStatement = statement<{ table: string; bytes: number; rows: number }>(
  "status_sizes",
  `SELECT c.oid::regclass::text AS table, pg_total_relation_size(c.oid) AS bytes, greatest(c.reltuples, 0)::float8 AS rows
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind = 'r' AND n.nspname IN (current_schema(), 'pgboss')
    ORDER BY 2 DESC LIMIT $1`,
);

const failedStatement = statement<{ queue: string; failed: number }>(
  "status_failed_tasks",
  `SELECT name AS queue, count(*) AS failed FROM pgboss.job
    WHERE name = ANY ($1::text[]) AND state = 'failed' AND completed_on > clock_timestamp() - interval '1 hour' GROUP BY name`,
);

const shopsStatement = statement<{ uninstalled: number }>(
  "status_shops",
  "SELECT count(*) AS uninstalled FROM shop WHERE uninstalled_at IS NOT NULL",
);

export interface ServerState {
  version: string;
  /** read-only: a standby, or a server that was demoted */
  standby: boolean;
  connections: number;
  limit: number;
}

export async function readServer(): Promise<ServerState> {
  const [server] = await run(serverStatement, []);
  if (!server) throw new Error("the server did not describe itself");
  return server;
}

/** Processes by role, known by the connection on which each of them listens, and connections by name. */
export interface Processes {
  web: number;
  worker: number;
  all: number;
  connections: Record<string, number>;
}

export async function readProcesses(): Promise<Processes> {
  const rows = await run(processesStatement, []);
  const connections = Object.fromEntries(rows.map((row) => [row.name, row.connections]));
  return {
    web: connections["wishlist listen web"] ?? 0,
    worker: connections["wishlist listen worker"] ?? 0,
    all: connections["wishlist listen"] ?? 0,
    connections,
  };
}

/** The largest tables with indexes, and PostgreSQL's estimate of their rows. */
export function readSizes(): Promise<{ table: string; bytes: number; rows: number }[]> {
  return run(sizesStatement, [LARGEST]);
}

/** Counts the tasks of queues that failed for good within the last hour. */
export async function readFailedTasks(queues: readonly string[]): Promise<Record<string, number>> {
  if (queues.length === 0) return {};
  const rows = await run(failedStatement, [queues]);
  return Object.fromEntries(rows.map(({ queue, failed }) => [queue, failed]));
}

export async function countUninstalled(): Promise<number> {
  return (await run(shopsStatement, []))[0]?.uninstalled ?? 0;
}
