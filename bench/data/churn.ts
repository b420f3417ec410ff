import type { Client } from "pg";
import { overview } from "../../app/analytics/index.server.ts";
import { holdClock } from "../../app/platform/clock.server.ts";
import { recordAttempts } from "../../app/webhooks/delivery/queue.server.ts";
import { runRetention } from "../../app/maintenance.server.ts";
import { RETENTION } from "./shape.ts";

/** Days of a step: the clock runs faster than the changes, so that the real times of retention pass within minutes. */
export const STEP_DAYS = 20;
export const STEPS_PER_WINDOW = RETENTION.activityRetentionDays / STEP_DAYS;

const DAY_MS = 24 * 3_600_000;
const START = Date.UTC(2024, 0, 1);
/** Rows per transaction of the outbox processor, as under a steady load. */
const OUTBOX_BATCH = 200;
const CUSTOMERS = 5_000;
const PRODUCTS = 2_000;
const ENDPOINT = "churn";

/** The log-like tables. */
export const TABLES = [
  ...["activity", "cart_event", "shopper_day", "webhook_event", "webhook_delivery", "webhook_attempt"],
  ...["idempotent_response", "audit"],
] as const;

/** Lets ids have the simulated time, which the session sets. */
const CLOCK = `
  CREATE OR REPLACE FUNCTION uuid_v7() RETURNS uuid LANGUAGE sql VOLATILE AS $$
    SELECT (overlay(lpad(to_hex((extract(epoch FROM current_setting('bench.now')::timestamptz) * 1000000)::bigint * 512 / 125), 15, '0') PLACING '7' FROM 13 FOR 0)
            || right(gen_random_uuid()::text, 17))::uuid
  $$`;

export async function prepareChurn(client: Client, shopId: number): Promise<void> {
  await client.query(CLOCK);
  await client.query(
    `INSERT INTO webhook_endpoint (shop_id, id, url, events, secret_sealed, created_at)
     VALUES ($1, $2, 'https://erp.example.com/hooks', '{wishlist.item.added,wishlist.item.removed,wishlist.shared}', '', now())`,
    [shopId, ENDPOINT],
  );
}

/** Of ten changes six are additions, three removals, one is an item put into the cart. Removals are of the step before. */
async function changeLists(client: Client, shopId: number, step: number, changes: number, at: Date): Promise<void> {
  const call = (name: string, count: number, offset: number): string =>
    `SELECT count(${name}($1, 'customer', c, p, p, 'api', $2))
       FROM (SELECT ((n * 7919) % ${CUSTOMERS})::text AS c, ((n * 31 + n / ${CUSTOMERS}) % ${PRODUCTS})::text AS p
               FROM generate_series($3::bigint + ${offset}, $3::bigint + ${offset} + ${count} - 1) AS n) AS i`;
  const first = step * changes;
  await client.query(call("wishlist_add", changes * 0.6, 0), [shopId, at, first]);
  if (step > 0) await client.query(call("wishlist_remove", changes * 0.3, 0), [shopId, at, first - changes]);
  await client.query(
    `SELECT count(wishlist_record_cart($1, 'customer', ((n * 7919) % ${CUSTOMERS})::text, ((n * 31 + n / ${CUSTOMERS}) % ${PRODUCTS})::text,
                                       ((n * 31 + n / ${CUSTOMERS}) % ${PRODUCTS})::text, 'event ' || n, 'storefront', $2))
       FROM generate_series($3::bigint, $3::bigint + $4::bigint - 1) AS n`,
    [shopId, at, first, changes * 0.1],
  );
  await client.query(
    `INSERT INTO idempotent_response (shop_id, key_id, key, fingerprint, response_sealed, created_at)
     SELECT $1, 'key', gen_random_uuid(), sha256('x'), repeat('x', 400), $2 FROM generate_series(1, $3::integer)`,
    [shopId, at, changes * 0.1],
  );
  await client.query(
    `INSERT INTO audit (shop_id, id, at, area, action, subject, customer_id, staff_id, staff_name)
     SELECT $1, uuid_v7(), $2, 'wishlist', 'wishlist.items_removed', n::text, (n % ${CUSTOMERS})::text, (n % 7)::text, 'Staff member'
       FROM generate_series(1, $3::integer) AS n`,
    [shopId, at, Math.ceil(changes * 0.01)],
  );
}

async function processAll(client: Client, shopId: number): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ processed: number }>({
      name: "outbox_process",
      text: "SELECT processed FROM outbox_process(p_shop_id => $1, p_limit => $2, p_wait => true)",
      values: [shopId, OUTBOX_BATCH],
    });
    if ((rows[0]?.processed ?? 0) < OUTBOX_BATCH) return;
  }
}

/** Records a successful attempt of each delivery, with the statements of the delivery workers. */
async function deliverAll(client: Client, shopId: number, at: Date): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    "SELECT id FROM webhook_delivery WHERE shop_id = $1 AND endpoint_id = $2 AND status = 'pending'",
    [shopId, ENDPOINT],
  );
  const url = "https://erp.example.com/hooks";
  const outcome = {
    number: 1,
    at,
    url,
    durationMs: 40,
    status: 200,
    error: null,
    response: "ok",
    waitMs: 0,
    batchId: null,
  } as const;
  await recordAttempts(rows.map(({ id }) => ({ shopId, deliveryId: id, ...outcome, outcome: "succeeded" })));
}

/**
 * What statements cost at the end of a step. Pages are those of 8 kB that a statement looks at: unlike its time, their number does not depend
 * on what else the machine does.
 */
export interface Costs {
  /** pages for the poll of the outbox processor, which finds nothing */
  pollPages: number;
  /** pages for a look for due deliveries that finds nothing */
  duePages: number;
  /** milliseconds of the poll */
  poll: number;
  /** milliseconds of the outbox processor per change */
  process: number;
  /** milliseconds of the overview of 90 days */
  report: number;
}

/** Returns how many pages a statement looks at. */
async function pagesOf(client: Client, statement: string, values: readonly unknown[] = []): Promise<number> {
  const { rows } = await client.query<{ "QUERY PLAN": [{ Plan: Record<string, unknown> }] }>(
    `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${statement}`,
    [...values],
  );
  const plan = rows[0]?.["QUERY PLAN"][0].Plan ?? {};
  return Number(plan["Shared Hit Blocks"]) + Number(plan["Shared Read Blocks"]);
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

const POLL = `
  WITH RECURSIVE pending AS (
    (SELECT shop_id FROM activity WHERE processed_at IS NULL ORDER BY shop_id LIMIT 1)
    UNION ALL
    SELECT (SELECT a.shop_id FROM activity a WHERE a.processed_at IS NULL AND a.shop_id > p.shop_id ORDER BY a.shop_id LIMIT 1)
      FROM pending p WHERE p.shop_id IS NOT NULL
  )
  SELECT shop_id FROM pending WHERE shop_id IS NOT NULL`;

const DUE = `
  SELECT id FROM webhook_delivery
   WHERE shop_id = $1 AND endpoint_id = $2 AND status = 'pending' AND next_attempt_at <= clock_timestamp()
   ORDER BY priority, next_attempt_at, id LIMIT 64`;

/** Makes the changes of a step in four parts. After each part `afterPart` runs, such as a vacuum. @returns the costs at its end, and the milliseconds of retention */
export async function runStep(
  client: Client,
  shopId: number,
  { step, changes, afterPart }: { step: number; changes: number; afterPart: () => Promise<void> },
): Promise<Costs & { retention: number }> {
  const parts = 4;
  let processMs = 0;
  const cost = { pollPages: 0, duePages: 0, poll: 0 };
  for (let part = 0; part < parts; part++) {
    const at = new Date(START + (step + part / parts) * STEP_DAYS * DAY_MS);
    holdClock(at);
    await client.query("SELECT set_config('bench.now', $1, false)", [at.toISOString()]);
    await changeLists(client, shopId, step * parts + part, changes / parts, at);
    processMs += await time(() => processAll(client, shopId));
    await deliverAll(client, shopId, at);
    // The first run marks the index entries of dead rows that it finds, so the second one is the usual cost.
    await client.query(POLL);
    await client.query(DUE, [shopId, ENDPOINT]);
    cost.pollPages = Math.max(cost.pollPages, await pagesOf(client, POLL));
    cost.duePages = Math.max(cost.duePages, await pagesOf(client, DUE, [shopId, ENDPOINT]));
    cost.poll = Math.max(cost.poll, await time(() => client.query(POLL)));
    await afterPart();
  }
  const report = await time(() => overview(shopId, 90));
  const retention = await time(() => runRetention(shopId, RETENTION));
  await afterPart();
  return { ...cost, process: processMs / changes, report, retention };
}

/** What dead rows of the outbox cost, at the size of a real backlog of vacuum. */
export interface DeadRows {
  dead: number;
  pages: number;
  ms: number;
  /** milliseconds of a vacuum that cleans the indexes of the table */
  vacuumMs: number;
  /** pages after a vacuum that decides itself whether it cleans the indexes, and after one that does */
  pagesAfter: { auto: number; cleaned: number };
}

/** Fills activity with processed rows, marks some more as processed one after the other, and measures the outbox's poll. */
export async function costOfDeadRows(client: Client, shopId: number, rows: number, dead: number): Promise<DeadRows> {
  await client.query("TRUNCATE activity");
  const insert = (count: number, processedAt: string): Promise<unknown> =>
    client.query(
      `INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, version, item_count, product_id, variant_id, at, day, processed_at)
       SELECT $1, 'added', 'api', 'customer', (7000000000000 + n)::text, n, 1, 1, '8000000000000', '44000000000000', now(), current_date, ${processedAt}
         FROM generate_series(1, $2::bigint) AS n`,
      [shopId, count],
    );
  await insert(rows, "now()");
  await client.query("VACUUM (ANALYZE) activity");
  await insert(dead, "NULL");
  await client.query("UPDATE activity SET processed_at = now() WHERE shop_id = $1 AND processed_at IS NULL", [shopId]);
  await client.query(POLL);
  const pages = await pagesOf(client, POLL);
  const times: number[] = [];
  for (let turn = 0; turn < 9; turn++) times.push(await time(() => client.query(POLL)));
  await client.query("VACUUM (INDEX_CLEANUP auto) activity");
  const auto = await pagesOf(client, POLL);
  const vacuumMs = await time(() => client.query("VACUUM (INDEX_CLEANUP on) activity"));
  const cleaned = await pagesOf(client, POLL);
  return { dead, pages, ms: Math.min(...times), vacuumMs, pagesAfter: { auto, cleaned } };
}
