import type { Client } from "pg";
import { copyOf, withClient } from "../data/dataset.ts";
import { percentile } from "../measure/spread.ts";
import { milliseconds, type Row } from "../table.ts";
import type { Bench } from "./bench.ts";

const LINES = 100;
const MAX_MS = 50;

/** A customer with much to look through: all lists full, and a change of an item every four minutes for a month. */
const LISTS = 50;
const ITEMS = 50;
const REMOVALS = 10_000;

const FILL = `
  WITH lists AS (
    INSERT INTO wishlist (shop_id, owner_kind, owner_id, handle, created_at, updated_at)
    SELECT $1, 'customer', $2, CASE n WHEN 1 THEN 'default' ELSE 'lst_' || n END, now(), now() FROM generate_series(1, ${LISTS}) AS n
    RETURNING id, handle
  ), items AS (
    INSERT INTO wishlist_item (shop_id, wishlist_id, product_id, variant_id, added_at)
    SELECT $1, l.id, n::text, (1000 + n)::text, now() - interval '40 days' FROM lists l CROSS JOIN generate_series(1, ${ITEMS}) AS n
  )
  INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, version, item_count, product_id, variant_id, at, day, processed_at, before)
  SELECT $1, 'removed', 'api', 'customer', $2, l.id, n, 0, (n % 3000)::text, (1000 + n % 3000)::text, now() - n * interval '4 minutes',
         (now() - n * interval '4 minutes')::date, now(), jsonb_build_object('addedAt', (extract(epoch FROM now() - interval '40 days') * 1000)::bigint)
    FROM generate_series(1, ${REMOVALS}) AS n JOIN lists l ON l.handle = 'default'`;

const RECORD = `
  SELECT order_record(p_shop_id => $1, p_order_id => $2, p_reports => $3, p_updated_at => $4::timestamptz, p_ordered_at => $4::timestamptz,
                      p_currency => 'EUR', p_counts => true, p_lines => $5)`;

/** Measures the statements of a webhook about an order with 100 lines, half of which its customer had saved. */
export async function orders({ options, serverUrl, small }: Bench): Promise<Row[]> {
  const database = await copyOf(serverUrl, await small(), "orders");
  const turns = options.quick ? 10 : 100;
  const first: number[] = [];
  const again: number[] = [];
  await withClient(database.url, async (client) => {
    await client.query(FILL, [database.shopId, "orders"]);
    await client.query("ANALYZE wishlist, wishlist_item, activity");
    // The first orders warm up.
    for (let turn = -5; turn < turns; turn++) {
      const order = { shopId: database.shopId, orderId: String(turn) };
      const times = [await recordingTime(client, order, 2), await recordingTime(client, order, 1)] as const;
      if (turn < 0) continue;
      first.push(times[0]);
      again.push(times[1]);
    }
  });
  return [
    row("Recording an order with 100 lines", first),
    row("Recording it again, after a refund of each line", again),
  ];
}

function row(work: string, times: readonly number[]): Row {
  const worst = percentile(times, 0.99);
  return {
    work,
    figure: `p50 ${milliseconds(percentile(times, 0.5))}, p99 ${milliseconds(worst)}`,
    against: `a customer with ${LISTS * ITEMS} items in ${LISTS} lists, ${REMOVALS.toLocaleString("en")} removals in 30 days`,
    ratio: "–",
    required: `p99 ≤ ${MAX_MS} ms`,
    passed: worst <= MAX_MS,
  };
}

/** Reports and records an order. @returns milliseconds */
async function recordingTime(
  client: Client,
  { shopId, orderId }: { shopId: number; orderId: string },
  units: number,
): Promise<number> {
  const at = new Date();
  const lines = Array.from({ length: LINES }, (_, n) => {
    // Those behind the lists' items were never saved.
    const product = n % 2 === 0 ? n / 2 + 1 : 10_000 + n;
    return {
      lineId: String(n),
      productId: String(product),
      variantId: String(1_000 + product),
      units,
      revenue: `${units}.00`,
    };
  });
  const started = performance.now();
  const { rows } = await client.query<{ reports: number }>(
    `INSERT INTO store_order AS o (shop_id, order_id, customer_id, reported_at) VALUES ($1, $2, 'orders', $3)
         ON CONFLICT (shop_id, order_id) DO UPDATE SET reports = o.reports + 1, read_at = NULL RETURNING reports`,
    [shopId, orderId, at],
  );
  const given = JSON.stringify(lines);
  await client.query(RECORD, [shopId, orderId, rows[0]?.reports, at, given]);
  return performance.now() - started;
}
