import { html } from "hono/html";
import { nowMs } from "../../../app/platform/clock.server.ts";
import { randomBase62 } from "../../../app/platform/ids.server.ts";
import type { Addresses } from "../foundation/addresses.ts";
import { frameSignature } from "../foundation/signatures.ts";
import { createSessionToken } from "../store/session-tokens.ts";
import type { Store } from "../store/store.ts";
import { adminPage, adminPaths, embeddedData } from "./layout.ts";

/** Returns the address of the app's frame: a path of the app with the admin's signed parameters. */
export function frameAddress(store: Store, { app }: Addresses, path: string, search: string): string {
  const query = new URLSearchParams(search);
  const { shop, options } = store;
  const parameters = {
    embedded: "1",
    shop: shop.domain,
    host: Buffer.from(`admin.shopify.com/store/${shop.handle}`).toString("base64").replace(/=+$/, ""),
    id_token: createSessionToken(store),
    locale: "en",
    session: randomBase62(64),
    timestamp: String(Math.floor(nowMs() / 1000)),
  };
  for (const [name, value] of Object.entries(parameters)) query.set(name, value);
  query.set("hmac", frameSignature(query, options.apiSecret));
  return `${app}${path === "" ? "/" : path}?${query.toString()}`;
}

/** Renders the app inside the admin, or the page that installs it. */
export async function appPage(store: Store, addresses: Addresses, path: string, search: string): Promise<Response> {
  const { options } = store;
  const paths = adminPaths(store);
  if (!store.installation.installed) {
    const grant = html`<main class="page narrow">
      <h1>Install ${options.appTitle}</h1>
      <div class="card">
        <h2>${options.appTitle} will be able to</h2>
        <ul>
          ${options.scopes.map((scope) => html`<li>${scope.replaceAll("_", " ")}</li>`)}
        </ul>
        <form method="post" action="${paths.app}/install"><button class="primary">Install</button></form>
      </div>
    </main>`;
    return adminPage(store, addresses.storefront, `Install ${options.appTitle}`, grant);
  }
  const src = frameAddress(store, addresses, path, search);
  // The script listens before the frame exists, so that it misses no message of the app.
  const main = html`${embeddedData("admin-page", { appOrigin: addresses.app, appTitle: options.appTitle, appPath: paths.app, api: `${paths.home}/bridge` })}
    <script src="/shopifycloud/admin.js"></script>
    <main class="app">
      <div class="title-bar">
        <div id="title-bar-title">${options.appTitle}</div>
        <div id="title-bar-actions"></div>
      </div>
      <iframe id="app-frame" title="${options.appTitle}" src="${src}" allow="clipboard-write"></iframe>
    </main>
    <div id="save-bar" role="region" aria-label="Unsaved changes" hidden></div>
    <div id="toasts" role="status" aria-live="polite"></div>`;
  return adminPage(store, addresses.storefront, options.appTitle, main);
}
