import { z } from "zod";
import { AdminApiError, queryAdminApi, withThrottleRetry } from "../admin-api/index.server.ts";
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
  type StoreOrder,
  type StoreOrderLine,
} from "./queries.ts";
import {
  recordOrder,
  recordReport,
  recordUnavailable,
  unreadOrders,
  type OrderReport,
  type OrderState,
  type UnreadOrder,
} from "./records.server.ts";

// What wishlists earn: a webhook reports that an order changed, a task reads the order from the store, and order_record replaces what is known of it.
// So webhooks may be repeated and come in any order, and a body that is replayed in another shop's name finds no order there.

/** Milliseconds for a response that only a background task waits for. */
const BACKGROUND_TIMEOUT = 20_000;

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
function toLine({
  id,
  quantity,
  currentQuantity,
  refundableQuantity,
  product,
  variant,
  discountedTotalSet,
}: StoreOrderLine): OrderState["lines"] {
  if (!product || !variant || quantity <= 0) return [];
  const units = Math.max(0, Math.min(currentQuantity, refundableQuantity));
  const paid = Number(discountedTotalSet.shopMoney.amount);
  const revenue = ((paid * units) / quantity).toFixed(2);
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
    lines: lines.flatMap(toLine),
  });
}

/** @returns false for a shop without a connection */
async function readPage(reader: Reader, page: readonly UnreadOrder[]): Promise<boolean> {
  const ids = page.map(({ orderId }) => orderGid(orderId));
  const result = await query(reader, ORDERS_BY_ID, { ids }, ordersByIdSchema);
  if (!result) return false;
  for (const [place, unread] of page.entries()) {
    const order = result.nodes[place];
    if (order) await readOrder(reader, unread, order);
    else await recordUnavailable(reader.shopId, unread);
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
      const page = await unreadOrders(shopId, ORDER_PAGE);
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

/** Requests the reading of an order that a webhook reports. */
export async function requestOrder(shopId: number, report: OrderReport): Promise<void> {
  if (await recordReport(shopId, report)) await sendTask(orderReading, { shopId }, { key: String(shopId) });
}
