/**
 * The order in which an endpoint's deliveries are sent, lowest first (`webhook_delivery.priority`). Operational events have that of a redelivery.
 */
export const PRIORITY = { test: 1, redelivery: 2, event: 3, bulkRedelivery: 4 } as const;

/** The lowest priority that is sent even while the endpoint backs off: staff or a developer wait for the result. */
export const LAST_IMMEDIATE = PRIORITY.redelivery;

/** Returns whether a delivery is sent while its endpoint backs off. Bulk redeliveries wait, as events do. */
export function isImmediate({ priority }: { priority: number }): boolean {
  return priority <= LAST_IMMEDIATE;
}
