import type { z } from "zod";
import { now } from "../platform/clock.server.ts";
import { run, runOne, shopStatement } from "../platform/database.server.ts";
import type { ProductRevenue, RevenueDay, RevenueSums } from "./findings.ts";
import { TODAY } from "./reports.server.ts";
import type { revenueSchema } from "./schemas.ts";

// What wishlists earn: sums that order_record keeps. They contain the orders in the shop's present currency only, and a refund makes the sums of the
// order's day smaller.

const sumsStatement = shopStatement<RevenueSums>(
  "revenue_sums",
  `WITH today AS (${TODAY})
   SELECT coalesce(sum(d.orders), 0)::integer AS orders, coalesce(sum(d.saved_orders), 0)::integer AS "savedOrders",
          coalesce(sum(d.units), 0)::integer AS units, coalesce(sum(d.revenue), 0)::numeric(16, 2)::text AS revenue
     FROM today CROSS JOIN shop s
     LEFT JOIN revenue_daily d ON d.shop_id = $1 AND d.currency = s.currency AND d.day > today.day - $4::integer - $3::integer
                              AND d.day <= today.day - $4::integer
    WHERE s.id = $1`,
);

/** Returns the sums of `days` days that end `ago` days ago. */
export function readRevenueSums(shopId: number, at: Date, days: number, ago = 0): Promise<RevenueSums> {
  return runOne(sumsStatement, [shopId, at, days, ago]);
}

const daysStatement = shopStatement<RevenueDay>(
  "revenue_days",
  `WITH today AS (${TODAY})
   SELECT to_char(today.day - ago, 'YYYY-MM-DD') AS date, coalesce(d.orders, 0) AS orders, coalesce(d.saved_orders, 0) AS "savedOrders",
          coalesce(d.units, 0) AS units, coalesce(d.revenue, 0)::numeric(16, 2)::text AS revenue
     FROM today CROSS JOIN shop s CROSS JOIN generate_series(0, $3::integer - 1) AS ago
     LEFT JOIN revenue_daily d ON d.shop_id = $1 AND d.day = today.day - ago AND d.currency = s.currency
    WHERE s.id = $1 ORDER BY ago DESC`,
);

/** Returns each of the last `days` days, oldest first. */
export function readRevenueDays(shopId: number, at: Date, days: number): Promise<RevenueDay[]> {
  return run(daysStatement, [shopId, at, days]);
}

const productsStatement = shopStatement<ProductRevenue>(
  "revenue_products",
  `WITH today AS (${TODAY})
   SELECT r.product_id AS "productId", sum(r.orders)::integer AS orders, sum(r.units)::integer AS units, sum(r.revenue)::numeric(16, 2)::text AS revenue
     FROM today CROSS JOIN shop s
     JOIN product_revenue r ON r.shop_id = $1 AND r.currency = s.currency AND r.day > today.day - $3::integer AND r.day <= today.day
    WHERE s.id = $1
    GROUP BY r.product_id HAVING sum(r.units) > 0
    ORDER BY sum(r.revenue) DESC, r.product_id LIMIT $4`,
);

/** Returns the products with the highest revenue in the last `days` days. */
export function readRevenueProducts(shopId: number, at: Date, days: number, limit: number): Promise<ProductRevenue[]> {
  return run(productsStatement, [shopId, at, days, limit]);
}

const productStatement = shopStatement<Omit<ProductRevenue, "productId">>(
  "revenue_product",
  `WITH today AS (${TODAY})
   SELECT coalesce(sum(r.orders), 0)::integer AS orders, coalesce(sum(r.units), 0)::integer AS units,
          coalesce(sum(r.revenue), 0)::numeric(16, 2)::text AS revenue
     FROM today CROSS JOIN shop s
     LEFT JOIN product_revenue r ON r.shop_id = $1 AND r.product_id = $4 AND r.currency = s.currency AND r.day > today.day - $3::integer
                                AND r.day <= today.day
    WHERE s.id = $1`,
);

/** Returns what a product earned in the last `days` days. */
export function readProductRevenue(
  shopId: number,
  at: Date,
  days: number,
  productId: string,
): Promise<Omit<ProductRevenue, "productId">> {
  return runOne(productStatement, [shopId, at, days, productId]);
}

const firstStatement = shopStatement<{ first: string | null; currency: string | null }>(
  "revenue_first",
  `SELECT s.currency, (SELECT to_char(min(d.day), 'YYYY-MM-DD') FROM revenue_daily d WHERE d.shop_id = $1) AS first FROM shop s WHERE s.id = $1`,
);

/** Returns the shop's currency, and the day of the first counted order: null while none has been. */
export function readRevenueStart(shopId: number): Promise<{ first: string | null; currency: string | null }> {
  return runOne(firstStatement, [shopId]);
}

/** Returns the percentage of orders with a saved item, with two decimals. */
export function savedOrderRate({ orders, savedOrders }: Pick<RevenueSums, "orders" | "savedOrders">): number {
  return orders === 0 ? 0 : Math.round((10_000 * savedOrders) / orders) / 100;
}

/** Returns what wishlists earned in the last `days` days. */
export async function revenue(
  shopId: number,
  { days, limit }: { days: number; limit: number },
): Promise<z.infer<typeof revenueSchema>> {
  const at = now();
  const [sums, byDay, products, { first, currency }] = await Promise.all([
    readRevenueSums(shopId, at, days),
    readRevenueDays(shopId, at, days),
    readRevenueProducts(shopId, at, days, limit),
    readRevenueStart(shopId),
  ]);
  return { currency, countedSince: first, ...sums, savedOrderRate: savedOrderRate(sums), days: byDay, products };
}
