import { z } from "zod";
import type { DueEndpoints } from "../activity/index.server.ts";
import { AdminApiError, queryAdminApi, withThrottleRetry } from "../admin-api/index.server.ts";
import { now } from "../platform/clock.server.ts";
import { run, runOne, shopStatement } from "../platform/database.server.ts";
import { log } from "../platform/log.server.ts";
import { sendTask, task } from "../platform/tasks.server.ts";
import { findInstalled } from "../shops/index.server.ts";
import {
  LINE_PAGE,
  ORDER_LINES,
  ORDER_PAGE,
  ORDERS_BY_ID,
  orderGid,
  orderLinesSchema,
  ordersByIdSchema,
  type ReadLine,
  type ReadOrder,
} from "./queries.ts";

// What wishlists earn: a webhook reports that an order changed, a task reads the order from the store, and order_record replaces what is known of it.
// So webhooks may be repeated and come in any order, and a body that is replayed in another shop's name finds no order there.

/** Milliseconds for a response that only a background task waits for. */
const BACKGROUND_TIMEOUT = 20_000;

// The time is also the mark of the request: it must differ from that of an earlier one.
const newOrderStatement = shopStatement<{ order_id: string }>(
  "order_request_new",
  `INSERT INTO store_order AS o (shop_id, order_id, customer_id, requested_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (shop_id, order_id) DO UPDATE
      SET customer_id = coalesce(EXCLUDED.customer_id, o.customer_id), read_at = NULL,
          requested_at = greatest(EXCLUDED.requested_at, o.requested_at + interval '1 ms')
    WHERE NOT o.closed
   RETURNING order_id`,
);

const changedOrderStatement = shopStatement<{ order_id: string }>(
  "order_request_changed",
  `UPDATE store_order SET read_at = NULL, requested_at = greatest($3, requested_at + interval '1 ms')
    WHERE shop_id = $1 AND order_id = $2 AND NOT closed
   RETURNING order_id`,
);

interface Unread {
  order_id: string;
  requested_at: Date;
  /** whether its customer has a list */
  has_lists: boolean;
}

const unreadStatement = shopStatement<Unread>(
  "order_unread",
  `SELECT o.order_id, o.requested_at,
          EXISTS (SELECT 1 FROM wishlist w WHERE w.shop_id = $1 AND w.owner_kind = 'customer' AND w.owner_id = o.customer_id) AS has_lists
     FROM store_order o WHERE o.shop_id = $1 AND o.read_at IS NULL ORDER BY o.requested_at, o.order_id LIMIT $2`,
);

const recordStatement = shopStatement<{ endpoints: string[] | null }>(
  "order_record",
  `SELECT order_record(p_shop_id => $1, p_order_id => $2, p_requested_at => $3, p_updated_at => $4, p_ordered_at => $5, p_currency => $6,
                       p_counts => $7, p_lines => $8) AS endpoints`,
);

/** An order that the store does not have (any more): what was recorded stays. */
const unavailableStatement = shopStatement<Record<string, never>>(
  "order_unavailable",
  `WITH unknown AS (
     DELETE FROM store_order WHERE shop_id = $1 AND order_id = $2 AND ordered_at IS NULL AND requested_at = $3
   )
   UPDATE store_order SET read_at = now() WHERE shop_id = $1 AND order_id = $2 AND ordered_at IS NOT NULL AND requested_at = $3`,
);

let notifyDue: (endpoints: DueEndpoints) => void = () => undefined;

/** Sets the listener for the deliveries of `wishlist.item.bought`. */
export function onItemsBought(listener: (endpoints: DueEndpoints) => void): void {
  notifyDue = listener;
}

interface Reader {
  shopId: number;
  domain: string;
  signal: AbortSignal;
}

function query<Data>({ domain, signal }: Reader, document: string, variables: object, schema: z.ZodType<Data>) {
  const within = BACKGROUND_TIMEOUT;
  return withThrottleRetry(
    () => queryAdminApi(domain, document, { variables: { ...variables }, schema, within }),
    signal,
  );
}

/** Reads all lines of an order. @returns undefined when the store no longer has the order */
async function readLines(reader: Reader, orderId: string): Promise<ReadLine[] | undefined> {
  const lines: ReadLine[] = [];
  for (let after: string | null = null; ;) {
    const variables: object = { id: orderGid(orderId), first: LINE_PAGE, after };
    const result: z.output<typeof orderLinesSchema> | undefined = await query(
      reader,
      ORDER_LINES,
      variables,
      orderLinesSchema,
    );
    if (!result?.order) return undefined;
    const { nodes, pageInfo } = result.order.lineItems;
    lines.push(...nodes);
    if (!pageInfo.hasNextPage) return lines;
    after = pageInfo.endCursor;
  }
}

/** Returns a line as order_record takes it: its units that were not refunded, and their part of what was paid. */
function toRecord({
  id,
  quantity,
  currentQuantity,
  refundableQuantity,
  product,
  variant,
  discountedTotalSet,
}: ReadLine) {
  if (!product || !variant || quantity <= 0) return [];
  const units = Math.max(0, Math.min(currentQuantity, refundableQuantity));
  const paid = Number(discountedTotalSet.shopMoney.amount);
  const revenue = ((paid * units) / quantity).toFixed(2);
  return [{ lineId: id, productId: product.id, variantId: variant.id, units, revenue }];
}

async function recordOrder(reader: Reader, unread: Unread, order: ReadOrder): Promise<void> {
  const { shopId } = reader;
  const counts = order.cancelledAt === null && !order.test;
  const lines = unread.has_lists && !order.test ? await readLines(reader, order.id) : [];
  if (lines === undefined) {
    await run(unavailableStatement, [shopId, unread.order_id, unread.requested_at]);
    return;
  }
  const { endpoints } = await runOne(recordStatement, [
    shopId,
    order.id,
    unread.requested_at,
    order.updatedAt,
    order.createdAt,
    order.currencyCode,
    counts,
    JSON.stringify(lines.flatMap(toRecord)),
  ]);
  if (endpoints) notifyDue({ shopId, endpointIds: endpoints });
}

async function readPage(reader: Reader, page: readonly Unread[]): Promise<boolean> {
  const ids = page.map(({ order_id }) => orderGid(order_id));
  const result = await query(reader, ORDERS_BY_ID, { ids }, ordersByIdSchema);
  if (!result) return false;
  for (const [place, unread] of page.entries()) {
    const order = result.nodes[place];
    if (order) await recordOrder(reader, unread, order);
    else await run(unavailableStatement, [reader.shopId, unread.order_id, unread.requested_at]);
  }
  return true;
}

/** Reads a shop's changed orders from the store, until there are none. */
async function readOrders(shopId: number, signal: AbortSignal): Promise<void> {
  const shop = await findInstalled(shopId);
  if (!shop) return;
  const reader = { shopId, domain: shop.domain, signal };
  try {
    for (;;) {
      const page = await run(unreadStatement, [shopId, ORDER_PAGE]);
      if (page.length === 0 || !(await readPage(reader, page))) return;
    }
  } catch (error) {
    if (!(error instanceof AdminApiError) || error.reason !== "unauthorized") throw error;
    // The merchant has taken read_orders back. The orders are read if it is granted again.
    log.warn({ shop: shop.domain }, "the store does not let the app read orders");
  }
}

export const orderReading = task(
  "order-reading",
  z.object({ shopId: z.int() }),
  ({ shopId }, signal) => readOrders(shopId, signal),
  { exclusive: true, concurrency: 2 },
);

/**
 * Requests the reading of an order that the store reports. Reports about changes of an unknown order are ignored: its first reading finds them.
 * @param report.customerId undefined where the report does not name the customer
 */
export async function requestOrder(
  shopId: number,
  { orderId, customerId, isNew }: { orderId: string; customerId: string | undefined; isNew: boolean },
): Promise<void> {
  const rows = isNew
    ? await run(newOrderStatement, [shopId, orderId, customerId ?? null, now()])
    : await run(changedOrderStatement, [shopId, orderId, now()]);
  if (rows.length > 0) await sendTask(orderReading, { shopId }, { key: String(shopId) });
}
