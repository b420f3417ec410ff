import { setTimeout as pause } from "node:timers/promises";

const TIMEOUT_MS = 120_000;

/** Milliseconds before the second probe. Each later pause is a quarter longer, because a probe takes processor time from what it waits for. */
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 100;

/**
 * Polls until the probe returns a result. For effects of other processes that send no notification.
 * @param what completes "timed out waiting for …"
 * @returns the first result that is neither undefined nor false
 */
export async function until<T>(
  what: string,
  probe: () => Promise<T | undefined | false> | T | undefined | false,
): Promise<T> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 1.25, LONGEST_PAUSE_MS)) {
    const found = await probe();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > deadline) throw new Error(`timed out waiting for ${what}`);
    await pause(wait);
  }
}
