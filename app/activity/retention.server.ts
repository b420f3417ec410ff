import { now } from "../platform/clock.server.ts";
import { statement } from "../platform/database.server.ts";
import { purge, purgeInBatches, type Purged } from "../platform/retention.server.ts";

const DAY_MS = 24 * 3_600_000;
/** Days of shoppers are kept for the longest period that is summed up each night, and some more. */
const SHOPPER_DAYS = 400;

/**
 * Looks at the rows in the order of their ids, which is about that of their times, until a batch has no old row. Unprocessed rows are kept
 * and do not end the purge. In the same statement, the change feed gets to know up to which change it is incomplete.
 */
const activityStatement = statement<Purged>(
  "purge_activity",
  `WITH oldest AS (
     SELECT id, at, processed_at FROM activity WHERE shop_id = $1 AND id > $3::bigint ORDER BY id LIMIT $4
   ), gone AS (
     DELETE FROM activity WHERE shop_id = $1
        AND id = ANY (ARRAY(SELECT id FROM oldest WHERE at < $2 AND processed_at IS NOT NULL))
     RETURNING change_number
   ), noted AS (
     UPDATE shop_change SET purged_to = g.last FROM (SELECT max(change_number) AS last FROM gone) AS g
      WHERE shop_id = $1 AND purged_to < g.last
   )
   SELECT (SELECT count(*) FROM gone) AS gone, (SELECT max(id)::text FROM oldest HAVING min(at) < $2) AS last`,
);

const purgeCartEvents = purge("cart_event", { key: "at", type: "timestamptz" });
const purgeShopperDays = purge("shopper_day", { key: "day", type: "date", before: "$2::timestamptz::date" });

/** Deletes old activity, cart events and active days. Unprocessed activity stays, however old. */
export async function purgeActivity(shopId: number, before: Date): Promise<void> {
  await purgeInBatches(activityStatement, [shopId, before], "0");
  await purgeCartEvents(shopId, before);
  await purgeShopperDays(shopId, new Date(Math.min(before.getTime(), now().getTime() - SHOPPER_DAYS * DAY_MS)));
}
