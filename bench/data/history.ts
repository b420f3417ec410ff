import { TIME_ZONE, type Content } from "./dataset.ts";

/** Size of a shop's activity, with its rollups. */
export interface History {
  events: number;
  shoppers: number;
}

export const LONG_HISTORY: History = { events: 10_000_000, shoppers: 500_000 };
export const SHORT_HISTORY: History = { events: 100_000, shoppers: 5_000 };
export const TINY_HISTORY: History = { events: 10_000, shoppers: 500 };

const PRODUCTS = 20_000;
/** A product that every history contains. */
export const SAMPLE_PRODUCT_ID = "8000000000000";

/** First day and length of the days with activity. */
interface Days {
  first: string;
  count: number;
}

/**
 * Returns the days from the first of this month a year ago to the end of this month. The past 365 days are then always complete, and the
 * databases are created once a month only. Reports read at most two future days.
 */
function days(): Days {
  const today = new Date();
  const [year, month] = [today.getUTCFullYear(), today.getUTCMonth()];
  const first = Date.UTC(year - 1, month, 1);
  const end = Date.UTC(year, month + 1, 1);
  return { first: new Date(first).toISOString().slice(0, 10), count: (end - first) / (24 * 3_600_000) };
}

/**
 * Returns SQL for activity spread evenly over the days. Of 20 events 13 are additions by different shoppers of different products, four
 * remove some of these items, one shares a list, and two put products into a cart.
 */
function activitySql({ events, shoppers }: History, { first, count }: Days): string {
  return `
    INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, version, item_count, product_id, variant_id,
                          at, day, saved_on, processed_at)
    SELECT $1, kind, 'api', 'customer', (7000000000000 + shopper)::text, shopper, 1, 1,
           CASE WHEN kind <> 'shared' THEN (8000000000000 + product * 257)::text END,
           CASE WHEN kind <> 'shared' THEN (44000000000000 + product * 769)::text END,
           local AT TIME ZONE '${TIME_ZONE}', local::date, CASE WHEN kind = 'carted' THEN local::date END, now()
      FROM (SELECT CASE WHEN n % 20 < 13 THEN 'added' WHEN n % 20 < 17 THEN 'removed' WHEN n % 20 < 18 THEN 'shared'
                        ELSE 'carted' END AS kind,
                   saved * 7919 % ${shoppers} AS shopper, (saved * 104729 + saved / ${PRODUCTS} * 31) % ${PRODUCTS} AS product,
                   timestamp '${first}' + n * ${count * 86_400}.0 / ${events} * interval '1 s' AS local
              FROM (SELECT n, n / 20 * 13 + n % 20 % 13 AS saved FROM generate_series(0::bigint, ${events - 1}) AS n) AS e) AS a`;
}

// The rollups are computed here instead of by the outbox processor, so that ten million events take minutes.
const ROLLUPS = [
  `INSERT INTO shopper (shop_id, owner_kind, owner_id, last_active_on, first_saved_on)
   SELECT $1, owner_kind, owner_id, max(day), min(day) FILTER (WHERE kind = 'added') FROM activity WHERE shop_id = $1 GROUP BY owner_kind, owner_id`,
  `INSERT INTO shopper_day (shop_id, shopper_id, day)
   SELECT DISTINCT $1::integer, s.id, a.day
     FROM activity a JOIN shopper s ON s.shop_id = $1 AND s.owner_kind = a.owner_kind AND s.owner_id = a.owner_id
    WHERE a.shop_id = $1`,
  `INSERT INTO shopper_count
   SELECT m.* FROM (SELECT array_agg(id) AS ids FROM shopper WHERE shop_id = $1) AS s CROSS JOIN unnest(shopper_marks($1, s.ids, '-infinity')) AS m`,
  `INSERT INTO daily_stats (shop_id, day, items_added, items_removed, carted, cohort_carted, unique_shoppers, last_seen)
   SELECT $1, day, added, removed, carted, carted, shoppers, coalesce(seen, 0)
     FROM (SELECT day, count(*) FILTER (WHERE kind = 'added') AS added, count(*) FILTER (WHERE kind = 'removed') AS removed,
                  count(*) FILTER (WHERE kind = 'carted') AS carted
             FROM activity WHERE shop_id = $1 GROUP BY day) AS a
     JOIN (SELECT day, count(*) AS shoppers FROM shopper_day WHERE shop_id = $1 GROUP BY day) AS d USING (day)
     LEFT JOIN (SELECT last_active_on AS day, count(*) AS seen FROM shopper WHERE shop_id = $1 GROUP BY 1) AS l USING (day)`,
  `INSERT INTO product_daily (shop_id, product_id, day, items_added, items_removed, carted)
   SELECT $1, product_id, day, count(*) FILTER (WHERE kind = 'added'), count(*) FILTER (WHERE kind = 'removed'),
          count(*) FILTER (WHERE kind = 'carted')
     FROM activity WHERE shop_id = $1 AND product_id IS NOT NULL GROUP BY product_id, day`,
  `INSERT INTO variant_stats (shop_id, product_id, variant_id, wishlist_count)
   SELECT $1, product_id, variant_id, count(*) FILTER (WHERE kind = 'added') - count(*) FILTER (WHERE kind = 'removed')
     FROM activity WHERE shop_id = $1 AND product_id IS NOT NULL GROUP BY product_id, variant_id`,
  `INSERT INTO product_stats (shop_id, product_id, wishlist_count)
   SELECT $1, product_id, sum(wishlist_count) FROM variant_stats WHERE shop_id = $1 GROUP BY product_id`,
];

export function historyContent(history: History): Content {
  return {
    name: `bench_history_${history.events}`,
    described: `of ${history.events.toLocaleString("en")} events`,
    statements: [activitySql(history, days()), ...ROLLUPS],
  };
}
