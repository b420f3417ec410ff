import { durations } from "../../platform/metrics/durations.server.ts";
import { counter } from "../../platform/metrics/metrics.server.ts";
import type { Attempt, Disabled } from "./queue.server.ts";

const OUTCOMES = { succeeded: "succeeded", failed: "failed", pending: "retried" } as const;

const attempts = counter(
  "delivery_attempts_total",
  "Attempts of webhook deliveries: succeeded, failed for good, or to be retried",
  { outcome: Object.values(OUTCOMES) },
);
const attemptDurations = durations(
  "delivery_attempt_duration_seconds",
  "Duration of the attempts' requests",
  undefined,
  [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
);
const disabled = counter("webhook_endpoints_disabled_total", "Webhooks that deliveries have disabled, by reason", {
  reason: ["gone", "failing"],
});

/** Counts attempts that were recorded. */
export function countAttempts(recorded: readonly Attempt[]): void {
  for (const [outcome, ofOutcome] of Map.groupBy(recorded, (attempt) => attempt.outcome)) {
    attempts.inc({ outcome: OUTCOMES[outcome] }, ofOutcome.length);
  }
  for (const { url, durationMs } of recorded) if (url !== null) attemptDurations.observe({}, durationMs / 1_000);
}

/** Counts a webhook that deliveries have disabled. */
export function countDisabled(reason: Disabled["reason"]): void {
  disabled.inc({ reason });
}
