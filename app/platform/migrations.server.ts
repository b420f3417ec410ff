import { createHash } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as after } from "node:timers/promises";
import pg from "pg";
import { sqlStateOf } from "./database-errors.server.ts";
import { randomBase62 } from "./ids.server.ts";

// The advisory lock that Prisma Migrate takes: ours and `prisma migrate deploy` wait for each other.
const MIGRATION_LOCK = 72_707_369;

/** Milliseconds after which a database that does not answer counts as one that is not there. */
const CONNECT_TIMEOUT = 10_000;

/** Milliseconds that a migration waits for a table: whatever wants to use the table meanwhile waits behind it. */
const LOCK_TIMEOUT = 2_000;
/** Milliseconds until a migration that did not get its table is tried again, and how often. */
const LOCK_RETRY = 1_000;
const LOCK_ATTEMPTS = 60;
/** SQLSTATE of a lock that was not granted in time. */
const LOCK_NOT_AVAILABLE = "55P03";

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

export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

interface Migration {
  name: string;
  sql: string;
  checksum: string;
}

async function readMigrations(folder: string): Promise<Migration[]> {
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
 * Applies the migrations that a database lacks, each in a transaction of its own. Several processes may call it at once: they
 * take turns, and all but the first find the work done.
 * @returns the names of those applied now
 * @throws MigrationError when one fails (nothing of it stays), or one applied earlier is not what the folder holds now
 */
export async function migrate(options: { databaseUrl: string; folder: string }): Promise<string[]> {
  const migrations = await readMigrations(options.folder);
  const client = new pg.Client({
    connectionString: options.databaseUrl,
    application_name: "wishlist migrate",
    connectionTimeoutMillis: CONNECT_TIMEOUT,
  });
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await client.query(BOOKKEEPING);
    const { rows } = await client.query<{ migration_name: string; checksum: string; finished_at: Date | null }>(
      "SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL",
    );
    const applied = new Map(rows.map((row) => [row.migration_name, row]));
    const fresh: string[] = [];
    for (const migration of migrations) {
      const before = applied.get(migration.name);
      if (!before) {
        await applyPatiently(client, migration);
        fresh.push(migration.name);
      } else if (before.finished_at === null) {
        throw new MigrationError(
          `migration ${migration.name} failed earlier; resolve it with \`prisma migrate resolve\``,
        );
      } else if (before.checksum !== migration.checksum) {
        throw new MigrationError(
          `migration ${migration.name} was changed after it had been applied; add a new one instead`,
        );
      }
    }
    return fresh;
  } finally {
    // Ends the session, and the lock with it.
    await client.end();
  }
}

async function applyPatiently(client: pg.Client, migration: Migration): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await apply(client, migration);
      return;
    } catch (error) {
      const cause = error instanceof MigrationError ? error.cause : error;
      if (sqlStateOf(cause) !== LOCK_NOT_AVAILABLE || attempt >= LOCK_ATTEMPTS) throw error;
      await after(LOCK_RETRY);
    }
  }
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query("BEGIN");
  try {
    await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT}`);
    await client.query(migration.sql);
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
      [randomBase62(36), migration.checksum, migration.name],
    );
    await client.query("COMMIT");
  } catch (cause) {
    await client.query("ROLLBACK");
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new MigrationError(`migration ${migration.name} failed: ${reason}`, { cause });
  }
}
