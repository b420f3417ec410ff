import { withClient, type Database } from "./dataset.ts";

const CUSTOMERS = 2_000;
const PRODUCTS = 20_000;

/** Which product the n-th change is of, in SQL. */
const CHOICES = {
  /** Popularity after Zipf's law: the product of rank r is saved 1 / r times as often as the first. */
  popular: "(exp(random() * ln($4::float8 + 1)) - 1)::bigint",
  /** No product twice in thousands of changes: the worst case, which no shop reaches. */
  another: "(n % $3 * 7 + n / $3 * 191) % $4",
};

export type Choice = keyof typeof CHOICES;

/** Replaces all activity and rollups by unprocessed rows, as if customers had added items in turns. */
export async function fillActivity({ url, shopId }: Database, rows: number, choice: Choice): Promise<void> {
  await withClient(url, async (client) => {
    await client.query(
      "TRUNCATE activity, daily_stats, activity_hourly, product_daily, product_stats, variant_stats, shopper, shopper_day, shopper_count",
    );
    await client.query(
      `INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, version, item_count, product_id, variant_id, at, day)
       SELECT s.id, 'added', 'api', 'customer', (7000000000000 + customer)::text, customer, turn + 1, turn + 1,
              (8000000000000 + product * 257)::text, (44000000000000 + product * 769)::text, now(),
              (now() AT TIME ZONE s.time_zone)::date
         FROM (SELECT n % $3 AS customer, n / $3 AS turn, ${CHOICES[choice]} AS product
                 FROM generate_series(0::bigint, $2::bigint - 1) AS n) AS a, shop s
        WHERE s.id = $1`,
      [shopId, rows, CUSTOMERS, PRODUCTS],
    );
    await client.query("VACUUM (ANALYZE)");
    await client.query("CHECKPOINT");
  });
}

/** Counts the rows of activity, and the unprocessed ones among them. */
export async function countActivity({ url, shopId }: Database): Promise<{ all: number; unprocessed: number }> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ all: number; unprocessed: number }>(
      `SELECT count(*)::integer AS all, (count(*) FILTER (WHERE processed_at IS NULL))::integer AS unprocessed
         FROM activity WHERE shop_id = $1`,
      [shopId],
    );
    return rows[0] ?? { all: 0, unprocessed: 0 };
  });
}
