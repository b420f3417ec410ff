import { Readable } from "node:stream";
import pg from "pg";
import { to } from "pg-copy-streams";
import { lastIds } from "../../app/platform/database/distributed-sequences.server.ts";
import { distributionState } from "../../app/platform/database/distribution.server.ts";
import packageJson from "../../package.json" with { type: "json" };
import { JOBS_SCHEMA, UNFINISHED_TASKS } from "../../app/platform/jobs/task-transfer.server.ts";
import { Refusal } from "../commands/refusal.ts";
import { connect, serviceConnections } from "../database-connection.ts";
import { createArchive, type ArchiveWriter } from "./archive-writer.ts";
import { FORMAT, MANIFEST_ENTRY, tableEntry, TASKS_ENTRY, type Manifest } from "./manifest.ts";
import type { Meter } from "./meter.ts";
import { keysWithValues } from "./sealed-values.ts";
import { columnList, readApplied, readSequences, readTables, tableExists, type SourceTable } from "./source-tables.ts";

/** A migration may change the tables between their listing and their lock. */
const LOCK_ATTEMPTS = 5;

export interface BackupOptions {
  /** replaces an existing file */
  replace: boolean;
  onProgress: (table: string, meter: Meter) => void;
}

export interface Backup {
  manifest: Manifest;
  /** size of the file */
  bytes: number;
}

/**
 * Begins a snapshot and lists its tables. They are locked before it begins, so that no migration changes them meanwhile; the lock conflicts with
 * nothing else.
 */
async function beginSnapshot(client: pg.Client): Promise<SourceTable[]> {
  for (let attempt = 1; ; attempt++) {
    const tables = await readTables(client);
    if (tables.length === 0) throw new Refusal("The database is empty: there is nothing to back up.");
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    try {
      await client.query(
        `LOCK TABLE ${tables.map(({ name }) => pg.escapeIdentifier(name)).join(", ")} IN ACCESS SHARE MODE`,
      );
      const locked = await readTables(client);
      if (JSON.stringify(locked) === JSON.stringify(tables)) return locked;
    } catch (error) {
      if (attempt >= LOCK_ATTEMPTS) throw error;
    }
    if (attempt >= LOCK_ATTEMPTS) throw new Refusal("The tables change all the time. Back up after the update.");
    await client.query("ROLLBACK");
  }
}

async function writeTables(
  client: pg.Client,
  archive: ArchiveWriter,
  tables: readonly SourceTable[],
  onProgress: BackupOptions["onProgress"],
): Promise<Manifest["tables"]> {
  const written: Manifest["tables"] = [];
  for (const table of tables) {
    const { name, columns } = table;
    const copy = client.query(to(`COPY ${pg.escapeIdentifier(name)} (${columnList(columns)}) TO STDOUT`));
    const content = await archive.addStream(tableEntry(name), copy, (meter) => {
      onProgress(name, meter);
    });
    if (content.rows !== copy.rowCount)
      throw new Error(`${name} has ${copy.rowCount} rows, of which ${content.rows} arrived`);
    written.push({ name, columns, ...content });
  }
  return written;
}

async function readFacts(client: pg.Client) {
  const { rows } = await client.query<{ createdAt: Date; postgres: string }>(
    `SELECT now() AS "createdAt", split_part(current_setting('server_version'), ' ', 1) AS postgres`,
  );
  const [facts] = rows;
  if (!facts) throw new Error("PostgreSQL returned no row");
  const keys = await client.query<{ key_id: string }>("SELECT key_id FROM sealing_key ORDER BY key_id");
  return {
    createdAt: facts.createdAt.toISOString(),
    postgres: facts.postgres,
    sealingKeys: await keysWithValues(
      client,
      keys.rows.map(({ key_id }) => key_id),
    ),
  };
}

/** The nodes of a distributed database have no common snapshot. @throws Refusal while the service may write */
async function requireStopped(client: pg.Client): Promise<void> {
  const names = await serviceConnections(client);
  if (names.length === 0) return;
  throw new Refusal(
    `The database is distributed over several servers, which have no common snapshot, and the service is connected (${names.join(", ")}). Stop every web and worker process and back up again, or back up each server: docs/citus.md explains how.`,
  );
}

/** Returns sequences that continue behind the ids of every node. */
async function highestIds(client: pg.Client, sequences: Manifest["sequences"]): Promise<Manifest["sequences"]> {
  const last = await lastIds(client);
  return sequences.map((sequence) => {
    const value = last.get(sequence.name) ?? 0;
    return value > 0 ? { ...sequence, value: String(value), called: true } : sequence;
  });
}

/**
 * Writes a backup of the database to a file. All tables are read in one snapshot, while the service runs.
 * @throws Refusal when the file exists, cannot be written, or the database is empty
 */
export async function backUp(
  databaseUrl: string,
  file: string,
  { replace, onProgress }: BackupOptions,
): Promise<Backup> {
  const { client, close } = await connect(databaseUrl, "backup");
  let archive: ArchiveWriter | undefined;
  try {
    const distributed = (await distributionState(client))?.distributed === true;
    if (distributed) await requireStopped(client);
    const tables = await beginSnapshot(client);
    const migrations = await readApplied(client);
    if (migrations.length === 0)
      throw new Refusal("The database has no tables of the service: there is nothing to back up.");
    const facts = await readFacts(client);
    archive = await createArchive(file, { replace });
    const written = await writeTables(client, archive, tables, onProgress);
    const hasJobs = await tableExists(client, `${JOBS_SCHEMA}.job`);
    const source = hasJobs ? client.query(to(`COPY (${UNFINISHED_TASKS}) TO STDOUT`)) : Readable.from([]);
    const tasks = await archive.addStream(TASKS_ENTRY, source, () => undefined);
    const manifest: Manifest = {
      format: FORMAT,
      release: packageJson.version,
      ...facts,
      migrations,
      sequences: distributed ? await highestIds(client, await readSequences(client)) : await readSequences(client),
      tables: written,
      tasks,
    };
    const bytes = await archive.finish(MANIFEST_ENTRY, `${JSON.stringify(manifest, null, 2)}\n`);
    archive = undefined;
    return { manifest, bytes };
  } finally {
    await close();
    await archive?.discard();
  }
}
