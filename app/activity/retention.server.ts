import { now } from "../platform/clock.server.ts";
import { run, statement } from "../platform/database/database.server.ts";
import { deleteInBatches, purge, purgeInBatches, type Purged } from "../platform/jobs/retention.server.ts";

const DAY_MS = 24 * 3_600_000;
/** Days of shoppers are kept for the longest period that is summed up each night, and some more. */
const SHOPPER_DAYS = 400;

/**
 * Looks at the rows in the order of their ids, which is about that of their times, until a batch has no old row. Rows that are unprocessed or set
 * aside are kept and do not end the purge. In the same statement, the change feed gets to know up to which change it is incomplete.
 */
const activityStatement = statement<Purged>(
  "purge_activity",
  `WITH oldest AS (
     SELECT id, at, processed_at FROM activity WHERE shop_id = $1 AND id > $3::bigint ORDER BY id LIMIT $4
   ), gone AS (
     DELETE FROM activity WHERE shop_id = $1
        AND id = ANY (ARRAY(SELECT id FROM oldest WHERE at < $2 AND processed_at < 'infinity'))
     RETURNING change_number
   ), noted AS (
     UPDATE shop_change SET purged_to = g.last FROM (SELECT max(change_number) AS last FROM gone) AS g
      WHERE shop_id = $1 AND purged_to < g.last
   )
   SELECT (SELECT count(*) FROM gone) AS gone, (SELECT max(id)::text FROM oldest HAVING min(at) < $2) AS last`,
);

const purgeCartEvents = purge("cart_event", { key: "at", type: "timestamptz" });
const purgeShopperDays = purge("shopper_day", { key: "day", type: "date", before: "$2::timestamptz::date" });

/** Deletes old activity, cart events and active days. Unprocessed activity stays, however old, as does what is set aside. */
export async function purgeActivity(shopId: number, before: Date): Promise<void> {
  await purgeInBatches(activityStatement, [shopId, before], "0");
  await purgeCartEvents(shopId, before);
  await purgeShopperDays(shopId, new Date(Math.min(before.getTime(), now().getTime() - SHOPPER_DAYS * DAY_MS)));
}

/** Bytes of notes and properties that the history of a shop keeps. */
const TEXT_BYTES = 2_000_000_000;
const WITH_TEXTS = "(before ?| ARRAY['note', 'properties'] OR data ?| ARRAY['note', 'properties'])";

/** Returns up to which change each kind of owner has texts above the quota: customers' last texts are kept first, then guests'. */
const excessStatement = statement<{ ownerKind: string; last: string }>(
  "history_excess",
  `SELECT owner_kind AS "ownerKind", max(id)::text AS last
     FROM (SELECT id, owner_kind,
                  sum(coalesce(pg_column_size(before), 0) + coalesce(pg_column_size(data), 0)) OVER (ORDER BY owner_kind, id DESC) AS bytes
             FROM activity WHERE shop_id = $1 AND ${WITH_TEXTS}) AS texts
    WHERE bytes > $2 GROUP BY owner_kind`,
);

/** As history_trim: versions before such a change can't be restored. Webhooks need the texts of unprocessed changes. */
const cutStatement = statement<{ gone: number }>(
  "cut_history",
  `WITH cut AS (
     UPDATE activity SET data = data - ARRAY['note', 'properties'], before = (before - ARRAY['note', 'properties']) || '{"cut": true}'
      WHERE shop_id = $1
        AND id = ANY (ARRAY(SELECT id FROM activity
                             WHERE shop_id = $1 AND owner_kind = $2 AND id <= $3::bigint AND processed_at < 'infinity' AND ${WITH_TEXTS}
                             ORDER BY id LIMIT $4))
     RETURNING 1
   )
   SELECT count(*) AS gone FROM cut`,
);

/** Cuts the oldest texts of shoppers out of a shop's history while it has more than a shop's quota of them. */
export async function cutTexts(shopId: number, bytes = TEXT_BYTES): Promise<void> {
  for (const { ownerKind, last } of await run(excessStatement, [shopId, bytes])) {
    await deleteInBatches(cutStatement, [shopId, ownerKind, last]);
  }
}
