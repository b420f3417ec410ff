import { coalesced } from "../platform/coalesce.server.ts";
import { run, runOne, shopStatement, statement } from "../platform/database.server.ts";
import { onNotification } from "../platform/notifications.server.ts";
import { onShutdown } from "../platform/lifecycle.server.ts";
import { log } from "../platform/log.server.ts";
import { runAs } from "../platform/work-class.server.ts";

/** Rows in a transaction of the relay: the more, the fewer rows of the rollups are written; a report waits for at most one. */
const BATCH = 5_000;
/** Shops drained at a time: enough that one shop's long tail does not hold up the others. */
const LANES = 2;
/** Milliseconds between a change and the relay that it wakes: what comes meanwhile shares the transaction. */
const GATHER_MS = 3;
/** The same while changes come faster than is worth a transaction each, or another process is at the shop. */
const GATHER_BUSY_MS = 120;
/** Rows in a batch from which on changes count as coming fast. */
const BUSY = 20;
/** Milliseconds between looks for what nobody announced. */
const POLL_MS = 500;
/** Milliseconds within which changes are announced to other processes in one go. */
const ANNOUNCE_MS = 10;

const CHANNEL = "wishlist_activity";

const relayStatement = shopStatement<{ relayed: number | null; endpoints: string[] | null }>(
  "relay",
  "SELECT relayed, endpoints FROM relay(p_shop_id => $1, p_limit => $2, p_wait => $3)",
);

const waitingStatement = statement<{ waiting: boolean }>(
  "activity_waiting",
  "SELECT EXISTS (SELECT 1 FROM activity WHERE shop_id = $1 AND relayed_at IS NULL) AS waiting",
);

/** Unscoped: which shops have activity that waits, by one step of the index for each. */
const shopsStatement = statement<{ shop_id: number }>(
  "activity_shops",
  `WITH RECURSIVE waiting AS (
     (SELECT shop_id FROM activity WHERE relayed_at IS NULL ORDER BY shop_id LIMIT 1)
     UNION ALL
     SELECT (SELECT a.shop_id FROM activity a WHERE a.relayed_at IS NULL AND a.shop_id > w.shop_id ORDER BY a.shop_id LIMIT 1)
       FROM waiting w WHERE w.shop_id IS NOT NULL
   )
   SELECT shop_id FROM waiting WHERE shop_id IS NOT NULL`,
);

const announceStatement = statement<Record<string, never>>("activity_announce", "SELECT pg_notify($1, $2)");

/** Webhook endpoints of a shop that have got something to deliver. */
export interface RelayedEndpoints {
  shopId: number;
  endpointIds: readonly string[];
}

let onEndpoints: (endpoints: RelayedEndpoints) => void = () => undefined;

/** Says who wants to hear of deliveries that the relay has made. */
export function onRelayed(listener: (endpoints: RelayedEndpoints) => void): void {
  onEndpoints = listener;
}

/** @returns rows relayed, or null when another process is at it and `wait` is false */
async function relayBatch(shopId: number, wait: boolean): Promise<number | null> {
  // The class is the same whoever calls: callers of different classes share a drain.
  const { relayed, endpoints } = await runAs(wait ? "request" : "background", () =>
    runOne(relayStatement, [shopId, BATCH, wait]),
  );
  if (endpoints) runAs("request", () => onEndpoints({ shopId, endpointIds: endpoints }));
  return relayed;
}

/**
 * Brings the rollups of a shop up to the moment of the call: they include every change that was answered before it. Callers share a run, so
 * that reports of one shop wait for its lock on one connection. Must not be called in a transaction of the shop.
 */
export const drainShop = coalesced(async (shopId: number): Promise<void> => {
  // What another transaction is about to mark still shows as waiting, so this look needs no lock.
  const { waiting } = await runOne(waitingStatement, [shopId]);
  if (!waiting) return;
  let rows: number | null;
  do rows = await relayBatch(shopId, true);
  while (rows === BATCH);
});

/** Shops with changes that wait. */
const dirty = new Set<number>();
/** Shops whose changes other processes have to hear of. */
const unannounced = new Set<number>();
let running = false;
let lanes = 0;
let gathering: NodeJS.Timeout | undefined;
let announcing: NodeJS.Timeout | undefined;
let gatherMs = GATHER_MS;
/** Who waits for the lanes to end. */
let idle: (() => void) | undefined;

/** To be called when a change to a wishlist has been committed. */
export function wakeRelay(shopId: number): void {
  if (running) {
    dirty.add(shopId);
    gather();
  } else {
    unannounced.add(shopId);
    announcing ??= setTimeout(() => void announce(), ANNOUNCE_MS).unref();
  }
}

async function announce(): Promise<void> {
  announcing = undefined;
  // A notification holds 8,000 bytes; the other processes' polls find the rest.
  const shops = [...unannounced].slice(0, 700);
  unannounced.clear();
  try {
    await run(announceStatement, [CHANNEL, shops.join(" ")]);
  } catch {
    // Nor is that lost.
  }
}

function gather(): void {
  if (gathering !== undefined || lanes >= LANES || dirty.size === 0 || !running) return;
  gathering = setTimeout(() => {
    gathering = undefined;
    while (lanes < LANES && dirty.size > 0) {
      const [shopId] = dirty;
      if (shopId === undefined) break;
      dirty.delete(shopId);
      lanes++;
      void relayShop(shopId).finally(() => {
        lanes--;
        idle?.();
        gather();
      });
    }
  }, gatherMs);
}

async function relayShop(shopId: number): Promise<void> {
  try {
    const rows = await relayBatch(shopId, false);
    // Whoever is at it may have begun before the last change.
    if (rows === null || rows === BATCH) dirty.add(shopId);
    gatherMs = rows === null || rows >= BUSY ? GATHER_BUSY_MS : GATHER_MS;
  } catch (error) {
    log.warn({ err: error }, "activity could not be relayed; it is tried again");
  }
}

async function poll(): Promise<void> {
  try {
    for (const { shop_id } of await run(shopsStatement, [])) dirty.add(shop_id);
    gather();
  } catch (error) {
    log.warn({ err: error }, "can't look for activity that waits; it is tried again");
  }
}

/** Begins to drain the activity of all shops in the background. */
export function startRelay(): void {
  running = true;
  onNotification(CHANNEL, {
    onMessage(payload) {
      for (const shopId of payload.split(" ")) dirty.add(Number(shopId));
      gather();
    },
  });
  let polling: Promise<void> | undefined;
  const timer = setInterval(() => {
    polling ??= poll().finally(() => {
      polling = undefined;
    });
  }, POLL_MS);
  onShutdown("relay", async () => {
    running = false;
    clearInterval(timer);
    clearTimeout(gathering);
    gathering = undefined;
    await polling;
    while (lanes > 0) await new Promise<void>((resolve) => (idle = resolve));
  });
}
