import { run, runOne, statement } from "../../platform/database/database.server.ts";
import type { AttemptFacts, Backlog, Health } from "./views.ts";

/** Hours of attempts that an endpoint's health covers, and the most attempts that it evaluates: the newest ones. */
const HOURS = 24;
const ATTEMPTS = 200;
/** The most deliveries that are counted; beyond it the page shows "more than". */
const COUNTED = 1_000;

const healthStatement = statement<{
  id: string;
  attempts: number;
  succeeded: number;
  median: number | null;
  p95: number | null;
}>(
  "webhook_health",
  `SELECT e.id, count(*)::integer AS attempts,
          (count(*) FILTER (WHERE a.error IS NULL AND a.status BETWEEN 200 AND 299))::integer AS succeeded,
          percentile_disc(0.5) WITHIN GROUP (ORDER BY a.duration_ms) FILTER (WHERE a.status IS NOT NULL) AS median,
          percentile_disc(0.95) WITHIN GROUP (ORDER BY a.duration_ms) FILTER (WHERE a.status IS NOT NULL) AS p95
     FROM unnest($2::text[]) AS e (id)
    CROSS JOIN LATERAL (SELECT status, error, duration_ms FROM webhook_attempt
                         WHERE shop_id = $1 AND endpoint_id = e.id AND at > now() - $3 * interval '1 hour'
                         ORDER BY at DESC LIMIT $4) AS a
    GROUP BY e.id`,
);

const NONE: Health = { attempts: 0, isPart: false, succeeded: 0, medianMs: null, p95Ms: null };

/** Reads the health of endpoints. @returns a function from an endpoint's id to its health */
export async function healthOf(shopId: number, endpointIds: readonly string[]): Promise<(id: string) => Health> {
  const rows = await run(healthStatement, [shopId, endpointIds, HOURS, ATTEMPTS]);
  const known = new Map(
    rows.map(({ id, attempts, succeeded, median, p95 }): [string, Health] => [
      id,
      { attempts, isPart: attempts >= ATTEMPTS, succeeded, medianMs: median, p95Ms: p95 },
    ]),
  );
  return (id) => known.get(id) ?? NONE;
}

const lastAttemptStatement = statement<{
  id: string;
  at: Date;
  duration_ms: number;
  status: number | null;
  error: string | null;
}>(
  "webhook_last_attempt",
  `SELECT e.id, a.at, a.duration_ms, a.status, a.error FROM unnest($2::text[]) AS e (id)
    CROSS JOIN LATERAL (SELECT at, duration_ms, status, error FROM webhook_attempt
                         WHERE shop_id = $1 AND endpoint_id = e.id AND url IS NOT NULL ORDER BY at DESC LIMIT 1) AS a`,
);

/** Reads the last request to each endpoint. @returns a function from an endpoint's id to its last attempt */
export async function lastAttemptOf(
  shopId: number,
  endpointIds: readonly string[],
): Promise<(id: string) => AttemptFacts | undefined> {
  const rows = endpointIds.length === 0 ? [] : await run(lastAttemptStatement, [shopId, endpointIds]);
  const known = new Map(
    rows.map(({ id, at, duration_ms: durationMs, status, error }) => [
      id,
      { at: at.toISOString(), durationMs, status, error },
    ]),
  );
  return (id) => known.get(id);
}

const backlogStatement = statement<{ waiting: number; undelivered: number }>(
  "webhook_backlog",
  `SELECT (SELECT count(*)::integer FROM (SELECT 1 FROM webhook_delivery
            WHERE shop_id = $1 AND endpoint_id = $2 AND status = 'pending' LIMIT $3) AS w) AS waiting,
          (SELECT count(*)::integer FROM (SELECT 1 FROM webhook_delivery
            WHERE shop_id = $1 AND endpoint_id = $2 AND status = 'failed' AND kind <> 'test' AND redelivered_at IS NULL
            LIMIT $3) AS u) AS undelivered`,
);

export async function backlogOf(shopId: number, endpointId: string): Promise<Backlog> {
  return { ...(await runOne(backlogStatement, [shopId, endpointId, COUNTED + 1])), counted: COUNTED };
}
