import { until } from "../until.ts";
import type { Database } from "./database.ts";

const WAITING = "datname = current_database() AND wait_event_type = 'Lock' AND query LIKE";
const HAS_NODES = "SELECT 1 FROM pg_extension WHERE extname = 'citus'";
const ON_ALL_NODES = `
  SELECT sum(result::integer)::integer AS waiting
    FROM run_command_on_all_nodes(format('SELECT count(*) FROM pg_stat_activity WHERE ${WAITING.replaceAll("'", "''")} %L', $1::text))`;

/**
 * Waits until at least `count` statements of this database wait for a lock, on whichever node.
 * @param like counts only statements whose text fits this pattern of LIKE
 */
export async function lockWaiters({ rows }: Pick<Database, "rows">, count = 1, like = "%"): Promise<true> {
  const hasNodes = (await rows(HAS_NODES)).length > 0;
  const waiters = hasNodes
    ? ON_ALL_NODES
    : `SELECT count(*)::integer AS waiting FROM pg_stat_activity WHERE ${WAITING} $1`;
  return until(`${count} statements like ${like} to wait for a lock`, async () => {
    const [found] = await rows<{ waiting: number | null }>(waiters, [like]);
    return (found?.waiting ?? 0) >= count;
  });
}
