import { readFile } from "node:fs/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { dumpSchema } from "../../prisma/schema-dump.ts";
import { createDatabase, type TestDatabase } from "../support/database/database.ts";
import { sqlOfSchema } from "../support/database/prisma-engine.ts";
import { MATRIX } from "../support/matrix.ts";

const disposals: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const dispose of disposals.splice(0).reverse()) await dispose();
});

/** Creates a database that the migration runner has migrated, or an empty one. */
async function newDatabase(options?: { empty: boolean }): Promise<TestDatabase> {
  const database = await createDatabase(options);
  disposals.push(() => database.drop());
  return database;
}

const schemaFile = (name: string): URL => new URL(`../../prisma/${name}`, import.meta.url);

/** One line for each object of a database's schema. */
type Schema = Set<string>;

async function read(database: TestDatabase): Promise<Schema> {
  const rows = await database.rows<{ line: string }>(`
    WITH ours AS (
      SELECT oid, relname FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname NOT IN ('_prisma_migrations', '_sql_functions')
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
    SELECT format('type %s', typname) FROM pg_type WHERE typnamespace = 'public'::regnamespace AND typtype IN ('e', 'd')
    UNION ALL
    SELECT format('%s %s', CASE relkind WHEN 'v' THEN 'view' ELSE 'materialized view' END, relname)
      FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('v', 'm')`);
  return new Set(rows.map(({ line }) => line));
}

/** Objects of the migrations that a Prisma schema cannot express. Functions and triggers are in the dump. */
const BEYOND_PRISMA: Record<string, RegExp[]> = {
  "partial indexes": [
    /^index CREATE UNIQUE INDEX share_link_open ON share_link .* WHERE /,
    /^index CREATE INDEX activity_(unprocessed|texts) ON activity .* WHERE /,
    /^index CREATE INDEX variant_unavailable ON variant .* WHERE /,
    /^index CREATE INDEX webhook_endpoint_due ON webhook_endpoint .* WHERE /,
    /^index CREATE INDEX webhook_delivery_(pending|undelivered|channel) ON webhook_delivery .* WHERE /,
    /^index CREATE INDEX webhook_attempt_emailed ON webhook_attempt .* WHERE /,
    /^index CREATE UNIQUE INDEX wishlist_import_open ON wishlist_import .* WHERE /,
    /^index CREATE UNIQUE INDEX wishlist_name ON wishlist .* WHERE /,
    /^index CREATE INDEX wishlist_deleted ON wishlist .* WHERE /,
    /^index CREATE UNIQUE INDEX activity_change ON activity .* WHERE /,
    /^index CREATE INDEX variant_(change_unprocessed|change_availability|inventory_item) ON variant(_change)? .* WHERE /,
    /^index CREATE (UNIQUE )?INDEX alert_occurrence_(open|change|day|moment) ON alert_occurrence .* WHERE /,
    /^index CREATE INDEX alert_(pending|withheld|bought) ON alert .* WHERE /,
    /^index CREATE (UNIQUE )?INDEX alert_request_(once|open) ON alert_request .* WHERE /,
    /^index CREATE INDEX store_order_(unread|customer) ON store_order .* WHERE /,
    /^index CREATE INDEX alert_settings_due ON alert_settings .* WHERE /,
  ],
  "covering indexes": [
    /^index CREATE INDEX wishlist_item_newest ON wishlist_item .* INCLUDE /,
    /^index CREATE INDEX alert_moment ON alert .* INCLUDE /,
    /^index CREATE INDEX wishlist_summary_(active|value|items|stock) ON wishlist_summary .* INCLUDE /,
  ],
  "check constraints": [
    /^check (shop_plan|shop_catalog|shop_share_link_days|shop_item_cap|shop_guest_retention_days)_check on shop: /,
    /^check api_key_kind_check on api_key: /,
    /^check (wishlist_owner_kind|wishlist_item_count)_check on wishlist: /,
    /^check webhook_endpoint_(disabled_reason_)?check on webhook_endpoint: /,
    /^check webhook_delivery_(kind_|priority_|status_)?check on webhook_delivery: /,
    /^check privacy_request_(kind_|status_)?check on privacy_request: /,
    /^check billing_(plan_|status_)?check on billing: /,
    /^check export_link_format_check on export_link: /,
    /^check wishlist_import_(status|format|size)_check on wishlist_import: /,
    /^check alert_settings_(\w+_)?check1? on alert_settings: /,
    /^check alert_consent_(kind|source)_check on alert_consent: /,
    /^check alert_occurrence_(kind|status)_check on alert_occurrence: /,
    /^check alert_status_check on alert: /,
  ],
};

/** Implications of Prisma that its SQL leaves out. */
const MEANT_BY_PRISMA: Record<string, string> = {
  // Prisma treats a list as never null, but creates a nullable column.
  "column api_key.scopes text[]": "column api_key.scopes text[] not null",
  "column webhook_endpoint.events text[]": "column webhook_endpoint.events text[] not null",
  "column customer_tagging.customer_ids text[]": "column customer_tagging.customer_ids text[] not null",
  "column alert_settings.kinds text[] default ARRAY[]::text[]":
    "column alert_settings.kinds text[] not null default ARRAY[]::text[]",
  "column email_settings.kinds text[] default ARRAY[]::text[]":
    "column email_settings.kinds text[] not null default ARRAY[]::text[]",
};

interface Difference {
  /** created by the migrations and neither in the Prisma schema nor in the list above */
  unknownToPrisma: string[];
  /** in the Prisma schema and not created by the migrations */
  notMade: string[];
  /** in the list above and not in the database */
  gone: string[];
}

const NONE: Difference = { unknownToPrisma: [], notMade: [], gone: [] };

async function difference(prismaSchema: string): Promise<Difference> {
  const [migrated, modelled] = [await newDatabase(), await newDatabase({ empty: true })];
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

describe("schema.prisma", () => {
  test("schema.prisma and the migrations describe the same tables", async () => {
    expect(await difference(await readFile(schemaFile("schema.prisma"), "utf8"))).toEqual(NONE);
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
      "price     Decimal   @db.Decimal",
      "price     Decimal   @db.Decimal(12, 2)",
      {
        unknownToPrisma: ["column variant.price numeric not null"],
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
  ])("comparison reports a difference in %s", MATRIX, async (_, from, to, expected) => {
    const schema = await readFile(schemaFile("schema.prisma"), "utf8");
    expect(schema).toContain(from);
    const found = await difference(schema.replace(from, to));
    expect(found.unknownToPrisma.length).toBeGreaterThan(0);
    expect(found).toMatchObject(expected);
  });
});

describe("prisma/schema.sql", () => {
  let migrated: TestDatabase;

  beforeAll(async () => {
    migrated = await createDatabase();
  });
  afterAll(() => migrated.drop());

  test("schema.sql is the dump of a migrated database", async () => {
    // After a migration or a change of a function's signature: npm run db:schema
    expect(await dumpSchema(migrated.pool)).toBe(await readFile(schemaFile("schema.sql"), "utf8"));
  });

  test.each([
    "ALTER TABLE shop ADD extra integer",
    "ALTER TABLE shop ALTER currency SET NOT NULL",
    "ALTER TABLE shop ALTER plan SET DEFAULT 'starter'",
    "ALTER TABLE shop ADD CHECK (domain <> '')",
    "ALTER TABLE product DROP CONSTRAINT product_shop_id_fkey",
    "ALTER TABLE daily_stats SET (fillfactor = 71)",
    "DROP INDEX product_handle",
    "DROP TRIGGER shop_notify_changed ON shop",
    "ALTER SEQUENCE shop_id_seq AS integer",
    "CREATE FUNCTION extra(p_shop_id bigint) RETURNS void LANGUAGE sql AS ''",
    "ALTER FUNCTION uuid_v7() STABLE",
    "CREATE VIEW extra AS SELECT 1 AS one",
    "CREATE TYPE extra AS ENUM ('a')",
  ])("dump changes after %s", async (change) => {
    const client = await migrated.pool.connect();
    try {
      const before = await dumpSchema(client);
      await client.query("BEGIN");
      await client.query(change);
      expect(await dumpSchema(client)).not.toBe(before);
    } finally {
      await client.query("ROLLBACK");
      client.release();
    }
  });

  test("dump does not depend on the order in which objects were created", async () => {
    const [one, other] = [await newDatabase({ empty: true }), await newDatabase({ empty: true })];
    const [a, b] = [
      "CREATE TABLE a (x bigserial PRIMARY KEY)",
      "CREATE TABLE b (y text CHECK (y <> ''), z text CHECK (z <> ''))",
    ];
    const [i, j] = ["CREATE INDEX i ON b (y)", "CREATE INDEX j ON b (z)"];
    for (const sql of [a, b, i, j]) await one.rows(sql);
    for (const sql of [b, j, i, a]) await other.rows(sql);
    expect(await dumpSchema(one.pool)).toBe(await dumpSchema(other.pool));
  });
});

describe("triggers on keys", () => {
  /** A key keeps them for its life. */
  const UNCHANGEABLE = ["key_id", "kind", "shop_id"];

  test.each(["api_key_notify_changed", "api_key_set_changed_at"])(
    "%s fires for every column that processes keep in memory",
    async (trigger) => {
      const source = await readFile(new URL("../../app/access/key-states.server.ts", import.meta.url), "utf8");
      const kept = new Set(Array.from(source.matchAll(/\bk\.(\w+)/g), ([, column]) => column));
      for (const column of UNCHANGEABLE) kept.delete(column);
      expect(kept).toContain("scopes");
      const rows = await (
        await newDatabase()
      ).rows<{ column: string }>(
        'SELECT event_object_column AS "column" FROM information_schema.triggered_update_columns WHERE trigger_name = $1',
        [trigger],
      );
      const fires = new Set(rows.map(({ column }) => column));
      expect([...kept].filter((column) => column === undefined || !fires.has(column))).toEqual([]);
    },
  );
});
