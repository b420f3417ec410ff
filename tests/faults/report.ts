import { availableParallelism } from "node:os";
import type { Result } from "./measure.ts";
import { GOAL } from "./scenarios/scenario.ts";

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
const percent = (part: number, whole: number): string => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;

/** Returns what is lost, missing or wrong after a scenario, in one phrase each: whatever the machine's speed, there is none. */
function losses({ verdict, requests, left, refusedEvents }: Result): string[] {
  const missed: string[] = [];
  const none = (what: string, found: readonly string[]): void => {
    if (found.length > 0) missed.push(`${found.length} ${what} (${found.slice(0, 3).join("; ")})`);
  };
  none("acknowledged writes lost", verdict.lost);
  none("changes not counted once", verdict.miscounted);
  none("events missing", verdict.missing);
  none("changes with several events", verdict.doubled);
  none("rollups wrong", verdict.rollups);
  none("reads without an acknowledged write", verdict.staleReads);
  if (verdict.unresolved > 0) missed.push(`${verdict.unresolved} writes without a response`);
  if (left !== undefined) missed.push(`not processed: ${left}`);
  if (requests.ms === undefined) missed.push(`no recovery of ${requests.last}`);
  if (refusedEvents > 0) missed.push(`${refusedEvents} deliveries with an invalid timestamp`);
  return missed;
}

/** Returns how a result misses the goal of its scenario, in one phrase each. */
export function missedGoals(result: Result): string[] {
  const { scenario, requests, backlogMs, seen } = result;
  const goal = { ...GOAL, ...scenario.goal };
  const missed = losses(result);
  if (requests.ms !== undefined && requests.ms > goal.recoveryMs)
    missed.push(`${requests.last} recovered after ${seconds(requests.ms)}`);
  if (backlogMs === undefined || backlogMs > goal.recoveryMs) {
    missed.push(`events caught up after ${backlogMs === undefined ? "more than 40 s" : seconds(backlogMs)}`);
  }
  if (result.failedBefore > 0) missed.push(`${result.failedBefore} requests failed before the cause`);
  const { error, hang, connection, refused } = seen.counts;
  if (error > 0) missed.push(`${error} other errors`);
  if (hang > 0) missed.push(`${hang} requests without a response in 30 s`);
  if (connection > 0 && !goal.connectionErrors) missed.push(`${connection} connection errors`);
  if (refused > 0 && !goal.refusals) missed.push(`${refused} responses with 503`);
  if (seen.longestMs > goal.longestMs) missed.push(`a response after ${seconds(seen.longestMs)}`);
  const factor = result.p99DuringMs / Math.max(1, result.p99BeforeMs);
  if (goal.othersP99Factor !== undefined && factor > goal.othersP99Factor) {
    missed.push(`p99 of the other shops ${factor.toFixed(1)} times as long`);
  }
  return missed;
}

const HEADER = [
  "fault",
  "lasted",
  "acknowledged writes (lost)",
  "events (missing, repeated)",
  "recovery: requests",
  "recovery: events",
  "503 + `Retry-After`",
  "other errors",
  "connection errors",
  "longest response",
  "goal",
];

function cells(result: Result): string[] {
  const { scenario, verdict, requests, backlogMs, seen } = result;
  return [
    scenario.title,
    seconds(result.causeMs),
    `${verdict.acknowledged} (${verdict.lost.length})`,
    `${verdict.events} (${verdict.missing.length}, ${verdict.repeated})`,
    requests.ms === undefined ? "none" : seconds(requests.ms),
    backlogMs === undefined ? "none" : seconds(backlogMs),
    percent(seen.counts.refused, seen.attempts),
    String(seen.counts.error + seen.counts.hang),
    String(seen.counts.connection),
    seconds(seen.longestMs),
    missedGoals(result).length === 0 ? "met" : "missed",
  ];
}

/** Returns what one scenario showed, for a terminal. */
export function describe(result: Result): string {
  const { scenario, verdict, seen } = result;
  const errors = [...seen.errors].map(([detail, count]) => `${count} × ${detail}`).join(", ");
  const lines = HEADER.map((title, index) => `  ${title.replaceAll("`", "")}: ${cells(result)[index] ?? ""}`).slice(1);
  lines.push(`  errors: ${errors === "" ? "none" : errors}; events out of order: ${verdict.reordered}`);
  lines.push(
    `  p99 before ${Math.round(result.p99BeforeMs)} ms, during ${Math.round(result.p99DuringMs)} ms; p99 of the events' lag ${Math.round(result.eventLagMs)} ms`,
  );
  for (const missed of missedGoals(result)) lines.push(`  MISSED: ${missed}`);
  return `${scenario.name}\n${lines.join("\n")}\n`;
}

/** Returns the table of all results in Markdown. */
export function markdown(results: readonly Result[]): string {
  const rows = [HEADER, HEADER.map(() => "---"), ...results.map(cells)];
  const date = new Date().toISOString().slice(0, 10);
  return `${rows.map((row) => `| ${row.join(" | ")} |`).join("\n")}\n\n${availableParallelism()} cores, ${date}.\n`;
}

/** What became of the scenarios of a run. */
export interface Outcome {
  results: readonly Result[];
  /** names of scenarios that ended with an error */
  failed: readonly string[];
  /** names of scenarios that can't run here */
  skipped: readonly string[];
}

/**
 * Sums a run up.
 * @param options `named`: the command named its scenarios, so none may be skipped; `anyTime`: missed goals of time do not count
 */
export function summarize(
  { results, failed, skipped }: Outcome,
  { named, anyTime }: { named: boolean; anyTime: boolean },
): { lines: string[]; passed: boolean } {
  const missed = results.filter((result) => missedGoals(result).length > 0).map(({ scenario }) => scenario.name);
  const isComplete = results.length > 0 && failed.length === 0 && !(named && skipped.length > 0);
  const lines: string[] = [];
  if (skipped.length > 0) lines.push(`Skipped: ${skipped.join(", ")}.`);
  if (failed.length > 0) lines.push(`Could not be measured: ${failed.join(", ")}.`);
  if (results.length === 0) lines.push("Nothing was measured.");
  else if (missed.length > 0) lines.push(`Goals are missed: ${missed.join(", ")}.`);
  else if (isComplete) lines.push(skipped.length > 0 ? "Every goal of the others is met." : "Every goal is met.");
  const lossless = results.every((result) => losses(result).length === 0);
  return { lines, passed: isComplete && (missed.length === 0 || (anyTime && lossless)) };
}
