import { toDeliveryId } from "../../app/webhooks/ids.ts";
import { withClient, type Content, type Database } from "./dataset.ts";
import { SAMPLE_PRODUCT_ID, historyContent, LONG_HISTORY, TINY_HISTORY } from "./history.ts";
import { FULL, ITEMS_SQL, SMALL, wishlistsSql } from "./shape.ts";

/** Id of one of the generated webhooks, in the service's format. */
export const SAMPLE_WEBHOOK_ID = "whk_puv7jM8WOYdENfw3tYhATJ0cUUje";

/** Returns SQL for the id of the webhook with a number from 1. */
function webhookId(number: string): string {
  return `CASE WHEN ${number} = 1 THEN '${SAMPLE_WEBHOOK_ID}' ELSE 'whk_' || ${number} END`;
}

/** Row counts of the lists in the admin. */
interface ListSizes {
  deliveries: number;
  shareLinks: number;
  staffChanges: number;
  privacyRequests: number;
  /** products whose price fell, each with the alerts of 250 customers */
  priceDrops: number;
}

const FULL_LISTS: ListSizes = {
  deliveries: 1_000_000,
  shareLinks: 50_000,
  staffChanges: 100_000,
  privacyRequests: 5_000,
  priceDrops: 2_000,
};
const SMALL_LISTS: ListSizes = {
  deliveries: 1_000,
  shareLinks: 200,
  staffChanges: 100,
  privacyRequests: 10,
  priceDrops: 40,
};

/** The products of the items and the history; every tenth variant is sold out. */
const CATALOG = [
  `INSERT INTO product (shop_id, product_id, handle, title, image_url, default_variant_id, updated_at, status, published_at, ever_published)
   SELECT $1, (8000000000000 + n * 257)::text, 'product-' || n, 'Product ' || n, NULL, (44000000000000 + n * 769)::text, now(), 'ACTIVE', now(), true
     FROM generate_series(0::bigint, 19999) AS n`,
  `INSERT INTO variant (shop_id, variant_id, product_id, title, price, available, position)
   SELECT $1, (44000000000000 + n * 769)::text, (8000000000000 + n * 257)::text, 'Large', 10 + n % 90, n % 10 <> 0, 1
     FROM generate_series(0::bigint, 19999) AS n`,
  `UPDATE shop SET catalog = 'ready' WHERE id = $1`,
];

function webhooksSql({ deliveries }: ListSizes): string[] {
  return [
    `INSERT INTO webhook_endpoint (shop_id, id, url, events, secret_sealed, created_at)
     SELECT $1, ${webhookId("n")}, 'https://erp.example.com/hooks/' || n, '{wishlist.item.added,wishlist.item.removed}', '', timestamptz '2026-01-01Z'
       FROM generate_series(1, 20) AS n`,
    // Ids that sort by time, as those of the service, over the 30 days of retention.
    `INSERT INTO webhook_event (shop_id, id, event, at, customer_id, product_id, variant_id, item_count)
     SELECT $1, (lpad(to_hex((extract(epoch FROM at) * 1000000)::bigint), 14, '0') || lpad(to_hex(n), 18, '0'))::uuid,
            'wishlist.item.added', at, '7000000000000', '${SAMPLE_PRODUCT_ID}', '44000000000000', 1
       FROM (SELECT n, now() - n * 2592000.0 / ${deliveries} * interval '1 s' AS at
               FROM generate_series(0::bigint, ${deliveries - 1}) AS n) AS t`,
    `INSERT INTO webhook_delivery (shop_id, id, endpoint_id, event_id, event, kind, priority, status, attempts, created_at)
     SELECT $1, id, ${webhookId("(n % 20 + 1)")}, id, event, 'event', 3, CASE WHEN n % 50 = 0 THEN 'failed' ELSE 'succeeded' END, 1, at
       FROM (SELECT id, event, at, row_number() OVER (ORDER BY id) AS n FROM webhook_event WHERE shop_id = $1) AS e`,
    `INSERT INTO webhook_attempt (shop_id, delivery_id, endpoint_id, url, number, at, duration_ms, status, response)
     SELECT $1, id, endpoint_id, 'https://erp.example.com/hooks', 1, created_at, 20 + abs(hashtext(id::text)) % 200, CASE WHEN status = 'failed' THEN 500 ELSE 200 END, 'ok'
       FROM webhook_delivery WHERE shop_id = $1`,
  ];
}

function shareLinksSql({ shareLinks }: ListSizes): string {
  return `
    INSERT INTO share_link (shop_id, wishlist_id, token_hash, token_sealed, created_at, expires_at)
    SELECT $1, id, sha256(id::text::bytea), '', now(), now() + interval '30 days'
      FROM wishlist WHERE shop_id = $1 ORDER BY id LIMIT ${shareLinks}`;
}

function staffSql({ staffChanges, privacyRequests }: ListSizes): string[] {
  return [
    `INSERT INTO audit (shop_id, id, at, area, action, subject, customer_id, details, staff_id, staff_name)
     SELECT $1, uuid_v7(), now() - n * interval '1 minute', 'wishlist', 'wishlist.items_removed', n::text, '7000000000000',
            '{}', (n % 7)::text, 'Staff member'
       FROM generate_series(${staffChanges}, 1, -1) AS n`,
    `INSERT INTO privacy_request (shop_id, id, kind, webhook_id, status, requested_at, due_at, completed_at)
     SELECT $1, 'prq_' || n, 'redact', 'bench ' || n, 'completed', now() - n * interval '1 hour', now() + interval '30 days', now()
       FROM generate_series(1, ${privacyRequests}) AS n`,
  ];
}

function alertsSql({ priceDrops }: ListSizes): string[] {
  return [
    `INSERT INTO alert_occurrence (shop_id, kind, status, product_id, variant_id, at, due_at, price, old_price, alerts, finished_at)
     SELECT $1, 'price_dropped', 'done', (8000000000000 + n * 257)::text, (44000000000000 + n * 769)::text, at, at, 10, 12, 250, at
       FROM (SELECT n, now() - n * interval '20 minutes' AS at FROM generate_series(${priceDrops}, 1, -1) AS n) AS t`,
    `INSERT INTO alert (shop_id, id, occurrence_id, kind, customer_id, wishlist_id, product_id, variant_id, saved_at, reference_price, price, status,
                        created_at, due_at, sent_at, opened_at, bought_at)
     SELECT $1, uuid_v7(), o.id, o.kind, (7000000000000 + n)::text, 1, o.product_id, o.variant_id, o.at, 12, 10, CASE WHEN n % 10 = 0 THEN 'suppressed' ELSE 'sent' END,
            o.at, o.at, o.at, CASE WHEN n % 3 = 1 THEN o.at END, CASE WHEN n % 50 = 1 THEN o.at END
       FROM alert_occurrence o CROSS JOIN generate_series(1, 250) AS n WHERE o.shop_id = $1 ORDER BY o.id, n`,
  ];
}

/** Describes a large shop with data for every page of the admin. */
export function adminContent(quick: boolean): Content {
  const [shape, history, lists] = quick ? [SMALL, TINY_HISTORY, SMALL_LISTS] : [FULL, LONG_HISTORY, FULL_LISTS];
  return {
    name: quick ? "bench_admin_small" : "bench_admin",
    described: `of ${shape.items.toLocaleString("en")} items and ${history.events.toLocaleString("en")} events, with data for every page of the admin`,
    statements: [
      wishlistsSql(shape),
      ITEMS_SQL,
      ...historyContent(history).statements,
      ...CATALOG,
      ...webhooksSql(lists),
      shareLinksSql(lists),
      ...staffSql(lists),
      ...alertsSql(lists),
    ],
  };
}

/** Ids in the addresses of the pages. */
export interface SampleIds {
  keyId: string;
  wishlistId: string;
  deliveryId: string;
  /** of a price drop */
  momentId: string;
}

export async function findSampleIds({ url, shopId }: Database): Promise<SampleIds> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<SampleIds>(
      `SELECT (SELECT key_id FROM api_key WHERE shop_id = $1 AND revoked_at IS NULL LIMIT 1) AS "keyId",
              (SELECT id::text FROM wishlist WHERE shop_id = $1 AND item_count > 1000 ORDER BY id LIMIT 1) AS "wishlistId",
              (SELECT id::text FROM alert_occurrence WHERE shop_id = $1 ORDER BY id DESC LIMIT 1) AS "momentId",
              (SELECT id::text FROM webhook_delivery WHERE shop_id = $1 AND endpoint_id = $2 ORDER BY id DESC LIMIT 1) AS "deliveryId"`,
      [shopId, SAMPLE_WEBHOOK_ID],
    );
    const [row] = rows;
    if (!row) throw new Error("the database returned no row");
    return { ...row, deliveryId: toDeliveryId(row.deliveryId) };
  });
}

/** Summarizes all lists, as a shop's first pass does in the background. While one is in progress, each view of the index does steps of it. */
export async function summarizeLists({ url, shopId }: Database): Promise<void> {
  await withClient(url, async (client) => {
    const step = "SELECT remaining FROM wishlist_summary_step($1, 10000, false, now())";
    for (let isBehind = true; isBehind;) {
      const { rows } = await client.query<{ remaining: boolean }>(step, [shopId]);
      isBehind = rows[0]?.remaining === true;
    }
    await client.query("VACUUM (ANALYZE) wishlist_summary");
  });
}
