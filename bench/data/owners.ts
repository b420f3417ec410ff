import type { Client } from "pg";
import type { Content, Database } from "./dataset.ts";

/** The product and its variant that all owners have saved. */
const PRODUCT = "1";
const VARIANT = "11";
const PRICE = "100.00";
const LOWER_PRICE = "80.00";

/** A shop with alerts of price drops, and one variant that this many customers have saved and asked for. */
export function ownersContent(owners: number): Content {
  return {
    name: `bench_owners_${owners}`,
    described: `of ${owners.toLocaleString("en")} owners of one variant`,
    statements: [
      "UPDATE shop SET currency = 'EUR', catalog = 'ready' WHERE id = $1",
      "INSERT INTO alert_settings (shop_id, kinds) VALUES ($1, '{price_dropped}')",
      `INSERT INTO wishlist (shop_id, owner_kind, owner_id, item_count, version, created_at, updated_at)
       SELECT $1, 'customer', (7000000000000 + n * 104729::bigint)::text, 1, 1, now(), now() FROM generate_series(1, ${owners}) AS n`,
      `INSERT INTO wishlist_item (shop_id, wishlist_id, product_id, variant_id, added_at, saved_on, saved_price)
       SELECT $1, id, '${PRODUCT}', '${VARIANT}', now(), current_date, ${PRICE} FROM wishlist WHERE shop_id = $1`,
      `INSERT INTO alert_consent (shop_id, customer_id, kind, given, at, source)
       SELECT $1, owner_id, 'price_dropped', true, now(), 'storefront' FROM wishlist WHERE shop_id = $1`,
    ],
  };
}

/** Stores the variant at a price, as the product sync does. */
async function storePrice(client: Client, { shopId }: Database, price: string): Promise<void> {
  const variant = { variant_id: VARIANT, title: "Default Title", price, available: true, position: 1 };
  const product = {
    product_id: PRODUCT,
    handle: "product",
    title: "Product",
    default_variant_id: VARIANT,
    updated_at: new Date().toISOString(),
    published_at: "2026-01-01T00:00:00Z",
    status: "ACTIVE",
    complete: true,
    variants: [variant],
  };
  await client.query("SELECT catalog_store(p_shop_id => $1, p_products => $2::jsonb, p_seen_at => now())", [
    shopId,
    JSON.stringify([product]),
  ]);
}

/** Lowers the variant's price, of which every owner is to be alerted. */
export async function dropPrice(client: Client, database: Database): Promise<void> {
  await storePrice(client, database, LOWER_PRICE);
}

/** Tables of what follows from a price drop, and of the other shop's changes. */
const MADE = [
  "variant_change",
  "alert_occurrence",
  "alert",
  "activity",
  "webhook_event",
  "webhook_delivery",
  "webhook_attempt",
];
/** Hours until the shop's digest. */
const HOURS_LATER = 6;

/**
 * Ends the alerts of a price drop, deletes what it has made, and raises the price again.
 * @param options.digest lets the alerts of the next price drop wait, so that none is sent
 */
export async function resetAlerts(client: Client, database: Database, { digest }: { digest: boolean }): Promise<void> {
  await client.query(
    `UPDATE alert_settings SET digest_at = CASE WHEN $3 THEN (extract(hour FROM now() AT TIME ZONE s.time_zone)::integer + $2) % 24 END
       FROM shop s WHERE s.id = $1 AND shop_id = $1`,
    [database.shopId, HOURS_LATER, digest],
  );
  // One by one, because the service may still record the last attempts, and would be in a deadlock with a lock of several tables.
  for (const table of MADE) await client.query(`TRUNCATE ${table}`);
  await storePrice(client, database, PRICE);
  await client.query("VACUUM ANALYZE alert_settings, webhook_endpoint");
  await client.query("CHECKPOINT");
}

export interface FanOut {
  /** alerts so far */
  alerts: number;
  /** seconds from the detection of the price drop to the last alert's row; undefined until then */
  seconds: number | undefined;
}

/** Reads how far the fan-out of the price drop has come. @returns undefined before it has begun */
export async function readFanOut(client: Client, { shopId }: Database): Promise<FanOut | undefined> {
  const { rows } = await client.query<{ alerts: number; seconds: number | null }>(
    "SELECT alerts, extract(epoch FROM finished_at - due_at)::float8 AS seconds FROM alert_occurrence WHERE shop_id = $1",
    [shopId],
  );
  const [row] = rows;
  return row && { alerts: row.alerts, seconds: row.seconds ?? undefined };
}
