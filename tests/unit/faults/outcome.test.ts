import { describe, expect, test } from "vitest";
import type { Attempt, Outcome } from "../../faults/load/client.ts";
import { KINDS, type Kind } from "../../faults/load/operations.ts";
import { recovery, seenBetween } from "../../faults/load/recovery.ts";
import type { Result } from "../../faults/measure.ts";
import { missedGoals, summarize } from "../../faults/report.ts";
import type { Shop } from "../../faults/rig/shops.ts";
import { redisGone } from "../../faults/scenarios/network.ts";

const shop: Shop = {
  ...{ id: 1, domain: "", keyId: "", secret: "", token: "", name: "shop" },
  receiver: { url: "", setSecret: () => undefined, arrivals: new Map(), refused: 0 },
};

function attempt(kind: Kind, endedAt: number, outcome: Outcome = "ok"): Attempt {
  return { web: 0, kind, shop, startedAt: endedAt - 1, endedAt, outcome, detail: "" };
}

/** One success of each kind every 10 ms from 1,000 ms on. */
const successes = Array.from({ length: 50 }, (_, n) => KINDS.map((kind) => attempt(kind, 1_000 + 10 * n))).flat();

describe("recovery", () => {
  test("is the first success when there is no failure", () => {
    expect(recovery(successes, 1, { from: 990, to: 2_000 }).ms).toBe(10);
  });

  test("is the first success after the last failure, although 20 succeeded before it", () => {
    const relapse = [...successes, attempt("merge", 1_205, "refused")];
    expect(recovery(relapse, 1, { from: 1_000, to: 2_000 })).toEqual({ ms: 210, last: "merge on web-1" });
  });

  test("is missing when fewer than 20 succeed after the last failure", () => {
    const relapse = [...successes, attempt("merge", 1_205, "refused")];
    expect(recovery(relapse, 1, { from: 1_000, to: 1_390 })).toEqual({ ms: undefined, last: "merge on web-1" });
  });

  test("does not depend on failures before the end of the cause and after the measurement", () => {
    const others = [attempt("add", 999, "error"), ...successes, attempt("add", 2_001, "error")];
    expect(recovery(others, 1, { from: 1_000, to: 2_000 })).toEqual({ ms: 0, last: "" });
  });
});

function result(more: Partial<Result> = {}): Result {
  const none = { lost: [], miscounted: [], missing: [], doubled: [], rollups: [], staleReads: [] };
  return {
    scenario: redisGone,
    verdict: { ...none, acknowledged: 1, events: 1, repeated: 0, reordered: 0, unresolved: 0 },
    causeMs: 0,
    requests: { ms: 0, last: "" },
    backlogMs: 0,
    left: undefined,
    seen: seenBetween(successes, 0, 2_000),
    failedBefore: 0,
    p99BeforeMs: 1,
    p99DuringMs: 1,
    eventLagMs: 1,
    refusedEvents: 0,
    ...more,
  };
}

test("a goal is missed when requests fail before the cause", () => {
  expect(missedGoals(result())).toEqual([]);
  expect(missedGoals(result({ failedBefore: 2 }))).toEqual(["2 requests failed before the cause"]);
});

describe("the summary of a run of the fault script", () => {
  const strict = { named: false, anyTime: false };
  const met = result();
  const late = result({ backlogMs: 30_000 });

  test.each([
    ["everything was measured", { results: [met] }, strict, ["Every goal is met."], true],
    ["nothing was measured", {}, strict, ["Nothing was measured."], false],
    ["a scenario failed", { results: [met], failed: ["a"] }, strict, ["Could not be measured: a."], false],
    [
      "one of all was skipped",
      { results: [met], skipped: ["a"] },
      strict,
      ["Skipped: a.", "Every goal of the others is met."],
      true,
    ],
    ["a named one was skipped", { results: [met], skipped: ["a"] }, { ...strict, named: true }, ["Skipped: a."], false],
    ["a goal was missed", { results: [late] }, strict, ["Goals are missed: redis-gone."], false],
    [
      "a goal of time was missed",
      { results: [late] },
      { ...strict, anyTime: true },
      ["Goals are missed: redis-gone."],
      true,
    ],
  ])("is right when %s", (_, outcome, options, lines, passed) => {
    expect(summarize({ results: [], failed: [], skipped: [], ...outcome }, options)).toEqual({ lines, passed });
  });
});
