import { setTimeout as pause } from "node:timers/promises";

const TIMEOUT_MS = 120_000;

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
  for (;;) {
    const found = await probe();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > deadline) throw new Error(`timed out waiting for ${what}`);
    await pause(10);
  }
}
