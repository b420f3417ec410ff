import type { CancelReason, LineQuantity, Order, OrderLine, Refund } from "../store/orders.ts";
import { OrderError, refundable } from "../store/orders.ts";
import type { Store } from "../store/store.ts";
import type { StoreEvents } from "../webhooks/events.ts";
import { adjustInventory } from "./catalog.ts";

export interface Purchase {
  lines: readonly { variantId: string; quantity: number }[];
  /** a logged-in customer */
  customerId?: string | undefined;
  /** of a guest */
  email?: string | undefined;
  cartToken?: string | undefined;
  /** of a discount code, from each line */
  discountPercent?: number | undefined;
  /** paid with the test gateway */
  test?: boolean | undefined;
  createdAt?: Date | undefined;
}

/**
 * Returns the customer of an order. As in Shopify, a guest's order belongs to the customer with that email address, who is created when
 * there is none. Only an order without contact details has no customer.
 */
function customerOf({ customers }: Store, { customerId, email }: Purchase): string | undefined {
  if (customerId !== undefined) {
    if (customers.byId(customerId) === undefined) throw new OrderError(`no customer has the id ${customerId}`);
    return customerId;
  }
  if (email === undefined) return undefined;
  const known = customers.all().find((customer) => customer.email.toLowerCase() === email.toLowerCase());
  return known?.id ?? customers.createGuest(email).id;
}

/** Adds up the units of each variant. */
function unitsByVariant(parts: readonly { variantId: string; quantity: number }[], sign: 1 | -1): Map<string, number> {
  const units = new Map<string, number>();
  for (const { variantId, quantity } of parts) units.set(variantId, (units.get(variantId) ?? 0) + sign * quantity);
  return units;
}

/** Creates a paid order, which reduces the inventory. @throws OrderError if it has no lines, or the store lacks a variant or the customer */
export function placeOrder(store: Store, events: StoreEvents, purchase: Purchase): Order {
  const { discountPercent = 0, email, cartToken, test = false, createdAt } = purchase;
  if (purchase.lines.length === 0) throw new OrderError("an order has at least one line");
  const lines = purchase.lines.map(({ variantId, quantity }): Omit<OrderLine, "id"> => {
    const found = store.catalog.variant(variantId);
    if (found === undefined) throw new OrderError(`there is no variant ${variantId}`);
    const { product, variant } = found;
    return {
      productId: product.id,
      variantId,
      title: product.title,
      variantTitle: variant.title,
      quantity,
      priceCents: variant.priceCents,
      discountCents: Math.round((variant.priceCents * quantity * discountPercent) / 100),
    };
  });
  const customerId = customerOf(store, purchase);
  const order = store.orders.add({
    lines,
    customerId,
    email: email ?? store.customers.byId(customerId ?? "")?.email,
    cartToken,
    test,
    currency: store.shop.currency,
    createdAt,
  });
  events.orderCreated(order);
  adjustInventory(store, events, unitsByVariant(order.lines, -1));
  return order;
}

/** Refunds lines of an order, by default all that is left. @throws OrderError */
export function refundOrder(
  store: Store,
  events: StoreEvents,
  order: Order,
  { lines = refundable(order), restock = true }: { lines?: readonly LineQuantity[] | undefined; restock?: boolean },
): Refund {
  const refund = store.orders.refund(order, lines, restock);
  events.refundCreated(order, refund);
  events.orderUpdated(order);
  if (restock) {
    const parts = refund.lines.map(({ line, quantity }) => ({ variantId: line.variantId, quantity }));
    adjustInventory(store, events, unitsByVariant(parts, 1));
  }
  return refund;
}

/** Cancels an order and, as the admin suggests, refunds and restocks what is left of it. @throws OrderError if it is cancelled already */
export function cancelOrder(
  store: Store,
  events: StoreEvents,
  order: Order,
  {
    reason = "CUSTOMER",
    refund = true,
    restock = true,
  }: { reason?: CancelReason; refund?: boolean; restock?: boolean },
): void {
  store.orders.cancel(order, reason);
  events.orderCancelled(order);
  if (refund && refundable(order).length > 0) refundOrder(store, events, order, { restock });
  else events.orderUpdated(order);
}
