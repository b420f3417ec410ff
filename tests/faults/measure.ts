import { setTimeout as after } from "node:timers/promises";
import { say } from "../../bench/lifetime.ts";
import { percentile } from "../../bench/measure/spread.ts";
import { Balancer } from "./load/balancer.ts";
import { BacklogWatch } from "./load/backlog.ts";
import { check, type Verdict } from "./load/check.ts";
import { Client } from "./load/client.ts";
import { Ledger } from "./load/ledger.ts";
import { Load } from "./load/load.ts";
import { recovery, seenBetween, type Recovered, type Seen } from "./load/recovery.ts";
import type { Rig } from "./rig/rig.ts";
import type { Shop } from "./rig/shops.ts";
import type { Scenario } from "./scenarios/scenario.ts";

/** Operations a second over all shops. */
const PER_SECOND = 60;
/** Milliseconds after the end of the cause until which everything must have recovered. */
const RECOVERY_LIMIT = 40_000;

export interface Durations {
  /** seconds of load before the cause, and at least after it */
  baselineSeconds: number;
  /** factor for the seconds of a cause */
  causeFactor: number;
}

export const FULL: Durations = { baselineSeconds: 5, causeFactor: 1 };
export const QUICK: Durations = { baselineSeconds: 2, causeFactor: 0.5 };

export interface Result {
  scenario: Scenario;
  verdict: Verdict;
  causeMs: number;
  requests: Recovered;
  /** milliseconds until the outbox and the deliveries had caught up; undefined when they had not */
  backlogMs: number | undefined;
  /** rows that were left a minute after the load */
  left: string | undefined;
  seen: Seen;
  /** requests without success in the seconds of load before the cause */
  failedBefore: number;
  /** of the shops without additional load, before and during the cause */
  p99BeforeMs: number;
  p99DuringMs: number;
  /** p99 of the lag of first arrivals */
  eventLagMs: number;
  /** responses with 401 at receivers: an invalid signature or timestamp */
  refusedEvents: number;
}

let runs = 0;
const addedBefore = new Map<Shop, number>();

/** Waits until every operation has recovered, and everything has caught up. */
async function untilRecovered(client: Client, watch: BacklogWatch, healedAt: number, webs: number): Promise<void> {
  while (performance.now() < healedAt + RECOVERY_LIMIT) {
    await after(500);
    const caughtUp = watch.caughtUpAfter(healedAt);
    const period = { from: healedAt, to: performance.now() };
    if (recovery(client.attempts, webs, period).ms !== undefined && caughtUp !== undefined) return;
  }
}

/** Calls a function that restores the rig. Its failure must not replace the scenario's. */
async function undo(name: string, restore: Scenario["heal"], rig: Rig): Promise<void> {
  try {
    await restore?.(rig);
  } catch (error) {
    say(`${name} could not be undone: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Runs one scenario under load. */
export async function measure(scenario: Scenario, rig: Rig, durations: Durations): Promise<Result> {
  const normal = rig.shops.filter(({ name }) => name !== "hot-shop");
  const hot = rig.shops.find(({ name }) => name === "hot-shop");
  const ledger = new Ledger(`r${++runs}`);
  const balancer = new Balancer(rig.webs);
  const client = new Client(rig.webs, balancer);
  const load = new Load(client, ledger, addedBefore);
  const watch = new BacklogWatch(
    rig.rows,
    rig.shops.map(({ id }) => id),
  );
  const refusedBefore = rig.shops.reduce((sum, { receiver }) => sum + receiver.refused, 0);
  let toHeal = false;
  try {
    await scenario.before?.(rig);
    const perSecond = (scenario.perSecond ?? PER_SECOND) / normal.length;
    for (const shop of normal) load.add({ shop, perSecond });
    // The first second opens connections and compiles.
    await after(1_000);
    const startedAt = performance.now();
    await after(durations.baselineSeconds * 1_000);

    const injectedAt = performance.now();
    let endHot = false;
    if (hot && scenario.hotPerSecond !== undefined)
      load.add({ shop: hot, perSecond: scenario.hotPerSecond, until: () => endHot });
    toHeal = true;
    await scenario.inject(rig);
    if (scenario.heal) {
      await after(scenario.seconds * 1_000 * durations.causeFactor);
      await scenario.heal(rig);
    }
    toHeal = false;
    endHot = true;
    const healedAt = performance.now();
    await after(durations.baselineSeconds * 1_000);
    await untilRecovered(client, watch, healedAt, rig.webs.length);
    const endedAt = performance.now();
    await load.stop(RECOVERY_LIMIT);
    const left = await watch.empty(RECOVERY_LIMIT);

    const arrivals = rig.shops.flatMap(({ receiver }) => [...receiver.arrivals.values()]);
    const lags = arrivals
      .filter(({ customerId }) => customerId.startsWith(`${ledger.prefix}-`))
      .map(({ lagMs }) => lagMs);
    const others = client.attempts.filter(({ shop }) => shop !== hot);
    const [web] = rig.webs;
    return {
      scenario,
      verdict: await check(ledger, { target: web?.url ?? "", rows: rig.rows, shops: rig.shops }),
      causeMs: healedAt - injectedAt,
      requests: recovery(client.attempts, rig.webs.length, { from: healedAt, to: endedAt }),
      backlogMs: watch.caughtUpAfter(healedAt),
      left: left && `${left.activity} activity, ${left.deliveries} deliveries`,
      seen: seenBetween(client.attempts, injectedAt, endedAt),
      failedBefore: client.attempts.filter(
        ({ outcome, endedAt: at }) => outcome !== "ok" && at >= startedAt && at < injectedAt,
      ).length,
      p99BeforeMs: seenBetween(others, startedAt, injectedAt).p99Ms,
      p99DuringMs: seenBetween(others, injectedAt, healedAt).p99Ms,
      eventLagMs: percentile(lags, 0.99),
      refusedEvents: rig.shops.reduce((sum, { receiver }) => sum + receiver.refused, 0) - refusedBefore,
    };
  } finally {
    if (toHeal) await undo(scenario.name, scenario.heal, rig);
    await load.stop(0);
    balancer.stop();
    await watch.stop();
    await client.close();
    for (const shop of rig.shops) addedBefore.set(shop, (addedBefore.get(shop) ?? 0) + ledger.addedTo(shop));
    await undo(scenario.name, scenario.after, rig);
  }
}
