import { html, raw } from "hono/html";
import type { Addresses } from "../foundation/addresses.ts";
import { formatMoney, moneyFormatOf } from "../foundation/currency.ts";
import { lineTotal, orderTotal, refundable, refundTotal, unitsLeft, type Order } from "../store/orders.ts";
import type { Store } from "../store/store.ts";
import { CONTROL_SCRIPT } from "./control-script.ts";
import { adminPage, adminPaths, type Html } from "./layout.ts";

const moneyOf = ({ currency }: Order, cents: number) => formatMoney(cents, moneyFormatOf(currency), currency);

function customerName({ customers }: Store, { customerId, email }: Order): string {
  const customer = customers.byId(customerId ?? "");
  if (customer === undefined) return "No customer";
  return customer.isGuest === true ? `Guest, ${email ?? ""}` : `${customer.firstName} ${customer.lastName}`;
}

function statusOf(order: Order): string {
  const refunded = order.refunds.length > 0;
  const paid = refunded ? (refundable(order).length === 0 ? "Refunded" : "Partially refunded") : "Paid";
  return order.cancelled === undefined ? paid : `Cancelled, ${paid.toLowerCase()}`;
}

/** Renders the list of orders, newest first. */
export async function ordersPage(store: Store, { storefront }: Addresses): Promise<Response> {
  const orders = store.orders.all().toReversed();
  const main = html`<main class="page">
    <h1>Orders</h1>
    <div class="card">
      ${
        orders.length === 0
          ? html`<p>No orders yet. Add a product to the cart in the storefront and check out.</p>
              <a class="button" href="${storefront}/collections/all">Shop in the storefront</a>`
          : html`<div class="scroll">
              <table>
                <thead>
                  <tr>
                    <th>Order</th>
                    <th>Date</th>
                    <th>Customer</th>
                    <th>Total</th>
                    <th>Status</th>
                  </tr>
                </thead>
                <tbody>
                  ${orders.map(
                    (order) =>
                      html`<tr>
                        <td><a href="${adminPaths(store).home}/orders/${order.id}">${order.name}</a></td>
                        <td>${order.createdAt.toISOString().slice(0, 16).replace("T", " ")}</td>
                        <td>${customerName(store, order)}</td>
                        <td>${moneyOf(order, orderTotal(order))}</td>
                        <td>${statusOf(order)}</td>
                      </tr>`,
                  )}
                </tbody>
              </table>
            </div>`
      }
    </div>
  </main>`;
  return adminPage(store, storefront, "Orders", main);
}

function lineRow(order: Order, line: Order["lines"][number]): Html {
  const left = unitsLeft(order, line);
  const name = line.variantTitle === "Default Title" ? line.title : `${line.title}, ${line.variantTitle}`;
  return html`<tr>
    <td>${line.quantity} × ${name}</td>
    <td>${moneyOf(order, lineTotal(line))}</td>
    <td>
      ${
        left === 0
          ? "Refunded"
          : html`<form class="row" data-action="refund-order" data-line="${line.id}">
              <input type="hidden" name="orderId" value="${order.id}" />
              <input
                name="quantity"
                type="number"
                min="1"
                max="${left}"
                value="${left}"
                required
                aria-label="Units of ${name} to refund"
                class="units"
              />
              <button>Refund</button>
            </form>`
      }
    </td>
  </tr>`;
}

/** Renders an order, with its refunds and the buttons to refund and cancel it. */
export async function orderPage(store: Store, { storefront }: Addresses, id: string): Promise<Response> {
  const order = store.orders.byId(id);
  if (order === undefined) return new Response("Not Found", { status: 404 });
  const main = html`<main class="page">
      <h1>Order ${order.name}</h1>
      <p id="problem" class="bad" role="alert"></p>
      <div class="card">
        <p>
          ${customerName(store, order)}, ${order.createdAt.toISOString().slice(0, 16).replace("T", " ")}:
          ${statusOf(order)}
        </p>
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th>Product</th>
                <th>Total</th>
                <th>Refund</th>
              </tr>
            </thead>
            <tbody>
              ${order.lines.map((line) => lineRow(order, line))}
            </tbody>
          </table>
        </div>
        <div class="row below">
          ${
            refundable(order).length === 0
              ? ""
              : html`<form data-action="refund-order">
                  <input type="hidden" name="orderId" value="${order.id}" /><button>Refund everything</button>
                </form>`
          }
          ${
            order.cancelled === undefined
              ? html`<form data-action="cancel-order">
                  <input type="hidden" name="orderId" value="${order.id}" /><button class="critical">
                    Cancel order
                  </button>
                </form>`
              : ""
          }
        </div>
      </div>
      ${
        order.refunds.length === 0
          ? ""
          : html`<div class="card">
              <h2>Refunds</h2>
              <ul>
                ${order.refunds.map(
                  (refund) =>
                    html`<li>
                      ${refund.createdAt.toISOString().slice(0, 16).replace("T", " ")}:
                      ${moneyOf(order, refundTotal(refund))}${refund.restocked ? ", restocked" : ""}
                    </li>`,
                )}
              </ul>
            </div>`
      }
    </main>
    <script>
      ${raw(CONTROL_SCRIPT)};
    </script>`;
  return adminPage(store, storefront, `Order ${order.name}`, main);
}
