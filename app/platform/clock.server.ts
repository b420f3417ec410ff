/** The only source of time. Tests stop it with `holdClock`. */
let held: number | undefined;

/** Milliseconds since the epoch. */
export function nowMs(): number {
  return held ?? Date.now();
}

export function now(): Date {
  return new Date(nowMs());
}

/** Stops the clock at a moment; `undefined` starts it again. For tests. */
export function holdClock(at: Date | undefined): void {
  held = at?.getTime();
}
