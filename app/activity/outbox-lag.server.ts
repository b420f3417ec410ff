import { run, statement } from "../platform/database/database.server.ts";
import { gauge, sharedReading } from "../platform/metrics/metrics.server.ts";

/** Rows that are counted at most, so that the reading of a long backlog costs no more than that of a short one. */
export const LAG_ROWS = 10_000;

/** Milliseconds for which scrapes share a reading. */
const FRESH_MS = 5_000;

/**
 * Unscoped: the first unprocessed rows of all shops in the order of their index. Beyond `LAG_ROWS` the count stops, and the age is that of the
 * oldest row among these.
 */
const lagStatement = statement<{ rows: number; seconds: number }>(
  "outbox_lag",
  `SELECT count(*) AS rows, greatest(coalesce(extract(epoch FROM clock_timestamp() - min(at)), 0), 0)::float8 AS seconds
     FROM (SELECT at FROM activity WHERE processed_at IS NULL ORDER BY shop_id, id LIMIT $1) AS waiting`,
);

export interface OutboxLag {
  /** unprocessed rows, up to `LAG_ROWS` */
  rows: number;
  /** age of the oldest one in seconds; 0 without any */
  seconds: number;
}

/** Reads how much activity waits for the outbox processor, over all shops. */
export async function readOutboxLag(): Promise<OutboxLag> {
  const [lag] = await run(lagStatement, [LAG_ROWS]);
  return lag ?? { rows: 0, seconds: 0 };
}

const sharedLag = sharedReading(FRESH_MS, readOutboxLag);

gauge("outbox_rows", `Unprocessed rows of the outbox, counted up to ${LAG_ROWS}`, undefined, async () => {
  const lag = await sharedLag();
  return lag && [{ labels: {}, value: lag.rows }];
});
gauge("outbox_oldest_seconds", "Age of the oldest unprocessed row of the outbox", undefined, async () => {
  const lag = await sharedLag();
  return lag && [{ labels: {}, value: lag.seconds }];
});
