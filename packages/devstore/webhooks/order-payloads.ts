import { amountOf } from "../foundation/currency.ts";
import { gid } from "../foundation/gid.ts";
import type { StoreCustomer } from "../store/customers.ts";
import { orderTotal, refundTotal, unitsLeft, type Order, type OrderLine, type Refund } from "../store/orders.ts";

function moneySet(cents: number, currency: string) {
  const money = { amount: amountOf(cents, currency), currency_code: currency };
  return { shop_money: money, presentment_money: money };
}

/** A discount code's amount is in `discount_allocations`; `total_discount` is that of discounts on the line itself, which the devstore lacks. */
function lineItem(order: Order, line: OrderLine) {
  const { id, productId, variantId, title, variantTitle, quantity, priceCents, discountCents } = line;
  const isOnly = variantTitle === "Default Title";
  return {
    id: Number(id),
    admin_graphql_api_id: gid("LineItem", id),
    product_id: Number(productId),
    variant_id: Number(variantId),
    product_exists: true,
    title,
    variant_title: isOnly ? null : variantTitle,
    name: isOnly ? title : `${title} - ${variantTitle}`,
    sku: `LF-${variantId.slice(-6)}`,
    vendor: "Larkfell",
    quantity,
    current_quantity: unitsLeft(order, line),
    price: amountOf(priceCents, order.currency),
    price_set: moneySet(priceCents, order.currency),
    total_discount: "0.00",
    total_discount_set: moneySet(0, order.currency),
    discount_allocations:
      discountCents === 0
        ? []
        : [
            {
              amount: amountOf(discountCents, order.currency),
              amount_set: moneySet(discountCents, order.currency),
              discount_application_index: 0,
            },
          ],
    gift_card: false,
    requires_shipping: true,
    taxable: true,
    tax_lines: [],
    properties: [],
    fulfillment_status: null,
  };
}

/** Body of `refunds/create`. */
export function refund(order: Order, { id, createdAt, lines, restocked }: Refund) {
  return {
    id: Number(id),
    admin_graphql_api_id: gid("Refund", id),
    order_id: Number(order.id),
    created_at: createdAt.toISOString(),
    processed_at: createdAt.toISOString(),
    note: null,
    restock: restocked,
    order_adjustments: [],
    duties: [],
    refund_line_items: lines.map(({ id: refundLineId, line, quantity, subtotalCents }) => ({
      id: Number(refundLineId),
      line_item_id: Number(line.id),
      quantity,
      restock_type: restocked ? "return" : "no_restock",
      subtotal: subtotalCents / 100,
      subtotal_set: moneySet(subtotalCents, order.currency),
      total_tax: 0,
      total_tax_set: moneySet(0, order.currency),
      line_item: lineItem(order, line),
    })),
    transactions: [
      {
        id: Number(id) + 1,
        order_id: Number(order.id),
        kind: "refund",
        gateway: "bogus",
        status: "success",
        amount: amountOf(refundTotal({ id, createdAt, lines, restocked }), order.currency),
        currency: order.currency,
        test: order.test,
      },
    ],
  };
}

function financialStatus(order: Order): string {
  if (order.refunds.length === 0) return "paid";
  return order.lines.every((line) => unitsLeft(order, line) === 0) ? "refunded" : "partially_refunded";
}

/** Body of `orders/create`, `orders/updated` and `orders/cancelled`. */
export function order(current: Order, customer: StoreCustomer | undefined) {
  const { id, number, name, createdAt, updatedAt, cancelled, test, currency, email, cartToken, lines, refunds } =
    current;
  const total = orderTotal(current);
  const discounts = lines.reduce((sum, { discountCents }) => sum + discountCents, 0);
  const refunded = refunds.reduce((sum, one) => sum + refundTotal(one), 0);
  return {
    id: Number(id),
    admin_graphql_api_id: gid("Order", id),
    order_number: number,
    number: number - 1_000,
    name,
    created_at: createdAt.toISOString(),
    processed_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    cancelled_at: cancelled?.at.toISOString() ?? null,
    cancel_reason: cancelled?.reason.toLowerCase() ?? null,
    closed_at: null,
    confirmed: true,
    test,
    source_name: "web",
    cart_token: cartToken ?? null,
    checkout_token: null,
    currency,
    presentment_currency: currency,
    email: email ?? "",
    contact_email: email ?? null,
    phone: null,
    financial_status: financialStatus(current),
    fulfillment_status: null,
    total_line_items_price: amountOf(total + discounts, currency),
    total_discounts: amountOf(discounts, currency),
    subtotal_price: amountOf(total, currency),
    subtotal_price_set: moneySet(total, currency),
    total_price: amountOf(total, currency),
    total_price_set: moneySet(total, currency),
    current_subtotal_price: amountOf(total - refunded, currency),
    current_total_price: amountOf(total - refunded, currency),
    total_tax: "0.00",
    taxes_included: true,
    discount_codes:
      discounts === 0 ? [] : [{ code: "DEVSTORE", amount: amountOf(discounts, currency), type: "percentage" }],
    customer:
      customer === undefined
        ? null
        : {
            id: Number(customer.id),
            admin_graphql_api_id: gid("Customer", customer.id),
            email: customer.email,
            first_name: customer.firstName,
            last_name: customer.lastName,
            state: customer.isGuest === true ? "disabled" : "enabled",
            currency,
          },
    line_items: lines.map((line) => lineItem(current, line)),
    refunds: refunds.map((one) => refund(current, one)),
    note: null,
    tags: "",
  };
}
