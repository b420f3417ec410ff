import { processOutbox } from "../activity/index.server.ts";
import { now } from "../platform/clock.server.ts";
import { run, shopStatement, statement } from "../platform/database/database.server.ts";
import { PERIODS } from "./periods.ts";

const dueStatement = statement<{ day: string }>(
  "period_due",
  `SELECT to_char(yesterday.day, 'YYYY-MM-DD') AS day
     FROM shop s CROSS JOIN LATERAL (SELECT ($2::timestamptz AT TIME ZONE s.time_zone)::date - 1 AS day) AS yesterday
    WHERE s.id = $1 AND s.uninstalled_at IS NULL
      AND EXISTS (SELECT 1 FROM daily_stats d WHERE d.shop_id = $1)
      AND NOT EXISTS (SELECT 1 FROM period_stats p WHERE p.shop_id = $1 AND p.day = yesterday.day)`,
);

// `last_seen` counts a shopper on the latest active day only, so shoppers who returned after the period's end are added from `shopper_day`. Only
// today's shoppers have returned since, so the query stays cheap.
const recordStatement = shopStatement<Record<string, never>>(
  "period_record",
  `WITH back AS (
     SELECT DISTINCT shopper_id FROM shopper_day WHERE shop_id = $1 AND day > $2::date
   ), seen AS (
     SELECT day, last_seen AS shoppers FROM daily_stats WHERE shop_id = $1 AND day <= $2::date
     UNION ALL
     SELECT (SELECT max(d.day) FROM shopper_day d WHERE d.shop_id = $1 AND d.shopper_id = back.shopper_id AND d.day <= $2::date), 1
       FROM back
   )
   INSERT INTO period_stats (shop_id, day, days, active_shoppers)
   SELECT $1, $2::date, p.days, coalesce(sum(s.shoppers), 0)
     FROM unnest($3::integer[]) AS p (days) LEFT JOIN seen s ON s.day > $2::date - p.days
    GROUP BY p.days
       ON CONFLICT (shop_id, day, days) DO NOTHING`,
);

/**
 * Records how many shoppers were active in the periods that end with a shop's yesterday, unless the shop has uninstalled the app, has no
 * activity at all, or they are recorded. It may run at any time and any number of times a day; missed days are not recorded later.
 */
export async function recordPeriodStats(shopId: number): Promise<void> {
  const [due] = await run(dueStatement, [shopId, now()]);
  if (!due) return;
  await processOutbox(shopId);
  await run(recordStatement, [shopId, due.day, PERIODS]);
}
