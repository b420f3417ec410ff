import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeDatabase } from "../../app/platform/database/database.server.ts";
import { createDatabase, type TestDatabase } from "../support/database/database.ts";
import { METRICS_TOKEN, scrape } from "../support/app/metrics.ts";
import { startService, type Service } from "../support/app/service.ts";
import { SHOPIFY_ENV } from "../support/app/storefront.ts";
import { explainEverything, oneLine, recordStatements, type Executed } from "../support/database/statements.ts";
import { useEverything } from "./fixtures/all-operations.ts";

let database: TestDatabase;
let service: Service;
/** The service's tables. pg-boss has a separate schema without shops. */
let ours: Set<string>;
/** all executed statements */
let executed: Executed[];
/** operations of the API that were called, as `GET /v1/…` */
let called: Set<string>;
let documented: string[];

beforeAll(async () => {
  database = await createDatabase();
  await explainEverything(database);
  const tables = await database.rows<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
  );
  ours = new Set(tables.map(({ name }) => name));
  const statements = await recordStatements(database);
  const env = { ...SHOPIFY_ENV, NODE_ENV: "test", WEBHOOKS_ALLOW_LOOPBACK: "1", METRICS_TOKEN };
  service = await startService({ database, env });
  ({ called, documented } = await useEverything(service));
  await scrape(service);
  // The process returns its leases when it stops.
  await service.stop();
  executed = await statements();
});
afterAll(async () => {
  await closeDatabase();
  await service.dispose();
  await database.drop();
});

/** Tables without a shop. */
const NOT_A_SHOPS_OWN: Record<string, string> = {
  shop: "its rows are the shops",
  sealing_key: "the encryption keys are the service's, not a shop's",
  session: "Shopify's library looks sessions up by their ids, which name the shop's domain",
  _prisma_migrations: "the migrations of the database as a whole",
  _sql_functions: "the functions of the database as a whole",
};

/** Indexes that do not begin with shop_id, with the reason. */
const NOT_BY_SHOP: Record<string, string> = {
  api_key_key_id_key: "a token and the token exchange name a key, and the key tells the shop",
  set_aside_retry: "the outbox processor looks for changes of all shops whose time has come",
  api_key_changed_at: "each process asks what has changed of late in any shop",
  shop_maintenance_due: "each process asks which shops' jobs are due",
  alert_settings_due: "each process asks which shops' alerts are due",
  webhook_endpoint_due: "the delivery loop takes whatever is due next, in any shop",
};

/** Unscoped reads of a distributed database only, by their label in the code. */
const UNSCOPED_ON_CITUS = ["activity/outbox.server.ts", "alerts/pipeline.server.ts"];

/** Unscoped reads by their label in the code: the table they may scan, and its condition. */
const UNSCOPED: { why: string; file: string; statement: RegExp; table: string; by: RegExp }[] = [
  {
    why: "key_state: a token names its key, and the key tells the shop",
    file: "access/key-states.server.ts",
    statement: /^SELECT k\.key_id, .* WHERE k\.key_id = \$1$/,
    table: "api_key",
    by: /\bkey_id = /,
  },
  {
    why: "key_changes: what changed of late in any shop",
    file: "access/key-states.server.ts",
    statement: /^SELECT key_id, NULL::bigint AS shop_id FROM api_key WHERE changed_at > .* UNION ALL /,
    table: "api_key",
    by: /\bchanged_at > /,
  },
  {
    why: "findKey: the token exchange and the command line know a key by its id alone",
    file: "access/api-keys.server.ts",
    statement:
      /^SELECT "public"\."api_key"\."shop_id".* FROM "public"\."api_key" WHERE \("public"\."api_key"\."key_id" = \$1 /,
    table: "api_key",
    by: /\bkey_id = /,
  },
  {
    why: "outbox_shops: the shops with unprocessed activity, one step of the index for each",
    file: "activity/outbox.server.ts",
    statement:
      /^WITH RECURSIVE pending AS \( \(SELECT shop_id FROM activity WHERE processed_at IS NULL ORDER BY shop_id /,
    table: "activity",
    by: /^\s*$|\bshop_id > /,
  },
  {
    why: "outbox_shops: the shops with unprocessed activity, one step of the index for each",
    file: "activity/outbox.server.ts",
    statement: /^WITH RECURSIVE pending .* UNION SELECT shop_id FROM set_aside WHERE retry_at <= /,
    table: "set_aside",
    by: /\bretry_at <= /,
  },
  {
    why: "set_aside_changes: what was set aside in all shops, for the command line",
    file: "activity/set-aside-changes.server.ts",
    statement: /^SELECT s\.domain AS shop, c\.subject_id AS id, /,
    table: "set_aside",
    by: /\bkind = /,
  },
  {
    why: "alert_shops_changed: the shops with unprocessed changes of the catalog, one step of the index for each",
    file: "alerts/pipeline.server.ts",
    statement:
      /^WITH RECURSIVE changed AS \( \(SELECT shop_id FROM variant_change WHERE processed_at IS NULL ORDER BY shop_id /,
    table: "variant_change",
    by: /^\s*$|\bshop_id > /,
  },
  {
    why: "alert_shops_due: the shops whose alerts are due",
    file: "alerts/pipeline.server.ts",
    statement: /^SELECT a\.shop_id FROM alert_settings a JOIN shop s /,
    table: "alert_settings",
    by: /\bdue_at <= /,
  },
  {
    why: "email_shops_behind: the shops whose emails must begin or end, because the operator has set a mail server or taken it away",
    file: "email/settings.server.ts",
    statement: /^SELECT c\.shop_id, s\.domain FROM email_settings c JOIN webhook_endpoint e /,
    table: "webhook_endpoint",
    by: /\bid = /,
  },
  {
    why: "shop_jobs_enrol: shops without a time for a job",
    file: "platform/jobs/shop-jobs.server.ts",
    statement: /^INSERT INTO shop_maintenance \(shop_id, job, due_at\) SELECT s\.id, /,
    table: "shop_maintenance",
    by: /\bjob = /,
  },
  {
    why: "shop_jobs_due: shops of which a job is due",
    file: "platform/jobs/shop-jobs.server.ts",
    statement: /^SELECT shop_id FROM shop_maintenance WHERE job = \$1 AND due_at <= /,
    table: "shop_maintenance",
    by: /\bdue_at <= /,
  },
  {
    why: "webhook_due_unclaimed: endpoints of any shop that are due",
    file: "webhooks/delivery/queue.server.ts",
    statement: /^SELECT c\.shop_id, c\.id FROM webhook_endpoint c JOIN shop s /,
    table: "webhook_endpoint",
    by: /\bdue_at <= /,
  },
  {
    why: "outbox_lag: how much activity of all shops waits, for the metrics",
    file: "activity/outbox-lag.server.ts",
    statement: /^SELECT count\(\*\) AS rows, .* FROM \(SELECT at FROM activity WHERE processed_at IS NULL /,
    table: "activity",
    by: /^\s*$/,
  },
  {
    why: "webhook_due_endpoints: which endpoints of all shops are due, for the metrics",
    file: "webhooks/delivery/queue-depth.server.ts",
    statement: /^SELECT e\.shop_id, e\.id, coalesce\(e\.lease_until /,
    table: "webhook_endpoint",
    by: /\bdue_at <= /,
  },
  {
    why: "webhook_endpoint_states: how many endpoints are disabled, for the metrics",
    file: "webhooks/delivery/queue-depth.server.ts",
    statement: /^SELECT coalesce\(disabled_reason, 'enabled'\) AS state, /,
    table: "webhook_endpoint",
    by: /^\s*$/,
  },
  {
    why: "shop_jobs_states: for how many shops each job is due, for the metrics",
    file: "platform/metrics/jobs.server.ts",
    statement: /^SELECT job, count\(\*\) FILTER /,
    table: "shop_maintenance",
    by: /^\s*$/,
  },
  {
    why: "catalog_syncs: how many product syncs run, for the metrics",
    file: "catalog/sync-states.server.ts",
    statement: /^SELECT count\(\*\) AS running, /,
    table: "catalog_sync",
    by: /\bfinished_at IS NULL\b/,
  },
  {
    why: "set_aside_counts: how much was set aside in all shops, for the metrics",
    file: "set-aside/set-aside.server.ts",
    statement: /^SELECT kind, count\(\*\) AS count FROM set_aside /,
    table: "set_aside",
    by: /^\s*$/,
  },
];

/** Tables that only SQL functions write to, so that rows, counts, log and rollups agree. */
const WRITTEN_BY_FUNCTIONS = new Set([
  "wishlist",
  "wishlist_item",
  "share_link",
  "share_daily",
  "wishlist_summary",
  "wishlist_summary_state",
  "activity",
  "cart_event",
  "merged_guest",
  "daily_stats",
  "activity_hourly",
  "product_daily",
  "product_stats",
  "variant_stats",
  "shopper",
  "shopper_day",
  "shopper_count",
]);

/** The exceptions. */
const WRITTEN_DIRECTLY: { why: string; write: string; statement: RegExp }[] = [
  {
    why: "retention purges deleted lists, which have no items any more",
    write: "Delete wishlist",
    statement: /^WITH gone AS \( DELETE FROM wishlist WHERE shop_id = \$1 AND ctid = .* deleted_at >= /,
  },
  {
    why: "activity goes by age, once the rollups have it",
    write: "Delete activity",
    statement: /\bDELETE FROM activity WHERE shop_id = \$1 AND .* at < \$2 AND processed_at < 'infinity'/,
  },
  {
    why: "texts of an owner with too many of them are cut from processed activity, which changes no sum",
    write: "Update activity",
    statement:
      /\bUPDATE activity SET data = data - ARRAY\['note', 'properties'\], .* WHERE shop_id = \$1 AND .* processed_at < 'infinity'/,
  },
  {
    why: "cart events go by age, when no storefront reports them again",
    write: "Delete cart_event",
    statement: /\bDELETE FROM cart_event WHERE shop_id = \$1 AND .* at < \$2\b/,
  },
  {
    why: "records of merged guests are deleted by age, when no tab still knows the guest's id",
    write: "Delete merged_guest",
    statement: /\bDELETE FROM merged_guest WHERE shop_id = \$1 AND .* merged_at < \$2\b/,
  },
  {
    why: "days of shoppers go by age, when no period reaches back to them",
    write: "Delete shopper_day",
    statement: /\bDELETE FROM shopper_day WHERE shop_id = \$1 AND .* day < \$2\b/,
  },
  ...[...WRITTEN_BY_FUNCTIONS].map((table) => ({
    why: `a shop that is erased goes with its ${table} rows`,
    write: `Delete ${table}`,
    statement: new RegExp(
      `\\bDELETE FROM ${table} WHERE shop_id = \\$1 AND ctid = ANY \\(ARRAY\\(SELECT ctid FROM ${table} WHERE shop_id = \\$1 LIMIT `,
    ),
  })),
];

const BY_SHOP = /\bshop_id = |= shop_id\b/;

function tenantTable(table: string): boolean {
  return ours.has(table) && !(table in NOT_A_SHOPS_OWN);
}

/** Finds scans of a shop's table without a condition on the shop. */
function unscopedScans(statements: readonly Executed[]): string[] {
  const found = statements.flatMap(({ text, scans }) =>
    scans
      .filter(({ table, conditions }) => tenantTable(table) && !BY_SHOP.test(conditions))
      .filter(
        ({ table, conditions }) =>
          !UNSCOPED.some((one) => one.statement.test(text) && one.table === table && one.by.test(conditions)),
      )
      .map(({ table }) => `${table}: ${text}`),
  );
  return [...new Set(found)];
}

function directWrites(statements: readonly Executed[]): { write: string; text: string }[] {
  return statements
    .filter(({ direct }) => direct)
    .flatMap(({ text, writes }) =>
      writes
        .filter(({ table }) => WRITTEN_BY_FUNCTIONS.has(table))
        .map(({ table, operation }) => ({ write: `${operation} ${table}`, text })),
    );
}

/** Finds writes that bypass the functions. */
function forbiddenWrites(statements: readonly Executed[]): string[] {
  const found = directWrites(statements)
    .filter(({ write, text }) => !WRITTEN_DIRECTLY.some((one) => one.write === write && one.statement.test(text)))
    .map(({ write, text }) => `${write}: ${text}`);
  return [...new Set(found)];
}

describe("the schema", () => {
  interface Index {
    table: string;
    index: string;
    leads: string;
  }

  async function indexes(): Promise<Index[]> {
    return database.rows<Index>(
      `SELECT t.relname AS table, x.relname AS index, a.attname AS leads
         FROM pg_index i
         JOIN pg_class t ON t.oid = i.indrelid
         JOIN pg_class x ON x.oid = i.indexrelid
         JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = i.indkey[0]
        WHERE t.relnamespace = 'public'::regnamespace`,
    );
  }

  test("has shop_id first in every key and index of shops' tables", async () => {
    const others = (await indexes()).filter(({ table, leads }) => tenantTable(table) && leads !== "shop_id");
    expect(others.map(({ index }) => index).sort()).toEqual(Object.keys(NOT_BY_SHOP).sort());
  });

  test("has a primary key that begins with shop_id in shops' tables", async () => {
    const rows = await database.rows<{ table: string }>(
      `SELECT t.relname AS table FROM pg_class t
        WHERE t.relnamespace = 'public'::regnamespace AND t.relkind IN ('r', 'p')
          AND NOT EXISTS (SELECT 1 FROM pg_index i JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = i.indkey[0]
                           WHERE i.indrelid = t.oid AND i.indisprimary AND a.attname = 'shop_id')`,
    );
    expect(rows.map(({ table }) => table).sort()).toEqual(Object.keys(NOT_A_SHOPS_OWN).sort());
  });

  test("every shop id and every generated id is a bigint", async () => {
    const rows = await database.rows<{ name: string }>(
      `SELECT format('%s.%s', attrelid::regclass, attname) AS name FROM pg_attribute a JOIN pg_class t ON t.oid = a.attrelid
        WHERE t.relnamespace = 'public'::regnamespace AND t.relkind = 'r' AND attname = 'shop_id' AND atttypid <> 'bigint'::regtype
        UNION ALL
       SELECT seqrelid::regclass::text FROM pg_sequence s JOIN pg_class c ON c.oid = s.seqrelid
        WHERE c.relnamespace = 'public'::regnamespace AND seqtypid <> 'bigint'::regtype`,
    );
    expect(rows).toEqual([]);
  });

  test("has foreign keys within a shop only", async () => {
    const rows = await database.rows<{ name: string; columns: string[]; target: string }>(
      `SELECT c.conname AS name, c.confrelid::regclass::text AS target,
              array(SELECT attname::text FROM unnest(c.conkey) k JOIN pg_attribute a
                                        ON a.attrelid = c.conrelid AND a.attnum = k) AS columns
         FROM pg_constraint c WHERE c.contype = 'f' AND c.connamespace = 'public'::regnamespace`,
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { name, columns, target } of rows) {
      expect({ name, shop: columns.includes("shop_id") }).toEqual({ name, shop: true });
      if (target !== "shop") expect({ name, columns: columns.length }).toEqual({ name, columns: 2 });
    }
  });
});

describe("a run of all operations", () => {
  test("uses every documented operation", () => {
    expect(documented.length).toBeGreaterThan(0);
    expect([...called].sort()).toEqual(documented.toSorted());
  });

  test("names the shop in every statement except the listed ones", () => {
    expect(executed.length).toBeGreaterThan(100);
    expect(unscopedScans(executed)).toEqual([]);
  });

  test("uses every listed exception", () => {
    for (const { why, statement, table, by } of UNSCOPED) {
      const inUse = executed.some(
        ({ text, scans }) =>
          statement.test(text) && scans.some((scan) => scan.table === table && by.test(scan.conditions)),
      );
      expect({ why, inUse }).toEqual({ why, inUse: true });
    }
  });

  test("lists the same exceptions as the code's unscoped statements", () => {
    const sources = import.meta.glob<string>("../../app/**/*.ts", { query: "?raw", import: "default", eager: true });
    const marked = Object.entries(sources).flatMap(([path, text]) =>
      [...text.matchAll(/\bUnscoped: /g)].map(() => path.replace("../../app/", "")),
    );
    const listed = [...new Map(UNSCOPED.map((one) => [one.why, one.file])).values()];
    expect([...listed, ...UNSCOPED_ON_CITUS].sort()).toEqual(marked.sort());
  });

  test("writes wishlists, activity and rollups through SQL functions only", () => {
    const written = new Set(executed.flatMap(({ writes }) => writes.map(({ table }) => table)));
    expect([...WRITTEN_BY_FUNCTIONS].filter((table) => !written.has(table))).toEqual([]);
    expect(forbiddenWrites(executed)).toEqual([]);
  });

  test("uses every listed exception for writes", () => {
    for (const { why, write, statement } of WRITTEN_DIRECTLY) {
      const inUse = directWrites(executed).some((one) => one.write === write && statement.test(one.text));
      expect({ why, inUse }).toEqual({ why, inUse: true });
    }
  });

  test("includes every statement of the SQL functions", async () => {
    const functions = await database.rows<{ name: string; body: string }>(
      `SELECT proname AS name, prosrc AS body FROM pg_proc
        WHERE pronamespace = 'public'::regnamespace AND prolang = (SELECT oid FROM pg_language WHERE lanname = 'plpgsql')`,
    );
    const ran = new Set(executed.map(({ text }) => text));
    const missing = functions.flatMap(({ name, body }) =>
      statementsOf(body)
        .filter((text) => !ran.has(text))
        .map((text) => `${name}: ${text}`),
    );
    expect(functions.flatMap(({ body }) => statementsOf(body)).length).toBeGreaterThan(15);
    expect(missing).toEqual([]);
  });
});

/** Returns the SQL statements of a plpgsql body as the planner gets them: without INTO and LOOP, and PERFORM as SELECT. */
function statementsOf(body: string): string[] {
  // Comments would be part of a statement.
  const blanked = body.replaceAll(/--.*$/gm, (comment) => " ".repeat(comment.length));
  let end = -1;
  return blanked.split(";").flatMap((part) => {
    const start = end + 1;
    end = start + part.length;
    const found = /\b(?:WITH|SELECT|INSERT|UPDATE|DELETE|PERFORM)\b.*/s.exec(part);
    // `PERFORM pg_notify(…)` touches no table.
    if (!found || !/\b(?:FROM|INSERT INTO|UPDATE)\b/.test(found[0])) return [];
    return oneLine(
      body
        .slice(start + found.index, end)
        .replace(/^PERFORM/, "SELECT")
        .replace(/ LOOP\b.*/s, "")
        .replaceAll(/(?<!INSERT\s)\bINTO (?:STRICT )?\w+(?:,\s*\w+)*/g, ""),
    );
  });
}

describe("the checks detect", () => {
  async function planted(...statements: string[]): Promise<Executed[]> {
    const record = await recordStatements(database);
    // The pool's connections are older than the setting.
    const planting = new pg.Client({ connectionString: database.url });
    await planting.connect();
    await planting.query("BEGIN");
    for (const statement of statements) await planting.query(statement);
    await planting.query("ROLLBACK");
    await planting.end();
    return record();
  }

  test.each([
    "SELECT * FROM wishlist_item WHERE wishlist_id = 1",
    "SELECT count(*) FROM wishlist",
    "SELECT 1 FROM wishlist w JOIN wishlist_item i ON i.wishlist_id = w.id WHERE w.shop_id = 1",
    "SELECT (SELECT max(version) FROM activity) FROM shop",
    "UPDATE api_key SET name = 'x' WHERE key_id = 'y'",
    "DELETE FROM product WHERE product_id = 'p'",
    "SELECT key_id FROM api_key WHERE secret_hint = 'abcd'",
    "SELECT 1 FROM wishlist WHERE shop_id > 0",
    "SELECT sum(items_added) FROM daily_stats",
    "SELECT url FROM webhook_endpoint WHERE due_at <= now()",
    "SELECT 1 FROM webhook_delivery d JOIN webhook_event v ON v.id = d.event_id WHERE d.shop_id = 1",
    "DELETE FROM webhook_attempt WHERE delivery_id IN (SELECT id FROM webhook_delivery WHERE shop_id = 1)",
  ])("an unscoped statement: %s", async (statement) => {
    expect(unscopedScans(await planted(statement))).toHaveLength(1);
  });

  test("an unscoped statement inside a function", async () => {
    const found = await planted(
      `CREATE FUNCTION planted() RETURNS bigint LANGUAGE plpgsql AS $$
       DECLARE n bigint; BEGIN SELECT count(*) INTO n FROM wishlist_item; RETURN n; END $$`,
      "SELECT planted()",
    );
    expect(unscopedScans(found)).toEqual([expect.stringMatching(/^wishlist_item: SELECT count/)]);
  });

  test.each([
    "UPDATE wishlist SET item_count = 0 WHERE shop_id = 1 AND id = 1",
    "UPDATE daily_stats SET items_added = 0 WHERE shop_id = 1",
    "DELETE FROM activity WHERE shop_id = 1 AND at < now()",
    "DELETE FROM wishlist_item WHERE shop_id = 1",
    "INSERT INTO activity SELECT * FROM activity WHERE shop_id = 0",
    "WITH gone AS (DELETE FROM share_link WHERE shop_id = 1 RETURNING id) SELECT count(*) FROM gone",
  ])("a write past the functions: %s", async (statement) => {
    expect(forbiddenWrites(await planted(statement))).toHaveLength(1);
    expect(unscopedScans(await planted(statement))).toEqual([]);
  });
});
