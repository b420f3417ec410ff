import type { z } from "zod";
import { now } from "../platform/clock.server.ts";
import { run, runOne, shopStatement } from "../platform/database/database.server.ts";
import type { ProductRevenue, Revenue, RevenueDay, RevenueSums, RevenueTotals } from "./findings.ts";
import type { Span } from "./periods.ts";
import { withNames } from "./products.server.ts";
import { TODAY } from "./reports.server.ts";
import type { revenueSchema } from "./schemas.ts";

// What wishlists earn: sums that order_record keeps. They contain the orders in the shop's present currency only, and a refund makes the sums of the
// order's day smaller.

const totalsStatement = shopStatement<RevenueTotals>(
  "revenue_totals",
  `WITH today AS (${TODAY})
   SELECT coalesce(sum(d.orders), 0)::integer AS orders, coalesce(sum(d.saved_orders), 0)::integer AS "savedOrders",
          coalesce(sum(d.units), 0)::integer AS units, coalesce(sum(d.revenue), 0)::numeric(24, 2)::text AS revenue
     FROM today CROSS JOIN shop s
     LEFT JOIN revenue_daily d ON d.shop_id = $1 AND d.currency = s.currency AND d.day > today.day - $4::integer - $3::integer
                              AND d.day <= today.day - $4::integer
    WHERE s.id = $1`,
);

/** Returns the sums of `days` days that end `ago` days ago. */
export async function readSums(shopId: number, at: Date, days: number, ago = 0): Promise<RevenueSums> {
  const totals = await runOne(totalsStatement, [shopId, at, days, ago]);
  const { orders, savedOrders } = totals;
  return { ...totals, savedOrderRate: orders === 0 ? 0 : Math.round((10_000 * savedOrders) / orders) / 100 };
}

const daysStatement = shopStatement<RevenueDay>(
  "revenue_days",
  `WITH today AS (${TODAY})
   SELECT to_char(today.day - ago, 'YYYY-MM-DD') AS date, coalesce(d.orders, 0) AS orders, coalesce(d.saved_orders, 0) AS "savedOrders",
          coalesce(d.units, 0) AS units, coalesce(d.revenue, 0)::numeric(24, 2)::text AS revenue
     FROM today CROSS JOIN shop s CROSS JOIN generate_series(0, $3::integer - 1) AS ago
     LEFT JOIN revenue_daily d ON d.shop_id = $1 AND d.day = today.day - ago AND d.currency = s.currency
    WHERE s.id = $1 ORDER BY ago DESC`,
);

/** Returns each of the last `days` days, oldest first. */
function readDays(shopId: number, at: Date, days: number): Promise<RevenueDay[]> {
  return run(daysStatement, [shopId, at, days]);
}

const productsStatement = shopStatement<ProductRevenue>(
  "revenue_products",
  `WITH today AS (${TODAY})
   SELECT r.product_id AS "productId", sum(r.orders)::integer AS orders, sum(r.units)::integer AS units, sum(r.revenue)::numeric(24, 2)::text AS revenue
     FROM today CROSS JOIN shop s
     JOIN product_revenue r ON r.shop_id = $1 AND r.currency = s.currency AND r.day > today.day - $3::integer AND r.day <= today.day
    WHERE s.id = $1
    GROUP BY r.product_id HAVING sum(r.units) > 0
    ORDER BY sum(r.revenue) DESC, r.product_id LIMIT $4`,
);

/** Returns the products with the highest revenue in the last `days` days. */
function readProducts(shopId: number, at: Date, days: number, limit: number): Promise<ProductRevenue[]> {
  return run(productsStatement, [shopId, at, days, limit]);
}

const startStatement = shopStatement<{ first: string | null; currency: string | null }>(
  "revenue_start",
  `SELECT s.currency, to_char(min(d.day), 'YYYY-MM-DD') AS first
     FROM shop s LEFT JOIN revenue_daily d ON d.shop_id = $1 AND d.currency = s.currency
    WHERE s.id = $1 GROUP BY s.currency`,
);

/** Returns the shop's currency, and the day of the first order that was counted in it: null while none has been. */
export function readStart(shopId: number): Promise<{ first: string | null; currency: string | null }> {
  return runOne(startStatement, [shopId]);
}

/** Returns what wishlists earned in the last `days` days. */
export async function revenue(
  shopId: number,
  { days, limit }: { days: number; limit: number },
): Promise<z.infer<typeof revenueSchema>> {
  const at = now();
  const [sums, byDay, products, { first, currency }] = await Promise.all([
    readSums(shopId, at, days),
    readDays(shopId, at, days),
    readProducts(shopId, at, days, limit),
    readStart(shopId),
  ]);
  return { currency, countedSince: first, ...sums, days: byDay, products };
}

/** Returns what wishlists earned in a period as the admin shows it. @param listed maximum products */
export async function revenueReport(shopId: number, { period, compare }: Span, listed: number): Promise<Revenue> {
  const at = now();
  const [{ first }, sums, sumsBefore, days, products] = await Promise.all([
    readStart(shopId),
    readSums(shopId, at, period),
    compare ? readSums(shopId, at, period, period) : undefined,
    readDays(shopId, at, compare ? 2 * period : period),
    readProducts(shopId, at, period, listed),
  ]);
  const covered = first !== null && first <= (days[0]?.date ?? "");
  return {
    first,
    sums,
    days: days.slice(-period),
    before: sumsBefore && covered ? { sums: sumsBefore, days: days.slice(0, -period) } : undefined,
    beforeUnknown: compare && !covered,
    products: await withNames(shopId, products),
  };
}
