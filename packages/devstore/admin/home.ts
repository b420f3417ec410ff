import { html } from "hono/html";
import type { Addresses } from "../foundation/addresses.ts";
import type { Store } from "../store/store.ts";
import { adminPage, adminPaths } from "./layout.ts";

export async function adminHome(store: Store, addresses: Addresses): Promise<Response> {
  const paths = adminPaths(store);
  const { shop, options, catalog, customers, subscriptions } = store;
  const [subscription] = subscriptions.active();
  const main = html`<main class="page">
    <h1>${shop.name}</h1>
    <div class="card">
      <h2>${options.appTitle}</h2>
      <p class="soft">
        ${store.installation.installed ? "Installed" : "Not installed"}${subscription ? `, on the plan ${subscription.name}` : ""}
      </p>
      <a class="button primary" href="${paths.app}">Open ${options.appTitle}</a>
    </div>
    <div class="card">
      <h2>Store</h2>
      <p>${catalog.all().length} products, ${customers.all().length} customers. ${shop.domain}</p>
      <div class="row">
        <a class="button" href="${addresses.storefront}/">View storefront</a>
        <a class="button" href="/admin/themes/current/editor">Edit theme</a>
        <a class="button" href="${paths.home}/inbox">Open inbox</a>
        <a class="button" href="${paths.control}">Devstore controls</a>
      </div>
    </div>
  </main>`;
  return adminPage(store, addresses.storefront, "Home", main);
}
