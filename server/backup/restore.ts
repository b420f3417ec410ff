import pg from "pg";
import { from } from "pg-copy-streams";
import { distributionState } from "../../app/platform/database/distribution.server.ts";
import {
  applyWithinTransaction,
  lockMigrations,
  migrate,
  readMigrations,
  type Migration,
} from "../../app/platform/database/migrations.server.ts";
import { createTaskTable, replaceTasks, TASK_TABLE } from "../../app/platform/jobs/task-transfer.server.ts";
import { SCHEMA } from "../migrations.ts";
import { connect } from "../database-connection.ts";
import { Refusal } from "../commands/refusal.ts";
import type { ArchiveReader } from "./archive-reader.ts";
import { tableEntry, TASKS_ENTRY, type BackedUpTable, type Manifest } from "./manifest.ts";
import { checkServer, explainRestoreError, migrationsOf, tablesToReplace } from "./restore-checks.ts";
import { checkSealedValues, type EncryptionKeys } from "./sealed-values.ts";
import { dropIndexes, dropSchema } from "./schema-objects.ts";
import { columnList, readTables } from "./source-tables.ts";

export interface RestoreOptions {
  /** replaces the data of the database */
  replace: boolean;
  /** keys that must unseal the values; undefined skips the check */
  keys: EncryptionKeys | undefined;
  onProgress: (step: string) => void;
}

export interface Restored {
  tables: number;
  rows: number;
  tasks: number;
  /** tables of the backup that are not the service's */
  skipped: string[];
  /** migrations that were applied after the load */
  migrations: string[];
}

/** Loads the tables. FREEZE saves the first vacuum from rewriting them; it needs a table of this transaction. */
async function loadTables(
  client: pg.Client,
  archive: ArchiveReader,
  tables: readonly BackedUpTable[],
  onProgress: RestoreOptions["onProgress"],
): Promise<void> {
  for (const table of tables) {
    const sink = client.query(
      from(`COPY ${pg.escapeIdentifier(table.name)} (${columnList(table.columns)}) FROM STDIN WITH (FREEZE)`),
    );
    await archive.read(tableEntry(table.name), table, sink, (meter) => {
      onProgress(`${table.name}: ${meter.rows.toLocaleString("en")} of ${table.rows.toLocaleString("en")} rows`);
    });
  }
}

async function setSequences(client: pg.Client, { sequences }: Manifest): Promise<void> {
  for (const { name, value, called } of sequences) {
    await client.query(
      `SELECT setval(c.oid::regclass, $2::bigint, $3) FROM pg_class c
        WHERE c.relname = $1 AND c.relkind = 'S' AND c.relnamespace = current_schema()::regnamespace`,
      [name, value, called],
    );
  }
}

/** Builds the schema and loads it, in one transaction: the database is as before until it commits. */
async function replaceContent(
  client: pg.Client,
  archive: ArchiveReader,
  known: readonly Migration[],
  { replace, keys, onProgress }: RestoreOptions,
): Promise<Omit<Restored, "migrations">> {
  const { manifest } = archive;
  const applied = migrationsOf(manifest, known);
  await client.query("BEGIN");
  await client.query("SET LOCAL maintenance_work_mem = '256MB'");
  const replaced = await tablesToReplace(client, known, replace);
  await dropSchema(client, replaced, known);
  // Functions, and with them triggers, follow after the load: no trigger changes a value or sends a notification.
  await applyWithinTransaction(client, applied);
  const present = new Set((await readTables(client)).map(({ name }) => name));
  const tables = manifest.tables.filter(({ name }) => present.has(name));
  const recreateIndexes = await dropIndexes(
    client,
    tables.map(({ name }) => name),
  );
  await loadTables(client, archive, tables, onProgress);
  await recreateIndexes((name) => {
    onProgress(`Building ${name}`);
  });
  await setSequences(client, manifest);
  if (keys) await checkSealedValues(client, manifest, keys);
  await createTaskTable(client);
  const tasks = client.query(from(`COPY ${TASK_TABLE} FROM STDIN`));
  await archive.read(TASKS_ENTRY, manifest.tasks, tasks);
  const sent = await replaceTasks(client);
  await applyWithinTransaction(
    client,
    known.filter((migration) => !applied.includes(migration)),
  );
  await client.query("COMMIT");
  return {
    tables: tables.length,
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    tasks: sent,
    skipped: manifest.tables.filter(({ name }) => !present.has(name)).map(({ name }) => name),
  };
}

/**
 * Replaces the content of a database by that of a verified backup.
 * @throws Refusal when the service is connected, or the database holds data that may not be replaced
 */
export async function restore(databaseUrl: string, archive: ArchiveReader, options: RestoreOptions): Promise<Restored> {
  const known = await readMigrations(SCHEMA.migrations);
  const { client, close } = await connect(databaseUrl, "restore");
  try {
    await checkServer(client);
    if ((await distributionState(client))?.distributed === true) {
      throw new Refusal(
        "The database is distributed over several servers. Restore into a database that is not, and distribute that one.",
      );
    }
    // A process that starts now waits until the database is complete.
    await lockMigrations(client);
    const content = await replaceContent(client, archive, known, options);
    await client.query("SELECT pg_advisory_unlock_all()");
    options.onProgress("Creating the functions");
    await migrate({ databaseUrl, ...SCHEMA });
    options.onProgress("Collecting statistics");
    for (const { name } of await readTables(client)) await client.query(`ANALYZE ${pg.escapeIdentifier(name)}`);
    const before = new Set(archive.manifest.migrations.map(({ name }) => name));
    return { ...content, migrations: known.map(({ name }) => name).filter((name) => !before.has(name)) };
  } catch (error) {
    throw explainRestoreError(error);
  } finally {
    await close();
  }
}
