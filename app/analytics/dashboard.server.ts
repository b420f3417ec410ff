import { processOutbox } from "../activity/index.server.ts";
import { run, shopStatement } from "../platform/database/database.server.ts";
import { readPart } from "../platform/log/read-part.server.ts";
import { readCohorts } from "./cohorts.server.ts";
import type { Activity, Dashboard, Day, PastOverview } from "./findings.ts";
import type { Span } from "./periods.ts";
import { readOutOfStock, readRankedProducts } from "./products.server.ts";
import { rangeOf, type Range } from "./range.server.ts";
import { revenueIn } from "./revenue.server.ts";
import { formatHour, readDays, readHistory, readOverview, TODAY } from "./reports.server.ts";
import { readUsage } from "./usage.server.ts";

interface Hours {
  itemsAdded: number;
  itemsRemoved: number;
  addToCartFromWishlist: number;
  /** hour of the shop's clock, 0 to 23 */
  hour: number;
}

/** Sums of a day up to the present hour, unless some of the day was counted before hours were. */
const hoursStatement = shopStatement<Hours>(
  "analytics_hours",
  `WITH today AS (${TODAY}), present AS (
     SELECT extract(hour FROM $2::timestamptz AT TIME ZONE time_zone)::integer AS hour FROM shop WHERE id = $1
   ), hours AS (
     SELECT h.* FROM today JOIN activity_hourly h ON h.shop_id = $1 AND h.day = today.day - $3::integer
   )
   SELECT present.hour,
          (SELECT coalesce(sum(h.items_added), 0) FROM hours h WHERE h.hour <= present.hour)::integer AS "itemsAdded",
          (SELECT coalesce(sum(h.items_removed), 0) FROM hours h WHERE h.hour <= present.hour)::integer AS "itemsRemoved",
          (SELECT coalesce(sum(h.carted), 0) FROM hours h WHERE h.hour <= present.hour)::integer AS "addToCartFromWishlist"
     FROM present CROSS JOIN today LEFT JOIN daily_stats d ON d.shop_id = $1 AND d.day = today.day - $3::integer
    WHERE (coalesce(d.items_added, 0), coalesce(d.items_removed, 0), coalesce(d.carted, 0))
          = (SELECT coalesce(sum(h.items_added), 0), coalesce(sum(h.items_removed), 0), coalesce(sum(h.carted), 0) FROM hours h)`,
);

/** Cuts the last day of the previous period at the present hour, because today is not over either. */
function cutAt(hours: Hours, overview: PastOverview, days: readonly Day[]): Activity["before"] {
  const last = days.at(-1);
  if (!last) return undefined;
  const { hour, ...sums } = hours;
  const missing = last.itemsAdded - last.itemsRemoved - (sums.itemsAdded - sums.itemsRemoved);
  return {
    overview: { ...overview, totalWishlistedItems: overview.totalWishlistedItems - missing },
    days: [...days.slice(0, -1), { ...last, ...sums }],
    until: formatHour(hour),
  };
}

async function readActivity(shopId: number, range: Range, compare: boolean): Promise<Activity> {
  const { at, days: length, ago } = range;
  const [{ began, since }, overview, past, all, hours] = await Promise.all([
    readHistory(shopId),
    readOverview(shopId, at, { days: length, ago }),
    compare ? readOverview(shopId, at, { days: length, ago: ago + length }) : undefined,
    readDays(shopId, at, { days: compare ? 2 * length : length, ago }),
    compare && ago === 0 ? run(hoursStatement, [shopId, at, length]) : [],
  ]);
  const days = all.slice(-length);
  const earlier = all.slice(0, -length);
  const covered = compare && since <= (earlier[0]?.date ?? "");
  const [cut] = hours;
  return {
    began,
    overview,
    days: days.filter(({ date }) => date >= since),
    since: since > (days[0]?.date ?? "") ? since : undefined,
    before:
      past && covered
        ? cut
          ? cutAt(cut, past, earlier)
          : { overview: past, days: earlier, until: undefined }
        : undefined,
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
  const range = await rangeOf(id, span);
  const [activity, usage, cohorts, revenue, top, wanted] = await Promise.all([
    readPart(domain, readActivity(id, range, span.compare)),
    readPart(domain, readUsage(id, range)),
    readPart(domain, readCohorts(id, range)),
    readPart(domain, revenueIn(id, range, { compare: span.compare, listed })),
    readPart(domain, readRankedProducts(id, listed)),
    readPart(domain, readOutOfStock(id, listed)),
  ]);
  return { today: range.today, problem: range.problem, activity, usage, cohorts, revenue, top, wanted };
}

/** Returns the activity of a period, with the previous period for comparison if requested. */
export async function activityIn(shopId: number, range: Range, compare: boolean): Promise<Activity> {
  await processOutbox(shopId);
  return readActivity(shopId, range, compare);
}
