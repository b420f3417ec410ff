import { cp, mkdtemp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { closeDatabase } from "../../app/platform/database.server.ts";
import { migrate, MigrationError } from "../../app/platform/migrations.server.ts";
import { MIGRATIONS } from "../../server/migrations.ts";
import { client } from "../support/client.ts";
import { createDatabase, type TestDatabase } from "../support/database.ts";
import { prismaDeploy, sqlOfSchema } from "../support/prisma-engine.ts";
import { startService } from "../support/service.ts";
import { makeShop } from "../support/shop.ts";
import { until } from "../support/until.ts";

const disposals: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const dispose of disposals.splice(0).reverse()) await dispose();
});

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createDatabase({ empty: true });
  disposals.push(() => database.drop());
  return database;
}

/** A migrations folder with these files, by the migration's name. */
async function folderWith(migrations: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "wishlist-migrations-"));
  disposals.push(() => rm(folder, { recursive: true }));
  await writeFile(path.join(folder, "migration_lock.toml"), 'provider = "postgresql"\n');
  for (const [name, sql] of Object.entries(migrations)) await writeMigration(folder, name, sql);
  return folder;
}

async function writeMigration(folder: string, name: string, sql: string): Promise<void> {
  await mkdir(path.join(folder, name), { recursive: true });
  await writeFile(path.join(folder, name, "migration.sql"), sql);
}

async function tables(database: TestDatabase): Promise<string[]> {
  const rows = await database.rows<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename",
  );
  return rows.map(({ name }) => name).filter((name) => name !== "_prisma_migrations");
}

async function failure(of: Promise<unknown>): Promise<Error> {
  const error: unknown = await of.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof Error) return error;
  throw new Error("it should have failed");
}

const TWO = {
  "1_one": "CREATE TABLE one (id integer);",
  "2_two": "CREATE TABLE two (id integer); CREATE TABLE three ();",
};

describe("the migration runner", () => {
  test("brings an empty database up in the order of the names, and finds nothing to do the next time", async () => {
    const database = await emptyDatabase();
    const folder = await folderWith({ "2_two": "ALTER TABLE one ADD name text;", "1_one": TWO["1_one"] });
    expect(await migrate({ databaseUrl: database.url, folder })).toEqual(["1_one", "2_two"]);
    expect(await migrate({ databaseUrl: database.url, folder })).toEqual([]);
    await writeMigration(folder, "3_three", "CREATE TABLE three ();");
    expect(await migrate({ databaseUrl: database.url, folder })).toEqual(["3_three"]);
    expect(await tables(database)).toEqual(["one", "three"]);
  });

  test("lets queries pass while it waits for a table's lock, and applies the migration afterwards", async () => {
    const database = await emptyDatabase();
    const folder = await folderWith({ "1_one": TWO["1_one"] });
    await migrate({ databaseUrl: database.url, folder });
    await writeMigration(folder, "2_two", "ALTER TABLE one ADD name text;");
    const reader = await database.pool.connect();
    const passing = await database.pool.connect();
    await passing.query("SET statement_timeout = '20s'");
    await reader.query("BEGIN");
    await reader.query("SELECT * FROM one");
    const migrating = migrate({ databaseUrl: database.url, folder });
    try {
      await until("the migration to wait for the reader", async () => {
        const waiting = await database.rows(
          "SELECT 1 FROM pg_stat_activity WHERE application_name = 'wishlist migrate' AND wait_event_type = 'Lock' AND datname = current_database()",
        );
        return waiting.length > 0;
      });
      // Queued behind the migration, which gives up its place; without that this would wait for the first reader.
      await passing.query("SELECT * FROM one");
    } finally {
      await reader.query("COMMIT");
      reader.release();
      passing.release();
    }
    expect(await migrating).toEqual(["2_two"]);
  });

  test("applies each migration once when ten processes start at the same moment", async () => {
    const database = await emptyDatabase();
    const folder = await folderWith(TWO);
    const applied = await Promise.all(Array.from({ length: 10 }, () => migrate({ databaseUrl: database.url, folder })));
    expect(applied.filter((names) => names.length > 0)).toEqual([["1_one", "2_two"]]);
    expect(await database.rows("SELECT migration_name FROM _prisma_migrations")).toHaveLength(2);
  });

  test("refuses to go on from a migration that was changed after it had been applied, and says which", async () => {
    const database = await emptyDatabase();
    const folder = await folderWith(TWO);
    await migrate({ databaseUrl: database.url, folder });
    await writeMigration(folder, "1_one", "CREATE TABLE one (id bigint);");
    await writeMigration(folder, "3_three", "CREATE TABLE later ();");
    const error = await failure(migrate({ databaseUrl: database.url, folder }));
    expect(error).toBeInstanceOf(MigrationError);
    expect(error.message).toContain("1_one");
    expect(await tables(database)).toEqual(["one", "three", "two"]);
  });

  test("leaves nothing of a migration that fails, keeps those before it, and goes on once it is mended", async () => {
    const database = await emptyDatabase();
    const folder = await folderWith({ ...TWO, "2_two": "CREATE TABLE two (); SELECT 1/0; CREATE TABLE three ();" });
    const error = await failure(migrate({ databaseUrl: database.url, folder }));
    expect(error).toBeInstanceOf(MigrationError);
    expect(error.message).toContain("2_two");
    expect(error.message).toContain("division by zero");
    expect(await tables(database)).toEqual(["one"]);
    expect(await database.rows("SELECT migration_name FROM _prisma_migrations")).toEqual([{ migration_name: "1_one" }]);

    await writeMigration(folder, "2_two", TWO["2_two"]);
    expect(await migrate({ databaseUrl: database.url, folder })).toEqual(["2_two"]);
  });

  test("leaves nothing of a migration that ran but could not be written down", async () => {
    const database = await emptyDatabase();
    const folder = await folderWith({ "1_one": "CREATE TABLE one (); ALTER TABLE _prisma_migrations RENAME TO away;" });
    expect(await failure(migrate({ databaseUrl: database.url, folder }))).toBeInstanceOf(MigrationError);
    expect(await tables(database)).toEqual([]);
  });

  test("leaves a database alone that has migrations of a newer release", async () => {
    const database = await emptyDatabase();
    await migrate({ databaseUrl: database.url, folder: await folderWith(TWO) });
    const older = await folderWith({ "1_one": TWO["1_one"] });
    expect(await migrate({ databaseUrl: database.url, folder: older })).toEqual([]);
    expect(await tables(database)).toEqual(["one", "three", "two"]);
  });

  test("refuses a database in which Prisma left a failed migration, and says how to resolve it", async () => {
    const database = await emptyDatabase();
    const folder = await folderWith({ ...TWO, "2_two": "SELECT 1/0;" });
    expect((await failure(prismaDeploy(database.url, folder))).message).toContain("2_two");
    const error = await failure(migrate({ databaseUrl: database.url, folder }));
    expect(error).toBeInstanceOf(MigrationError);
    expect(error.message).toContain("prisma migrate resolve");
  });
});

describe("the bookkeeping agrees with Prisma's own:", () => {
  const COLUMNS = `
    SELECT column_name, data_type, character_maximum_length, is_nullable, column_default
      FROM information_schema.columns WHERE table_name = '_prisma_migrations' ORDER BY ordinal_position`;
  const ROWS = `
    SELECT migration_name, checksum, finished_at IS NOT NULL AS finished, finished_at >= started_at AS ordered, logs,
           rolled_back_at, applied_steps_count, length(id) AS id_length
      FROM _prisma_migrations ORDER BY started_at`;

  test("both keep the same table, and write the same into it", async () => {
    const [ours, theirs] = [await emptyDatabase(), await emptyDatabase()];
    const folder = await folderWith(TWO);
    await migrate({ databaseUrl: ours.url, folder });
    await prismaDeploy(theirs.url, folder);
    expect(await ours.rows(COLUMNS)).toEqual(await theirs.rows(COLUMNS));
    expect(await ours.rows(ROWS)).toEqual(await theirs.rows(ROWS));
    expect(await tables(ours)).toEqual(await tables(theirs));
  });

  test("what one has applied the other finds done, and goes on from there", async () => {
    const database = await emptyDatabase();
    const folder = await folderWith({ "1_one": TWO["1_one"] });
    await migrate({ databaseUrl: database.url, folder });
    expect(await prismaDeploy(database.url, folder)).toEqual([]);
    await writeMigration(folder, "2_two", TWO["2_two"]);
    expect(await prismaDeploy(database.url, folder)).toEqual(["2_two"]);
    expect(await migrate({ databaseUrl: database.url, folder })).toEqual([]);
    await writeMigration(folder, "3_three", "CREATE TABLE four ();");
    expect(await migrate({ databaseUrl: database.url, folder })).toEqual(["3_three"]);
  });
});

test("two instances that start at once against an empty database both come up and serve", async () => {
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

// ---------------------------------------------------------------------------------------------------------------------

/** One line for each thing that a database's schema consists of. */
type Schema = Set<string>;

async function read(database: TestDatabase): Promise<Schema> {
  const rows = await database.rows<{ line: string }>(`
    WITH ours AS (
      SELECT oid, relname FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> '_prisma_migrations'
    )
    SELECT format('table %s', relname) AS line FROM ours
    UNION ALL
    SELECT format('column %s.%s %s%s%s', t.relname, a.attname, format_type(a.atttypid, a.atttypmod),
                  CASE WHEN a.attnotnull THEN ' not null' ELSE '' END,
                  CASE WHEN d.oid IS NULL THEN ''
                       WHEN pg_get_expr(d.adbin, d.adrelid) IN ('now()', 'CURRENT_TIMESTAMP') THEN ' default now'
                       ELSE ' default ' || pg_get_expr(d.adbin, d.adrelid) END)
      FROM ours t JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
      LEFT JOIN pg_attrdef d ON d.adrelid = t.oid AND d.adnum = a.attnum
    UNION ALL
    SELECT 'index ' || replace(replace(pg_get_indexdef(i.indexrelid), 'public.', ''), ' USING btree', '') ||
           CASE WHEN i.indisprimary THEN ' as primary key' ELSE '' END
      FROM ours t JOIN pg_index i ON i.indrelid = t.oid
    UNION ALL
    SELECT format('%s %s on %s: %s', CASE c.contype WHEN 'f' THEN 'foreign key' WHEN 'c' THEN 'check'
                  ELSE 'constraint ' || c.contype::text END, c.conname, t.relname, pg_get_constraintdef(c.oid))
      FROM ours t JOIN pg_constraint c ON c.conrelid = t.oid WHERE c.contype NOT IN ('p', 'n')
    UNION ALL
    SELECT format('trigger %s on %s', g.tgname, t.relname)
      FROM ours t JOIN pg_trigger g ON g.tgrelid = t.oid WHERE NOT g.tgisinternal
    UNION ALL
    SELECT format('function %s', proname) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    UNION ALL
    SELECT format('type %s', typname) FROM pg_type WHERE typnamespace = 'public'::regnamespace AND typtype IN ('e', 'd')
    UNION ALL
    SELECT format('%s %s', CASE relkind WHEN 'v' THEN 'view' ELSE 'materialized view' END, relname)
      FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('v', 'm')`);
  return new Set(rows.map(({ line }) => line));
}

/** What the migrations make and a Prisma schema has no words for. */
const BEYOND_PRISMA: Record<string, RegExp[]> = {
  "an index over a part of the rows": [
    /^index CREATE UNIQUE INDEX share_link_open ON share_link .* WHERE /,
    /^index CREATE INDEX activity_waiting ON activity .* WHERE /,
    /^index CREATE INDEX variant_unavailable ON variant .* WHERE /,
    /^index CREATE INDEX webhook_endpoint_due ON webhook_endpoint .* WHERE /,
    /^index CREATE INDEX webhook_delivery_(pending|undelivered) ON webhook_delivery .* WHERE /,
    /^index CREATE UNIQUE INDEX wishlist_import_open ON wishlist_import .* WHERE /,
  ],
  "an index that holds further columns, to be read without the table": [
    /^index CREATE INDEX wishlist_item_newest ON wishlist_item .* INCLUDE /,
  ],
  "checks of values": [
    /^check (shop_plan|shop_catalog|shop_share_link_days|shop_item_cap|shop_guest_retention_days)_check on shop: /,
    /^check api_key_kind_check on api_key: /,
    /^check (wishlist_owner_kind|wishlist_item_count)_check on wishlist: /,
    /^check webhook_endpoint_(disabled_reason_)?check on webhook_endpoint: /,
    /^check webhook_delivery_(kind_|status_)?check on webhook_delivery: /,
    /^check privacy_request_(kind_|status_)?check on privacy_request: /,
    /^check billing_(plan_|status_)?check on billing: /,
    /^check export_link_format_check on export_link: /,
    /^check wishlist_import_(status|format|size)_check on wishlist_import: /,
  ],
  "the functions that write wishlists": [
    /^function (wishlist_(lock|add|remove|merge|share|unshare|cart|fold|import)|import_undo)$/,
    /^function guest_(turn|seen|purge|admit)$/,
  ],
  "the function that forgets a customer": [/^function (customer_erase|import_forget)$/],
  "the functions that make something of the log": [
    /^function (relay|shopper_fold)$/,
    /^function webhook_(queue|wake|settle)$/,
    /^function ordered_id(_from)?$/,
  ],
  "what tells running processes of changes": [
    /^function (mark_changed|announce_key|announce_shop)$/,
    /^trigger api_key_(changed|announced) on api_key$/,
    /^trigger shop_(changed|announced) on shop$/,
  ],
};

/** What Prisma takes for granted and its SQL leaves out. */
const MEANT_BY_PRISMA: Record<string, string> = {
  // A list is never null to Prisma, but the column that it makes may be.
  "column api_key.scopes text[]": "column api_key.scopes text[] not null",
  "column webhook_endpoint.events text[]": "column webhook_endpoint.events text[] not null",
};

interface Difference {
  /** made by the migrations and neither in the Prisma schema nor in the list above */
  unknownToPrisma: string[];
  /** in the Prisma schema and not made by the migrations */
  notMade: string[];
  /** in the list above and not there */
  gone: string[];
}

const NONE: Difference = { unknownToPrisma: [], notMade: [], gone: [] };

async function difference(prismaSchema: string): Promise<Difference> {
  // The first is a copy of a database that our runner has migrated.
  const [migrated, modelled] = [await createDatabase(), await emptyDatabase()];
  disposals.push(() => migrated.drop());
  await modelled.rows(await sqlOfSchema(modelled.url, prismaSchema));
  const made = await read(migrated);
  const described = new Set([...(await read(modelled))].map((line) => MEANT_BY_PRISMA[line] ?? line));
  const patterns = Object.values(BEYOND_PRISMA).flat();
  const extra = [...made].filter((line) => !described.has(line));
  return {
    unknownToPrisma: extra.filter((line) => !patterns.some((pattern) => pattern.test(line))).sort(),
    notMade: [...described].filter((line) => !made.has(line)).sort(),
    gone: patterns.filter((pattern) => !extra.some((line) => pattern.test(line))).map(({ source }) => source),
  };
}

test("the migration default_variant makes the first available variant the default of known products", async () => {
  const database = await emptyDatabase();
  const before = await folderWith({});
  for (const name of await readdir(MIGRATIONS)) {
    if (name < "20261206") await cp(path.join(MIGRATIONS, name), path.join(before, name), { recursive: true });
  }
  await migrate({ databaseUrl: database.url, folder: before });
  await database.rows(
    `WITH shop AS (INSERT INTO shop (domain) VALUES ('old.myshopify.com') RETURNING id),
          made AS (INSERT INTO product (shop_id, product_id, handle, title, default_variant_id, updated_at, status)
                   SELECT id, p, p, p, p || '1', now(), 'ACTIVE' FROM shop, unnest(ARRAY['some', 'all', 'none', 'bare']) AS p RETURNING 1)
     INSERT INTO variant (shop_id, variant_id, product_id, title, price, available, position, deleted_at)
     SELECT id, product || place, product, '', 1, available, place, CASE WHEN place = 2 THEN now() END
       FROM shop, (VALUES ('some', 1, false), ('some', 2, true), ('some', 3, true), ('some', 4, true),
                          ('all', 1, true), ('all', 3, true), ('none', 1, false), ('none', 3, false)) AS v (product, place, available)`,
  );
  await migrate({ databaseUrl: database.url, folder: MIGRATIONS });
  expect(await database.rows("SELECT product_id, default_variant_id FROM product ORDER BY product_id")).toEqual([
    { product_id: "all", default_variant_id: "all1" },
    { product_id: "bare", default_variant_id: "bare1" },
    { product_id: "none", default_variant_id: "none1" },
    { product_id: "some", default_variant_id: "some3" },
  ]);
});

describe("schema.prisma and the migrations", () => {
  const schemaFile = new URL("../../prisma/schema.prisma", import.meta.url);

  test("describe the same tables, columns, keys, indexes and references", async () => {
    expect(await difference(await readFile(schemaFile, "utf8"))).toEqual(NONE);
  });

  test.each<[string, string, string, Partial<Difference>]>([
    [
      "a column that may be null",
      `imageUrl         String?   @map("image_url")`,
      `imageUrl         String   @map("image_url")`,
      { unknownToPrisma: ["column product.image_url text"], notMade: ["column product.image_url text not null"] },
    ],
    [
      "a column's type",
      "@db.Decimal(14, 2)",
      "@db.Decimal(12, 2)",
      {
        unknownToPrisma: ["column variant.price numeric(14,2) not null"],
        notMade: ["column variant.price numeric(12,2) not null"],
      },
    ],
    [
      "a default",
      "@default(2500)",
      "@default(2000)",
      {
        unknownToPrisma: ["column shop.item_cap integer not null default 2500"],
        notMade: ["column shop.item_cap integer not null default 2000"],
      },
    ],
    ["an index", `@@index([shopId, productId], map: "variant_product")`, "", { notMade: [] }],
    ["a unique index", "keyId          String    @unique", "keyId          String   ", { notMade: [] }],
    ["the order of a key's columns", "@@id([shopId, keyId])", "@@id([keyId, shopId])", {}],
    [
      "what a reference does when its target goes",
      "references: [shopId, productId], onDelete: Cascade",
      "references: [shopId, productId], onDelete: Restrict",
      {},
    ],
    ["a whole column", `views       Int       @default(0)`, "", { notMade: [] }],
  ])("can't come to differ in %s without a test saying so", async (_, from, to, expected) => {
    const schema = await readFile(schemaFile, "utf8");
    expect(schema).toContain(from);
    const found = await difference(schema.replace(from, to));
    expect(found.unknownToPrisma.length).toBeGreaterThan(0);
    expect(found).toMatchObject(expected);
  });
});
