/** The one source of time. Tests hold it with `holdClock`. */
let held: number | undefined;

/** Milliseconds since the epoch. */
export function nowMs(): number {
  return held ?? Date.now();
}

export function now(): Date {
  return new Date(nowMs());
}

/** Stops the clock at a moment, or with `undefined` lets it run again. For tests. */
export function holdClock(at: Date | undefined): void {
  held = at?.getTime();
}
