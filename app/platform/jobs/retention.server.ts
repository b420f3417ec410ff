import { setTimeout as pause } from "node:timers/promises";
import { runOne, statement, type Statement } from "../database/database.server.ts";
import { InterruptedError, isStopping } from "../process/lifecycle.server.ts";

/** Most rows per transaction of a purge: few enough to keep locks short. */
const DELETE_BATCH = 5_000;
/** Rows of the first batch, whose time tells how large the next one may be. */
export const FIRST_BATCH = 100;
const SMALLEST_BATCH = 50;
/** Milliseconds that a batch should take. Requests that need the same disk or processor wait for at most about so long. */
const BATCH_MS = 8;
/** Pause after a batch, as a multiple of the time that it took. */
const PAUSE_FACTOR = 15;
/** A batch that waited for a lock is not followed by a pause of the whole multiple. */
const MAX_PAUSE_MS = 1_000;

/**
 * Runs a part of a background work and then pauses in proportion to its time, so that a work of many parts takes a sixteenth of one connection, however
 * slow the database is.
 * @param isLast whether the work ends with this result, so that no part follows for which to pause
 * @returns the result, and the milliseconds without the pause
 * @throws InterruptedError when the process is shutting down
 */
export async function withPause<Result>(
  part: () => Promise<Result>,
  isLast: (result: Result) => boolean = () => false,
): Promise<{ result: Result; ms: number }> {
  if (isStopping()) throw new InterruptedError("the process is shutting down");
  const started = performance.now();
  const result = await part();
  const ms = performance.now() - started;
  if (!isLast(result)) await pause(Math.min(ms * PAUSE_FACTOR, MAX_PAUSE_MS));
  return { result, ms };
}

/** Returns how many rows take about `BATCH_MS`. */
function nextSize(size: number, ms: number): number {
  const fitting = Math.round(size * Math.min(BATCH_MS / Math.max(ms, 1), 2));
  return Math.min(DELETE_BATCH, Math.max(SMALLEST_BATCH, fitting));
}

/** Result of a batch. */
export interface Purged {
  gone: number;
  /** key of the last row; null when there are no more rows to look at */
  last: string | null;
}

/**
 * Repeats a statement that deletes rows in the order of a key, each time in a separate transaction, with pauses. Each batch begins behind the
 * last one: what was deleted stays in the index until a vacuum, and a batch that began at the oldest row would step over all of it.
 * @param of takes `values`, the last key and the number of rows
 * @param first a key before all others
 */
export async function purgeInBatches(of: Statement<Purged>, values: readonly unknown[], first: string): Promise<void> {
  let size = FIRST_BATCH;
  for (let after: string | null = first; after !== null;) {
    const parameters: unknown[] = [...values, after, size];
    const { result, ms } = await withPause(
      () => runOne(of, parameters),
      ({ last }) => last === null,
    );
    after = result.last;
    size = nextSize(size, ms);
  }
}

/** The types of columns by which rows are purged, with their lowest values. */
const LOWEST = { timestamptz: "-infinity", date: "-infinity", uuid: "00000000-0000-0000-0000-000000000000" };

/**
 * Declares the purge of a shop's rows before a time.
 * @param options.key the column by which rows are purged. An index leads to it by shop
 * @param options.before SQL for the first value that is kept; $2 is the time
 * @returns a function that purges the rows of a shop
 */
export function purge(
  table: string,
  { key, type, before = "$2" }: { key: string; type: keyof typeof LOWEST; before?: string },
): (shopId: number, before: Date) => Promise<void> {
  // PostgreSQL before 18 has no max(uuid).
  const last = type === "uuid" ? `max(${key}::text COLLATE "C")` : `max(${key})::text`;
  const purgeStatement = statement<Purged>(
    `purge_${table}`,
    `WITH gone AS (
       DELETE FROM ${table} WHERE shop_id = $1
          AND ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE shop_id = $1 AND ${key} >= $3::${type} AND ${key} < ${before} ORDER BY ${key} LIMIT $4))
       RETURNING ${key}
     )
     SELECT count(*) AS gone, ${last} AS last FROM gone`,
  );
  return (shopId, time) => purgeInBatches(purgeStatement, [shopId, time], LOWEST[type]);
}

/**
 * Repeats a statement that deletes at most a number of rows, each time in a separate transaction, with pauses, until it deletes none. A batch
 * may delete fewer rows than the limit, because some rows are kept.
 * @param of takes `values` and the number of rows
 * @returns the number of deleted rows
 */
export async function deleteInBatches(of: Statement<{ gone: number }>, values: readonly unknown[]): Promise<number> {
  let total = 0;
  for (let size = FIRST_BATCH; ;) {
    const parameters = [...values, size];
    const { result, ms } = await withPause(
      () => runOne(of, parameters),
      ({ gone }) => gone === 0,
    );
    if (result.gone === 0) return total;
    total += result.gone;
    size = nextSize(size, ms);
  }
}
