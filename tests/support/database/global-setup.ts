import path from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { migrate } from "../../../app/platform/migrations.server.ts";
import { openDatabase, type OpenDatabase } from "../../../server/postgres/database.ts";
import { SCHEMA } from "../../../server/migrations.ts";
import { TEMPLATE, databaseAt } from "./database.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** postgres:// URL of a server on which tests create databases */
    adminDatabaseUrl: string;
  }
}

/** Each project runs this setup. They share one server, and the last project stops it. */
interface Shared {
  opened: Promise<OpenDatabase>;
  users: number;
}

declare global {
  var wishlistTests: Shared | undefined;
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const shared = (globalThis.wishlistTests ??= { opened: open(), users: 0 });
  shared.users++;
  const database = await shared.opened;
  project.provide("adminDatabaseUrl", database.adminUrl);
  return async () => {
    shared.users--;
    if (shared.users === 0) await database.close();
  };
}

/** Starts PostgreSQL for all tests, with a migrated template database. */
async function open(): Promise<OpenDatabase> {
  const database = await openDatabase({
    dataDir: path.resolve(process.env["WISHLIST_TEST_DATA_DIR"] ?? ".data/test"),
    role: "server",
    label: "npm test",
    // Test data need not survive a crash. The log names the database for the tests that read executed statements.
    settings: {
      fsync: "off",
      synchronous_commit: "off",
      full_page_writes: "off",
      max_connections: "300",
      log_line_prefix: "%m [%p] %d ",
    },
  });
  const client = new pg.Client({ connectionString: database.adminUrl });
  await client.connect();
  const { rows } = await client.query<{ datname: string }>(
    "SELECT datname FROM pg_database WHERE datname LIKE 'test_%'",
  );
  // Databases of an aborted run.
  for (const { datname } of rows) await client.query(`DROP DATABASE "${datname}" WITH (FORCE)`);
  await client.query(`CREATE DATABASE ${TEMPLATE}`);
  await client.end();
  await migrate({ databaseUrl: databaseAt(database.adminUrl, TEMPLATE), ...SCHEMA });
  return database;
}
