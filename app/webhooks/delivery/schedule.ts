const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Milliseconds from a failure to the next probe of the endpoint, by failed probes in a row. After the last one, `LONGEST_PROBE_DELAY` applies. */
const PROBE_DELAYS = [5 * SECOND, 15 * SECOND, 30 * SECOND, MINUTE, 2 * MINUTE] as const;
const LONGEST_PROBE_DELAY = 5 * MINUTE;
/** Milliseconds from a failed attempt to the next. The first ones equal the probes', so that a single delivery arrives soon after a short outage. */
const DELAYS = [...PROBE_DELAYS, LONGEST_PROBE_DELAY, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR];

/** The part of a delay by which it varies, so that deliveries that failed together are not retried together. */
const JITTER = 0.2;
const LONGEST_WAIT = 12 * HOUR;

export const MAX_ATTEMPTS = DELAYS.length + 1;

// oxlint-disable-next-line house/randomness -- jitter is no secret, and tests pass their own
export const chance: () => number = Math.random;

function jittered(delay: number, random: () => number): number {
  return Math.round(delay * (1 + JITTER * (2 * random() - 1)));
}

/**
 * Returns the milliseconds until the next attempt, or undefined after the last one.
 * @param attemptsMade the failed one included, so at least 1
 * @param random returns a number from 0 up to 1
 */
export function retryDelay(attemptsMade: number, random = chance): number | undefined {
  const delay = DELAYS[attemptsMade - 1];
  return delay === undefined ? undefined : jittered(delay, random);
}

/** Returns the milliseconds until one delivery probes a failing endpoint; the others wait. */
export function probeDelay(failuresInARow: number, random = chance): number {
  return jittered(PROBE_DELAYS[failuresInARow - 1] ?? LONGEST_PROBE_DELAY, random);
}

/** Returns the longer of the scheduled delay and the receiver's Retry-After, which is capped at `LONGEST_WAIT`. */
export function waitFor(delay: number, retryAfterMs: number | undefined): number {
  return Math.max(delay, Math.min(retryAfterMs ?? 0, LONGEST_WAIT));
}
