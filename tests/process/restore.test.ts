import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { PassThrough } from "node:stream";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { MATRIX } from "../support/matrix.ts";
import { parseEncryptionKeys } from "../../app/platform/process/env.server.ts";
import { openArchive, verifyArchive } from "../../server/backup/archive-reader.ts";
import { createArchive } from "../../server/backup/archive-writer.ts";
import { FORMAT, MANIFEST_ENTRY, tableEntry, TASKS_ENTRY } from "../../server/backup/manifest.ts";
import { readMigrations } from "../../app/platform/database/migrations.server.ts";
import { checkKeys, migrationsOf } from "../../server/backup/restore-checks.ts";
import { SCHEMA } from "../../server/migrations.ts";
import { openDatabase } from "../../server/postgres/database.ts";
import { POSTGRES_15 } from "../faults/rig/postgres-node.ts";
import { client } from "../support/app/client.ts";
import { COMPILE_CACHE } from "../support/app/compile-cache.ts";
import { ENCRYPTION_KEY, startService } from "../support/app/service.ts";
import { makeShop } from "../support/app/shop.ts";
import { backUpTo, newBackupFile, restoreFrom, wholeContent } from "../support/database/backups.ts";
import { connectDatabase, createDatabase, type TestDatabase } from "../support/database/database.ts";
import { lockWaiters } from "../support/database/locks.ts";
import { closeDatabase } from "../../app/platform/database/database.server.ts";
import { cli, command, killCommands, project } from "./fixtures/commands.ts";
import { clusterOf, newDatabase, newDatabaseOf, removeDataDirs, value } from "./fixtures/data-folders.ts";
import { failure } from "../support/database/migrations.ts";
import { needs } from "../support/programs/needs.ts";
import { postgres15 } from "../support/programs/programs.ts";

const FILE = newBackupFile();
const EARLIER_POSTGRES = path.dirname(POSTGRES_15);
const OTHER_KEY = `k1:${Buffer.from("vutsrqponmlkjihgfedcba9876543210").toString("base64")}`;

/** A database with a shop, a share link and pg-boss's tables; no process uses it. */
let database: TestDatabase;
const databases: TestDatabase[] = [];
const files = [FILE];

beforeAll(async () => {
  database = await createDatabase();
  const service = await startService({ database });
  const call = client(service.url);
  const shop = await makeShop(service, call, { products: { p1: "v1" } });
  await call("POST", "/v1/wishlists/c1/items", { token: shop.token, json: { product_id: "p1" } });
  await call("GET", "/v1/wishlists/c1/share", { token: shop.token });
  await service.stop();
  await closeDatabase();
  await backUpTo(FILE, database);
});
afterEach(async () => {
  await killCommands();
  await removeDataDirs();
});
afterAll(async () => {
  for (const one of [database, ...databases]) await one.drop();
  for (const file of files) await rm(file, { force: true });
});

async function emptyDatabase(): Promise<TestDatabase> {
  const made = await createDatabase({ empty: true });
  databases.push(made);
  return made;
}

function newFile(): string {
  const file = newBackupFile();
  files.push(file);
  return file;
}

/** A database that another database's content is to replace: its shop has another domain. */
async function otherDatabase(): Promise<TestDatabase> {
  const other = await emptyDatabase();
  await restoreFrom(FILE, other);
  await other.rows("UPDATE shop SET domain = 'other.myshopify.com'");
  return other;
}

async function refusal(of: Promise<unknown>): Promise<string> {
  return (await failure(of)).message;
}

/** Starts the command line without waiting for its end. */
function startCli(databaseUrl: string, ...args: string[]) {
  const child = spawn(process.execPath, [path.join(project, "server/cli.ts"), ...args], {
    stdio: "ignore",
    env: {
      ...COMPILE_CACHE,
      PATH: process.env["PATH"] ?? "",
      NODE_ENV: "production",
      DATABASE_URL: databaseUrl,
      ENCRYPTION_KEYS: ENCRYPTION_KEY,
    },
  });
  return { child, ended: once(child, "exit") };
}

test("restore refuses a database with data, and replaces it with --force", MATRIX, async () => {
  const other = await otherDatabase();
  const before = await wholeContent(other);
  expect(await refusal(restoreFrom(FILE, other))).toContain("The database holds data (1 shop).");
  expect(await wholeContent(other)).toEqual(before);
  await restoreFrom(FILE, other, { replace: true });
  expect(await wholeContent(other)).toEqual(await wholeContent(database));
});

test("a restore that is killed after the load leaves the database as it was", MATRIX, async () => {
  const other = await otherDatabase();
  const before = await wholeContent(other);
  const blocker = await other.pool.connect();
  await blocker.query("BEGIN; LOCK TABLE pgboss.job IN ACCESS SHARE MODE");
  // The jobs are replaced last, and wait for the lock.
  const { child, ended } = startCli(other.url, "database", "restore", FILE, "--force");
  await lockWaiters(other, 1, "DROP SCHEMA%");
  child.kill("SIGKILL");
  await ended;
  await blocker.query("COMMIT");
  blocker.release();
  expect(await wholeContent(other)).toEqual(before);
});

test("a restore that fails after the load leaves the database as it was", MATRIX, async () => {
  const other = await otherDatabase();
  const before = await wholeContent(other);
  const keys = parseEncryptionKeys(OTHER_KEY);
  expect(await refusal(restoreFrom(FILE, other, { replace: true, keys }))).toContain(
    "The key k1 of ENCRYPTION_KEYS does not unseal the share links of the backup",
  );
  expect(await wholeContent(other)).toEqual(before);
});

test("restore refuses a database that the service uses", MATRIX, async () => {
  const other = await otherDatabase();
  const service = new pg.Client({ connectionString: other.url, application_name: "wishlist" });
  await service.connect();
  onTestFinished(() => service.end());
  expect(await refusal(restoreFrom(FILE, other, { replace: true }))).toMatch(
    /^The database is in use by the service \(connections named "wishlist"/,
  );
});

test("restore replaces the tables of a newer release with --force only", MATRIX, async () => {
  const other = await otherDatabase();
  await other.rows("CREATE TABLE of_the_newer (id integer)");
  await other.rows(
    "INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('x', 'x', '29990101000000_newer', now())",
  );
  expect(await refusal(restoreFrom(FILE, other))).toContain(
    "belongs to a newer release (migration 29990101000000_newer)",
  );
  await restoreFrom(FILE, other, { replace: true });
  expect(await wholeContent(other)).toEqual(await wholeContent(database));
});

test("restore keeps tables that are not the service's", MATRIX, async () => {
  const other = await otherDatabase();
  await other.rows("CREATE TABLE reports AS SELECT 42 AS rows_read");
  await restoreFrom(FILE, other, { replace: true });
  expect(await other.rows("SELECT rows_read FROM reports")).toEqual([{ rows_read: 42 }]);
});

test("restore refuses a backup with migrations that this release lacks", async () => {
  const archive = await openArchive(FILE);
  const newer = { ...archive.manifest, migrations: [{ name: "29990101000000_newer", checksum: "x" }] };
  const known = await readMigrations(SCHEMA.migrations);
  expect(() => migrationsOf(newer, known)).toThrow("whose migrations this release lacks: 29990101000000_newer");
  archive.close();
});

test("restore runs no SQL that a manifest contains", MATRIX, async () => {
  const file = newFile();
  const source = await openArchive(FILE);
  const copy = await createArchive(file, { replace: false });
  const entries = source.manifest.tables.map((one) => ({ name: tableEntry(one.name), content: one }));
  for (const { name, content } of [...entries, { name: TASKS_ENTRY, content: source.manifest.tasks }]) {
    const rows = new PassThrough();
    await Promise.all([copy.addStream(name, rows, () => undefined), source.read(name, content, rows)]);
  }
  source.close();
  const partitions = [{ name: "shop_1", bound: "DEFAULT; CREATE TABLE from_a_manifest (id int)" }];
  const tables = source.manifest.tables.map((one) => (one.name === "shop" ? { ...one, partitions } : one));
  await copy.finish(MANIFEST_ENTRY, JSON.stringify({ ...source.manifest, tables }));
  const restored = await emptyDatabase();
  await restoreFrom(file, restored);
  expect(await wholeContent(restored)).toEqual(await wholeContent(database));
});

test("restore refuses ENCRYPTION_KEYS without a key of the backup", async () => {
  const archive = await openArchive(FILE);
  expect(archive.manifest.sealingKeys).toEqual(["k1"]);
  expect(() => {
    checkKeys(archive.manifest, ["k2"]);
  }).toThrow("ENCRYPTION_KEYS lacks keys that have sealed values of the backup: k1");
  archive.close();
});

test("verify finds a changed byte of a table and of the manifest, and every truncation", async () => {
  const whole = await readFile(FILE);
  const file = newFile();
  const verify = async (): Promise<void> => {
    const archive = await openArchive(file);
    try {
      await verifyArchive(archive, () => undefined);
    } finally {
      archive.close();
    }
  };
  await writeFile(file, whole);
  await verify();
  // Within the entries' content, which follows the first place of their name.
  for (const name of ["tables/wishlist.copy", "manifest.json"]) {
    const index = whole.indexOf(name) + name.length + 25;
    const damaged = Buffer.from(whole);
    damaged[index] = (damaged[index] ?? 0) ^ 0x55;
    await writeFile(file, damaged);
    expect(await refusal(verify())).toMatch(/damaged|cannot be read as a backup/);
  }
  for (const size of [0, 100, Math.floor(whole.length / 2), whole.length - 1]) {
    await writeFile(file, whole.subarray(0, size));
    expect(await refusal(verify())).toMatch(/damaged|cannot be read as a backup/);
  }
});

test("verify names what is wrong with a manifest", MATRIX, async () => {
  const file = newFile();
  const archive = await createArchive(file, { replace: false });
  await archive.finish(MANIFEST_ENTRY, JSON.stringify({ format: FORMAT, tables: [{ name: 1 }] }));
  const { code, stderr } = await command({ DATABASE_URL: database.url }, "database", "verify", file);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `The backup ${file} is damaged: manifest.json has another shape (release: Invalid input: expected string, received undefined).\n`,
  });
});

test("backup refuses an existing file and leaves it as it is", async () => {
  const before = await readFile(FILE);
  expect(await refusal(backUpTo(FILE, database))).toBe(
    `The file ${FILE} exists. Choose another name, or replace it with --force.`,
  );
  expect((await readFile(FILE)).equals(before)).toBe(true);
});

test("a backup is readable by its owner only", async () => {
  expect((await stat(FILE)).mode & 0o777).toBe(0o600);
});

test.for(["signal", "lost connection"] as const)("a backup that ends by a %s leaves no file", MATRIX, async (cause) => {
  const blocker = await database.pool.connect();
  await blocker.query("BEGIN; LOCK TABLE pgboss.job IN ACCESS EXCLUSIVE MODE");
  // The tasks are read last, and wait for the lock.
  const file = newFile();
  const { child, ended } = startCli(database.url, "database", "backup", file);
  await lockWaiters(database, 1, "COPY%");
  expect((await stat(`${file}.part`)).isFile()).toBe(true);
  if (cause === "signal") child.kill("SIGTERM");
  else
    await database.rows(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'wishlist backup'",
    );
  const [code] = z.tuple([z.int(), z.null()]).parse(await ended);
  await blocker.query("ROLLBACK");
  blocker.release();
  expect(code).toBe(cause === "signal" ? 143 : 1);
  for (const left of [file, `${file}.part`]) await expect(stat(left)).rejects.toThrow("ENOENT");
});

test("the commands move a database into the embedded PostgreSQL and back", MATRIX, async () => {
  const { dataDir } = await newDatabase();
  const embedded = { DATA_DIR: dataDir, ENCRYPTION_KEYS: ENCRYPTION_KEY };
  const inward = await cli(embedded, "database", "restore", FILE, "--json");
  expect({ code: inward.code, stderr: inward.stderr }).toEqual({ code: 0, stderr: "" });
  expect(JSON.parse(inward.stdout)).toMatchObject({ tables: expect.any(Number), skipped: [], migrations: [] });
  const file = newFile();
  const outward = await cli(embedded, "database", "backup", file, "--json");
  expect({ code: outward.code, stderr: outward.stderr }).toEqual({ code: 0, stderr: "" });
  const back = await emptyDatabase();
  const env = { DATABASE_URL: back.url, ENCRYPTION_KEYS: ENCRYPTION_KEY };
  const text = await command(env, "database", "restore", file);
  expect(text.stdout).toMatch(/^Restored \d+ rows of \d+ tables and 0 tasks in [\d.]+ s\.\n$/);
  expect(await wholeContent(back)).toEqual(await wholeContent(database));
});

test(
  "the content of an earlier major version's cluster moves as the refused start says",
  { ...needs(postgres15), ...MATRIX },
  async () => {
    const dataDir = await newDatabaseOf(EARLIER_POSTGRES);
    const options = { dataDir, role: "server", label: "a test" } as const;
    const old = await openDatabase({ ...options, postgres: EARLIER_POSTGRES });
    await restoreFrom(FILE, old);
    expect(await value(old.url, "SELECT current_setting('server_version_num')::int / 10000")).toBe(15);
    await old.close();

    const env = { DATA_DIR: dataDir, ENCRYPTION_KEYS: ENCRYPTION_KEY };
    const refused = await cli(env, "shops", "list");
    const cluster = await clusterOf(dataDir);
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toContain(`The database in ${cluster} was created by PostgreSQL 15`);
    expect(refused.stderr).toContain(
      `database backup ${path.join(dataDir, "wishlist.zip")} --postgres /tmp/postgres-15\n`,
    );
    expect(refused.stderr).toContain(`  mv ${cluster} ${cluster}-15\n`);

    const file = newFile();
    const backup = ["database", "backup", file, "--postgres", EARLIER_POSTGRES];
    expect(await cli(env, ...backup)).toMatchObject({ code: 0, stderr: "" });
    await rename(cluster, `${cluster}-15`);
    expect(await cli(env, "database", "restore", file)).toMatchObject({ code: 0, stderr: "" });
    const moved = await openDatabase(options);
    const { close, ...content } = connectDatabase(moved.url);
    expect(await wholeContent(content)).toEqual(await wholeContent(database));
    await close();
    await moved.close();
  },
);

test("verify lists what a backup holds", async () => {
  const { stdout, code } = await command({ DATABASE_URL: database.url }, "database", "verify", FILE);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^The backup is complete\.\n\nWritten {7}20/);
  expect(stdout).toMatch(/^wishlist_item +1 +1 KiB$/m);
});
