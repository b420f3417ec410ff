import { runOne, type Statement } from "./database.server.ts";

/** Rows in a transaction of a retention job: few enough that nobody waits for it, and its space is free for others soon. */
export const DELETE_BATCH = 5_000;

/**
 * Repeats a statement that drops at most `DELETE_BATCH` rows, each time in a transaction of its own, until it finds none: a batch can hold
 * rows that stay.
 * @returns rows dropped
 */
export async function deleteInBatches(of: Statement<{ gone: number }>, values: readonly unknown[]): Promise<number> {
  let total = 0;
  for (;;) {
    const { gone } = await runOne(of, [...values, DELETE_BATCH]);
    total += gone;
    if (gone === 0) return total;
  }
}
