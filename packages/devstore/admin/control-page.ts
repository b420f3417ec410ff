import { html, raw } from "hono/html";
import { currencyDecimals } from "../../../app/platform/text/currency.ts";
import type { Addresses } from "../foundation/addresses.ts";
import { faultSwitchesSchema } from "../store/faults.ts";
import { amountOf, CURRENCIES } from "../foundation/currency.ts";
import { STATUSES, type StoreProduct, type StoreVariant } from "../store/catalog.ts";
import { INVENTORY_POLICIES } from "../store/inventory.ts";
import type { Store } from "../store/store.ts";
import type { WebhookSender } from "../webhooks/sender.ts";
import { CONTROL_SCRIPT } from "./control-script.ts";
import { adminPage, type Html } from "./layout.ts";

const button = (action: string, label: string, critical = false): Html =>
  html`<form data-action="${action}"><button class="${critical ? "critical" : ""}">${label}</button></form>`;

function faults(store: Store): Html {
  const parts = ["graphql", "token", "proxy", "webhooks", "mail"] as const;
  const names = {
    graphql: "Admin API",
    token: "Token endpoint",
    proxy: "App proxy",
    webhooks: "Webhooks",
    mail: "Mail server",
  } as const;
  return html`<div class="card">
    <h2>Faults</h2>
    <form class="row" data-action="faults" data-wrap="faults">
      ${parts.map(
        (part) =>
          html`<label
            >${names[part]}
            <select name="${part}">
              ${faultSwitchesSchema.shape[part].options.map(
                (option) =>
                  html`<option value="${option}" ${store.faults.switches[part] === option ? "selected" : ""}>
                    ${option.replaceAll("_", " ")}
                  </option>`,
              )}
            </select></label
          >`,
      )}
      <button class="primary">Apply</button>
    </form>
    <div class="row" style="margin-top: 12px">
      ${button("drain-bucket", "Empty the rate-limit bucket")} ${button("expire-tokens", "Expire all access tokens")}
      <form data-action="page-cache">
        <button name="on" value="${store.pageCache.on ? "false" : "true"}">
          Full-page cache: turn ${store.pageCache.on ? "off" : "on"}
        </button>
      </form>
      <form data-action="consent-banner">
        <button name="on" value="${store.consentBanner ? "false" : "true"}">
          Consent banner: turn ${store.consentBanner ? "off" : "on"}
        </button>
      </form>
      ${button("reset", "Undo all faults and edits")}
    </div>
  </div>`;
}

/** Returns the product that the page shows: the chosen one, or the one whose page was opened last in the storefront. */
function shownProduct(store: Store, chosen: string | null): StoreProduct | undefined {
  const visited = store.storefrontRequests
    .findLast(({ path }) => /\/products\/[^/.]+$/.test(path))
    ?.path.split("/")
    .at(-1);
  return store.catalog.byId(chosen ?? "") ?? store.catalog.byHandle(visited ?? "") ?? store.catalog.all()[0];
}

const amount = (cents: number | null, currency: string) => (cents === null ? "" : amountOf(cents, currency));

function variantRow({ id, title, priceCents, compareAtPriceCents, inventory }: StoreVariant, currency: string): Html {
  const form = `variant-${id}`;
  const { tracked, quantity, policy } = inventory;
  return html`<tr>
    <td>${title}</td>
    <td>
      <input
        form="${form}"
        name="price"
        type="number"
        min="0"
        step="${10 ** -currencyDecimals(currency)}"
        value="${amount(priceCents, currency)}"
        aria-label="Price of ${title}"
      />
    </td>
    <td>
      <input
        form="${form}"
        name="compareAtPrice"
        type="number"
        min="0"
        step="${10 ** -currencyDecimals(currency)}"
        value="${amount(compareAtPriceCents, currency)}"
        placeholder="None"
        aria-label="Compare-at price of ${title}"
      />
    </td>
    <td>
      <input
        form="${form}"
        name="quantity"
        type="number"
        step="1"
        value="${quantity}"
        required
        aria-label="Inventory of ${title}"
      />
    </td>
    <td>
      <select form="${form}" name="tracked" aria-label="Tracking of ${title}">
        <option value="true" ${tracked ? "selected" : ""}>Tracked</option>
        <option value="false" ${tracked ? "" : "selected"}>Not tracked</option>
      </select>
    </td>
    <td>
      <select form="${form}" name="policy" aria-label="Sale of ${title} without inventory">
        ${INVENTORY_POLICIES.map((one) => html`<option value="${one}" ${one === policy ? "selected" : ""}>${one === "DENY" ? "Stop selling" : "Continue selling"}</option>`)}
      </select>
    </td>
    <td>
      <form id="${form}" data-action="edit-variant">
        <input type="hidden" name="variantId" value="${id}" />
        <button>Save</button>
      </form>
    </td>
  </tr>`;
}

/** The product that a developer changes with one click. */
function changedProduct(store: Store, chosen: string | null): Html {
  const shown = shownProduct(store, chosen);
  if (shown === undefined) return html``;
  return html`<div class="card" id="product">
    <h2>Price and inventory</h2>
    <form class="row" method="get">
      <select name="product" aria-label="Shown product" class="shrinks" onchange="this.form.submit()">
        ${store.catalog
          .all()
          .map(({ id, title }) => html`<option value="${id}" ${id === shown.id ? "selected" : ""}>${title}</option>`)}
      </select>
      <a class="button" href="/products/${shown.handle}">View in storefront</a>
    </form>
    <form class="row below" data-action="lower-price">
      <input type="hidden" name="productId" value="${shown.id}" />
      <button class="primary" name="percent" value="20">Lower price by 20%</button>
      <button data-action="restore-price">Restore price</button>
      <button data-action="sell-out">Sell out</button>
      <button name="quantity" value="2" data-action="restock">Restock 2</button>
      <button name="quantity" value="12" data-action="restock">Restock 12</button>
    </form>
    <div class="scroll below">
      <table class="variants">
        <thead>
          <tr>
            <th>Variant</th>
            <th>Price</th>
            <th>Compare-at price</th>
            <th>Inventory</th>
            <th>Tracking</th>
            <th>When sold out</th>
            <th></th>
          </tr>
        </thead>
        <tbody>
          ${shown.variants.map((variant) => variantRow(variant, store.shop.currency))}
        </tbody>
      </table>
    </div>
    <form class="row below" data-action="currency">
      <label
        >Currency of the store
        <select name="currency">
          ${CURRENCIES.map((one) => html`<option ${one === store.shop.currency ? "selected" : ""}>${one}</option>`)}
        </select></label
      >
      <button>Change currency</button>
    </form>
  </div>`;
}

function products(store: Store): Html {
  const step = 10 ** -currencyDecimals(store.shop.currency);
  const price = html`<input
    name="price"
    type="number"
    min="0"
    step="${step}"
    placeholder="Price"
    aria-label="Price"
    style="width: 7rem"
  />`;
  return html`<div class="card">
    <h2>Products</h2>
    <form class="row" data-action="edit-product">
      <select name="productId" aria-label="Product" style="max-width: 100%">
        ${store.catalog
          .all()
          .map(
            ({ id, title, status }) =>
              html`<option value="${id}">${title}${status === "ACTIVE" ? "" : ` (${status.toLowerCase()})`}</option>`,
          )}
      </select>
      <input name="title" placeholder="New title" aria-label="New title" />
      ${price}
      <select name="available" aria-label="Availability">
        <option value="">Availability</option>
        <option value="true">In stock</option>
        <option value="false">Sold out</option>
      </select>
      <select name="status" aria-label="Status">
        <option value="">Status</option>
        ${STATUSES.map((status) => html`<option value="${status}">${status.toLowerCase()}</option>`)}
      </select>
      <select name="published" aria-label="Online store">
        <option value="">Online store</option>
        <option value="true">Published</option>
        <option value="false">Not published</option>
      </select>
      <button class="primary">Save product</button>
      <button class="critical" data-action="delete-product">Delete product</button>
    </form>
    <form class="row" data-action="create-product" style="margin-top: 12px">
      <input name="title" required placeholder="Title" aria-label="Title" />
      ${price}
      <select name="status" aria-label="Status">
        ${STATUSES.map((status) => html`<option value="${status}">${status.toLowerCase()}</option>`)}
      </select>
      <button>Create product</button>
    </form>
  </div>`;
}

function privacyAndInstallation(store: Store): Html {
  return html`<div class="card">
    <h2>Privacy and installation</h2>
    <form class="row" data-action="data-request">
      <select name="customerId" aria-label="Customer">
        ${store.customers.demoLogins().map(({ id, firstName, lastName }) => html`<option value="${id}">${firstName} ${lastName}</option>`)}
      </select>
      <button>Request customer's data</button>
      <button class="critical" data-action="redact-customer">Redact customer</button>
    </form>
    <div class="row" style="margin-top: 12px">
      ${store.installation.installed ? button("uninstall", "Uninstall the app", true) : button("install", "Install the app")}
      ${button("redact-shop", "Redact shop (48 hours after uninstalling)", true)}
      ${store.subscriptions.active().length > 0 ? button("cancel-subscription", "Cancel the subscription") : ""}
      ${store.subscriptions.active().length > 0 ? button("freeze-subscription", "Freeze the subscription") : ""}
      ${store.subscriptions.all().some(({ status }) => status === "FROZEN") ? button("unfreeze-subscription", "Unfreeze the subscription") : ""}
    </div>
  </div>`;
}

function log(store: Store, sender: WebhookSender): Html {
  const tone = (status: number | undefined) => (status !== undefined && status < 400 ? "ok" : "bad");
  return html`<div class="card">
      <div class="row">
        <h2>Webhooks sent</h2>
        <button class="right" id="refresh" type="button">Refresh</button>
      </div>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th>Topic</th>
              <th>State</th>
              <th>Responses</th>
              <th>To</th>
            </tr>
          </thead>
          <tbody>
            ${sender.deliveries().map(
              ({ topic, state, attempts, url }) =>
                html`<tr>
                  <td>${topic}</td>
                  <td class="${state === "failed" ? "bad" : "ok"}">${state}</td>
                  <td>${attempts.map(({ status, error }) => status ?? error ?? "?").join(", ")}</td>
                  <td class="wide">${url}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </div>
    <div class="card">
      <h2>Log</h2>
      <div class="scroll">
        <table>
          <tbody>
            ${store.journal.entries().map(
              ({ at, kind, summary, status }) =>
                html`<tr>
                  <td>${at.toISOString().slice(11, 19)}</td>
                  <td>${kind}</td>
                  <td class="wide">${summary}</td>
                  <td class="${tone(status)}">${status ?? ""}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </div>`;
}

/** Renders the page that controls the devstore: faults, products, privacy requests, installation and logs. */
export async function controlPage(
  store: Store,
  addresses: Addresses,
  sender: WebhookSender,
  /** id of the product whose price and inventory the page shows */
  chosen: string | null,
): Promise<Response> {
  const main = html`<main class="page">
      <h1>Devstore</h1>
      <p id="problem" class="bad" role="alert"></p>
      ${changedProduct(store, chosen)} ${faults(store)} ${products(store)} ${privacyAndInstallation(store)}
      ${log(store, sender)}
    </main>
    <script>
      ${raw(CONTROL_SCRIPT)};
    </script>`;
  return adminPage(store, addresses.storefront, "Devstore", main);
}
