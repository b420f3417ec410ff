import type { Attempt, Outcome } from "./client.ts";
import { KINDS } from "./operations.ts";

/** Successes in a row that count as recovered. */
const RUN = 20;

export interface Recovered {
  /** milliseconds after the end of the cause; undefined when there was no such run */
  ms: number | undefined;
  /** the last to recover, such as "add on web-1" */
  last: string;
}

/** Returns when the first of 20 successes in a row ended, or undefined. */
function firstOfRun(attempts: readonly Attempt[], from: number): number | undefined {
  let since: number | undefined;
  let length = 0;
  for (const { endedAt, outcome } of attempts) {
    if (endedAt < from) continue;
    if (outcome !== "ok") {
      since = undefined;
      length = 0;
      continue;
    }
    since ??= endedAt;
    if (++length === RUN) return since;
  }
  return undefined;
}

/**
 * Returns when every kind of operation succeeded again on every web process.
 * @param healedAt `performance.now()` at the end of the cause
 */
export function recovery(attempts: readonly Attempt[], webs: number, healedAt: number): Recovered {
  const ordered = attempts.toSorted((a, b) => a.endedAt - b.endedAt);
  let slowest: Recovered = { ms: 0, last: "" };
  for (let web = 0; web < webs; web++) {
    for (const kind of KINDS) {
      const series = ordered.filter((attempt) => attempt.web === web && attempt.kind === kind);
      const at = firstOfRun(series, healedAt);
      const last = `${kind} on web-${web + 1}`;
      if (at === undefined) return { ms: undefined, last };
      if (at - healedAt > (slowest.ms ?? 0)) slowest = { ms: at - healedAt, last };
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
  const durations = within.map(({ startedAt, endedAt }) => endedAt - startedAt).toSorted((a, b) => a - b);
  return {
    attempts: within.length,
    counts,
    errors,
    longestMs: durations.at(-1) ?? 0,
    p99Ms: durations[Math.floor(durations.length * 0.99)] ?? 0,
  };
}
