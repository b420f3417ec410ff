import path from "node:path";
import pg from "pg";
import { openDatabase } from "../../../server/postgres/database.ts";

/** Test data need not survive a crash. The log names the database for the tests that read executed statements. */
const SETTINGS = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  max_connections: "300",
  log_line_prefix: "%m [%p] %d ",
};

/** The PostgreSQL servers on which tests create databases: one, or a Citus coordinator and its workers. */
export interface Servers {
  /** URLs of the superuser, that of the coordinator first */
  urls: readonly string[];
  close: () => Promise<void>;
}

/** Starts a server, or takes those of `npm run test:citus`. */
export async function openServers(): Promise<Servers> {
  const cluster = process.env["WISHLIST_TEST_CITUS"];
  if (cluster !== undefined) return { urls: cluster.split(" "), close: () => Promise.resolve() };
  const { adminUrl, close } = await openDatabase({
    dataDir: path.resolve(process.env["WISHLIST_TEST_DATA_DIR"] ?? ".data/test"),
    role: "server",
    label: "npm test",
    settings: SETTINGS,
  });
  return { urls: [adminUrl], close };
}

export function databaseAt(url: string, name: string): string {
  const at = new URL(url);
  at.pathname = `/${name}`;
  return at.href;
}

export async function asAdmin<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Runs SQL on each server. */
export async function onEach(urls: readonly string[], sql: string): Promise<void> {
  await Promise.all(urls.map((url) => asAdmin(url, (client) => client.query(sql))));
}

/** Makes databases of the same name one database of a Citus cluster. */
export async function joinNodes(urls: readonly string[], name: string): Promise<void> {
  const [coordinator = "", ...workers] = urls.map((url) => databaseAt(url, name));
  await onEach([coordinator, ...workers], "CREATE EXTENSION IF NOT EXISTS citus");
  await asAdmin(coordinator, async (client) => {
    const own = new URL(coordinator);
    await client.query("SELECT citus_set_coordinator_host($1, $2)", [own.hostname, Number(own.port)]);
    for (const worker of workers) {
      const { hostname, port } = new URL(worker);
      await client.query("SELECT citus_add_node($1, $2)", [hostname, Number(port)]);
    }
  });
}
