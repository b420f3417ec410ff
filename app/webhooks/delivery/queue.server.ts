import { batched } from "../../platform/database/batch.server.ts";
import { hasCitus } from "../../platform/database/citus.server.ts";
import { run, runOne, statement } from "../../platform/database/database.server.ts";
import type { StoredEvent } from "../events/payload.server.ts";
import type { EndpointKey } from "./endpoint-key.ts";
import { LAST_IMMEDIATE } from "./priority.ts";

// The delivery queue in PostgreSQL. All times are PostgreSQL's, because the clocks of processes differ. One process at a time works on an
// endpoint, as long as it renews its lease; when a process dies, others take over its endpoints after the lease has expired.

/** Milliseconds that a lease lasts unless it is renewed. */
const LEASE_MS = 4_000;
/** Days without a success after which a failing endpoint is disabled. */
const FAILING_DAYS = 5;

interface KeyRow {
  shop_id: number;
  id: string;
}

function toKey({ shop_id, id }: KeyRow): EndpointKey {
  return { shopId: shop_id, endpointId: id };
}

/** Unscoped: it selects due endpoints of all shops that no other process holds. */
const dueEndpointsStatement = statement<KeyRow>(
  "webhook_due_unclaimed",
  `SELECT c.shop_id, c.id FROM webhook_endpoint c JOIN shop s ON s.id = c.shop_id
    WHERE c.due_at <= now() AND c.disabled_at IS NULL AND s.uninstalled_at IS NULL
      AND (c.lease_until IS NULL OR c.lease_until < now() OR c.lease_holder = $1)
    ORDER BY c.due_at LIMIT $2`,
);

/** Reads due endpoints of all shops that no other process holds, longest due first. It finds those that were not announced. */
export async function dueEndpoints(holder: string, limit: number): Promise<EndpointKey[]> {
  return (await run(dueEndpointsStatement, [holder, limit])).map(toKey);
}

/** A SQL function of the endpoints of a shop, in a call for one shop and in calls for several. */
function leaseStatements(name: string, more = "") {
  const call = (shopId: string, endpoints: string): string =>
    `${name}(p_shop_id => ${shopId}, p_endpoints => ${endpoints}, p_holder => $3${more}) AS ids`;
  return {
    ofShop: statement<{ ids: unknown }>(name, `SELECT ${call("$1", "$2")}`),
    ofShops: statement<{ shop_id: number; ids: unknown }>(
      `${name}_of_shops`,
      `SELECT h.shop_id, ${call("h.shop_id", "h.ids")}
         FROM (SELECT e.shop_id, array_agg(e.id) AS ids FROM unnest($1::bigint[], $2::text[]) AS e (shop_id, id)
                GROUP BY e.shop_id ORDER BY e.shop_id) AS h`,
    ),
  };
}

const CLAIM = leaseStatements("webhook_claim", ", p_lease_ms => $4");
const RENEW = leaseStatements("webhook_renew", ", p_lease_ms => $4");
const RELEASE = leaseStatements("webhook_release");

interface LeaseCall extends EndpointKey {
  /** whether a statement may be about one shop only */
  byShop: boolean;
}

/**
 * Turns a SQL function of endpoints into one of a single endpoint. Calls at the same time share a statement: all of them, because a process may hold
 * endpoints of hundreds of shops, and on Citus those of a shop, which run on its node.
 * @returns a function that tells whether the SQL function has returned the endpoint
 */
function leaseFunction(
  { ofShop, ofShops }: ReturnType<typeof leaseStatements>,
  parameters: readonly unknown[],
): (key: EndpointKey) => Promise<boolean> {
  const callTogether = batched<LeaseCall, boolean>(
    async (calls) => {
      const [first] = calls;
      const ids = calls.map(({ endpointId }) => endpointId);
      const rows =
        first?.byShop === true
          ? (await run(ofShop, [first.shopId, ids, ...parameters])).map((row) => ({ ...row, shop_id: first.shopId }))
          : await run(ofShops, [calls.map(({ shopId }) => shopId), ids, ...parameters]);
      const returned = new Map(rows.map((row) => [row.shop_id, row.ids]));
      return calls.map(({ shopId, endpointId }) => {
        const ofIts = returned.get(shopId);
        return Array.isArray(ofIts) && ofIts.includes(endpointId);
      });
    },
    { concurrency: 1, size: 500, group: ({ shopId, byShop }) => (byShop ? shopId : 0) },
  );
  return async (key) => callTogether({ ...key, byShop: await hasCitus() });
}

/** Returns the functions of a holder's leases. */
export function leasesOf(holder: string) {
  const release = leaseFunction(RELEASE, [holder]);
  return {
    /** Leases an endpoint that is due. @returns false when it is not due or another process has it */
    claim: leaseFunction(CLAIM, [holder, LEASE_MS]),
    /** @returns false when the holder has lost its lease, or the endpoint was deleted */
    renew: leaseFunction(RENEW, [holder, LEASE_MS]),
    release: async (key: EndpointKey): Promise<void> => {
      await release(key);
    },
  };
}

const rescheduleStatement = statement<{ idle: boolean }>(
  "webhook_reschedule",
  "SELECT webhook_reschedule(p_shop_id => $1, p_endpoint => $2, p_holder => $3) AS idle",
);

/** Sets when the endpoint is due next. @returns false when it is due now */
export async function rescheduleEndpoint({ shopId, endpointId }: EndpointKey, holder: string): Promise<boolean> {
  return (await runOne(rescheduleStatement, [shopId, endpointId, holder])).idle;
}

/** A due delivery with the data that its attempt needs. */
export interface Due extends StoredEvent {
  id: string;
  kind: "event" | "test" | "redelivery";
  attempts: number;
  event_id: string;
  url: string;
  secret_sealed: string;
  /** null once the overlap of a rotation is over */
  old_secret_sealed: string | null;
  /** `traceparent` of the change, when it is traced */
  trace: string | null;
  /** of the endpoint, in a row */
  failures: number;
  /** whether the endpoint's requests carry several events */
  batch: boolean;
}

// The endpoint is read once, not for each delivery, and the LIMIT comes before the events are looked up.
const dueStatement = statement<Due>(
  "webhook_due",
  `WITH endpoint AS MATERIALIZED (
     SELECT e.id, e.url, e.secret_sealed, e.failures, e.batch, s.domain AS shop, s.store_path, e.backoff_until IS NULL OR e.backoff_until <= clock_timestamp() AS ready,
            CASE WHEN e.old_secret_until > clock_timestamp() THEN e.old_secret_sealed END AS old_secret_sealed
       FROM webhook_endpoint e JOIN shop s ON s.id = e.shop_id
      WHERE e.shop_id = $1 AND e.id = $2 AND e.lease_holder = $3 AND e.disabled_at IS NULL AND s.uninstalled_at IS NULL
   )
   SELECT d.id, d.kind, d.attempts, d.event_id, d.event, v.at, v.customer_id, v.list_id, v.product_id, v.variant_id, v.item_count,
          v.share_link_id, v.data, v.trace, l.token_sealed, l.expires_at, e.shop, e.store_path, e.url, e.secret_sealed, e.failures, e.batch,
          e.old_secret_sealed
     FROM endpoint e
    CROSS JOIN LATERAL (
      SELECT * FROM webhook_delivery
       WHERE shop_id = $1 AND endpoint_id = $2 AND status = 'pending'
         AND next_attempt_at <= clock_timestamp()
         AND id NOT IN (SELECT unnest($4::uuid[])) AND (priority <= ${LAST_IMMEDIATE} OR e.ready)
       ORDER BY priority, next_attempt_at, id
       LIMIT $5) AS d
     LEFT JOIN webhook_event v ON v.shop_id = $1 AND v.id = d.event_id
     LEFT JOIN share_link l ON l.shop_id = $1 AND l.id = v.share_link_id
    ORDER BY d.priority, d.next_attempt_at, d.id`,
);

/** Reads due deliveries of an endpoint. @param inProgress ids of deliveries with an attempt in progress, which are left out */
export async function dueDeliveries(
  { shopId, endpointId }: EndpointKey,
  holder: string,
  inProgress: readonly string[],
  limit: number,
): Promise<Due[]> {
  return run(dueStatement, [shopId, endpointId, holder, inProgress, limit]);
}

/** One attempt and its outcome. */
export interface Attempt {
  shopId: number;
  deliveryId: string;
  /** from 1 */
  number: number;
  at: Date;
  /** the address; null when nothing was sent */
  url: string | null;
  durationMs: number;
  status: number | null;
  error: string | null;
  response: string | null;
  outcome: "succeeded" | "failed" | "pending";
  /** milliseconds until the next attempt of a pending delivery */
  waitMs: number;
  /** the batch in which it was sent; null for a request with one event */
  batchId: string | null;
}

const recordStatement = statement<Record<string, never>>(
  "webhook_record_attempts",
  `SELECT webhook_record_attempts(p_shop_id => $1, p_deliveries => $2, p_numbers => $3, p_at => $4, p_duration_ms => $5, p_statuses => $6,
                                  p_errors => $7, p_responses => $8, p_urls => $9, p_outcomes => $10, p_wait_ms => $11,
                                  p_batches => $12)`,
);

/**
 * Records the attempts of a request, which have the same shop. Requests of a shop that end at the same time, or while earlier ones are recorded,
 * share a statement: the statement and its commit cost as much as twenty attempts.
 */
export const recordAttempts = batched<readonly Attempt[], undefined>(
  async (requests) => {
    const attempts = requests.flat();
    await run(recordStatement, [
      attempts[0]?.shopId,
      attempts.map(({ deliveryId }) => deliveryId),
      attempts.map(({ number }) => number),
      attempts.map(({ at }) => at),
      attempts.map(({ durationMs }) => durationMs),
      attempts.map(({ status }) => status),
      attempts.map(({ error }) => error),
      attempts.map(({ response }) => response),
      attempts.map(({ url }) => url),
      attempts.map(({ outcome }) => outcome),
      attempts.map(({ waitMs }) => waitMs),
      attempts.map(({ batchId }) => batchId),
    ]);
    return requests.map(() => undefined);
  },
  { concurrency: 1, size: 200, group: ([first]) => first?.shopId ?? 0 },
);

const failedStatement = statement<{ reason: "gone" | "failing" | null; notified: string[] | null }>(
  "webhook_endpoint_failed",
  `SELECT reason, notified
     FROM webhook_record_failure(p_shop_id => $1, p_endpoint => $2, p_failures => $3, p_backoff_ms => $4, p_gone => $5, p_failing_days => $6)`,
);

/** An endpoint that was disabled. */
export interface Disabled {
  reason: "gone" | "failing";
  /** endpoints with a delivery of the event `webhook.disabled` */
  notified: readonly string[];
}

/**
 * Records a failure of an endpoint, which starts its back-off.
 * @returns undefined unless this failure disabled the endpoint
 */
export async function recordFailure(
  { shopId, endpointId }: EndpointKey,
  failure: {
    /** in a row, this one included */
    failures: number;
    backoffMs: number;
    /** the endpoint responded with 410 */
    gone: boolean;
  },
): Promise<Disabled | undefined> {
  const { failures, backoffMs, gone } = failure;
  const values = [shopId, endpointId, failures, backoffMs, gone, FAILING_DAYS];
  const { reason, notified } = await runOne(failedStatement, values);
  return reason === null ? undefined : { reason, notified: notified ?? [] };
}

const recoveredStatement = statement<Record<string, never>>(
  "webhook_endpoint_recovered",
  "UPDATE webhook_endpoint SET failures = 0, failing_since = NULL, backoff_until = NULL WHERE shop_id = $1 AND id = $2",
);

/** Records that an endpoint works again. */
export async function recordRecovery({ shopId, endpointId }: EndpointKey): Promise<void> {
  await run(recoveredStatement, [shopId, endpointId]);
}
