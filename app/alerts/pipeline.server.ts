import type { DueEndpoints } from "../activity/index.server.ts";
import { plansWith } from "../billing/index.server.ts";
import { hasCitus } from "../platform/database/citus.server.ts";
import { run, runOne, shopStatement, statement } from "../platform/database/database.server.ts";
import { counter } from "../platform/metrics/metrics.server.ts";
import { ShopQueue } from "../platform/jobs/shop-queue.server.ts";
import { traced } from "../platform/tracing/tracing.server.ts";
import { runAs } from "../platform/database/work-class.server.ts";
import { now } from "../platform/clock.server.ts";

// The way from a change of the catalog to an alert: a change becomes occurrences (detect), an occurrence becomes alerts of those who saved the variant
// (fan-out), and alerts that are due become webhook deliveries (dispatch). A dispatch waits until the first two have nothing due, so that what a customer
// hears of a product at a moment is one event. Each step is one short transaction that records how far it has come, so a process that ends continues where
// it was. Shops take turns, step by step, so that one shop's million does not delay another's first.

/** Changes per transaction. */
const CHANGES = 500;
/** Items per transaction of a fan-out. */
const ITEMS = 2_000;
/** Alerts per transaction of a dispatch. */
const ALERTS = 500;
/** Milliseconds for which a variant must be available before it counts as back in stock. */
const STABLE_MS = 5 * 60_000;
/** Shops that a process works on at the same time. */
const CONCURRENCY = 1;
/**
 * Pause of a shop after a step, as a multiple of the step's time, in which the database has more room for the work of other shops: while this process
 * delivers for other shops, and otherwise, because other processes may.
 */
const PAUSE_FACTOR = { shared: 2, alone: 0.5 } as const;
/** Shops with due work per poll. */
const DUE_SHOPS = 1_000;
/** Milliseconds between polls for what has become due: settled occurrences, and alerts after quiet hours. */
const POLL_MS = 2_000;

const detectStatement = shopStatement<{ changes: number | null }>(
  "alert_detect",
  "SELECT alert_detect(p_shop_id => $1, p_limit => $2, p_stable_ms => $3, p_plans => $4) AS changes",
);

const fanOutStatement = shopStatement<{ looked_at: number | null; created: number | null }>(
  "alert_fan_out",
  "SELECT looked_at, created FROM alert_fan_out(p_shop_id => $1, p_limit => $2)",
);

const dispatchStatement = shopStatement<{ decided: number | null; sent: number | null; endpoints: string[] | null }>(
  "alert_release",
  "SELECT decided, sent, endpoints FROM alert_release(p_shop_id => $1, p_limit => $2)",
);

/** Unscoped: the shops with unprocessed changes, by one step of the index for each. */
const changedShopsStatement = statement<{ shop_id: number }>(
  "alert_shops_changed",
  `WITH RECURSIVE changed AS (
     (SELECT shop_id FROM variant_change WHERE processed_at IS NULL ORDER BY shop_id LIMIT 1)
     UNION ALL
     SELECT (SELECT c.shop_id FROM variant_change c WHERE c.processed_at IS NULL AND c.shop_id > p.shop_id ORDER BY c.shop_id LIMIT 1)
       FROM changed p WHERE p.shop_id IS NOT NULL
   )
   SELECT shop_id FROM changed WHERE shop_id IS NOT NULL`,
);

/** Unscoped: the same on a distributed database, where each node reads all of its unprocessed changes. */
const changedAnywhereStatement = statement<{ shop_id: number }>(
  "alert_shops_changed_anywhere",
  "SELECT shop_id FROM variant_change WHERE processed_at IS NULL GROUP BY shop_id",
);

/** Unscoped: the shops with occurrences or alerts that are due, longest due first. An uninstalled shop's alerts wait for a new installation. */
const dueShopsStatement = statement<{ shop_id: number }>(
  "alert_shops_due",
  `SELECT a.shop_id FROM alert_settings a JOIN shop s ON s.id = a.shop_id
    WHERE a.due_at <= now() AND s.uninstalled_at IS NULL ORDER BY a.due_at LIMIT $1`,
);

const created = counter("alerts_created_total", "Alerts that this process has created");
const dispatched = counter("alerts_released_total", "Alerts that this process has sent or suppressed", {
  outcome: ["sent", "suppressed"],
});

/** What a step did: `idle`: there was nothing to do; `locked`: another process works on the shop's alerts. */
type Outcome = "worked" | "idle" | "locked";

function outcomeOf(count: number | null): Outcome {
  return count === null ? "locked" : count > 0 ? "worked" : "idle";
}

let notifyDue: (endpoints: DueEndpoints) => void = () => undefined;

/** Sets the listener for the deliveries of alerts. */
export function onAlertsSent(listener: (endpoints: DueEndpoints) => void): void {
  notifyDue = listener;
}

/** Does one step for a shop. What is nearest to the shopper goes first. */
export async function processAlerts(shopId: number): Promise<Outcome> {
  return runAs("background", async () => {
    const dispatch = await runOne(dispatchStatement, [shopId, ALERTS]);
    if (dispatch.endpoints) notifyDue({ shopId, endpointIds: dispatch.endpoints });
    dispatched.inc({ outcome: "sent" }, dispatch.sent ?? 0);
    dispatched.inc({ outcome: "suppressed" }, (dispatch.decided ?? 0) - (dispatch.sent ?? 0));
    if (outcomeOf(dispatch.decided) !== "idle") return outcomeOf(dispatch.decided);
    const fanOut = await runOne(fanOutStatement, [shopId, ITEMS]);
    created.inc({}, fanOut.created ?? 0);
    if (outcomeOf(fanOut.looked_at) !== "idle") return outcomeOf(fanOut.looked_at);
    return outcomeOf((await runOne(detectStatement, [shopId, CHANGES, STABLE_MS, plansWith("alerts")])).changes);
  });
}

/** Returns the shops with something to do, at the cost of those alone: changes, and what has become due. */
export async function shopsWithWork(): Promise<number[]> {
  const changed = (await hasCitus()) ? changedAnywhereStatement : changedShopsStatement;
  const found = await Promise.all([run(changed, []), run(dueShopsStatement, [DUE_SHOPS])]);
  return found.flat().map(({ shop_id }) => shop_id);
}

let isShared: (shopId: number) => boolean = () => false;

const queue = new ShopQueue({
  name: "alerts",
  channel: "wishlist_alerts",
  concurrency: CONCURRENCY,
  pollMs: POLL_MS,
  find: shopsWithWork,
  async work(shopId) {
    const attributes = { "wishlist.shop_id": shopId };
    const started = performance.now();
    const outcome = await traced("alerts", { parent: null, attributes }, () => processAlerts(shopId));
    const factor = isShared(shopId) ? PAUSE_FACTOR.shared : PAUSE_FACTOR.alone;
    return outcome === "worked" ? (performance.now() - started) * factor : undefined;
  },
});

/** Starts the processing of a shop's changes, here or in another process. Call it after they are committed. */
export function wakeAlerts(shopId: number): void {
  queue.wake(shopId);
}

/** Starts the processing of alerts of all shops in the background. @param beside whether the process delivers for shops other than this one */
export function startAlerts(beside: (shopId: number) => boolean): void {
  isShared = beside;
  queue.start();
}

const remindStatement = shopStatement<Record<string, never>>(
  "alert_remind",
  "SELECT alert_remind(p_shop_id => $1, p_at => $2, p_plans => $3)",
);

/** Opens the occurrence of the shop's reminders of the day, which a poll finds when it is due. Repeating it changes nothing. */
export async function openReminders(shopId: number): Promise<void> {
  await run(remindStatement, [shopId, now(), plansWith("alerts")]);
}
