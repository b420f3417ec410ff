import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { asAdmin, databaseAt, onEach } from "./servers.ts";

export { databaseAt } from "./servers.ts";

/** The migrated template database. */
export const TEMPLATE = "test_template";

export interface Database {
  name: string;
  url: string;
  pool: pg.Pool;
  /** Runs SQL and returns its rows. */
  rows: <Row extends pg.QueryResultRow>(sql: string, values?: unknown[]) => Promise<Row[]>;
}

export interface TestDatabase extends Database {
  drop: () => Promise<void>;
}

/**
 * Creates a database for a test from the template, or an empty one with `empty`. On a Citus cluster, each node has a part of that name.
 * @param servers required outside a test, where vitest cannot inject them
 */
export async function createDatabase({ empty = false, servers = inject("servers") } = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  const [first = ""] = servers;
  // PostgreSQL cannot copy a template twice at once, so a lock serializes the copies. Copies of files take half the time of copies through the WAL.
  await asAdmin(first, async (client) => {
    await client.query("SELECT pg_advisory_lock(1)");
    await onEach(servers, `CREATE DATABASE ${name} TEMPLATE ${empty ? "template0" : TEMPLATE} STRATEGY file_copy`);
    // Citus sends the whole text of a query to its workers, so a test cannot set this beside its change of a trigger.
    if (servers.length > 1) await client.query(`ALTER DATABASE ${name} SET citus.enable_unsafe_triggers = on`);
  });
  const { close, ...database } = connectDatabase(databaseAt(first, name));
  return {
    ...database,
    async drop() {
      await close();
      await onEach(servers, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

/** Connects to an existing database. */
export function connectDatabase(url: string): Database & { close: () => Promise<void> } {
  // Idle connections are kept, because a new one would have other settings, such as those of `explainEverything`.
  const pool = new pg.Pool({ connectionString: url, max: 5, idleTimeoutMillis: 0 });
  // Dropping the database ends connections that are still open.
  pool.on("error", () => undefined);
  return {
    name: new URL(url).pathname.slice(1),
    url,
    pool,
    rows: async <Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []) =>
      (await pool.query<Row>(sql, values)).rows,
    close: () => pool.end(),
  };
}
