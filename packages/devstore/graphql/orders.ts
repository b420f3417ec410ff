import { amountOf } from "../foundation/currency.ts";
import { gid, parseGid } from "../foundation/gid.ts";
import {
  lineTotal,
  orderTotal,
  refundTotal,
  unitsLeft,
  type Order,
  type OrderLine,
  type Refund,
  type RefundLine,
} from "../store/orders.ts";
import type { Store } from "../store/store.ts";
import { connection, type PageArguments, type Position } from "./connections.ts";
import { showCustomer } from "./customers.ts";
import { requireScope, type Caller } from "./problems.ts";
import { showProduct, showVariant, variantsOf, type Listing } from "./products.ts";
import { search, type SearchFields } from "./search.ts";

const fields: SearchFields<Order> = {
  text: ({ name, email }) => `${name} ${email ?? ""}`,
  id: ({ id }) => Number(id),
  name: ({ name }) => name,
  email: ({ email }) => email ?? "",
  customer_id: ({ customerId }) => Number(customerId ?? 0),
  created_at: ({ createdAt }) => createdAt,
  processed_at: ({ createdAt }) => createdAt,
  updated_at: ({ updatedAt }) => updatedAt,
  test: ({ test }) => String(test),
};

function position(sortKey: string | null | undefined): (order: Order) => Position {
  switch (sortKey) {
    case "ID":
    case "ORDER_NUMBER":
      return ({ id }) => ({ id, value: Number(id) });
    case "TOTAL_PRICE":
      return (order) => ({ id: order.id, value: orderTotal(order) });
    case "UPDATED_AT":
      return ({ id, updatedAt }) => ({ id, value: updatedAt.getTime() });
    default:
      return ({ id, createdAt }) => ({ id, value: createdAt.getTime() });
  }
}

/** Resolves orders for one caller, because a field of an order can need a scope of its own. */
function orderObjects(store: Store, caller: Caller) {
  const bag =
    ({ currency }: Order) =>
    (cents: number) => {
      const amount = { amount: amountOf(cents, currency), currencyCode: currency };
      return { shopMoney: amount, presentmentMoney: amount };
    };

  function showLine(order: Order, line: OrderLine) {
    const set = bag(order);
    const { id, productId, variantId, title, variantTitle, quantity, priceCents, discountCents } = line;
    const product = store.catalog.byId(productId);
    const variant = product && variantsOf(product).find((one) => one.variant.id === variantId);
    const isOnly = variantTitle === "Default Title";
    return {
      __typename: "LineItem",
      id: gid("LineItem", id),
      title,
      variantTitle: isOnly ? null : variantTitle,
      name: isOnly ? title : `${title} - ${variantTitle}`,
      quantity,
      currentQuantity: unitsLeft(order, line),
      refundableQuantity: unitsLeft(order, line),
      product: () => {
        requireScope(caller, "read_products", "product");
        return product === undefined ? null : showProduct(store, product);
      },
      variant: () => {
        requireScope(caller, "read_products", "variant");
        return variant === undefined ? null : showVariant(store, variant);
      },
      originalUnitPriceSet: set(priceCents),
      originalTotalSet: set(priceCents * quantity),
      // A code's discount is no part of it, unless asked for.
      discountedTotalSet: ({ withCodeDiscounts }: { withCodeDiscounts?: boolean | null }) =>
        set(withCodeDiscounts === true ? lineTotal(line) : priceCents * quantity),
      totalDiscountSet: set(0),
      discountAllocations: discountCents === 0 ? [] : [{ allocatedAmountSet: set(discountCents) }],
    };
  }

  function showRefundLine(order: Order, refund: Refund, { id, line, quantity, subtotalCents }: RefundLine) {
    return {
      __typename: "RefundLineItem",
      id: gid("RefundLineItem", id),
      lineItem: showLine(order, line),
      quantity,
      restocked: refund.restocked,
      restockType: refund.restocked ? "RETURN" : "NO_RESTOCK",
      subtotalSet: bag(order)(subtotalCents),
    };
  }

  function showRefund(order: Order, refund: Refund) {
    return {
      __typename: "Refund",
      id: gid("Refund", refund.id),
      legacyResourceId: refund.id,
      createdAt: refund.createdAt.toISOString(),
      updatedAt: refund.createdAt.toISOString(),
      note: null,
      order: () => showOrder(order),
      totalRefundedSet: bag(order)(refundTotal(refund)),
      refundLineItems: (page: PageArguments) =>
        connection(
          refund.lines,
          page,
          ({ id }) => ({ id, value: Number(id) }),
          (line) => showRefundLine(order, refund, line),
        ),
    };
  }

  function showOrder(order: Order): object {
    const set = bag(order);
    const refunded = order.refunds.reduce((sum, refund) => sum + refundTotal(refund), 0);
    const { customerId, cancelled } = order;
    return {
      __typename: "Order",
      id: gid("Order", order.id),
      legacyResourceId: order.id,
      name: order.name,
      number: order.number,
      createdAt: order.createdAt.toISOString(),
      processedAt: order.createdAt.toISOString(),
      updatedAt: order.updatedAt.toISOString(),
      cancelledAt: cancelled?.at.toISOString() ?? null,
      cancelReason: cancelled?.reason ?? null,
      test: order.test,
      currencyCode: order.currency,
      presentmentCurrencyCode: order.currency,
      cartToken: order.cartToken ?? null,
      customer: () => {
        requireScope(caller, "read_customers", "customer");
        const customer = customerId === undefined ? undefined : store.customers.byId(customerId);
        return customer === undefined ? null : showCustomer(customer);
      },
      totalPriceSet: set(orderTotal(order)),
      subtotalPriceSet: set(orderTotal(order)),
      currentTotalPriceSet: set(orderTotal(order) - refunded),
      totalRefundedSet: set(refunded),
      lineItems: (page: PageArguments) =>
        connection(
          order.lines,
          page,
          ({ id }) => ({ id, value: Number(id) }),
          (line) => showLine(order, line),
        ),
      refunds: ({ first }: { first?: number | null }) =>
        order.refunds.slice(0, first ?? undefined).map((refund) => showRefund(order, refund)),
    };
  }

  return { showOrder, showRefund };
}

export function orderQueries(store: Store, caller: Caller) {
  const { orders } = store;
  const { showOrder, showRefund } = orderObjects(store, caller);
  return {
    order({ id }: { id: string }) {
      requireScope(caller, "read_orders", "order");
      const read = parseGid(id);
      const order = read?.type === "Order" ? orders.byId(read.id) : undefined;
      return order === undefined ? null : showOrder(order);
    },
    orders({ query, sortKey, ...page }: Listing) {
      requireScope(caller, "read_orders", "orders");
      return connection(search(orders.all(), query, fields), page, position(sortKey), showOrder);
    },
    ordersCount({ query }: { query?: string | null }) {
      requireScope(caller, "read_orders", "ordersCount");
      return { count: search(orders.all(), query, fields).length, precision: "EXACT" };
    },
    refund({ id }: { id: string }) {
      requireScope(caller, "read_orders", "refund");
      const read = parseGid(id);
      for (const order of read?.type === "Refund" ? orders.all() : []) {
        const refund = order.refunds.find((one) => one.id === read?.id);
        if (refund !== undefined) return showRefund(order, refund);
      }
      return null;
    },
  };
}
