import { purge } from "../../platform/jobs/retention.server.ts";

const DAY_MS = 24 * 3_600_000;
/** Days from the creation of a delivery to its last attempt. Related rows are kept for so much longer. */
export const SCHEDULE_DAYS = 2;

// The ids contain the time of creation, so the oldest rows come first in their primary keys.
const BY_ID = { type: "uuid", before: "uuid_v7_min($2)" } as const;
const purgeOldAttempts = purge("webhook_attempt", { key: "delivery_id", ...BY_ID });
const purgeOldDeliveries = purge("webhook_delivery", { key: "id", ...BY_ID });
const purgeOldEvents = purge("webhook_event", { key: "id", ...BY_ID });

/** Purges old deliveries with their attempts. Events are kept `SCHEDULE_DAYS` longer, because a late redelivery may still need them. */
export async function purgeDeliveries(shopId: number, before: Date): Promise<void> {
  const deliveriesBefore = new Date(before.getTime() - SCHEDULE_DAYS * DAY_MS);
  const eventsBefore = new Date(deliveriesBefore.getTime() - SCHEDULE_DAYS * DAY_MS);
  await purgeOldAttempts(shopId, deliveriesBefore);
  await purgeOldDeliveries(shopId, deliveriesBefore);
  await purgeOldEvents(shopId, eventsBefore);
}
