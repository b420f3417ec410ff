import { createHash } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as after } from "node:timers/promises";
import pg from "pg";
import { randomBase62 } from "../ids.server.ts";
import { MIGRATION_LOCK } from "./advisory-locks.server.ts";
import {
  beginDistribution,
  distributionState,
  distributionSteps,
  prepareDistributedSession,
  type DistributionState,
} from "./distribution.server.ts";
import { MigrationError, migrationTransaction, naming } from "./migration-transaction.server.ts";
import { applyFunctions, readFunctions } from "./sql-functions.server.ts";

export { MigrationError } from "./migration-transaction.server.ts";

/** Milliseconds after which a database that does not respond counts as unreachable. */
const CONNECT_TIMEOUT = 10_000;

/** Milliseconds between tries for the lock of migrations. */
const LOCK_POLL = 100;

/** The first line of a migration that PostgreSQL can't run in a transaction, such as CREATE INDEX CONCURRENTLY. */
const NO_TRANSACTION = /^-- no transaction\b/;

// Prisma's own bookkeeping table, so that its tools agree about what was applied.
const BOOKKEEPING = `
  CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id varchar(36) PRIMARY KEY NOT NULL,
    checksum varchar(64) NOT NULL,
    finished_at timestamptz,
    migration_name varchar(255) NOT NULL,
    logs text,
    rolled_back_at timestamptz,
    started_at timestamptz NOT NULL DEFAULT now(),
    applied_steps_count integer NOT NULL DEFAULT 0
  )`;

/** Indexes that a failed CREATE INDEX CONCURRENTLY left behind. */
const INVALID_INDEXES = `
  SELECT x.relname AS name FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid
   WHERE NOT i.indisvalid AND x.relnamespace = current_schema()::regnamespace ORDER BY 1`;

/** The folders that describe a database's schema. */
export interface SchemaFolders {
  /** applied once each, in the order of their names */
  migrations: string;
  /** applied whenever they change, after the migrations */
  functions: string;
}

/** Names of what was applied. */
export interface Applied {
  migrations: string[];
  functions: string[];
}

export interface Migration {
  name: string;
  sql: string;
  checksum: string;
}

interface AppliedMigration {
  checksum: string;
  finished_at: Date | null;
}

export async function readMigrations(folder: string): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(path.join(folder, name, "migration.sql"), "utf8");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    }),
  );
}

/**
 * Brings a database up to date: applies the migrations that it lacks, each in its own transaction, and then the functions that changed.
 * Concurrent callers wait for each other. A database with migrations that `folders` does not hold belongs to a newer release, whose
 * functions stay.
 * @throws MigrationError when a migration or function fails (nothing of it stays), or an applied migration has changed
 */
export async function migrate({ databaseUrl, ...folders }: SchemaFolders & { databaseUrl: string }): Promise<Applied> {
  const [migrations, functions] = await Promise.all([
    readMigrations(folders.migrations),
    readFunctions(folders.functions),
  ]);
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: "wishlist migrate",
    connectionTimeoutMillis: CONNECT_TIMEOUT,
  });
  await client.connect();
  try {
    await lockMigrations(client);
    const state = await distributionState(client);
    if (state) await prepareDistributedSession(client);
    await client.query(BOOKKEEPING);
    const applied = await readApplied(client);
    const missing = missingOf(migrations, applied);
    const distributes = state !== undefined && (await isToDistribute(client, state, applied.size === 0));
    for (const migration of missing) await apply(client, migration);
    const known = new Set(migrations.map(({ name }) => name));
    const isNewer = [...applied.keys()].some((name) => !known.has(name));
    const changed = isNewer ? [] : await applyFunctions(client, functions);
    if (distributes) {
      for (const { title, run } of await distributionSteps(client)) await naming(title, run);
    }
    return { migrations: missing.map(({ name }) => name), functions: changed };
  } finally {
    // Ends the session, and the lock with it.
    await client.end();
  }
}

/**
 * Returns whether tables and functions have to be distributed. A new installation begins distributed, also when its first start was interrupted. One
 * with data is distributed by the operator.
 * @throws MigrationError when the operator's distribution was interrupted: its tables have no foreign keys
 */
async function isToDistribute(client: pg.Client, state: DistributionState, isEmpty: boolean): Promise<boolean> {
  if (state.distributed) return true;
  if (isEmpty && state.hasWorkers) {
    await beginDistribution(client);
    return true;
  }
  if (!state.begun) return false;
  const { rows } = await client.query("SELECT 1 FROM shop LIMIT 1");
  if (rows.length === 0) return true;
  throw new MigrationError(
    "the distribution of this database was interrupted; repeat `wishlist database distribute`, which continues it, and then start the service",
  );
}

/**
 * Takes the lock of migrations for the session of the client. Polls, because a session that waits in pg_advisory_lock() holds a snapshot, for whose end
 * CREATE INDEX CONCURRENTLY would wait.
 */
export async function lockMigrations(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>("SELECT pg_try_advisory_lock($1) AS locked", [
      MIGRATION_LOCK,
    ]);
    if (rows[0]?.locked === true) return;
    await after(LOCK_POLL);
  }
}

async function readApplied(client: pg.Client): Promise<Map<string, AppliedMigration>> {
  const { rows } = await client.query<AppliedMigration & { migration_name: string }>(
    "SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL",
  );
  return new Map(rows.map((row) => [row.migration_name, row]));
}

/** @throws MigrationError when the database can't be brought up to date by these migrations */
function missingOf(migrations: readonly Migration[], applied: ReadonlyMap<string, AppliedMigration>): Migration[] {
  const [baseline] = migrations;
  if (baseline && applied.size > 0 && !applied.has(baseline.name)) {
    throw new MigrationError(
      `the database was created by an unreleased version whose migrations no longer exist, and can't be upgraded. Start with an empty one: ` +
        `without DATABASE_URL, delete the data folder (DATA_DIR, by default .data); with it, let it name a new database`,
    );
  }
  return migrations.filter(({ name, checksum }) => {
    const before = applied.get(name);
    if (!before) return true;
    if (before.finished_at === null) {
      throw new MigrationError(`migration ${name} failed earlier; resolve it with \`prisma migrate resolve\``);
    }
    if (before.checksum !== checksum) {
      throw new MigrationError(`migration ${name} was changed after it had been applied; add a new one instead`);
    }
    return false;
  });
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  const part = `migration ${migration.name}`;
  if (NO_TRANSACTION.test(migration.sql)) {
    await naming(
      `${part}, which runs outside a transaction and is repeated from its beginning by the next start,`,
      () => applyStatements(client, migration),
    );
  } else {
    await migrationTransaction(client, () =>
      naming(part, async () => {
        await client.query(migration.sql);
        await record(client, migration);
      }),
    );
  }
}

/**
 * Applies migrations to an empty schema in the caller's transaction. No other session sees the tables, so indexes are built without CONCURRENTLY,
 * which PostgreSQL refuses in a transaction.
 */
export async function applyWithinTransaction(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  await client.query(BOOKKEEPING);
  for (const migration of migrations) {
    const { name, sql } = migration;
    await naming(`migration ${name}`, async () => {
      await client.query(NO_TRANSACTION.test(sql) ? sql.replaceAll(/\bCONCURRENTLY\b/gi, "") : sql);
      await record(client, migration);
    });
  }
}

/** Runs each statement on its own; a statement ends with a semicolon at the end of a line. */
async function applyStatements(client: pg.Client, migration: Migration): Promise<void> {
  const statements = migration.sql.replaceAll(/^\s*--.*$/gm, "").split(/;\s*$/m);
  for (const statement of statements.filter((text) => text.trim() !== "")) await client.query(statement);
  const { rows } = await client.query<{ name: string }>(INVALID_INDEXES);
  if (rows.length > 0) {
    const names = rows.map(({ name }) => name).join(", ");
    throw new Error(
      `index ${names} is invalid; put DROP INDEX CONCURRENTLY IF EXISTS before CREATE INDEX CONCURRENTLY`,
    );
  }
  await record(client, migration);
}

async function record(client: pg.Client, { name, checksum }: Migration): Promise<void> {
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
    [randomBase62(36), checksum, name],
  );
}
