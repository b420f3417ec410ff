import { run, statement } from "../../platform/database/database.server.ts";
import { gauge, sharedReading } from "../../platform/metrics/metrics.server.ts";

/**
 * Endpoints that are counted at most; of these, the ones whose deliveries are counted, and deliveries of each: so that the reading of a long
 * queue costs no more than that of a short one.
 */
const DUE_ENDPOINTS = 1_000;
const COUNTED_ENDPOINTS = 20;
const COUNTED_DELIVERIES = 500;

/** Milliseconds for which scrapes share a reading: of the queue, and of the endpoints' states, which needs the whole table. */
const FRESH_MS = 5_000;
const STATES_FRESH_MS = 60_000;

interface DueEndpoint {
  shop_id: number;
  id: string;
  leased: boolean;
  seconds: number;
}

/** Unscoped: the endpoints of all shops that are due, longest due first. */
const endpointsStatement = statement<DueEndpoint>(
  "webhook_due_endpoints",
  `SELECT e.shop_id, e.id, coalesce(e.lease_until > clock_timestamp(), false) AS leased,
          extract(epoch FROM clock_timestamp() - e.due_at)::float8 AS seconds
     FROM webhook_endpoint e JOIN shop s ON s.id = e.shop_id
    WHERE e.due_at <= clock_timestamp() AND e.disabled_at IS NULL AND s.uninstalled_at IS NULL
    ORDER BY e.due_at LIMIT $1`,
);

/** In the order of the index, because a plan that reads the table would meet all delivered rows first. */
const deliveriesStatement = statement<{ due: number; seconds: number }>(
  "webhook_due_deliveries",
  `SELECT count(*) AS due, greatest(coalesce(extract(epoch FROM clock_timestamp() - min(next_attempt_at)), 0), 0)::float8 AS seconds
     FROM (SELECT next_attempt_at FROM webhook_delivery
            WHERE shop_id = $1 AND endpoint_id = $2 AND status = 'pending' ORDER BY priority, next_attempt_at LIMIT $3) AS pending
    WHERE next_attempt_at <= clock_timestamp()`,
);

/** Unscoped: how many endpoints of all shops are enabled, or disabled for which reason. */
const statesStatement = statement<{ state: string; endpoints: number }>(
  "webhook_endpoint_states",
  "SELECT coalesce(disabled_reason, 'enabled') AS state, count(*) AS endpoints FROM webhook_endpoint GROUP BY 1",
);

/** What waits to be delivered, over all shops. */
export interface QueueDepth {
  /** due endpoints that no process works on */
  unclaimedEndpoints: number;
  /** seconds for which the oldest of them has been due; 0 without any */
  unclaimedSeconds: number;
  /** due endpoints that a process works on */
  claimedEndpoints: number;
  /** due deliveries of the endpoints that have been due longest */
  deliveries: number;
  /** seconds for which the oldest delivery has been due; 0 without any */
  oldestSeconds: number;
}

/** Reads how many deliveries are due, and for how long. */
export async function readQueueDepth(): Promise<QueueDepth> {
  const endpoints = await run(endpointsStatement, [DUE_ENDPOINTS]);
  const unclaimed = endpoints.filter(({ leased }) => !leased);
  let deliveries = 0;
  let oldestSeconds = 0;
  for (const { shop_id, id } of endpoints.slice(0, COUNTED_ENDPOINTS)) {
    const [counted] = await run(deliveriesStatement, [shop_id, id, COUNTED_DELIVERIES]);
    deliveries += counted?.due ?? 0;
    oldestSeconds = Math.max(oldestSeconds, counted?.seconds ?? 0);
  }
  return {
    unclaimedEndpoints: unclaimed.length,
    unclaimedSeconds: Math.max(0, ...unclaimed.map(({ seconds }) => seconds)),
    claimedEndpoints: endpoints.length - unclaimed.length,
    deliveries,
    oldestSeconds,
  };
}

/** Counts the endpoints by state: `enabled`, or the reason why they are disabled. */
export async function readEndpointStates(): Promise<Record<string, number>> {
  const rows = await run(statesStatement, []);
  const counts: Record<string, number> = { enabled: 0, paused: 0, gone: 0, failing: 0 };
  for (const { state, endpoints } of rows) counts[state] = endpoints;
  return counts;
}

const sharedDepth = sharedReading(FRESH_MS, readQueueDepth);
const sharedStates = sharedReading(STATES_FRESH_MS, readEndpointStates);

gauge(
  "deliveries_due",
  `Deliveries that are due at the ${COUNTED_ENDPOINTS} webhooks that have been due longest, counted up to ${COUNTED_DELIVERIES} each`,
  undefined,
  async () => {
    const depth = await sharedDepth();
    return depth && [{ labels: {}, value: depth.deliveries }];
  },
);
gauge(
  "delivery_oldest_due_seconds",
  "Time for which the oldest due delivery has been due, the back-off of its webhook included",
  undefined,
  async () => {
    const depth = await sharedDepth();
    return depth && [{ labels: {}, value: depth.oldestSeconds }];
  },
);
gauge(
  "webhook_endpoints_due",
  `Webhooks with due deliveries, by whether a process works on them, counted up to ${DUE_ENDPOINTS}`,
  { claimed: ["yes", "no"] },
  async () => {
    const depth = await sharedDepth();
    return (
      depth && [
        { labels: { claimed: "yes" }, value: depth.claimedEndpoints },
        { labels: { claimed: "no" }, value: depth.unclaimedEndpoints },
      ]
    );
  },
);
gauge(
  "webhook_unclaimed_seconds",
  "Time for which a webhook with due deliveries has waited for a process that works on it",
  undefined,
  async () => {
    const depth = await sharedDepth();
    return depth && [{ labels: {}, value: depth.unclaimedSeconds }];
  },
);
gauge("webhook_endpoints", "Webhooks by state: enabled, or why they are disabled", { state: [] }, async () => {
  const states = await sharedStates();
  return states && Object.entries(states).map(([state, value]) => ({ labels: { state }, value }));
});
