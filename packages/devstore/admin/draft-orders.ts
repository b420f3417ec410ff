import { html } from "hono/html";
import type { Addresses } from "../foundation/addresses.ts";
import { formatMoney, moneyFormatOf } from "../foundation/currency.ts";
import type { DraftOrder, DraftOrderLine } from "../store/draft-orders.ts";
import type { Store } from "../store/store.ts";
import { adminPage, adminPaths, type Html } from "./layout.ts";

function customerName({ customers }: Store, { customerId }: DraftOrder): string {
  const customer = customers.byId(customerId ?? "");
  return customer === undefined ? "No customer" : `${customer.firstName} ${customer.lastName}`;
}

function lineRow({ shop }: Store, line: DraftOrderLine): Html {
  const name = line.variantTitle === "Default Title" ? line.title : `${line.title}, ${line.variantTitle}`;
  return html`<tr>
    <td>${line.quantity} × ${name}${line.customAttributes.map(({ key, value }) => html`<br />${key}: ${value}`)}</td>
    <td>${formatMoney(line.priceCents * line.quantity, moneyFormatOf(shop.currency), shop.currency)}</td>
  </tr>`;
}

/** Renders the list of draft orders, newest first. */
export async function draftOrdersPage(store: Store, { storefront }: Addresses): Promise<Response> {
  const drafts = store.draftOrders.all().toReversed();
  const main = html`<main class="page">
    <h1>Draft orders</h1>
    <div class="card">
      ${
        drafts.length === 0
          ? html`<p>No draft orders yet. An app creates them.</p>`
          : html`<ul>
              ${drafts.map(
                (draft) =>
                  html`<li>
                    <a href="${adminPaths(store).home}/draft_orders/${draft.id}">${draft.name}</a>,
                    ${customerName(store, draft)}
                  </li>`,
              )}
            </ul>`
      }
    </div>
  </main>`;
  return adminPage(store, storefront, "Draft orders", main);
}

/** Renders a draft order with its lines. */
export async function draftOrderPage(store: Store, { storefront }: Addresses, id: string): Promise<Response> {
  const draft = store.draftOrders.byId(id);
  if (draft === undefined) return new Response("Not Found", { status: 404 });
  const main = html`<main class="page">
    <h1>Draft order ${draft.name}</h1>
    <div class="card">
      <p>${customerName(store, draft)}, ${draft.createdAt.toISOString().slice(0, 16).replace("T", " ")}</p>
      <table>
        <thead>
          <tr>
            <th>Product</th>
            <th>Total</th>
          </tr>
        </thead>
        <tbody>
          ${draft.lines.map((line) => lineRow(store, line))}
        </tbody>
      </table>
    </div>
  </main>`;
  return adminPage(store, storefront, `Draft order ${draft.name}`, main);
}
