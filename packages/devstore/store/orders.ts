import { now } from "../../../app/platform/clock.server.ts";

export interface OrderLine {
  /** numeric, as all ids here */
  id: string;
  productId: string;
  variantId: string;
  title: string;
  variantTitle: string;
  quantity: number;
  /** of one unit, before discounts */
  priceCents: number;
  /** of the whole line */
  discountCents: number;
}

export interface RefundLine {
  id: string;
  line: OrderLine;
  quantity: number;
  /** after discounts */
  subtotalCents: number;
}

export interface Refund {
  id: string;
  createdAt: Date;
  lines: RefundLine[];
  /** whether the units are for sale again */
  restocked: boolean;
}

export const CANCEL_REASONS = ["CUSTOMER", "DECLINED", "FRAUD", "INVENTORY", "OTHER", "STAFF"] as const;
export type CancelReason = (typeof CANCEL_REASONS)[number];

export interface Order {
  id: string;
  number: number;
  /** as #1001 */
  name: string;
  createdAt: Date;
  updatedAt: Date;
  cancelled: { at: Date; reason: CancelReason } | undefined;
  /** placed with a test payment */
  test: boolean;
  currency: string;
  /** undefined for an order without contact details, such as one from the point of sale */
  customerId: string | undefined;
  email: string | undefined;
  cartToken: string | undefined;
  lines: OrderLine[];
  refunds: Refund[];
}

export type NewOrder = Pick<Order, "test" | "currency" | "customerId" | "email" | "cartToken"> & {
  lines: readonly Omit<OrderLine, "id">[];
  /** now by default */
  createdAt?: Date | undefined;
};

/** Part of an order's line. */
export interface LineQuantity {
  lineId: string;
  quantity: number;
}

/** A change that the order's state does not allow. */
export class OrderError extends Error {}

export interface Orders {
  /** oldest first */
  all: () => readonly Order[];
  byId: (id: string) => Order | undefined;
  add: (order: NewOrder) => Order;
  /** Refunds quantities of lines. @throws OrderError if the order has no such line, or fewer units left */
  refund: (order: Order, quantities: readonly LineQuantity[], restocked: boolean) => Refund;
  /** @throws OrderError if the order is cancelled already */
  cancel: (order: Order, reason: CancelReason) => void;
}

/** Returns what the shopper paid for a line. */
export function lineTotal({ quantity, priceCents, discountCents }: OrderLine): number {
  return quantity * priceCents - discountCents;
}

function refundsOf({ refunds }: Order, line: OrderLine): RefundLine[] {
  return refunds.flatMap(({ lines }) => lines.filter((refunded) => refunded.line === line));
}

/** Returns the units of a line that were not refunded. */
export function unitsLeft(order: Order, line: OrderLine): number {
  return line.quantity - refundsOf(order, line).reduce((sum, { quantity }) => sum + quantity, 0);
}

/** Returns what is left of an order to refund. */
export function refundable(order: Order): LineQuantity[] {
  return order.lines
    .map((line) => ({ lineId: line.id, quantity: unitsLeft(order, line) }))
    .filter(({ quantity }) => quantity > 0);
}

export function orderTotal({ lines }: Order): number {
  return lines.reduce((sum, line) => sum + lineTotal(line), 0);
}

export function refundTotal({ lines }: Refund): number {
  return lines.reduce((sum, { subtotalCents }) => sum + subtotalCents, 0);
}

const FIRST_NUMBER = 1_001;

export function createOrders(): Orders {
  const all: Order[] = [];
  // The app keeps orders longer than a devstore runs: no later one has these ids.
  const firstId = now().getTime();
  let latestLine = 14_900_000_000_000;
  let latestRefund = 930_000_000_000;
  let latestRefundLine = 520_000_000_000;

  function refundLine(order: Order, { lineId, quantity }: LineQuantity): RefundLine {
    const line = order.lines.find(({ id }) => id === lineId);
    if (line === undefined) throw new OrderError(`order ${order.name} has no line ${lineId}`);
    const left = unitsLeft(order, line);
    if (quantity > left) throw new OrderError(`line ${lineId} has ${left} units left to refund, not ${quantity}`);
    // Of the total after this refund, so that the parts of a line add up to what was paid for it.
    const refunded = refundsOf(order, line).reduce((sum, { subtotalCents }) => sum + subtotalCents, 0);
    const total = Math.round((lineTotal(line) * (line.quantity - left + quantity)) / line.quantity);
    return { id: String(++latestRefundLine), line, quantity, subtotalCents: total - refunded };
  }

  return {
    all: () => all,
    byId: (id) => all.find((order) => order.id === id),
    add({ lines, createdAt = now(), ...rest }) {
      const number = FIRST_NUMBER + all.length;
      const order: Order = {
        ...rest,
        id: String(firstId + number),
        number,
        name: `#${number}`,
        createdAt,
        updatedAt: createdAt,
        cancelled: undefined,
        lines: lines.map((line) => ({ ...line, id: String(++latestLine) })),
        refunds: [],
      };
      all.push(order);
      return order;
    },
    refund(order, quantities, restocked) {
      const ids = quantities.map(({ lineId }) => lineId);
      if (new Set(ids).size < ids.length) throw new OrderError("a refund names each line once");
      const lines = quantities.map((one) => refundLine(order, one));
      if (lines.length === 0) throw new OrderError(`order ${order.name} is refunded already`);
      const refund = { id: String(++latestRefund), createdAt: now(), lines, restocked };
      order.refunds.push(refund);
      order.updatedAt = refund.createdAt;
      return refund;
    },
    cancel(order, reason) {
      if (order.cancelled !== undefined) throw new OrderError(`order ${order.name} is cancelled already`);
      order.cancelled = { at: now(), reason };
      order.updatedAt = order.cancelled.at;
    },
  };
}
