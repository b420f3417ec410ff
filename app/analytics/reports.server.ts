import type { z } from "zod";
import { processOutbox } from "../activity/index.server.ts";
import { now } from "../platform/clock.server.ts";
import { run, runOne, shopStatement } from "../platform/database/database.server.ts";
import type { Day, Overview, PastOverview } from "./findings.ts";
import type { dailySchema, productStatsSchema, topProductsSchema } from "./schemas.ts";

// A report processes the shop's outbox first, so that it includes every change before its request. Functions named `read…` leave that to their
// callers, which read several reports at the same time.

/**
 * SQL for the last day of a period, at the time $2 in the time zone of the shop $1. After a move to a time zone further west, the shop can have
 * activity on days that are in the future there (two at most, from UTC+14 to UTC-12); the period then ends with the latest of them.
 */
export const TODAY = `
  SELECT coalesce(max(d.day), local.day) AS day
    FROM (SELECT ($2::timestamptz AT TIME ZONE time_zone)::date AS day FROM shop WHERE id = $1) AS local
    LEFT JOIN daily_stats d ON d.shop_id = $1 AND d.day > local.day AND d.day <= local.day + 2
   GROUP BY local.day`;

const overviewStatement = shopStatement<{ net: number; active: number; saved: number; added_to_cart: number }>(
  "analytics_overview",
  `WITH today AS (${TODAY})
   SELECT coalesce(sum(d.items_added - d.items_removed), 0) AS net, coalesce(sum(d.last_seen), 0) AS active,
          coalesce(sum(d.items_added), 0) AS saved, coalesce(sum(d.cohort_carted), 0) AS added_to_cart
     FROM today JOIN daily_stats d ON d.shop_id = $1 AND d.day > today.day - $4::integer - $3::integer
                                  AND d.day <= today.day - $4::integer`,
);

/** Days of a report: how many, and how many days before today the last one is. */
export interface DayRange {
  days: number;
  ago: number;
}

/** Formats the end of an hour of the day: 15:00 for the hour that begins at 14:00. */
export function formatHour(hour: number): string {
  return `${String(hour + 1).padStart(2, "0")}:00`;
}

async function readSums(shopId: number, at: Date, { days, ago }: DayRange): Promise<Overview> {
  const { net, active, saved, added_to_cart } = await runOne(overviewStatement, [shopId, at, days, ago]);
  return {
    totalWishlistedItems: net,
    activeShoppers: active,
    wishlistToCartRate: saved === 0 ? 0 : Math.round((10_000 * added_to_cart) / saved) / 100,
  };
}

/** Returns the sums of the last `days` days. */
export async function overview(shopId: number, days: number): Promise<Overview> {
  await processOutbox(shopId);
  return readSums(shopId, now(), { days, ago: 0 });
}

const recordedStatement = shopStatement<{ active: number }>(
  "analytics_recorded",
  `WITH today AS (${TODAY})
   SELECT p.active_shoppers AS active
     FROM today JOIN period_stats p ON p.shop_id = $1 AND p.day = today.day - $4::integer AND p.days = $3::integer`,
);

// In a period, a shopper counts on the first active day: the day before it is none of the period's. Days before shoppers were counted by two days have
// activity, but no rows.
const pastActiveStatement = shopStatement<{ active: number; counted: boolean }>(
  "analytics_past_active",
  `WITH today AS (${TODAY}), period AS (
     SELECT day - $4::integer - $3::integer AS before, day - $4::integer AS last FROM today
   )
   SELECT (SELECT coalesce(sum(c.shoppers), 0) FROM shopper_count c
            WHERE c.shop_id = $1 AND c.kind = 'active' AND c.day > period.before AND c.day <= period.last
              AND (c.other_day <= period.before OR c.other_day = c.day))::integer AS active,
          NOT EXISTS (SELECT 1 FROM daily_stats d
                       WHERE d.shop_id = $1 AND d.day > period.before AND d.day <= period.last AND d.unique_shoppers > 0
                         AND d.day < coalesce((SELECT min(f.day) FROM shopper_count f WHERE f.shop_id = $1 AND f.kind = 'active'), 'infinity')) AS counted
     FROM period`,
);

/** Returns the active shoppers of a past period; null if they were neither counted throughout it nor recorded by a job. */
async function readPastActive(shopId: number, at: Date, { days, ago }: DayRange): Promise<number | null> {
  const { active, counted } = await runOne(pastActiveStatement, [shopId, at, days, ago]);
  if (counted) return active;
  const [recorded] = await run(recordedStatement, [shopId, at, days, ago]);
  return recorded?.active ?? null;
}

/** Returns how many items were saved in a period, and how many of them have been added to a cart since. */
export async function readCohort(
  shopId: number,
  at: Date,
  { days, ago }: DayRange,
): Promise<{ saved: number; addedToCart: number }> {
  const { saved, added_to_cart: addedToCart } = await runOne(overviewStatement, [shopId, at, days, ago]);
  return { saved, addedToCart };
}

/** Returns the sums of a period. In a past one, `last_seen` lacks the shoppers who have returned since. */
export async function readOverview(shopId: number, at: Date, range: DayRange): Promise<PastOverview> {
  const [sums, past] = await Promise.all([
    readSums(shopId, at, range),
    range.ago === 0 ? undefined : readPastActive(shopId, at, range),
  ]);
  return past === undefined ? sums : { ...sums, activeShoppers: past };
}

type TopProduct = z.infer<typeof topProductsSchema>["products"][number];

const topStatement = shopStatement<TopProduct>(
  "analytics_top_products",
  `SELECT product_id AS "productId", wishlist_count AS "wishlistCount" FROM product_stats
    WHERE shop_id = $1 AND wishlist_count > 0
    ORDER BY wishlist_count DESC, product_id LIMIT $2`,
);

/** Returns the most saved products. */
export async function topProducts(shopId: number, limit: number): Promise<z.infer<typeof topProductsSchema>> {
  await processOutbox(shopId);
  return { products: await readTopProducts(shopId, limit) };
}

export function readTopProducts(shopId: number, limit: number): Promise<TopProduct[]> {
  return run(topStatement, [shopId, limit]);
}

const productStatement = shopStatement<{ wishlistCount: number }>(
  "analytics_product",
  `SELECT wishlist_count AS "wishlistCount" FROM product_stats WHERE shop_id = $1 AND product_id = $2`,
);

/** Returns how often a product is saved now. */
export async function productStats(shopId: number, productId: string): Promise<z.infer<typeof productStatsSchema>> {
  await processOutbox(shopId);
  return readProductStats(shopId, productId);
}

export async function readProductStats(shopId: number, productId: string): Promise<{ wishlistCount: number }> {
  const [row] = await run(productStatement, [shopId, productId]);
  return row ?? { wishlistCount: 0 };
}

const dailyStatement = shopStatement<Day>(
  "analytics_daily",
  `WITH today AS (${TODAY})
   SELECT to_char(today.day - ago, 'YYYY-MM-DD') AS date,
          coalesce(d.items_added, 0) AS "itemsAdded", coalesce(d.items_removed, 0) AS "itemsRemoved",
          coalesce(d.unique_shoppers, 0) AS "uniqueShoppers", coalesce(d.carted, 0) AS "addToCartFromWishlist"
     FROM today CROSS JOIN generate_series($4::integer, $4::integer + $3::integer - 1) AS ago
     LEFT JOIN daily_stats d ON d.shop_id = $1 AND d.day = today.day - ago
    ORDER BY ago DESC`,
);

/** Returns the statistics of each of the last `days` days. */
export async function daily(shopId: number, days: number): Promise<z.infer<typeof dailySchema>> {
  await processOutbox(shopId);
  return { days: await readDays(shopId, now(), { days, ago: 0 }) };
}

export function readDays(shopId: number, at: Date, { days, ago }: DayRange): Promise<Day[]> {
  return run(dailyStatement, [shopId, at, days, ago]);
}

/**
 * Reads whether the shop has any activity, and since when it is counted. Activity before the latest installation counts, because the app was
 * installed then.
 */
const historyStatement = shopStatement<{ began: boolean; since: string }>(
  "analytics_history",
  `WITH first AS (SELECT min(day) AS day FROM daily_stats WHERE shop_id = $1)
   SELECT first.day IS NOT NULL AS began,
          to_char(least(first.day, (s.installed_at AT TIME ZONE s.time_zone)::date), 'YYYY-MM-DD') AS since
     FROM shop s, first
    WHERE s.id = $1`,
);

export function readHistory(shopId: number): Promise<{ began: boolean; since: string }> {
  return runOne(historyStatement, [shopId]);
}
