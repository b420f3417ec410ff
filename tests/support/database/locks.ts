import { until } from "../until.ts";
import type { Database } from "./database.ts";

/**
 * Waits until at least `count` statements of this database wait for a lock.
 * @param like counts only statements whose text fits this pattern of LIKE
 */
export function lockWaiters({ rows }: Pick<Database, "rows">, count = 1, like = "%"): Promise<true> {
  return until(`${count} statements like ${like} to wait for a lock`, async () => {
    const waiting = await rows(
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1",
      [like],
    );
    return waiting.length >= count;
  });
}
