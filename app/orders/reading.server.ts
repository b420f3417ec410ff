import { z } from "zod";
import { AdminApiError, queryAdminApi, withThrottleRetry } from "../admin-api/index.server.ts";
import { now } from "../platform/clock.server.ts";
import { log } from "../platform/log/log.server.ts";
import { sendTask, task, type Task } from "../platform/jobs/tasks.server.ts";
import { roundAmount } from "../platform/text/currency.ts";
import { ofOne } from "../set-aside/index.server.ts";
import { findInstalled } from "../shops/index.server.ts";
import {
  LINE_PAGE,
  ORDER_LINES,
  ORDER_PAGE,
  ORDERS_BY_ID,
  orderGid,
  orderLinesSchema,
  orderSchema,
  ordersByIdSchema,
  type StoreOrder,
  type StoreOrderLine,
} from "./queries.ts";
import {
  deleteSetAsideOrder,
  recordOrder,
  recordReport,
  recordUnavailable,
  retrySetAsideOrders,
  setOrderAside,
  unreadOrders,
  type OrderReport,
  type OrderState,
  type UnreadOrder,
} from "./records.server.ts";

// What wishlists earn: a webhook reports that an order changed, a task reads the order from the store, and order_record replaces what is known of it.
// So webhooks may be repeated and come in any order, and a body that is replayed in another shop's name finds no order there.

/** Milliseconds for a response that only a background task waits for. */
const BACKGROUND_TIMEOUT = 20_000;
/** Milliseconds until an order is read again that the store has answered with an older state. */
const REPLICA_DELAY = 60_000;

interface Reader {
  shopId: number;
  domain: string;
  signal: AbortSignal;
}

function query<Data>(
  { domain, signal }: Reader,
  document: string,
  variables: Record<string, unknown>,
  schema: z.ZodType<Data>,
): Promise<Data | undefined> {
  const within = BACKGROUND_TIMEOUT;
  return withThrottleRetry(() => queryAdminApi(domain, document, { variables, schema, within }), signal);
}

/** Reads all lines of an order. @returns undefined when the store no longer has the order */
async function readLines(reader: Reader, orderId: string): Promise<StoreOrderLine[] | undefined> {
  const lines: StoreOrderLine[] = [];
  let after: string | null = null;
  do {
    const variables: Record<string, unknown> = { id: orderGid(orderId), first: LINE_PAGE, after };
    const result: z.output<typeof orderLinesSchema> | undefined = await query(
      reader,
      ORDER_LINES,
      variables,
      orderLinesSchema,
    );
    if (!result?.order) return undefined;
    const { nodes, pageInfo } = result.order.lineItems;
    lines.push(...nodes);
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (after !== null);
  return lines;
}

/** Returns a line with the units that were not refunded, and their part of what was paid. Lines without a variant can't have been saved. */
function toLine(
  { id, quantity, currentQuantity, refundableQuantity, product, variant, discountedTotalSet }: StoreOrderLine,
  currency: string,
): OrderState["lines"] {
  if (!product || !variant || quantity <= 0) return [];
  const units = Math.max(0, Math.min(currentQuantity, refundableQuantity));
  const paid = Number(discountedTotalSet.shopMoney.amount);
  const revenue = roundAmount((paid * units) / quantity, currency);
  return [{ lineId: id, productId: product.id, variantId: variant.id, units, revenue }];
}

async function readOrder(reader: Reader, unread: UnreadOrder, order: StoreOrder): Promise<void> {
  const { updatedAt, createdAt, currencyCode, cancelledAt, test } = order;
  const lines = unread.hasLists && !test ? await readLines(reader, unread.orderId) : [];
  if (!lines) return recordUnavailable(reader.shopId, unread);
  await recordOrder(reader.shopId, unread, {
    updatedAt,
    orderedAt: createdAt,
    currency: currencyCode,
    counts: cancelledAt === null && !test,
    lines: lines.flatMap((line) => toLine(line, currencyCode)),
  });
}

/** @returns false for a shop without a connection */
async function readPage(reader: Reader, page: readonly UnreadOrder[]): Promise<boolean> {
  const ids = page.map(({ orderId }) => orderGid(orderId));
  const result = await query(reader, ORDERS_BY_ID, { ids }, ordersByIdSchema);
  if (!result) return false;
  for (const [index, unread] of page.entries()) {
    const reason = await ofOne(async () => {
      const node = result.nodes[index] ?? null;
      if (node === null) await recordUnavailable(reader.shopId, unread);
      else await readOrder(reader, unread, orderSchema.parse(node));
    });
    if (reason !== undefined) await setOrderAside(reader.shopId, unread, reason);
    else if (unread.isSetAside) await deleteSetAsideOrder(reader.shopId, unread.orderId);
  }
  return true;
}

let findShoppers: (shopId: number, customerIds: readonly string[]) => Promise<boolean> = () => Promise.resolve(false);

/**
 * Sets what is called with the customers of orders before they are recorded: an order may be by somebody who was known without an account. It returns whether
 * there was one.
 */
export function beforeOrdersAreRead(listener: typeof findShoppers): void {
  findShoppers = listener;
}

/** Returns the orders that have to be read, as far as their customers are known. */
async function nextOrders(shopId: number): Promise<UnreadOrder[]> {
  const unread = await unreadOrders(shopId, ORDER_PAGE);
  const customers = new Set(unread.flatMap(({ customerId }) => customerId ?? []));
  return (await findShoppers(shopId, [...customers])) ? unreadOrders(shopId, ORDER_PAGE) : unread;
}

/** Reads a shop's changed orders from the store, until there are none. */
async function readOrders(shopId: number, signal: AbortSignal): Promise<void> {
  const shop = await findInstalled(shopId);
  if (!shop) return;
  const reader = { shopId, domain: shop.domain, signal };
  const read = new Set<string>();
  try {
    for (;;) {
      const unread = await nextOrders(shopId);
      if (unread.length === 0) return;
      const page = unread.filter(({ orderId, reports }) => !read.has(`${orderId} ${reports}`));
      // What was read and is unread still, a replica of the store has answered with an older state.
      if (page.length === 0) {
        await readOrdersLater(shopId);
        return;
      }
      if (!(await readPage(reader, page))) return;
      for (const { orderId, reports } of page) read.add(`${orderId} ${reports}`);
    }
  } catch (error) {
    // Without an HTTP status, the merchant has taken read_orders back. The orders are read if it is granted again.
    if (!(error instanceof AdminApiError) || error.reason !== "unauthorized" || error.status !== undefined) throw error;
    log.warn({ shop: shop.domain }, "the store does not let the app read orders");
  }
}

/** Enqueues the reading of a shop's orders for a time when the store's replicas have caught up. */
async function readOrdersLater(shopId: number): Promise<void> {
  const startAfter = new Date(now().getTime() + REPLICA_DELAY);
  await sendTask(orderReading, { shopId }, { key: String(shopId), startAfter });
}

export const orderReading: Task<{ shopId: number }> = task(
  "order-reading",
  z.object({ shopId: z.int() }),
  ({ shopId }, signal) => readOrders(shopId, signal),
  { exclusive: true, concurrency: 2 },
);

/** Requests the reading of an order that a webhook reports. */
export async function requestOrder(shopId: number, report: OrderReport): Promise<void> {
  if (await recordReport(shopId, report)) await sendTask(orderReading, { shopId }, { key: String(shopId) });
}

/** Enqueues the reading of orders that are unread because the store has refused it for long, or that were set aside. */
export async function reconcileOrders(shopId: number): Promise<void> {
  await retrySetAsideOrders(shopId);
  const [unread] = await unreadOrders(shopId, 1);
  if (unread) await sendTask(orderReading, { shopId }, { key: String(shopId) });
}
