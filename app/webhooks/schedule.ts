const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Milliseconds from a failure to the next probe of the endpoint, by failed probes in a row. After them, the longest one repeats. */
const PROBE_DELAYS = [5 * SECOND, 15 * SECOND, 30 * SECOND, MINUTE, 2 * MINUTE] as const;
const LONGEST_PROBE_DELAY = 5 * MINUTE;
/** Milliseconds from a failed attempt to the next. It begins as the probes do: a single delivery that waits must not outlast a short outage. */
const DELAYS = [...PROBE_DELAYS, LONGEST_PROBE_DELAY, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR];

/** The part of a delay by which it varies, so that what failed together does not come back together. */
const JITTER = 0.2;
const LONGEST_WAIT = 12 * HOUR;

export const MAX_ATTEMPTS = DELAYS.length + 1;

// eslint-disable-next-line no-restricted-syntax -- jitter is no secret, and tests pass their own
const chance: () => number = Math.random;

function jittered(delay: number, random: () => number): number {
  return Math.round(delay * (1 + JITTER * (2 * random() - 1)));
}

/**
 * @param attemptsMade the failed one included, so at least 1
 * @param random from 0 up to 1
 * @returns milliseconds until the next attempt, or undefined when there is none left
 */
export function retryDelay(attemptsMade: number, random = chance): number | undefined {
  const delay = DELAYS[attemptsMade - 1];
  return delay === undefined ? undefined : jittered(delay, random);
}

/** @returns milliseconds until one delivery probes a failing endpoint; the others wait */
export function probeDelay(failuresInARow: number, random = chance): number {
  return jittered(PROBE_DELAYS[failuresInARow - 1] ?? LONGEST_PROBE_DELAY, random);
}

/** The receiver may ask for more patience than the schedule has, within bounds, but not for less. */
export function waitFor(delay: number, retryAfterMs: number | undefined): number {
  return Math.max(delay, Math.min(retryAfterMs ?? 0, LONGEST_WAIT));
}
