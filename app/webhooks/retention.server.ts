import { statement } from "../platform/database.server.ts";
import { deleteInBatches } from "../platform/retention.server.ts";

const DAY_MS = 24 * 3_600_000;
/** Days from the creation of a delivery to its last attempt. Related rows are kept for so much longer. */
const SCHEDULE_DAYS = 2;

// The ids contain the time of creation, so the oldest rows come first in their primary keys.
function purgeStatement(table: string, id: string) {
  return statement<{ gone: number }>(
    `purge_${table}`,
    `WITH gone AS (
       DELETE FROM ${table} WHERE shop_id = $1
          AND ${id} = ANY (ARRAY(SELECT ${id} FROM ${table} WHERE shop_id = $1 AND ${id} < uuid_v7_min($2) ORDER BY ${id} LIMIT $3))
       RETURNING 1
     )
     SELECT count(*) AS gone FROM gone`,
  );
}

const attemptsStatement = purgeStatement("webhook_attempt", "delivery_id");
const deliveriesStatement = purgeStatement("webhook_delivery", "id");
const eventsStatement = purgeStatement("webhook_event", "id");

/** Purges old deliveries with their attempts. Events are kept `SCHEDULE_DAYS` longer, because a late redelivery may still need them. */
export async function purgeDeliveries(shopId: number, before: Date): Promise<void> {
  const deliveriesBefore = new Date(before.getTime() - SCHEDULE_DAYS * DAY_MS);
  const eventsBefore = new Date(deliveriesBefore.getTime() - SCHEDULE_DAYS * DAY_MS);
  await deleteInBatches(attemptsStatement, [shopId, deliveriesBefore]);
  await deleteInBatches(deliveriesStatement, [shopId, deliveriesBefore]);
  await deleteInBatches(eventsStatement, [shopId, eventsBefore]);
}
