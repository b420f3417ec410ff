import type { z } from "zod";
import { now } from "../platform/clock.server.ts";
import { run, runOne, shopStatement } from "../platform/database/database.server.ts";
import { subtractAmounts } from "../platform/text/currency.ts";
import type { ProductRevenue, Revenue, RevenueDay, RevenueSums, RevenueTotals } from "./findings.ts";
import { withNames } from "./products.server.ts";
import type { Range } from "./range.server.ts";
import { formatHour, TODAY, type DayRange } from "./reports.server.ts";
import type { revenueSchema } from "./schemas.ts";

// What wishlists earn: sums that order_record keeps. They contain the orders in the shop's present currency only, and a refund makes the sums of the
// order's day smaller.

const totalsStatement = shopStatement<RevenueTotals>(
  "revenue_totals",
  `WITH today AS (${TODAY})
   SELECT coalesce(sum(d.orders), 0)::integer AS orders, coalesce(sum(d.saved_orders), 0)::integer AS "savedOrders",
          coalesce(sum(d.units), 0)::integer AS units, amount_text(coalesce(sum(d.revenue), 0), max(s.currency)) AS revenue
     FROM today CROSS JOIN shop s
     LEFT JOIN revenue_daily d ON d.shop_id = $1 AND d.currency = s.currency AND d.day > today.day - $4::integer - $3::integer
                              AND d.day <= today.day - $4::integer
    WHERE s.id = $1`,
);

function withRate(totals: RevenueTotals): RevenueSums {
  const { orders, savedOrders } = totals;
  return { ...totals, savedOrderRate: orders === 0 ? 0 : Math.round((10_000 * savedOrders) / orders) / 100 };
}

export async function readSums(shopId: number, at: Date, { days, ago }: DayRange): Promise<RevenueSums> {
  return withRate(await runOne(totalsStatement, [shopId, at, days, ago]));
}

const daysStatement = shopStatement<RevenueDay>(
  "revenue_days",
  `WITH today AS (${TODAY})
   SELECT to_char(today.day - ago, 'YYYY-MM-DD') AS date, coalesce(d.orders, 0) AS orders, coalesce(d.saved_orders, 0) AS "savedOrders",
          coalesce(d.units, 0) AS units, amount_text(coalesce(d.revenue, 0), s.currency) AS revenue
     FROM today CROSS JOIN shop s CROSS JOIN generate_series($4::integer, $4::integer + $3::integer - 1) AS ago
     LEFT JOIN revenue_daily d ON d.shop_id = $1 AND d.day = today.day - ago AND d.currency = s.currency
    WHERE s.id = $1 ORDER BY ago DESC`,
);

/** Returns each day of a period, oldest first. */
function readDays(shopId: number, at: Date, { days, ago }: DayRange): Promise<RevenueDay[]> {
  return run(daysStatement, [shopId, at, days, ago]);
}

/** Sums of a day up to the present hour, unless some of the day was counted before hours were. */
const hoursStatement = shopStatement<RevenueTotals & { hour: number }>(
  "revenue_hours",
  `WITH today AS (${TODAY}), present AS (
     SELECT extract(hour FROM $2::timestamptz AT TIME ZONE time_zone)::integer AS hour, currency FROM shop WHERE id = $1
   ), hours AS (
     SELECT h.* FROM today CROSS JOIN present p
       JOIN revenue_hourly h ON h.shop_id = $1 AND h.day = today.day - $3::integer AND h.currency = p.currency
   ), part AS (
     SELECT coalesce(sum(h.orders), 0)::integer AS orders, coalesce(sum(h.saved_orders), 0)::integer AS saved_orders,
            coalesce(sum(h.units), 0)::integer AS units, amount_text(coalesce(sum(h.revenue), 0), max(p.currency)) AS revenue
       FROM hours h, present p WHERE h.hour <= p.hour
   )
   SELECT p.hour, part.orders, part.saved_orders AS "savedOrders", part.units, part.revenue
     FROM present p CROSS JOIN part CROSS JOIN today
     LEFT JOIN revenue_daily d ON d.shop_id = $1 AND d.day = today.day - $3::integer AND d.currency = p.currency
    WHERE (coalesce(d.orders, 0), coalesce(d.units, 0), coalesce(d.revenue, 0))
          = (SELECT coalesce(sum(h.orders), 0), coalesce(sum(h.units), 0), coalesce(sum(h.revenue), 0) FROM hours h)`,
);

const productsStatement = shopStatement<ProductRevenue>(
  "revenue_products",
  `WITH today AS (${TODAY})
   SELECT r.product_id AS "productId", sum(r.orders)::integer AS orders, sum(r.units)::integer AS units, amount_text(sum(r.revenue), max(s.currency)) AS revenue
     FROM today CROSS JOIN shop s
     JOIN product_revenue r ON r.shop_id = $1 AND r.currency = s.currency
                         AND r.day > today.day - $5::integer - $3::integer AND r.day <= today.day - $5::integer
    WHERE s.id = $1
    GROUP BY r.product_id HAVING sum(r.units) > 0
    ORDER BY sum(r.revenue) DESC, r.product_id LIMIT $4`,
);

/** Returns the products with the highest revenue in a period. */
function readProducts(shopId: number, at: Date, { days, ago }: DayRange, limit: number): Promise<ProductRevenue[]> {
  return run(productsStatement, [shopId, at, days, limit, ago]);
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
  const range = { days, ago: 0 };
  const [sums, byDay, products, { first, currency }] = await Promise.all([
    readSums(shopId, at, range),
    readDays(shopId, at, range),
    readProducts(shopId, at, range, limit),
    readStart(shopId),
  ]);
  return { currency, countedSince: first, ...sums, days: byDay, products };
}

/** Cuts the last day of the previous period at the present hour, because today is not over either. */
function cutAt(
  { hour, ...part }: RevenueTotals & { hour: number },
  sums: RevenueSums,
  days: readonly RevenueDay[],
): Revenue["before"] {
  const last = days.at(-1);
  if (!last) return undefined;
  return {
    sums: withRate({
      orders: sums.orders - last.orders + part.orders,
      savedOrders: sums.savedOrders - last.savedOrders + part.savedOrders,
      units: sums.units - last.units + part.units,
      revenue: subtractAmounts(sums.revenue, subtractAmounts(last.revenue, part.revenue)),
    }),
    days: [...days.slice(0, -1), { ...last, ...part }],
    until: formatHour(hour),
  };
}

/** Returns what wishlists earned in a period as the admin shows it. @param options.listed maximum products */
export async function revenueIn(
  shopId: number,
  range: Range,
  { compare, listed }: { compare: boolean; listed: number },
): Promise<Revenue> {
  const { at, days: length, ago } = range;
  const [{ first }, sums, sumsBefore, all, products, hours] = await Promise.all([
    readStart(shopId),
    readSums(shopId, at, range),
    compare ? readSums(shopId, at, { days: length, ago: ago + length }) : undefined,
    readDays(shopId, at, { days: compare ? 2 * length : length, ago }),
    readProducts(shopId, at, range, listed),
    compare && ago === 0 ? run(hoursStatement, [shopId, at, length]) : [],
  ]);
  const days = all.slice(-length);
  const earlier = all.slice(0, -length);
  const covered = compare && first !== null && first <= (earlier[0]?.date ?? "");
  const [cut] = hours;
  return {
    first,
    sums,
    // Days before the first counted order are unknown, not zero.
    days: days.filter(({ date }) => first !== null && date >= first),
    since: first !== null && first > (days[0]?.date ?? "") ? first : undefined,
    before:
      sumsBefore && covered
        ? cut
          ? cutAt(cut, sumsBefore, earlier)
          : { sums: sumsBefore, days: earlier, until: undefined }
        : undefined,
    beforeUnknown: compare && !covered,
    products: await withNames(shopId, products),
  };
}
