import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";

/** The migrated template database. */
export const TEMPLATE = "test_template";

export function databaseAt(url: string, name: string): string {
  const at = new URL(url);
  at.pathname = `/${name}`;
  return at.href;
}

async function asAdmin<T>(adminUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

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
 * Creates a database for a test from the template, or an empty one with `empty`.
 * @param adminUrl required outside a test, where vitest cannot inject it
 */
export async function createDatabase({
  empty = false,
  adminUrl = inject("adminDatabaseUrl"),
} = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  // PostgreSQL cannot copy a template twice at once, so a lock serializes the copies.
  await asAdmin(adminUrl, async (client) => {
    await client.query("SELECT pg_advisory_lock(1)");
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${empty ? "template0" : TEMPLATE}`);
  });
  const { close, ...database } = connectDatabase(databaseAt(adminUrl, name));
  return {
    ...database,
    async drop() {
      await close();
      await asAdmin(adminUrl, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
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
