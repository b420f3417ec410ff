import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { closeDatabase } from "../../app/platform/database/database.server.ts";
import { migrate, MigrationError } from "../../app/platform/database/migrations.server.ts";
import { SCHEMA } from "../../server/migrations.ts";
import { client } from "../support/app/client.ts";
import { createDatabase, type TestDatabase } from "../support/database/database.ts";
import { failure, schemaFixture, type SchemaFixture } from "../support/database/migrations.ts";
import { prismaDeploy } from "../support/database/prisma-engine.ts";
import { startService } from "../support/app/service.ts";
import { makeShop } from "../support/app/shop.ts";
import { lockWaiters } from "../support/database/locks.ts";
import { MATRIX } from "../support/matrix.ts";

const disposals: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const dispose of disposals.splice(0).reverse()) await dispose();
});

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createDatabase({ empty: true });
  disposals.push(() => database.drop());
  return database;
}

async function withMigrations(migrations: Record<string, string>): Promise<SchemaFixture> {
  const schema = await schemaFixture(migrations);
  disposals.push(schema.dispose);
  return schema;
}

/** Migrates a database. @returns the names of the migrations applied now */
async function apply({ url }: TestDatabase, { migrations, functions }: SchemaFixture): Promise<string[]> {
  return (await migrate({ databaseUrl: url, migrations, functions })).migrations;
}

async function tables(database: TestDatabase): Promise<string[]> {
  const rows = await database.rows<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE '\\_%' ORDER BY tablename",
  );
  return rows.map(({ name }) => name);
}

async function recorded(database: TestDatabase): Promise<string[]> {
  const rows = await database.rows<{ name: string }>(
    "SELECT migration_name AS name FROM _prisma_migrations ORDER BY migration_name",
  );
  return rows.map(({ name }) => name);
}

const TWO = {
  "1_one": "CREATE TABLE one (id integer);",
  "2_two": "CREATE TABLE two (id integer); CREATE TABLE three ();",
};

describe("migration runner", () => {
  test("runner applies missing migrations in the order of their names", async () => {
    const database = await emptyDatabase();
    const schema = await withMigrations({ "2_two": "ALTER TABLE one ADD name text;", "1_one": TWO["1_one"] });
    expect(await apply(database, schema)).toEqual(["1_one", "2_two"]);
    expect(await apply(database, schema)).toEqual([]);
    await schema.writeMigration("3_three", "CREATE TABLE three ();");
    expect(await apply(database, schema)).toEqual(["3_three"]);
    expect(await tables(database)).toEqual(["one", "three"]);
  });

  test("runner lets queries pass while it waits for a table's lock", async () => {
    const database = await emptyDatabase();
    const schema = await withMigrations({ "1_one": TWO["1_one"] });
    await apply(database, schema);
    await schema.writeMigration("2_two", "ALTER TABLE one ADD name text;");
    const reader = await database.pool.connect();
    const passing = await database.pool.connect();
    await passing.query("SET statement_timeout = '20s'");
    await reader.query("BEGIN");
    await reader.query("SELECT * FROM one");
    const migrating = apply(database, schema);
    try {
      await lockWaiters(database);
      // Queued behind the migration, which gives up its place; without that this would wait for the first reader.
      await passing.query("SELECT * FROM one");
    } finally {
      await reader.query("COMMIT");
      reader.release();
      passing.release();
    }
    expect(await migrating).toEqual(["2_two"]);
  });

  test("runner applies each migration once when ten processes start at the same moment", async () => {
    const database = await emptyDatabase();
    const schema = await withMigrations(TWO);
    const applied = await Promise.all(Array.from({ length: 10 }, () => apply(database, schema)));
    expect(applied.filter((names) => names.length > 0)).toEqual([["1_one", "2_two"]]);
    expect(await recorded(database)).toEqual(["1_one", "2_two"]);
  });

  test("runner refuses an applied migration that was changed, and names it", async () => {
    const database = await emptyDatabase();
    const schema = await withMigrations(TWO);
    await apply(database, schema);
    await schema.writeMigration("1_one", "CREATE TABLE one (id bigint);");
    await schema.writeMigration("3_three", "CREATE TABLE later ();");
    const error = await failure(apply(database, schema));
    expect(error).toBeInstanceOf(MigrationError);
    expect(error.message).toContain("1_one");
    expect(await tables(database)).toEqual(["one", "three", "two"]);
  });

  test("runner leaves nothing of a migration that fails, and continues once it is corrected", async () => {
    const database = await emptyDatabase();
    const schema = await withMigrations({ ...TWO, "2_two": "CREATE TABLE two (); SELECT 1/0; CREATE TABLE three ();" });
    const error = await failure(apply(database, schema));
    expect(error).toBeInstanceOf(MigrationError);
    expect(error.message).toContain("2_two");
    expect(error.message).toContain("division by zero");
    expect(await tables(database)).toEqual(["one"]);
    expect(await recorded(database)).toEqual(["1_one"]);

    await schema.writeMigration("2_two", TWO["2_two"]);
    expect(await apply(database, schema)).toEqual(["2_two"]);
  });

  test("runner leaves nothing of a migration that it could not record", async () => {
    const database = await emptyDatabase();
    const schema = await withMigrations({
      "1_one": "CREATE TABLE one (); ALTER TABLE _prisma_migrations RENAME TO away;",
    });
    expect(await failure(apply(database, schema))).toBeInstanceOf(MigrationError);
    expect(await tables(database)).toEqual([]);
  });

  test("runner accepts a database with migrations of a newer release", async () => {
    const database = await emptyDatabase();
    await apply(database, await withMigrations(TWO));
    expect(await apply(database, await withMigrations({ "1_one": TWO["1_one"] }))).toEqual([]);
    expect(await tables(database)).toEqual(["one", "three", "two"]);
  });

  test("runner refuses a database without the first migration and says to start with an empty one", async () => {
    const database = await emptyDatabase();
    await apply(database, await withMigrations({ "0_old": "CREATE TABLE one ();" }));
    const error = await failure(apply(database, await withMigrations(TWO)));
    expect(error).toBeInstanceOf(MigrationError);
    expect(error.message).toMatch(/can't be upgraded.*delete the data folder.*DATA_DIR.*name a new database/);
    expect(await tables(database)).toEqual(["one"]);
  });

  test("runner refuses a database with a failed migration of Prisma and says how to resolve it", async () => {
    const database = await emptyDatabase();
    const schema = await withMigrations({ ...TWO, "2_two": "SELECT 1/0;" });
    expect((await failure(prismaDeploy(database.url, schema.migrations))).message).toContain("2_two");
    const error = await failure(apply(database, schema));
    expect(error).toBeInstanceOf(MigrationError);
    expect(error.message).toContain("prisma migrate resolve");
  });
});

describe("migration outside a transaction", () => {
  const INDEX = `-- no transaction: an index on a table in use
DROP INDEX CONCURRENTLY IF EXISTS one_id;
-- Unique; of all rows.
CREATE UNIQUE INDEX CONCURRENTLY one_id ON one (id);
`;

  async function indexes(database: TestDatabase): Promise<unknown[]> {
    return database.rows(
      "SELECT indexrelid::regclass::text AS name, indisvalid AS valid FROM pg_index WHERE indrelid = 'one'::regclass",
    );
  }

  test("runner creates an index concurrently", async () => {
    const database = await emptyDatabase();
    const schema = await withMigrations({ "1_one": TWO["1_one"], "2_index": INDEX });
    expect(await apply(database, schema)).toEqual(["1_one", "2_index"]);
    expect(await indexes(database)).toEqual([{ name: "one_id", valid: true }]);
    expect(await apply(database, schema)).toEqual([]);
  });

  test("runner names a migration that fails midway, and repeats it from its first statement", async () => {
    const database = await emptyDatabase();
    const schema = await withMigrations({
      "1_one": "CREATE TABLE one (id integer); INSERT INTO one VALUES (1), (1);",
      "2_index": INDEX,
    });
    const error = await failure(apply(database, schema));
    expect(error).toBeInstanceOf(MigrationError);
    expect(error.message).toMatch(/2_index.*outside a transaction.*repeated.*could not create unique index/s);
    expect(await indexes(database)).toEqual([{ name: "one_id", valid: false }]);
    expect(await recorded(database)).toEqual(["1_one"]);

    await database.rows("DELETE FROM one");
    expect(await apply(database, schema)).toEqual(["2_index"]);
    expect(await indexes(database)).toEqual([{ name: "one_id", valid: true }]);
  });

  test("runner refuses a repetition that leaves an invalid index behind", async () => {
    const database = await emptyDatabase();
    const schema = await withMigrations({
      "1_one": "CREATE TABLE one (id integer); INSERT INTO one VALUES (1), (1);",
      "2_index": "-- no transaction\nCREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS one_id ON one (id);\n",
    });
    await failure(apply(database, schema));
    await database.rows("DELETE FROM one");
    expect((await failure(apply(database, schema))).message).toMatch(/one_id is invalid.*DROP INDEX CONCURRENTLY/);
    expect(await recorded(database)).toEqual(["1_one"]);
  });

  test("ten processes that start at once create an index concurrently without a deadlock", async () => {
    const database = await emptyDatabase();
    const schema = await withMigrations({ "1_one": TWO["1_one"], "2_index": INDEX });
    const applied = await Promise.all(Array.from({ length: 10 }, () => apply(database, schema)));
    expect(applied.filter((names) => names.length > 0)).toEqual([["1_one", "2_index"]]);
    expect(await indexes(database)).toEqual([{ name: "one_id", valid: true }]);
  });
});

describe("bookkeeping", () => {
  const COLUMNS = `
    SELECT column_name, data_type, character_maximum_length, is_nullable, column_default
      FROM information_schema.columns WHERE table_name = '_prisma_migrations' ORDER BY ordinal_position`;
  const ROWS = `
    SELECT migration_name, checksum, finished_at IS NOT NULL AS finished, finished_at >= started_at AS ordered, logs,
           rolled_back_at, applied_steps_count, length(id) AS id_length
      FROM _prisma_migrations ORDER BY started_at`;

  test("runner keeps the same table with the same rows as Prisma", async () => {
    const [ours, theirs] = [await emptyDatabase(), await emptyDatabase()];
    const schema = await withMigrations(TWO);
    await apply(ours, schema);
    await prismaDeploy(theirs.url, schema.migrations);
    expect(await ours.rows(COLUMNS)).toEqual(await theirs.rows(COLUMNS));
    expect(await ours.rows(ROWS)).toEqual(await theirs.rows(ROWS));
    expect(await tables(ours)).toEqual(await tables(theirs));
  });

  test("runner and Prisma continue from each other's migrations", async () => {
    const database = await emptyDatabase();
    const schema = await withMigrations({ "1_one": TWO["1_one"] });
    await apply(database, schema);
    expect(await prismaDeploy(database.url, schema.migrations)).toEqual([]);
    await schema.writeMigration("2_two", TWO["2_two"]);
    expect(await prismaDeploy(database.url, schema.migrations)).toEqual(["2_two"]);
    expect(await apply(database, schema)).toEqual([]);
    await schema.writeMigration("3_three", "CREATE TABLE four ();");
    expect(await apply(database, schema)).toEqual(["3_three"]);
  });
});

test("the migration of the counts of shoppers brings the functions that fill them", async () => {
  const database = await emptyDatabase();
  const functions = await mkdtemp(path.join(tmpdir(), "wishlist-functions-"));
  disposals.push(() => rm(functions, { recursive: true }));
  // As for a process of the release before, until the functions follow the migrations.
  const counting = /(?:advisory_lock_key|shopper_\w+|outbox_update_rollups)\.sql$/;
  await cp(SCHEMA.functions, functions, { recursive: true, filter: (file) => !counting.test(file) });
  await migrate({ ...SCHEMA, databaseUrl: database.url, functions });
  await database.rows("INSERT INTO shop (domain) VALUES ('one.myshopify.com')");
  await database.rows("SELECT wishlist_add(id, 'guest', 'g', 'p', 'v', 'api', now()) FROM shop");
  await database.rows("SELECT wishlist_merge_guest(id, 'g', 'a', now()) FROM shop");
  await database.rows("SELECT outbox_process(id, 100, true) FROM shop");
  const counts = "SELECT shoppers FROM shopper_count WHERE kind = 'customer'";
  expect(await database.rows(counts)).toEqual([{ shoppers: 1 }]);
});

test("two instances that start at once on an empty database both serve", MATRIX, async () => {
  const database = await emptyDatabase();
  disposals.push(closeDatabase);
  const services = await Promise.all([startService({ database }), startService({ database })]);
  const [first, second] = services;
  const shop = await makeShop(first, client(first.url));
  for (const { url } of services) {
    expect((await client(url)("GET", "/v1/wishlists/c1", { token: shop.token })).status).toBe(200);
    expect((await client(url)("GET", "/readyz")).status).toBe(200);
  }
  expect(await first.stop()).toBe(0);
  expect(await second.stop()).toBe(0);
});
