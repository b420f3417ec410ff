import { setTimeout as after } from "node:timers/promises";
import { counter } from "../platform/metrics/metrics.server.ts";
import { AdminApiError, type AdminApiResult } from "./client.server.ts";

/** Milliseconds until a throttled query is retried when Shopify names no time. */
const RETRY_AFTER = 1_000;

const throttled = counter(
  "shopify_throttle_seconds_total",
  "Time that background tasks waited because Shopify throttles or would throttle the next query",
);

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  throttled.inc({}, ms / 1_000);
  await after(ms, undefined, { signal });
}

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
      if (result && result.restoredIn > 0) await pause(result.restoredIn, signal);
      return result?.data;
    } catch (error) {
      if (!(error instanceof AdminApiError) || error.reason !== "throttled") throw error;
      await pause(error.retryAfter ?? RETRY_AFTER, signal);
    }
  }
}
