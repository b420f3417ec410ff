import { processOutbox } from "../activity/index.server.ts";
import { now } from "../platform/clock.server.ts";
import { runOne, shopStatement } from "../platform/database/database.server.ts";
import { readPart } from "../platform/log/read-part.server.ts";
import type { Activity, Dashboard } from "./findings.ts";
import type { Span } from "./periods.ts";
import { readOutOfStock, readRankedProducts } from "./products.server.ts";
import { revenueReport } from "./revenue.server.ts";
import { readDays, readOverview, readOverviewBefore, TODAY } from "./reports.server.ts";

/**
 * Reads whether the shop has any activity, and whether the previous period is covered. Activity before the latest installation counts, because the
 * app was installed then.
 */
const historyStatement = shopStatement<{ began: boolean; covered: boolean }>(
  "analytics_history",
  `WITH today AS (${TODAY}), first AS (SELECT min(day) AS day FROM daily_stats WHERE shop_id = $1)
   SELECT first.day IS NOT NULL AS began,
          least(first.day, (s.installed_at AT TIME ZONE s.time_zone)::date) <= today.day - 2 * $3::integer + 1 AS covered
     FROM shop s, today, first
    WHERE s.id = $1`,
);

async function readActivity(shopId: number, at: Date, { period, compare }: Span): Promise<Activity> {
  const [{ began, covered }, overview, past, days] = await Promise.all([
    runOne(historyStatement, [shopId, at, period]),
    readOverview(shopId, at, period),
    compare ? readOverviewBefore(shopId, at, period) : undefined,
    readDays(shopId, at, compare ? 2 * period : period),
  ]);
  return {
    began,
    overview,
    days: days.slice(-period),
    before: past && covered ? { overview: past, days: days.slice(0, -period) } : undefined,
    beforeUnknown: compare && !covered,
  };
}

/** Returns the data of the analytics page. @param listed maximum rows of the short lists */
export async function dashboard(
  { id, domain }: { id: number; domain: string },
  span: Span,
  listed: number,
): Promise<Dashboard> {
  await processOutbox(id);
  const [activity, revenue, top, wanted] = await Promise.all([
    readPart(domain, readActivity(id, now(), span)),
    readPart(domain, revenueReport(id, span, listed)),
    readPart(domain, readRankedProducts(id, listed)),
    readPart(domain, readOutOfStock(id, listed)),
  ]);
  return { activity, revenue, top, wanted };
}

/** Returns the activity of a period, with the previous period for comparison if requested. */
export async function activityReport(shopId: number, span: Span): Promise<Activity> {
  await processOutbox(shopId);
  return readActivity(shopId, now(), span);
}
