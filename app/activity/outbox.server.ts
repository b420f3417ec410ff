import { coalesced } from "../platform/coalesce.server.ts";
import { isBusy, isUnavailable } from "../platform/database/errors.server.ts";
import { run, runOne, shopStatement, statement } from "../platform/database/database.server.ts";
import { hasCitus } from "../platform/database/citus.server.ts";
import { nowMs } from "../platform/clock.server.ts";
import { log } from "../platform/log/log.server.ts";
import { counter } from "../platform/metrics/metrics.server.ts";
import { ShopQueue } from "../platform/jobs/shop-queue.server.ts";
import type { Span } from "../platform/tracing/context.server.ts";
import { startSpan, traced } from "../platform/tracing/tracing.server.ts";
import { runAs } from "../platform/database/work-class.server.ts";
import { announceNumbers } from "./change-numbers.server.ts";

// The outbox is the table `activity`, to which every change to a wishlist appends in its own transaction. The outbox processor turns its rows
// into rollups and webhook deliveries, shop by shop.

/** Rows per transaction: larger batches write fewer rollup rows, and a report waits for at most one batch. */
const BATCH = 5_000;
/** Shops processed at a time, so that one shop's long backlog does not hold up the others. */
const CONCURRENCY = 2;
/** Milliseconds from a change to the processing that it starts. Changes that follow within this time share the transaction. */
const GATHER_MS = 3;
/** The same while changes come faster than is worth a transaction each, or while another process has the shop's lock. */
const GATHER_BUSY_MS = 120;
/** Rows in a batch from which on the longer time applies. */
const BUSY = 20;
/** Milliseconds between polls for changes that no process announced. */
const POLL_MS = 500;

const processStatement = shopStatement<{
  processed: number | null;
  endpoints: string[] | null;
  traces: string[] | null;
  last_number: number | null;
  failed: string[] | null;
  reasons: string[] | null;
}>(
  "outbox_process",
  `SELECT processed, endpoints, traces, last_number, failed::text[], reasons
     FROM outbox_process(p_shop_id => $1, p_limit => $2, p_wait => $3)`,
);

const pendingStatement = statement<{ pending: boolean }>(
  "outbox_pending",
  "SELECT EXISTS (SELECT 1 FROM activity WHERE shop_id = $1 AND processed_at IS NULL) AS pending",
);

/** Changes that were set aside and whose time to be tried again has come. */
const RETRIED_SHOPS = "SELECT shop_id FROM set_aside WHERE retry_at <= now() GROUP BY shop_id";

/** Unscoped: the shops with unprocessed activity, by one step of the index for each. */
const pendingShopsStatement = statement<{ shop_id: number }>(
  "outbox_shops",
  `WITH RECURSIVE pending AS (
     (SELECT shop_id FROM activity WHERE processed_at IS NULL ORDER BY shop_id LIMIT 1)
     UNION ALL
     SELECT (SELECT a.shop_id FROM activity a WHERE a.processed_at IS NULL AND a.shop_id > p.shop_id ORDER BY a.shop_id LIMIT 1)
       FROM pending p WHERE p.shop_id IS NOT NULL
   )
   SELECT shop_id FROM pending WHERE shop_id IS NOT NULL UNION ${RETRIED_SHOPS}`,
);

/** Unscoped: the same on a distributed database, where each node reads all of its unprocessed activity. */
const pendingAnywhereStatement = statement<{ shop_id: number }>(
  "outbox_shops_anywhere",
  `SELECT shop_id FROM activity WHERE processed_at IS NULL GROUP BY shop_id UNION ${RETRIED_SHOPS}`,
);

/** Webhook endpoints of a shop for which deliveries were created. */
export interface DueEndpoints {
  shopId: number;
  endpointIds: readonly string[];
}

const rowsProcessed = counter("outbox_rows_processed_total", "Rows of the outbox that this process has processed");
const batches = counter(
  "outbox_batches_total",
  "Batches of the outbox: processed, left to another process, or failed",
  {
    outcome: ["processed", "locked", "failed"],
  },
);

let notifyDue: (endpoints: DueEndpoints) => void = () => undefined;

/** Sets the listener for deliveries that the outbox processor has created. */
export function onDeliveriesCreated(listener: (endpoints: DueEndpoints) => void): void {
  notifyDue = listener;
}

/** Links a batch and the traces of its rows in both directions: a batch belongs to many traces. */
function recordTraces(
  batch: Span,
  startedAt: number,
  { shopId, rows, traces }: { shopId: number; rows: number; traces: readonly string[] },
): void {
  batch.set({ "wishlist.rows": rows });
  const links = batch.traceparent === undefined ? [] : [batch.traceparent];
  const attributes = { "wishlist.shop_id": shopId, "wishlist.rows": rows };
  for (const parent of traces) {
    batch.link(parent);
    startSpan("outbox", { parent, links, startedAt, attributes })?.end();
  }
}

/** @returns the number of processed rows, or null when another process has the shop's lock and `wait` is false */
async function processBatch(shopId: number, wait: boolean): Promise<number | null> {
  // A fixed class of work, because callers of different classes share a run of processOutbox.
  const startedAt = nowMs();
  const attributes = { "wishlist.shop_id": shopId };
  return traced("outbox batch", { parent: null, attributes }, async (span) => {
    const { processed, endpoints, traces, last_number, failed, reasons } = await runAs(
      wait ? "request" : "background",
      () => runOne(processStatement, [shopId, BATCH, wait]),
    );
    batches.inc({ outcome: processed === null ? "locked" : "processed" });
    rowsProcessed.inc({}, processed ?? 0);
    if (span) recordTraces(span, startedAt, { shopId, rows: processed ?? 0, traces: traces ?? [] });
    for (const [index, id] of (failed ?? []).entries()) {
      log.error({ shopId, reason: reasons?.[index] ?? "" }, `the change ${id} can't be processed; it is set aside`);
    }
    if (last_number !== null) announceNumbers(shopId, last_number);
    if (endpoints && endpoints.length > 0) runAs("request", () => notifyDue({ shopId, endpointIds: endpoints }));
    return processed;
  });
}

/**
 * Processes a shop's outbox until the rollups include every change that was committed before the call. Concurrent callers share a run, so that
 * reports of one shop wait for its lock on one connection. Must not be called in a transaction of the shop.
 */
export const processOutbox = coalesced(
  async (shopId: number): Promise<void> => {
    // Rows that another transaction is about to mark still count as pending, so this look needs no lock.
    const { pending } = await runOne(pendingStatement, [shopId]);
    if (!pending) return;
    let rows: number | null;
    do rows = await processBatch(shopId, true);
    while (rows === BATCH);
  },
  // A second wait for a database that does not respond would double the time to the response.
  (error) => isUnavailable(error) && !isBusy(error),
);

let gatherMs = GATHER_MS;

const queue = new ShopQueue({
  name: "outbox",
  channel: "wishlist_activity",
  concurrency: CONCURRENCY,
  pollMs: POLL_MS,
  gatherMs: () => gatherMs,
  async find() {
    const pending = await run((await hasCitus()) ? pendingAnywhereStatement : pendingShopsStatement, []);
    return pending.map(({ shop_id }) => shop_id);
  },
  async work(shopId) {
    try {
      const rows = await processBatch(shopId, false);
      gatherMs = rows === null || rows >= BUSY ? GATHER_BUSY_MS : GATHER_MS;
      // A process that has the lock may have chosen its batch before the last change.
      return rows === null || rows === BATCH ? 0 : undefined;
    } catch (error) {
      batches.inc({ outcome: "failed" });
      throw error;
    }
  },
});

/** Starts processing of a shop's outbox, here or in another process. Call it after committing a change to a wishlist. */
export function wakeOutbox(shopId: number): void {
  queue.wake(shopId);
}

/** Starts the outbox processor, which processes the outboxes of all shops in the background. */
export function startOutboxProcessor(): void {
  queue.start();
}
