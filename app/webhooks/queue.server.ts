import { batched } from "../platform/batch.server.ts";
import { run, runOne, statement } from "../platform/database.server.ts";
import { endpointName, type EndpointKey } from "./endpoint-key.ts";
import type { StoredEvent } from "./payload.server.ts";
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
const claimStatement = statement<KeyRow>(
  "webhook_claim",
  `UPDATE webhook_endpoint e SET lease_holder = $1, lease_until = clock_timestamp() + $2 * interval '1 ms'
     FROM (SELECT c.shop_id, c.id FROM webhook_endpoint c JOIN shop s ON s.id = c.shop_id
            WHERE c.due_at <= clock_timestamp() AND c.disabled_at IS NULL AND s.uninstalled_at IS NULL
              AND (c.lease_until IS NULL OR c.lease_until < clock_timestamp() OR c.lease_holder = $1)
            ORDER BY c.due_at LIMIT $3 FOR NO KEY UPDATE OF c SKIP LOCKED) AS due
    WHERE e.shop_id = due.shop_id AND e.id = due.id
   RETURNING e.shop_id, e.id`,
);

/** Leases up to `limit` due endpoints, including those that the holder has already. */
export async function claimEndpoints(holder: string, limit: number): Promise<EndpointKey[]> {
  return (await run(claimStatement, [holder, LEASE_MS, limit])).map(toKey);
}

const renewStatement = statement<KeyRow>(
  "webhook_renew",
  `UPDATE webhook_endpoint e SET lease_until = clock_timestamp() + $4 * interval '1 ms'
     FROM (SELECT w.shop_id, w.id FROM unnest($2::bigint[], $3::text[]) AS h (shop_id, id)
             JOIN webhook_endpoint w ON w.shop_id = h.shop_id AND w.id = h.id
            WHERE w.lease_holder = $1 ORDER BY w.shop_id, w.id FOR NO KEY UPDATE OF w) AS held
    WHERE e.shop_id = held.shop_id AND e.id = held.id
   RETURNING e.shop_id, e.id`,
);

/** Renews leases. @returns the endpoints that the holder still has */
export async function renewLeases(holder: string, held: readonly EndpointKey[]): Promise<EndpointKey[]> {
  const values = [holder, held.map(({ shopId }) => shopId), held.map(({ endpointId }) => endpointId), LEASE_MS];
  return (await run(renewStatement, values)).map(toKey);
}

const releaseStatement = statement<Record<string, never>>(
  "webhook_release",
  `UPDATE webhook_endpoint e SET lease_holder = NULL, lease_until = NULL
     FROM (SELECT w.shop_id, w.id FROM unnest($2::bigint[], $3::text[]) AS h (shop_id, id)
             JOIN webhook_endpoint w ON w.shop_id = h.shop_id AND w.id = h.id
            WHERE w.lease_holder = $1 ORDER BY w.shop_id, w.id FOR NO KEY UPDATE OF w) AS held
    WHERE e.shop_id = held.shop_id AND e.id = held.id`,
);

export async function releaseEndpoints(holder: string, held: readonly EndpointKey[]): Promise<void> {
  await run(releaseStatement, [holder, held.map(({ shopId }) => shopId), held.map(({ endpointId }) => endpointId)]);
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
}

const dueStatement = statement<Due>(
  "webhook_due",
  `SELECT d.id, d.kind, d.attempts, d.event_id, d.event, v.at, v.customer_id, v.product_id, v.variant_id, v.item_count,
          v.share_link_id, v.data, v.trace, l.token_sealed, l.expires_at, s.domain AS shop, e.url, e.secret_sealed, e.failures,
          CASE WHEN e.old_secret_until > clock_timestamp() THEN e.old_secret_sealed END AS old_secret_sealed
     FROM webhook_endpoint e
     JOIN shop s ON s.id = e.shop_id
     JOIN webhook_delivery d ON d.shop_id = e.shop_id AND d.endpoint_id = e.id
     LEFT JOIN webhook_event v ON v.shop_id = d.shop_id AND v.id = d.event_id
     LEFT JOIN share_link l ON l.shop_id = v.shop_id AND l.id = v.share_link_id
    WHERE e.shop_id = $1 AND e.id = $2 AND e.lease_holder = $3 AND e.disabled_at IS NULL AND s.uninstalled_at IS NULL
      AND d.status = 'pending' AND (d.next_attempt_at <= clock_timestamp() OR d.operational_at <= clock_timestamp()) AND d.id <> ALL ($4::uuid[])
      AND (d.priority <= ${LAST_IMMEDIATE} OR e.backoff_until IS NULL OR e.backoff_until <= clock_timestamp())
    ORDER BY d.priority, d.next_attempt_at, d.id
    LIMIT $5`,
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
}

/** Attempts that were recorded before, also by another process, stay unchanged. Attempts of deleted deliveries are not recorded. */
const recordStatement = statement<Record<string, never>>(
  "webhook_record",
  `WITH given AS (
     SELECT * FROM unnest($1::bigint[], $2::uuid[], $3::int[], $4::timestamptz[], $5::int[], $6::int[], $7::text[], $8::text[], $9::text[], $10::float8[], $11::text[])
              AS g (shop_id, delivery_id, number, at, duration_ms, status, error, response, outcome, wait_ms, url)
   ), moved AS (
     UPDATE webhook_delivery d
        SET attempts = g.number, status = g.outcome,
            next_attempt_at = CASE WHEN g.outcome <> 'pending' THEN NULL
                                   WHEN d.operational_at IS NOT NULL THEN d.next_attempt_at
                                   ELSE clock_timestamp() + g.wait_ms * interval '1 ms' END,
            operational_at = CASE WHEN g.outcome = 'pending' AND d.operational_at IS NOT NULL
                                  THEN clock_timestamp() + g.wait_ms * interval '1 ms' END
       FROM given g
      WHERE d.shop_id = g.shop_id AND d.id = g.delivery_id AND d.shop_id = ANY ($1::bigint[]) AND d.status = 'pending' AND d.attempts < g.number
     RETURNING d.shop_id, d.id, d.endpoint_id, g.number
   )
   INSERT INTO webhook_attempt (shop_id, delivery_id, number, at, duration_ms, status, error, response, endpoint_id, url)
   SELECT g.shop_id, g.delivery_id, g.number, g.at, g.duration_ms, g.status, g.error, g.response, m.endpoint_id, g.url
     FROM given g JOIN moved m ON m.shop_id = g.shop_id AND m.id = g.delivery_id AND m.number = g.number
       ON CONFLICT (shop_id, delivery_id, number) DO NOTHING`,
);

/** Records an attempt. Attempts that end at the same time share a statement. */
export const recordAttempt = batched<Attempt, undefined>(
  async (attempts) => {
    await run(recordStatement, [
      attempts.map(({ shopId }) => shopId),
      attempts.map(({ deliveryId }) => deliveryId),
      attempts.map(({ number }) => number),
      attempts.map(({ at }) => at),
      attempts.map(({ durationMs }) => durationMs),
      attempts.map(({ status }) => status),
      attempts.map(({ error }) => error),
      attempts.map(({ response }) => response),
      attempts.map(({ outcome }) => outcome),
      attempts.map(({ waitMs }) => waitMs),
      attempts.map(({ url }) => url),
    ]);
    return attempts.map(() => undefined);
  },
  { concurrency: 2, size: 100 },
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

const announceStatement = statement<Record<string, never>>("webhook_announce", "SELECT pg_notify($1, $2)");

/** Notifies other processes of endpoints with new deliveries. */
export async function announce(channel: string, endpoints: readonly EndpointKey[]): Promise<void> {
  await run(announceStatement, [channel, endpoints.map(endpointName).join(" ")]);
}
