import { setTimeout as after } from "node:timers/promises";
import { AdminApiError, type Answered } from "./client.server.ts";

/** Milliseconds until a throttled question is asked again when Shopify does not say. */
const RETRY_AFTER = 1_000;

/**
 * Asks for a task, behind which nobody waits: as long as Shopify throttles, again and again, and after the answer until the same could be
 * asked once more. Other failures are the task's.
 * @returns undefined for a shop without a connection
 * @throws AdminApiError
 */
export async function askPatiently<Data>(
  ask: () => Promise<Answered<Data> | undefined>,
  signal: AbortSignal,
): Promise<Data | undefined> {
  for (;;) {
    signal.throwIfAborted();
    try {
      const answered = await ask();
      if (answered && answered.restoredIn > 0) await after(answered.restoredIn, undefined, { signal });
      return answered?.data;
    } catch (error) {
      if (!(error instanceof AdminApiError) || error.reason !== "throttled") throw error;
      await after(error.retryAfter ?? RETRY_AFTER, undefined, { signal });
    }
  }
}
