import pg from "pg";
import { PERIODS } from "../app/analytics/periods.ts";
import { now } from "../app/platform/clock.server.ts";
import { seal, sha256 } from "../app/platform/encryption/crypto.server.ts";
import { randomBase62 } from "../app/platform/ids.server.ts";
import { generateShop, type SeedEvent, type SeedShop } from "./seed/generate.ts";

const DAY = 24 * 60 * 60 * 1000;
/** Milliseconds before the start at which the demo shop was installed: longer than the generated history. */
const INSTALLED_AGO = 92 * DAY;

export interface DemoShop {
  domain: string;
  /** customer ids, those with the most saved items first */
  customers: string[];
  products: { productId: string; variantIds: string[] }[];
}

/**
 * Fills a database with the demo shop, unless it has the shop. One transaction covers everything, so that an interrupted start begins anew.
 * Wishlists are changed by the service's SQL functions, at the times of the history.
 */
export async function seedDemoShop(databaseUrl: string, onProgress: (message: string) => void): Promise<DemoShop> {
  const seed = generateShop(now());
  const client = new pg.Client({ connectionString: databaseUrl, application_name: "wishlist seed" });
  // A lost connection is reported both here and to the interrupted statement.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query("BEGIN");
    const shopId = await insertShop(client, seed);
    if (shopId !== undefined) {
      onProgress(`Filling the demo shop: ${seed.products.length} products, ${seed.customers.length} customers`);
      await insertCatalog(client, shopId, seed);
      await replayHistory(client, shopId, seed.history);
      await insertPeriodStats(client, shopId);
      await turnAlertsOn(client, shopId);
      await insertOrders(client, shopId);
    }
    await client.query("COMMIT");
    if (shopId !== undefined) await client.query("ANALYZE");
    return await describeShop(client, seed);
  } finally {
    // This also rolls back an uncommitted transaction.
    await client.end();
  }
}

/** Inserts the shop. @returns undefined when it already exists */
async function insertShop(client: pg.Client, seed: SeedShop): Promise<number | undefined> {
  const { rows } = await client.query<{ id: number }>(
    `INSERT INTO shop (domain, time_zone, currency, plan, catalog, installed_at) VALUES ($1, $2, $3, $4, 'ready', $5)
     ON CONFLICT (domain) DO NOTHING RETURNING id`,
    [seed.domain, seed.timeZone, seed.currency, seed.plan, new Date(now().getTime() - INSTALLED_AGO)],
  );
  return rows[0]?.id;
}

async function insertCatalog(client: pg.Client, shopId: number, { products }: SeedShop): Promise<void> {
  const productRows = products.map(({ productId, handle, title, variants }) => ({
    product_id: productId,
    handle,
    title,
    default_variant_id: (variants.find(({ available }) => available) ?? variants[0])?.variantId,
  }));
  await client.query(
    `INSERT INTO product (shop_id, product_id, handle, title, default_variant_id, updated_at, status, published_at, ever_published)
     SELECT $1, product_id, handle, title, default_variant_id, to_timestamp(0), 'ACTIVE', $3, true
       FROM json_to_recordset($2) AS p (product_id text, handle text, title text, default_variant_id text)`,
    // updated_at is before any time of the store's, so that the first sync replaces the products.
    [shopId, JSON.stringify(productRows), now()],
  );
  const variantRows = products.flatMap(({ productId, variants }) =>
    variants.map(({ variantId, title, priceCents, available }, position) => ({
      variant_id: variantId,
      product_id: productId,
      title,
      price: (priceCents / 100).toFixed(2),
      available,
      position,
    })),
  );
  await client.query(
    `INSERT INTO variant (shop_id, variant_id, product_id, title, price, available, position)
     SELECT $1, variant_id, product_id, title, price, available, position
       FROM json_to_recordset($2)
            AS v (variant_id text, product_id text, title text, price numeric, available boolean, position integer)`,
    [shopId, JSON.stringify(variantRows)],
  );
}

/** Events per statement. One statement for each event takes several times as long. */
const BATCH = 1_000;

/** Calls the functions of events in their order. They are volatile, so each sees the changes that the calls before it have made. */
const REPLAY = `
  SELECT count(CASE e.kind
           WHEN 'add' THEN wishlist_add($1, 'customer', e.customer, e.product, e.variant, 'api', e.at)::text
           WHEN 'remove' THEN wishlist_remove($1, 'customer', e.customer, e.product, e.variant, 'api', e.at)::text
           WHEN 'merge' THEN wishlist_merge($1, 'customer', e.customer, e.products, e.variants, e.times, 'merge', e.at)::text
           WHEN 'cart' THEN wishlist_record_cart($1, 'customer', e.customer, e.product, e.variant, e.event, 'storefront', e.at)::text
           WHEN 'share' THEN wishlist_share($1, 'customer', e.customer, decode(e.hash, 'base64'), e.sealed, 'api', e.at)::text
         END)
    FROM json_to_recordset($2) AS e (
           kind text, at timestamptz, customer text, product text, variant text, event text, hash text, sealed text,
           products text[], variants text[], times timestamptz[]
         )`;

/** Applies all events in order. */
async function replayHistory(client: pg.Client, shopId: number, history: readonly SeedEvent[]): Promise<void> {
  for (let start = 0; start < history.length; start += BATCH) {
    const rows = history.slice(start, start + BATCH).map(replayRow);
    await client.query(REPLAY, [shopId, JSON.stringify(rows)]);
  }
}

/** Returns an event's row for `REPLAY`. */
function replayRow(event: SeedEvent): object {
  const { kind, at, customerId: customer } = event;
  switch (event.kind) {
    case "add":
    case "remove":
      return { kind, at, customer, product: event.productId, variant: event.variantId };
    case "cart":
      return { kind, at, customer, product: event.productId, variant: event.variantId, event: event.eventId };
    case "merge":
      return {
        kind,
        at,
        customer,
        products: event.items.map(({ productId }) => productId),
        variants: event.items.map(({ variantId }) => variantId),
        times: event.items.map(({ addedAt }) => addedAt),
      };
    case "share": {
      const token = randomBase62(22);
      return { kind, at, customer, hash: sha256(token).toString("base64"), sealed: seal(token, "share_link.token") };
    }
  }
}

/** Inserts the rows that the service's nightly job would have written: the active shoppers of each period. */
async function insertPeriodStats(client: pg.Client, shopId: number): Promise<void> {
  await client.query(
    `WITH acts AS MATERIALIZED (SELECT DISTINCT day, owner_id FROM activity WHERE shop_id = $1),
          nights AS (
            SELECT generate_series((SELECT min(day) FROM acts), ($3::timestamptz AT TIME ZONE time_zone)::date - 1, '1 day')::date AS day
              FROM shop WHERE id = $1
          )
     INSERT INTO period_stats (shop_id, day, days, active_shoppers)
     SELECT $1, n.day, p.days, count(DISTINCT a.owner_id)
       FROM nights n CROSS JOIN unnest($2::integer[]) AS p (days)
       LEFT JOIN acts a ON a.day > n.day - p.days AND a.day <= n.day
      GROUP BY n.day, p.days`,
    [shopId, PERIODS, now()],
  );
}

async function describeShop(client: pg.Client, seed: SeedShop): Promise<DemoShop> {
  const { rows } = await client.query<{ owner_id: string }>(
    `SELECT w.owner_id FROM wishlist w JOIN shop s ON s.id = w.shop_id
      WHERE s.domain = $1 AND w.owner_kind = 'customer' ORDER BY w.item_count DESC, w.owner_id`,
    [seed.domain],
  );
  const saving = rows.map(({ owner_id }) => owner_id);
  const known = new Set(seed.customers.map(({ customerId }) => customerId));
  const others = [...known].filter((id) => !saving.includes(id));
  return {
    domain: seed.domain,
    customers: [...saving.filter((id) => known.has(id)), ...others],
    products: seed.products.map(({ productId, variants }) => ({
      productId,
      variantIds: variants.map(({ variantId }) => variantId),
    })),
  };
}

/** Turns alerts on. Two of three customers with a list have asked for them. */
async function turnAlertsOn(client: pg.Client, shopId: number): Promise<void> {
  const kinds = ["price_dropped", "back_in_stock", "low_stock"];
  await client.query("INSERT INTO alert_settings (shop_id, kinds) VALUES ($1, $2)", [shopId, kinds]);
  await client.query(
    `SELECT alert_consent_record(p_shop_id => $1, p_customer_id => w.owner_id, p_kinds => $2, p_given => true, p_at => w.created_at,
                                 p_source => 'storefront', p_wording => 'Tell me', p_locale => 'en')
       FROM (SELECT owner_id, min(created_at) AS created_at, row_number() OVER (ORDER BY owner_id) AS place
               FROM wishlist WHERE shop_id = $1 AND owner_kind = 'customer' GROUP BY owner_id) AS w
      WHERE w.place % 3 > 0`,
    [shopId, kinds],
  );
}

/** Inserts the orders of two months, as if the service had read them from the store. Some have an item that its customer had saved. */
async function insertOrders(client: pg.Client, shopId: number): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    `WITH saved AS (
       SELECT w.owner_id, i.product_id, i.variant_id, v.price, greatest(i.added_at, $2::timestamptz - interval '60 days') AS at,
              row_number() OVER (ORDER BY md5(w.owner_id || i.variant_id)) AS place
         FROM wishlist w
         JOIN wishlist_item i ON i.shop_id = $1 AND i.wishlist_id = w.id AND i.added_at < $2::timestamptz - interval '2 days'
         JOIN variant v ON v.shop_id = $1 AND v.variant_id = i.variant_id AND v.product_id = i.product_id
        WHERE w.shop_id = $1 AND w.owner_kind = 'customer' AND w.deleted_at IS NULL
     )
     SELECT (5700000000000 + n)::text AS id, s.owner_id AS customer, s.product_id AS "productId", s.variant_id AS "variantId", s.price::text,
            CASE WHEN n % 11 = 0 THEN 0 ELSE 1 + (n % 7 = 0)::integer END AS units,
            coalesce(s.at + ($2::timestamptz - s.at) * ((n % 17 + 1) / 20.0), $2::timestamptz - interval '60 days' * (n * 37 % 701 / 701.0)) AS at
       FROM generate_series(1, 700) AS n LEFT JOIN saved s ON s.place = n AND n <= 110`,
    [shopId, now()],
  );
  const orders = JSON.stringify(rows);
  await client.query(
    `INSERT INTO store_order (shop_id, order_id, customer_id, reported_at)
     SELECT $1, id, customer, at FROM jsonb_to_recordset($2::jsonb) AS o (id text, customer text, at timestamptz)`,
    [shopId, orders],
  );
  await client.query(
    `SELECT order_record(
              p_shop_id => s.id, p_order_id => o.id, p_reports => 1, p_updated_at => at, p_ordered_at => at, p_currency => s.currency, p_counts => true,
              p_lines => CASE WHEN customer IS NULL THEN '[]'
                              ELSE jsonb_build_array(jsonb_build_object('lineId', '1', 'productId', "productId", 'variantId', "variantId",
                                                                        'units', units, 'revenue', units * price)) END)
       FROM shop s
      CROSS JOIN jsonb_to_recordset($2::jsonb) AS o (id text, customer text, "productId" text, "variantId" text, price numeric, units integer, at timestamptz)
      WHERE s.id = $1`,
    [shopId, orders],
  );
}
