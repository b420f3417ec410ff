import type { DueEndpoints } from "../activity/index.server.ts";
import { now } from "../platform/clock.server.ts";
import { run, runOne, shopStatement } from "../platform/database/database.server.ts";
import { setAside } from "../set-aside/index.server.ts";

const newOrderStatement = shopStatement<{ order_id: string }>(
  "order_request_new",
  `INSERT INTO store_order AS o (shop_id, order_id, customer_id, reported_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (shop_id, order_id) DO UPDATE
      SET customer_id = coalesce(EXCLUDED.customer_id, o.customer_id), read_at = NULL, reported_at = EXCLUDED.reported_at, reports = o.reports + 1
    WHERE NOT o.closed
   RETURNING order_id`,
);

const changedOrderStatement = shopStatement<{ order_id: string }>(
  "order_request_changed",
  `UPDATE store_order SET read_at = NULL, reported_at = $3, reports = reports + 1
    WHERE shop_id = $1 AND order_id = $2 AND NOT closed
   RETURNING order_id`,
);

/** A webhook's report about an order. */
export interface OrderReport {
  orderId: string;
  /** undefined where the report does not name the customer */
  customerId: string | undefined;
  isNew: boolean;
}

/**
 * Records that an order has to be read. Reports about changes of an unknown order are ignored: its first reading finds them.
 * @returns whether there is something to read
 */
export async function recordReport(shopId: number, { orderId, customerId, isNew }: OrderReport): Promise<boolean> {
  const rows = isNew
    ? await run(newOrderStatement, [shopId, orderId, customerId ?? null, now()])
    : await run(changedOrderStatement, [shopId, orderId, now()]);
  return rows.length > 0;
}

/** An order that has to be read. */
export interface UnreadOrder {
  orderId: string;
  customerId: string | null;
  /** how often it was reported */
  reports: number;
  /** whether its customer has a list, or got an alert that was asked for */
  hasLists: boolean;
  /** whether an earlier reading has set it aside */
  isSetAside: boolean;
}

const unreadStatement = shopStatement<UnreadOrder>(
  "order_unread",
  `SELECT o.order_id AS "orderId", o.customer_id AS "customerId", o.reports,
          EXISTS (SELECT 1 FROM wishlist w WHERE w.shop_id = $1 AND w.owner_kind = 'customer' AND w.owner_id = o.customer_id)
            OR EXISTS (SELECT 1 FROM alert a WHERE a.shop_id = $1 AND a.customer_id = o.customer_id AND a.request_id IS NOT NULL) AS "hasLists",
          EXISTS (SELECT 1 FROM set_aside a WHERE a.shop_id = $1 AND a.kind = 'order' AND a.subject_id = o.order_id) AS "isSetAside"
     FROM store_order o WHERE o.shop_id = $1 AND o.read_at IS NULL ORDER BY o.reported_at, o.order_id LIMIT $2`,
);

/** Returns the orders that have to be read, those first whose report is the oldest. */
export function unreadOrders(shopId: number, limit: number): Promise<UnreadOrder[]> {
  return run(unreadStatement, [shopId, limit]);
}

/** An order as the store has it. */
export interface OrderState {
  updatedAt: string;
  orderedAt: string;
  /** ISO 4217, the shop's */
  currency: string;
  /** false for a test order and for a cancelled one */
  counts: boolean;
  lines: readonly {
    lineId: string;
    productId: string;
    variantId: string;
    /** those that were not refunded */
    units: number;
    /** what was paid for them, such as "19.90" */
    revenue: string;
  }[];
}

const recordStatement = shopStatement<{ endpoints: string[] | null }>(
  "order_record",
  `SELECT order_record(p_shop_id => $1, p_order_id => $2, p_reports => $3, p_updated_at => $4, p_ordered_at => $5, p_currency => $6,
                       p_counts => $7, p_lines => $8) AS endpoints`,
);

let notifyDue: (endpoints: DueEndpoints) => void = () => undefined;

/** Sets the listener for the deliveries of `wishlist.item.bought`. */
export function onItemsBought(listener: (endpoints: DueEndpoints) => void): void {
  notifyDue = listener;
}

/** Records an order as the store has it: replaces what an earlier reading recorded. */
export async function recordOrder(
  shopId: number,
  { orderId, reports }: Pick<UnreadOrder, "orderId" | "reports">,
  { updatedAt, orderedAt, currency, counts, lines }: OrderState,
): Promise<void> {
  const values = [shopId, orderId, reports, updatedAt, orderedAt, currency, counts, JSON.stringify(lines)];
  const { endpoints } = await runOne(recordStatement, values);
  if (endpoints) notifyDue({ shopId, endpointIds: endpoints });
}

const unavailableStatement = shopStatement<Record<string, never>>(
  "order_unavailable",
  `WITH unknown AS (
     DELETE FROM store_order WHERE shop_id = $1 AND order_id = $2 AND reports = $3 AND ordered_at IS NULL
   )
   UPDATE store_order SET read_at = $4 WHERE shop_id = $1 AND order_id = $2 AND reports = $3 AND ordered_at IS NOT NULL`,
);

/** Records that the store does not have an order, or does not show it any more: what an earlier reading recorded stays. */
export async function recordUnavailable(
  shopId: number,
  { orderId, reports }: Pick<UnreadOrder, "orderId" | "reports">,
): Promise<void> {
  await run(unavailableStatement, [shopId, orderId, reports, now()]);
}

const skipStatement = shopStatement<Record<string, never>>(
  "order_skip",
  "UPDATE store_order SET read_at = $4 WHERE shop_id = $1 AND order_id = $2 AND reports = $3",
);

/** Sets an order aside that can't be recorded. It is read again after its next report, and once a day. */
export async function setOrderAside(
  shopId: number,
  { orderId, reports }: Pick<UnreadOrder, "orderId" | "reports">,
  reason: string,
): Promise<void> {
  await setAside(shopId, "order", orderId, reason);
  await run(skipStatement, [shopId, orderId, reports, now()]);
}

const recordedStatement = shopStatement<Record<string, never>>(
  "order_recorded",
  "DELETE FROM set_aside WHERE shop_id = $1 AND kind = 'order' AND subject_id = $2",
);

/** Deletes the record of an order that was set aside. */
export async function deleteSetAsideOrder(shopId: number, orderId: string): Promise<void> {
  await run(recordedStatement, [shopId, orderId]);
}

const retryStatement = shopStatement<Record<string, never>>(
  "order_retry",
  `UPDATE store_order SET read_at = NULL
    WHERE shop_id = $1 AND NOT closed AND order_id IN (SELECT subject_id FROM set_aside WHERE shop_id = $1 AND kind = 'order')`,
);

/** Makes the orders unread that were set aside. */
export async function retrySetAsideOrders(shopId: number): Promise<void> {
  await run(retryStatement, [shopId]);
}
