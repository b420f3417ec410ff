import { runOne, type Statement } from "./database.server.ts";

/** Rows per transaction of a retention job: few enough to keep locks short and to free disk space early. */
export const DELETE_BATCH = 5_000;

/**
 * Repeats a statement that deletes at most `DELETE_BATCH` rows, each time in a separate transaction, until it deletes none. A batch may
 * delete fewer rows than the limit, because some rows are kept.
 * @returns the number of deleted rows
 */
export async function deleteInBatches(of: Statement<{ gone: number }>, values: readonly unknown[]): Promise<number> {
  let total = 0;
  for (;;) {
    const { gone } = await runOne(of, [...values, DELETE_BATCH]);
    total += gone;
    if (gone === 0) return total;
  }
}
