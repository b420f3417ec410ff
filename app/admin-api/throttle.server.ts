import { setTimeout as after } from "node:timers/promises";
import { AdminApiError, type AdminApiResult } from "./client.server.ts";

/** Milliseconds until a throttled query is retried when Shopify names no time. */
const RETRY_AFTER = 1_000;

/**
 * Runs a query of a background task, and retries it for as long as Shopify throttles. Before it returns, it waits until the same query would
 * not be throttled. Other errors are thrown.
 * @returns undefined for a shop without a connection
 * @throws AdminApiError
 */
export async function withThrottleRetry<Data>(
  query: () => Promise<AdminApiResult<Data> | undefined>,
  signal: AbortSignal,
): Promise<Data | undefined> {
  for (;;) {
    signal.throwIfAborted();
    try {
      const result = await query();
      if (result && result.restoredIn > 0) await after(result.restoredIn, undefined, { signal });
      return result?.data;
    } catch (error) {
      if (!(error instanceof AdminApiError) || error.reason !== "throttled") throw error;
      await after(error.retryAfter ?? RETRY_AFTER, undefined, { signal });
    }
  }
}
