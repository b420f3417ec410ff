import type { z } from "zod";
import { drainShop } from "../activity/index.server.ts";
import { now } from "../platform/clock.server.ts";
import { run, runOne, statement } from "../platform/database.server.ts";
import type { dailySchema, overviewSchema, productStatsSchema, topProductsSchema } from "./schemas.ts";

// A report first drains what its shop's activity still holds, so it shows every change that was answered before.

/**
 * The last day of a period, at the moment $2 of the shop $1. A shop that has moved to a zone further west has activity on days that
 * are yet to come there (two at most, from UTC+14 to UTC-12): its period ends with the latest of them, or they would be left out.
 */
const TODAY = `
  SELECT coalesce(max(d.day), local.day) AS day
    FROM (SELECT ($2::timestamptz AT TIME ZONE time_zone)::date AS day FROM shop WHERE id = $1) AS local
    LEFT JOIN daily_stats d ON d.shop_id = $1 AND d.day > local.day AND d.day <= local.day + 2
   GROUP BY local.day`;

const overviewStatement = statement<{ net: number; active: number; saved: number; carted: number }>(
  "analytics_overview",
  `WITH today AS (${TODAY})
   SELECT coalesce(sum(d.items_added - d.items_removed), 0) AS net, coalesce(sum(d.last_seen), 0) AS active,
          coalesce(sum(d.items_added), 0) AS saved, coalesce(sum(d.cohort_carted), 0) AS carted
     FROM today JOIN daily_stats d ON d.shop_id = $1 AND d.day > today.day - $3::integer AND d.day <= today.day`,
);

/** The last `days` days at a glance. */
export async function overview(shopId: number, days: number): Promise<z.infer<typeof overviewSchema>> {
  await drainShop(shopId);
  const { net, active, saved, carted } = await runOne(overviewStatement, [shopId, now(), days]);
  return {
    totalWishlistedItems: net,
    activeShoppers: active,
    wishlistToCartRate: saved === 0 ? 0 : Math.round((10_000 * carted) / saved) / 100,
  };
}

const topStatement = statement<{ productId: string; wishlistCount: number }>(
  "analytics_top_products",
  `SELECT product_id AS "productId", wishlist_count AS "wishlistCount" FROM product_stats
    WHERE shop_id = $1 AND wishlist_count > 0
    ORDER BY wishlist_count DESC, product_id LIMIT $2`,
);

/** The products that are saved most now. */
export async function topProducts(shopId: number, limit: number): Promise<z.infer<typeof topProductsSchema>> {
  await drainShop(shopId);
  return { products: await run(topStatement, [shopId, limit]) };
}

const productStatement = statement<{ wishlistCount: number }>(
  "analytics_product",
  `SELECT wishlist_count AS "wishlistCount" FROM product_stats WHERE shop_id = $1 AND product_id = $2`,
);

/** How often a product is saved now: 0 for one that nobody has ever saved. */
export async function productStats(shopId: number, productId: string): Promise<z.infer<typeof productStatsSchema>> {
  await drainShop(shopId);
  const [row] = await run(productStatement, [shopId, productId]);
  return row ?? { wishlistCount: 0 };
}

const dailyStatement = statement<z.infer<typeof dailySchema>["days"][number]>(
  "analytics_daily",
  `WITH today AS (${TODAY})
   SELECT to_char(today.day - ago, 'YYYY-MM-DD') AS date,
          coalesce(d.items_added, 0) AS "itemsAdded", coalesce(d.items_removed, 0) AS "itemsRemoved",
          coalesce(d.unique_shoppers, 0) AS "uniqueShoppers", coalesce(d.carted, 0) AS "addToCartFromWishlist"
     FROM today CROSS JOIN generate_series(0, $3::integer - 1) AS ago
     LEFT JOIN daily_stats d ON d.shop_id = $1 AND d.day = today.day - ago
    ORDER BY ago DESC`,
);

/** Each of the last `days` days. */
export async function daily(shopId: number, days: number): Promise<z.infer<typeof dailySchema>> {
  await drainShop(shopId);
  return { days: await run(dailyStatement, [shopId, now(), days]) };
}
