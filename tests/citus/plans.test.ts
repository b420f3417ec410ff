import { mkdir, writeFile } from "node:fs/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { closeDatabase } from "../../app/platform/database.server.ts";
import { useEverything } from "../process/fixtures/all-operations.ts";
import { startService } from "../support/app/service.ts";
import { SHOPIFY_ENV } from "../support/app/storefront.ts";
import { connectDatabase, createDatabase, databaseAt, type TestDatabase } from "../support/database/database.ts";
import { explainEverything, oneLine, recordStatements, type Executed } from "../support/database/statements.ts";
import { loggingStatements, placeOf, sentStatements, type Place } from "./statements.ts";

const METRICS_TOKEN = "2f9b7c41d8e6a053";
const REPORT = "node_modules/.cache/citus-plans.txt";

/** Statements that may run on several nodes. None belongs to a request of a shopper or of the API, except the last. */
const SEVERAL_SHARDS: { why: string; statement: RegExp }[] = [
  {
    why: "outbox_shops_anywhere: a poll for changes that no process has announced",
    statement: /^SELECT shop_id FROM activity WHERE processed_at IS NULL GROUP BY shop_id$/,
  },
  { why: "outbox_lag: metrics", statement: /^SELECT count\(\*\) AS rows, .* FROM \(SELECT at FROM activity WHERE/ },
  {
    why: "webhook_due_unclaimed: a poll for endpoints that are due",
    statement: /^SELECT c\.shop_id, c\.id FROM webhook_endpoint c JOIN shop s/,
  },
  { why: "webhook_due_endpoints: metrics", statement: /^SELECT e\.shop_id, e\.id, coalesce\(e\.lease_until/ },
  { why: "webhook_endpoint_states: metrics", statement: /^SELECT coalesce\(disabled_reason, 'enabled'\) AS state/ },
  { why: "catalog_syncs: metrics", statement: /^SELECT count\(\*\) AS running, count\(failed_reason\)/ },
  {
    why: "shared_wishlist_anywhere: a share token from before tokens named their shop",
    statement: /^SELECT l\.shop_id, l\.id, .* WHERE l\.token_hash = \$1 /,
  },
];

/** What a statement of several shards may read on a node, in any shop: the table, and the condition. */
const READ_IN_ANY_SHOP: { table: string; by: RegExp }[] = [
  { table: "activity", by: /^\s*$/ },
  { table: "webhook_endpoint", by: /\bdue_at <= |^\s*$/ },
  { table: "catalog_sync", by: /\bfinished_at IS NULL\b/ },
  { table: "share_link", by: /\btoken_hash = / },
];

const BY_SHOP = /\bshop_id = |= shop_id\b/;

let database: TestDatabase;
/** the statements that the workers executed, with their scans */
let onWorkers: Executed[];
/** every statement of a process, with its place */
let placed: { text: string; place: Place | undefined }[];

beforeAll(async () => {
  const created = await createDatabase();
  // The statements of the service and of the commands are logged, those of this test are not.
  database = { ...created, url: loggingStatements(created.url) };
  const env = { ...SHOPIFY_ENV, NODE_ENV: "test", WEBHOOKS_ALLOW_LOOPBACK: "1", METRICS_TOKEN };
  const workers = inject("servers")
    .slice(1)
    .map((url) => connectDatabase(databaseAt(url, created.name)));
  await Promise.all(workers.map(explainEverything));
  const recorded = await Promise.all(workers.map(recordStatements));
  const service = await startService({ database, env });
  await useEverything(service);
  await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  await service.stop();
  onWorkers = (await Promise.all(recorded.map((read) => read()))).flat();
  await Promise.all(workers.map(({ close }) => close()));
  const client = new pg.Client({ connectionString: created.url });
  await client.connect();
  placed = [];
  try {
    for (const statement of await sentStatements(database)) {
      placed.push({ text: oneLine(statement.text), place: await placeOf(client, statement) });
    }
  } finally {
    await client.end();
  }
  await closeDatabase();
  await service.dispose();
  await mkdir("node_modules/.cache", { recursive: true });
  const lines = placed.map(({ text, place }) => `${(place ?? "no plan").padEnd(14)} ${text}`);
  await writeFile(REPORT, `${lines.sort().join("\n")}\n`);
});
afterAll(() => database.drop());

test("every statement of a process runs on one node, except the listed ones", () => {
  expect(placed.filter(({ place }) => place === "one shard").length).toBeGreaterThan(50);
  const unlisted = placed.filter(
    ({ text, place }) => place === "several shards" && !SEVERAL_SHARDS.some(({ statement }) => statement.test(text)),
  );
  expect(unlisted.map(({ text }) => text)).toEqual([]);
});

test("every listed statement is in use, and runs on several nodes", () => {
  for (const { why, statement } of SEVERAL_SHARDS) {
    const places = placed.filter(({ text }) => statement.test(text)).map(({ place }) => place);
    expect({ why, places }).toEqual({ why, places: ["several shards"] });
  }
});

test("every read of a shop's rows on a node names the shop, except those of the listed statements", async () => {
  const tables = await database.rows<{ name: string }>(
    "SELECT table_name::text AS name FROM citus_tables WHERE citus_table_type = 'distributed'",
  );
  const distributed = new Set(tables.map(({ name }) => name));
  const scans = onWorkers.flatMap(({ text, scans: of }) =>
    of.map(({ table, conditions }) => ({ text, table: table.replace(/_\d{6}$/, ""), conditions })),
  );
  expect(scans.filter(({ table }) => distributed.has(table)).length).toBeGreaterThan(200);
  const unscoped = scans.filter(
    ({ table, conditions }) =>
      distributed.has(table) &&
      !BY_SHOP.test(conditions) &&
      !READ_IN_ANY_SHOP.some((one) => one.table === table && one.by.test(conditions)),
  );
  expect([...new Set(unscoped.map(({ text, table }) => `${table}: ${text}`))]).toEqual([]);
});
