import { withClient, type Database } from "./dataset.ts";

const CUSTOMERS = 2_000;

/** Replaces all activity by numbered changes of customers' lists: adds of which each tenth item has details, and in between removals. */
export async function fillFeed({ url, shopId }: Database, changes: number): Promise<void> {
  await withClient(url, async (client) => {
    await client.query("TRUNCATE activity, shop_change");
    await client.query(
      `INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, version, item_count, product_id, variant_id, item_seq, data, at, day,
                             processed_at, change_number)
       SELECT $1, CASE WHEN n % 3 = 0 THEN 'removed' ELSE 'added' END, 'api', 'customer', (7000000000000 + n % $3)::text, n % $3, n / $3 + 1, n / $3 + 1,
              (8000000000000 + n % 20011 * 257)::text, (44000000000000 + n % 20011 * 769)::text,
              CASE WHEN n % 3 <> 0 THEN n END,
              CASE WHEN n % 30 = 1 THEN '{"note": "For the garden", "quantity": 2}'::jsonb END,
              now() - ($2 - n) * interval '1 second', current_date, now(), n
         FROM generate_series(1::bigint, $2::bigint) AS n`,
      [shopId, changes, CUSTOMERS],
    );
    await client.query("INSERT INTO shop_change (shop_id, last_number) VALUES ($1, $2)", [shopId, changes]);
    await client.query("VACUUM (ANALYZE)");
    await client.query("CHECKPOINT");
  });
}
