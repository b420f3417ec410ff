import { setTimeout as pause } from "node:timers/promises";

const TIMEOUT_MS = 120_000;

/**
 * Asks again and again until there is an answer: for what another process does in its own time and announces to nobody.
 * @param what completes "waited in vain for …"
 * @returns the first answer that is neither undefined nor false
 */
export async function until<T>(
  what: string,
  probe: () => Promise<T | undefined | false> | T | undefined | false,
): Promise<T> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    const found = await probe();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await pause(10);
  }
}
