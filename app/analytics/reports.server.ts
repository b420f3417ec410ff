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

const overviewStatement = shopStatement<{ net: number; active: number; saved: number; carted: number }>(
  "analytics_overview",
  `WITH today AS (${TODAY})
   SELECT coalesce(sum(d.items_added - d.items_removed), 0) AS net, coalesce(sum(d.last_seen), 0) AS active,
          coalesce(sum(d.items_added), 0) AS saved, coalesce(sum(d.cohort_carted), 0) AS carted
     FROM today JOIN daily_stats d ON d.shop_id = $1 AND d.day > today.day - $4::integer - $3::integer
                                  AND d.day <= today.day - $4::integer`,
);

async function readSums(shopId: number, at: Date, days: number, ago: number): Promise<Overview> {
  const { net, active, saved, carted } = await runOne(overviewStatement, [shopId, at, days, ago]);
  return {
    totalWishlistedItems: net,
    activeShoppers: active,
    wishlistToCartRate: saved === 0 ? 0 : Math.round((10_000 * carted) / saved) / 100,
  };
}

export function readOverview(shopId: number, at: Date, days: number): Promise<Overview> {
  return readSums(shopId, at, days, 0);
}

/** Returns the sums of the last `days` days. */
export async function overview(shopId: number, days: number): Promise<Overview> {
  await processOutbox(shopId);
  return readOverview(shopId, now(), days);
}

const recordedStatement = shopStatement<{ active: number }>(
  "analytics_recorded",
  `WITH today AS (${TODAY})
   SELECT p.active_shoppers AS active
     FROM today JOIN period_stats p ON p.shop_id = $1 AND p.day = today.day - $3::integer AND p.days = $3::integer`,
);

/**
 * Returns the sums of the previous period. Its active shoppers were recorded by a job, because `last_seen` counts shoppers who returned
 * in the latest period only.
 */
export async function readOverviewBefore(shopId: number, at: Date, days: number): Promise<PastOverview> {
  const [before, [recorded]] = await Promise.all([
    readSums(shopId, at, days, days),
    run(recordedStatement, [shopId, at, days]),
  ]);
  return { ...before, activeShoppers: recorded?.active ?? null };
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
     FROM today CROSS JOIN generate_series(0, $3::integer - 1) AS ago
     LEFT JOIN daily_stats d ON d.shop_id = $1 AND d.day = today.day - ago
    ORDER BY ago DESC`,
);

/** Returns the statistics of each of the last `days` days. */
export async function daily(shopId: number, days: number): Promise<z.infer<typeof dailySchema>> {
  await processOutbox(shopId);
  return { days: await readDays(shopId, now(), days) };
}

export function readDays(shopId: number, at: Date, days: number): Promise<Day[]> {
  return run(dailyStatement, [shopId, at, days]);
}
