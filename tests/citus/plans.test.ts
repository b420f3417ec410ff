import { mkdir, writeFile } from "node:fs/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeDatabase } from "../../app/platform/database/database.server.ts";
import { useEverything } from "../process/fixtures/all-operations.ts";
import { METRICS_TOKEN, scrape } from "../support/app/metrics.ts";
import { startService } from "../support/app/service.ts";
import { SHOPIFY_ENV } from "../support/app/storefront.ts";
import { createDatabase, type TestDatabase } from "../support/database/database.ts";
import { oneLine } from "../support/database/statements.ts";
import { loggingStatements, placeOf, sentStatements, serverLog, type Place } from "./statements.ts";

const REPORT = "node_modules/.cache/citus-plans.txt";

/** Statements that may run on several nodes. None belongs to a request of a shopper or of the API, except the last. */
const SEVERAL_SHARDS: { why: string; statement: RegExp }[] = [
  {
    why: "outbox_shops_anywhere: a poll for changes that no process has announced",
    statement:
      /^SELECT shop_id FROM activity WHERE processed_at IS NULL GROUP BY shop_id UNION SELECT shop_id FROM set_aside /,
  },
  {
    why: "alert_shops_changed_anywhere: a poll for changes of the catalog that no process has announced",
    statement: /^SELECT shop_id FROM variant_change WHERE processed_at IS NULL GROUP BY shop_id$/,
  },
  {
    why: "alert_shops_due: a poll for alerts that have become due",
    statement: /^SELECT a\.shop_id FROM alert_settings a JOIN shop s/,
  },
  {
    why: "email_shops_behind: the start of a process",
    statement: /^SELECT c\.shop_id, s\.domain FROM email_settings c JOIN webhook_endpoint e/,
  },
  { why: "outbox_lag: metrics", statement: /^SELECT count\(\*\) AS rows, .* FROM \(SELECT at FROM activity WHERE/ },
  {
    why: "webhook_due_unclaimed: a poll for endpoints that are due",
    statement: /^SELECT c\.shop_id, c\.id FROM webhook_endpoint c JOIN shop s/,
  },
  { why: "webhook_due_endpoints: metrics", statement: /^SELECT e\.shop_id, e\.id, coalesce\(e\.lease_until/ },
  { why: "webhook_endpoint_states: metrics", statement: /^SELECT coalesce\(disabled_reason, 'enabled'\) AS state/ },
  {
    why: "set_aside_changes: the command line, for all shops",
    statement: /^SELECT s\.domain AS shop, c\.subject_id AS id, /,
  },
  { why: "set_aside_counts: metrics", statement: /^SELECT kind, count\(\*\) AS count FROM set_aside/ },
  { why: "catalog_syncs: metrics", statement: /^SELECT count\(\*\) AS running, count\(failed_reason\)/ },
];

/** Statements that PostgreSQL makes no plan for, or that several commands of pg-boss share. */
const WITHOUT_PLAN = [
  /^BEGIN(?: ISOLATION LEVEL REPEATABLE READ READ ONLY)?$/,
  /^(?:COMMIT|ROLLBACK)$/,
  /^SAVEPOINT change$/,
  /^SET /,
  /^LISTEN "wishlist_\w+"$/,
  /^FETCH \d+ FROM snapshot$/,
  /^CREATE TABLE IF NOT EXISTS _(?:prisma_migrations|sql_functions) /,
  /^BEGIN; SET LOCAL lock_timeout = \d+; .*pgboss/,
];

let database: TestDatabase;
/** every statement of a process, with its place */
let placed: { text: string; place: Place | undefined }[] | undefined;

beforeAll(async () => {
  const created = await createDatabase();
  database = created;
  const log = await serverLog(created);
  if (log === undefined) return;
  // The statements of the service and of the commands are logged, those of this test are not.
  database = { ...created, url: loggingStatements(created.url) };
  const env = { ...SHOPIFY_ENV, NODE_ENV: "test", WEBHOOKS_ALLOW_LOOPBACK: "1", METRICS_TOKEN };
  const service = await startService({ database, env });
  await useEverything(service);
  await scrape(service);
  await service.stop();
  const client = new pg.Client({ connectionString: created.url });
  await client.connect();
  const statements: typeof placed = [];
  try {
    for (const statement of await sentStatements(log, database)) {
      statements.push({ text: oneLine(statement.text), place: await placeOf(client, statement) });
    }
  } finally {
    await client.end();
  }
  await closeDatabase();
  await service.dispose();
  await mkdir("node_modules/.cache", { recursive: true });
  placed = statements;
  const lines = placed.map(({ text, place }) => `${(place ?? "no plan").padEnd(14)} ${text}`);
  await writeFile(REPORT, `${lines.sort().join("\n")}\n`);
});
afterAll(() => database.drop());

/** Returns the statements, or skips the test where their log can't be read. */
function statementsOr(skip: (note: string) => never): NonNullable<typeof placed> {
  return placed ?? skip("server.log of the coordinator is not on this machine");
}

test("every statement of a process runs on one node, except the listed ones", ({ skip }) => {
  const statements = statementsOr(skip);
  expect(statements.filter(({ place }) => place === "one shard").length).toBeGreaterThan(50);
  const unlisted = statements.filter(
    ({ text, place }) => place === "several shards" && !SEVERAL_SHARDS.some(({ statement }) => statement.test(text)),
  );
  expect(unlisted.map(({ text }) => text)).toEqual([]);
});

test("every listed statement is in use, and runs on several nodes", ({ skip }) => {
  const statements = statementsOr(skip);
  for (const { why, statement } of SEVERAL_SHARDS) {
    const places = statements.filter(({ text }) => statement.test(text)).map(({ place }) => place);
    expect({ why, places }).toEqual({ why, places: ["several shards"] });
  }
});

test("every statement of a process has a plan, except the listed ones", ({ skip }) => {
  const unlisted = statementsOr(skip).filter(
    ({ text, place }) => place === undefined && !WITHOUT_PLAN.some((statement) => statement.test(text)),
  );
  expect(unlisted.map(({ text }) => text)).toEqual([]);
});

test("no function of a shop runs on the coordinator", ({ skip }) => {
  const ofShops = statementsOr(skip).filter(({ text }) => text.includes("p_shop_id =>"));
  expect(ofShops.length).toBeGreaterThan(20);
  expect(ofShops.filter(({ place }) => place === "coordinator").map(({ text }) => text)).toEqual([]);
});
