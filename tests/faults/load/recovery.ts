import { percentile } from "../../../bench/measure/spread.ts";
import type { Attempt, Outcome } from "./client.ts";
import { KINDS } from "./operations.ts";

/** Successes without a later failure that count as recovered. */
const RUN = 20;

export interface Recovered {
  /** milliseconds after the end of the cause; undefined when there was no recovery */
  ms: number | undefined;
  /** the last to recover, such as "add on web-1" */
  last: string;
}

/** Returns when the first success without a later failure ended, or undefined when fewer than 20 are without one. */
function lastingSince(attempts: readonly Attempt[]): number | undefined {
  const first = attempts.findLastIndex(({ outcome }) => outcome !== "ok") + 1;
  return attempts.length - first < RUN ? undefined : attempts[first]?.endedAt;
}

/**
 * Returns when every kind of operation succeeded on every web process, and did so until the end.
 * @param period `performance.now()` at the end of the cause, and at the end of the measurement
 */
export function recovery(
  attempts: readonly Attempt[],
  webs: number,
  { from, to }: { from: number; to: number },
): Recovered {
  const ordered = attempts
    .filter(({ endedAt }) => endedAt >= from && endedAt <= to)
    .toSorted((a, b) => a.endedAt - b.endedAt);
  let slowest: Recovered = { ms: 0, last: "" };
  for (let web = 0; web < webs; web++) {
    for (const kind of KINDS) {
      const at = lastingSince(ordered.filter((attempt) => attempt.web === web && attempt.kind === kind));
      const last = `${kind} on web-${web + 1}`;
      if (at === undefined) return { ms: undefined, last };
      if (at - from > (slowest.ms ?? 0)) slowest = { ms: at - from, last };
    }
  }
  return slowest;
}

/** What clients saw during a period. */
export interface Seen {
  attempts: number;
  counts: Record<Outcome, number>;
  /** how often each error occurred, apart from 503 with Retry-After */
  errors: Map<string, number>;
  longestMs: number;
  p99Ms: number;
}

export function seenBetween(attempts: readonly Attempt[], from: number, to: number): Seen {
  const within = attempts.filter(({ startedAt, endedAt }) => endedAt >= from && startedAt < to);
  const counts: Record<Outcome, number> = { ok: 0, refused: 0, error: 0, connection: 0, hang: 0 };
  const errors = new Map<string, number>();
  for (const { outcome, detail } of within) {
    counts[outcome]++;
    if (outcome !== "ok" && outcome !== "refused") errors.set(detail, (errors.get(detail) ?? 0) + 1);
  }
  const durations = within.map(({ startedAt, endedAt }) => endedAt - startedAt);
  return {
    attempts: within.length,
    counts,
    errors,
    longestMs: durations.reduce((longest, ms) => Math.max(longest, ms), 0),
    p99Ms: percentile(durations, 0.99),
  };
}
