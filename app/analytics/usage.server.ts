import { processOutbox } from "../activity/index.server.ts";
import { run, runOne, shopStatement } from "../platform/database/database.server.ts";
import type { Usage, UsageGroup } from "./findings.ts";
import type { Range } from "./range.server.ts";
import { readCohort, TODAY } from "./reports.server.ts";

/** The days of a period. */
const IN_PERIOD = "> today.day - $4::integer - $3::integer";

const groupsStatement = shopStatement<UsageGroup>(
  "analytics_usage",
  `WITH today AS (${TODAY})
   SELECT h.owner_kind AS "ownerKind", h.source, sum(h.items_added)::integer AS "itemsAdded", sum(h.items_removed)::integer AS "itemsRemoved",
          sum(h.carted)::integer AS "addToCartFromWishlist", sum(h.shared)::integer AS shared
     FROM today JOIN activity_hourly h ON h.shop_id = $1 AND h.day ${IN_PERIOD} AND h.day <= today.day - $4::integer
    GROUP BY h.owner_kind, h.source ORDER BY h.owner_kind, h.source`,
);

const sharesStatement = shopStatement<{ views: number; since: string | null; first: string }>(
  "analytics_share_views",
  `WITH today AS (${TODAY})
   SELECT (SELECT coalesce(sum(d.views), 0)::integer FROM share_daily d
            WHERE d.shop_id = $1 AND d.day ${IN_PERIOD} AND d.day <= today.day - $4::integer) AS views,
          (SELECT to_char(min(h.day), 'YYYY-MM-DD') FROM activity_hourly h WHERE h.shop_id = $1) AS since,
          to_char(today.day - $4::integer - $3::integer + 1, 'YYYY-MM-DD') AS first
     FROM today`,
);

/** Returns who changed wishlists in a period, and from where. */
export async function readUsage(shopId: number, { at, days, ago }: Range): Promise<Usage> {
  const parameters = [shopId, at, days, ago];
  const [groups, { views, since, first }, cohort] = await Promise.all([
    run(groupsStatement, parameters),
    runOne(sharesStatement, parameters),
    readCohort(shopId, at, { days, ago }),
  ]);
  return { cohort, groups, views, since: since !== null && since > first ? since : undefined };
}

/** Returns the same with the changes before now. */
export async function usageIn(shopId: number, range: Range): Promise<Usage> {
  await processOutbox(shopId);
  return readUsage(shopId, range);
}
