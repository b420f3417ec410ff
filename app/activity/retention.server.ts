import { now } from "../platform/clock.server.ts";
import { statement } from "../platform/database.server.ts";
import { deleteInBatches } from "../platform/retention.server.ts";

const DAY_MS = 24 * 3_600_000;
/** Days of shoppers are kept for the longest period that is summed up each night, and some more. */
const SHOPPER_DAYS = 400;

/** The oldest rows first, which are next to each other: looking at those tells whether there are any to drop. */
const activityStatement = statement<{ gone: number }>(
  "drop_activity",
  `WITH oldest AS (
     SELECT id, at, processed_at FROM activity WHERE shop_id = $1 ORDER BY id LIMIT $3
   ), gone AS (
     DELETE FROM activity WHERE shop_id = $1
        AND id = ANY (ARRAY(SELECT id FROM oldest WHERE at < $2 AND processed_at IS NOT NULL))
     RETURNING 1
   )
   SELECT count(*) AS gone FROM gone`,
);

const cartEventsStatement = statement<{ gone: number }>(
  "drop_cart_events",
  `WITH gone AS (
     DELETE FROM cart_event WHERE shop_id = $1
        AND ctid = ANY (ARRAY(SELECT ctid FROM cart_event WHERE shop_id = $1 AND at < $2 ORDER BY at LIMIT $3))
     RETURNING 1
   )
   SELECT count(*) AS gone FROM gone`,
);

const shopperDaysStatement = statement<{ gone: number }>(
  "drop_shopper_days",
  `WITH gone AS (
     DELETE FROM shopper_day WHERE shop_id = $1
        AND ctid = ANY (ARRAY(SELECT ctid FROM shopper_day WHERE shop_id = $1 AND day < $2::timestamptz::date ORDER BY day LIMIT $3))
     RETURNING 1
   )
   SELECT count(*) AS gone FROM gone`,
);

/** Deletes old activity, cart events and active days. Unprocessed activity stays, however old. */
export async function purgeActivity(shopId: number, before: Date): Promise<void> {
  await deleteInBatches(activityStatement, [shopId, before]);
  await deleteInBatches(cartEventsStatement, [shopId, before]);
  const longAgo = new Date(Math.min(before.getTime(), now().getTime() - SHOPPER_DAYS * DAY_MS));
  await deleteInBatches(shopperDaysStatement, [shopId, longAgo]);
}
