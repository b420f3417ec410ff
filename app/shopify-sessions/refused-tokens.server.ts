import { run, statement } from "../platform/database/database.server.ts";
import { gauge, sharedReading } from "../platform/metrics/metrics.server.ts";

/** Milliseconds for which scrapes share a reading. */
const FRESH_MS = 60_000;

const refusedStatement = statement<RefusedTokens>(
  "session_refused_tokens",
  `SELECT count(*) AS shops, greatest(coalesce(extract(epoch FROM clock_timestamp() - min(refresh_failed_since)), 0), 0)::float8 AS seconds
     FROM session WHERE refresh_failed_since IS NOT NULL`,
);

export interface RefusedTokens {
  /** shops whose access token Shopify refuses to refresh */
  shops: number;
  /** for how long it has refused the first of them; 0 without any */
  seconds: number;
}

/** Reads for how many shops Shopify refuses to refresh the access token. */
export async function readRefusedTokens(): Promise<RefusedTokens> {
  return (await run(refusedStatement, []))[0] ?? { shops: 0, seconds: 0 };
}

const sharedReadings = sharedReading(FRESH_MS, readRefusedTokens);

gauge("tokens_refused", "Shops whose access token Shopify refuses to refresh", undefined, async () => {
  const refused = await sharedReadings();
  return refused && [{ labels: {}, value: refused.shops }];
});
gauge(
  "tokens_refused_seconds",
  "Time for which Shopify has refused to refresh a shop's access token",
  undefined,
  async () => {
    const refused = await sharedReadings();
    return refused && [{ labels: {}, value: refused.seconds }];
  },
);
