import type { Attempt, Due } from "./queue.server.ts";
import { retryDelay, waitFor } from "./schedule.ts";
import type { DeliveryResult } from "./channel.ts";

export const GONE = 410;

/** The result of a delivery whose body can't be built. */
export const EVENT_DELETED: DeliveryResult = {
  status: null,
  error: "the event or its share link has been deleted",
  response: null,
  durationMs: 0,
  retryAfterMs: undefined,
  ok: false,
};

/** Returns the result of a delivery whose event can't be read, which is retried like a failed request. */
export function unreadable(problem: unknown): DeliveryResult {
  const reason = problem instanceof Error ? problem.message : String(problem);
  return { ...EVENT_DELETED, error: `the event can't be read: ${reason}` };
}

/** Returns whether a delivery has no further attempt: tests are not retried, because staff wait for the result, and 410 disables the webhook. */
export function isFinal({ kind }: Due, { status, final = false }: DeliveryResult): boolean {
  return final || kind === "test" || status === GONE;
}

/**
 * Returns the record of an attempt, with the outcome for its delivery and the delay before the next attempt.
 * @param options.random the same for the deliveries of a message, so that they are retried together
 */
export function toAttempt(
  shopId: number,
  { id, attempts, url }: Pick<Due, "id" | "attempts"> & { url: string | null },
  at: Date,
  result: DeliveryResult,
  { final, batchId = null, random }: { final: boolean; batchId?: string | null; random?: () => number },
): Attempt {
  const { status, error, response, durationMs, ok, retryAfterMs } = result;
  const number = attempts + 1;
  const delay = final ? undefined : retryDelay(number, random);
  return {
    shopId,
    deliveryId: id,
    number,
    at,
    url,
    durationMs: Math.round(durationMs),
    status,
    error,
    response,
    outcome: ok ? "succeeded" : delay === undefined ? "failed" : "pending",
    waitMs: delay === undefined ? 0 : waitFor(delay, retryAfterMs),
    batchId,
  };
}
