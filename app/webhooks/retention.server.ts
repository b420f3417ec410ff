import { statement } from "../platform/database.server.ts";
import { deleteInBatches } from "../platform/retention.server.ts";

const DAY_MS = 24 * 3_600_000;
/** Days that a delivery can go on after it was made: what belongs to it stays as much longer. */
const SCHEDULE_DAYS = 2;

// The ids tell the time of their making, so the oldest rows are the first of their primary keys.
function dropOld(table: string, id: string) {
  return statement<{ gone: number }>(
    `drop_${table}`,
    `WITH gone AS (
       DELETE FROM ${table} WHERE shop_id = $1
          AND ${id} = ANY (ARRAY(SELECT ${id} FROM ${table} WHERE shop_id = $1 AND ${id} < uuid_v7_min($2) ORDER BY ${id} LIMIT $3))
       RETURNING 1
     )
     SELECT count(*) AS gone FROM gone`,
  );
}

const attemptsStatement = dropOld("webhook_attempt", "delivery_id");
const deliveriesStatement = dropOld("webhook_delivery", "id");
const eventsStatement = dropOld("webhook_event", "id");

/** Drops deliveries with their attempts, and the events, which a late redelivery may still need, somewhat later. */
export async function purgeDeliveries(shopId: number, before: Date): Promise<void> {
  const deliveriesBefore = new Date(before.getTime() - SCHEDULE_DAYS * DAY_MS);
  const eventsBefore = new Date(deliveriesBefore.getTime() - SCHEDULE_DAYS * DAY_MS);
  await deleteInBatches(attemptsStatement, [shopId, deliveriesBefore]);
  await deleteInBatches(deliveriesStatement, [shopId, deliveriesBefore]);
  await deleteInBatches(eventsStatement, [shopId, eventsBefore]);
}
