import path from "node:path";
import { Argument, Command, Option } from "commander";
import { env, EnvironmentError, readEncryptionKeys } from "../../app/platform/process/env.server.ts";
import { openArchive, verifyArchive, type ArchiveReader } from "../backup/archive-reader.ts";
import { backUp } from "../backup/backup.ts";
import { recordBackup } from "../backup/last-backup.ts";
import type { Manifest } from "../backup/manifest.ts";
import { checkKeys } from "../backup/restore-checks.ts";
import { restore } from "../backup/restore.ts";
import type { EncryptionKeys } from "../backup/sealed-values.ts";
import { findLocalSecrets } from "../local-secrets.ts";
import { errorLine } from "../postgres/errors.ts";
import { PROGRAM } from "../program-name.ts";
import { jsonOption } from "./arguments.ts";
import { addDistribution } from "./distribution.ts";
import { progressLine } from "./progress.ts";
import { printOutput, withDatabase, type Output } from "./run.ts";
import { size, table } from "./table.ts";

const fileArgument = () => new Argument("<file>", "such as /backups/wishlist.zip");

const count = (value: number): string => value.toLocaleString("en");

function secondsSince(start: number): number {
  return Math.round((performance.now() - start) / 100) / 10;
}

function rowsOf({ tables }: Manifest): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0);
}

function describeManifest(manifest: Manifest) {
  const { createdAt, release, postgres, sealingKeys, migrations, tables, tasks } = manifest;
  return {
    createdAt,
    release,
    postgres,
    sealingKeys,
    migrations: migrations.map(({ name }) => name),
    tables: Object.fromEntries(tables.map(({ name, rows }) => [name, rows])),
    tasks: tasks.rows,
  };
}

async function backupOutput(name: string, options: { force?: true; postgres?: string }): Promise<Output> {
  const file = path.resolve(name);
  const start = performance.now();
  const line = progressLine();
  const { manifest, bytes, unrecorded } = await withDatabase(
    "wishlist database backup",
    async (databaseUrl) => {
      const backup = await backUp(databaseUrl, file, {
        replace: options.force === true,
        onProgress: (of, meter) => {
          line.show(`${of}: ${count(meter.rows)} rows, ${size(meter.bytes)}`);
        },
      });
      const settings = env();
      const recording =
        settings.databaseUrl === undefined
          ? recordBackup(settings.dataDir, { at: backup.manifest.createdAt, file })
          : Promise.resolve();
      return { ...backup, unrecorded: await recording.then(() => undefined, errorLine) };
    },
    { existing: true, ...(options.postgres === undefined ? {} : { postgres: path.resolve(options.postgres) }) },
  ).finally(() => {
    line.clear();
  });
  if (unrecorded !== undefined) {
    process.stderr.write(
      `The backup is complete, but \`${PROGRAM} status\` will not know of it: it cannot be recorded in DATA_DIR (${unrecorded}).\n`,
    );
  }
  const seconds = secondsSince(start);
  return {
    json: { file, bytes, seconds, ...describeManifest(manifest) },
    text: `Backed up ${count(rowsOf(manifest))} rows of ${manifest.tables.length} tables to ${file} (${size(bytes)}) in ${seconds} s.`,
  };
}

function addBackup(database: Command): void {
  database
    .command("backup")
    .description("write all data to a file, while the service runs")
    .addArgument(fileArgument())
    .addOption(new Option("--force", "replace the file if it exists"))
    .addOption(
      new Option("--postgres <folder>", "PostgreSQL of another major version that has created the embedded database"),
    )
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
The backup is one snapshot of all tables. It holds sealed values as they are sealed: keep ENCRYPTION_KEYS, in another place than the file.
A failed or interrupted backup leaves no file.`,
    )
    .action(async function (this: Command, file: string, options: { force?: true; postgres?: string }) {
      printOutput(this, await backupOutput(file, options));
    });
}

async function withVerified<T>(name: string, work: (archive: ArchiveReader) => Promise<T>): Promise<T> {
  const archive = await openArchive(path.resolve(name));
  const line = progressLine();
  try {
    await verifyArchive(archive, (of, meter) => {
      line.show(`Verifying ${of}: ${count(meter.rows)} rows`);
    });
    line.clear();
    return await work(archive);
  } finally {
    line.clear();
    archive.close();
  }
}

function verifiedText({ manifest, bytes }: ArchiveReader): string {
  const facts = [
    ["Written", manifest.createdAt],
    ["Release", manifest.release],
    ["PostgreSQL", manifest.postgres],
    ["Migrations", `${manifest.migrations.length}, up to ${manifest.migrations.at(-1)?.name ?? "none"}`],
    ["Sealing keys", manifest.sealingKeys.join(", ") || "none"],
    ["Tasks", count(manifest.tasks.rows)],
    ["Size", size(bytes)],
  ];
  const rows = manifest.tables.map((one) => [one.name, count(one.rows), size(one.bytes)]);
  return `The backup is complete.\n\n${facts.map(([name = "", value = ""]) => `${name.padEnd(14)}${value}`).join("\n")}\n\n${table(["TABLE", "ROWS", "SIZE"], rows)}`;
}

function addVerify(database: Command): void {
  database
    .command("verify")
    .description("check a backup's checksums and row counts, and list what it holds")
    .addArgument(fileArgument())
    .addOption(jsonOption())
    .action(async function (this: Command, name: string) {
      const output = await withVerified(name, (archive) => {
        const json = { file: path.resolve(name), bytes: archive.bytes, ...describeManifest(archive.manifest) };
        return Promise.resolve({ json, text: verifiedText(archive) });
      });
      printOutput(this, output);
    });
}

interface RestoreFlags {
  force?: true;
  withoutKeys?: true;
}

/** Returns the keys for the backup's sealed values; undefined when there are none, or with --without-keys. */
async function requiredKeys({ manifest }: ArchiveReader, flags: RestoreFlags): Promise<EncryptionKeys | undefined> {
  if (flags.withoutKeys === true || manifest.sealingKeys.length === 0) return undefined;
  const local = await findLocalSecrets(path.resolve(env().dataDir));
  const keys = givenKeys(local?.ENCRYPTION_KEYS);
  checkKeys(
    manifest,
    keys.map(({ id }) => id),
  );
  const [first, ...rest] = keys;
  return first && [first, ...rest];
}

/** Returns the keys of the environment, or of the data folder; none when neither has any. */
function givenKeys(local: string | undefined): readonly EncryptionKeys[number][] {
  try {
    return readEncryptionKeys(local);
  } catch (error) {
    if (error instanceof EnvironmentError && error.problems.some((line) => line.includes(" is missing"))) return [];
    throw error;
  }
}

async function restoreOutput(name: string, flags: RestoreFlags): Promise<Output> {
  const start = performance.now();
  return withVerified(name, async (archive) => {
    const line = progressLine();
    const options = { replace: flags.force === true, onProgress: line.show };
    const restored = await withDatabase(
      "wishlist database restore",
      async (databaseUrl) => restore(databaseUrl, archive, { ...options, keys: await requiredKeys(archive, flags) }),
      { exclusive: true },
    ).finally(() => {
      line.clear();
    });
    const seconds = secondsSince(start);
    const { rows, tables, tasks, skipped } = restored;
    const skippedText =
      skipped.length === 0 ? "" : ` Left out, because no migration creates them: ${skipped.join(", ")}.`;
    return {
      json: { file: path.resolve(name), seconds, ...restored },
      text: `Restored ${count(rows)} rows of ${tables} tables and ${count(tasks)} tasks in ${seconds} s.${skippedText}`,
    };
  });
}

function addRestore(database: Command): void {
  database
    .command("restore")
    .description("load a backup into an empty database, or replace the data of another")
    .addArgument(fileArgument())
    .addOption(new Option("--force", "replace the data of the database"))
    .addOption(new Option("--without-keys", "restore although a key of ENCRYPTION_KEYS is lost"))
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Stop the service first. The file is verified before the database changes, and everything is loaded in one transaction: an interrupted restore
leaves the database as it was. A backup of an earlier release is brought up to date.

To move to another database, back up, set or unset DATABASE_URL, and restore:
  ${PROGRAM} database backup /backups/wishlist.zip
  DATABASE_URL=postgres://… ${PROGRAM} database restore /backups/wishlist.zip`,
    )
    .action(async function (this: Command, file: string, flags: RestoreFlags) {
      printOutput(this, await restoreOutput(file, flags));
    });
}

export function databaseCommands(): Command {
  const database = new Command("database").description(
    "back up, verify and restore the database, and distribute it over several servers",
  );
  addBackup(database);
  addVerify(database);
  addRestore(database);
  addDistribution(database);
  return database;
}
