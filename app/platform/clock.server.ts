/** The only source of time. Tests stop it with `holdClock`. */
let held: number | undefined;

/** Milliseconds by which the machine's clock may differ from the expected time. */
const TOLERANCE = 1_000;

/** The expected time at `performance.now() === 0`. The monotonic clock goes on evenly when somebody sets the machine's clock. */
let origin = Date.now() - performance.now();

/** Milliseconds since the epoch. */
export function nowMs(): number {
  if (held !== undefined) return held;
  const machine = Date.now();
  const expected = origin + performance.now();
  return Math.abs(machine - expected) <= TOLERANCE ? machine : Math.round(expected);
}

export function now(): Date {
  return new Date(nowMs());
}

/**
 * Sets the expected time, which replaces the machine's clock while that is more than a second off.
 * @param ms milliseconds since the epoch, now
 * @returns milliseconds by which the machine's clock is ahead
 */
export function setExpectedTime(ms: number): number {
  origin = ms - performance.now();
  return Date.now() - ms;
}

/** Stops the clock at a moment; `undefined` starts it again. For tests. */
export function holdClock(at: Date | undefined): void {
  held = at?.getTime();
}
