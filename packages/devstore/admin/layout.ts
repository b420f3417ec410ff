import { html, raw } from "hono/html";
import { PRIMARY_LOCALE } from "../foundation/request-context.ts";
import { scriptJson } from "../foundation/html.ts";
import type { Store } from "../store/store.ts";
import { ADMIN_CSS } from "./styles.ts";

export type Html = ReturnType<typeof html>;

export interface Paths {
  home: string;
  app: string;
  storefront: string;
  control: string;
}

export function adminPaths({ shop, options }: Store): Paths {
  return {
    home: `/store/${shop.handle}`,
    app: `/store/${shop.handle}/apps/${options.appHandle}`,
    storefront: "/",
    control: "/devstore",
  };
}

const ICON = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#303030"/><path d="M9 12h14l-1 12H10z" fill="#fff"/></svg>')}`;

/** Renders a page of the admin. */
export async function adminPage(store: Store, storefront: string, title: string, main: Html): Promise<Response> {
  const paths = adminPaths(store);
  const page = html`<!doctype html>
    <html lang="${PRIMARY_LOCALE}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <title>${title} · ${store.shop.name}</title>
        <link rel="icon" href="${ICON}" />
        <style>
          ${raw(ADMIN_CSS)}
        </style>
      </head>
      <body>
        <header class="top">
          <button aria-label="Menu" type="button" onclick="document.body.classList.toggle('menu-open')">☰</button>
          <strong>${store.shop.name}</strong>
          <a class="right" href="${storefront}/">Storefront</a>
        </header>
        <div class="shell">
          <nav class="side" aria-label="Admin">
            <a href="${paths.home}">Home</a>
            <a href="${paths.home}/orders">Orders</a>
            <a href="${paths.home}/draft_orders">Draft orders</a>
            <a href="/admin/themes/current/editor">Online store</a>
            <a href="${paths.home}/flow">Flow</a>
            <a href="${paths.home}/inbox">Inbox</a>
            <a href="${paths.home}/klaviyo">Klaviyo</a>
            <a href="${paths.control}">Devstore</a>
            <h2>Apps</h2>
            <a href="${paths.app}">${store.options.appTitle}</a>
            <div id="app-menu"></div>
          </nav>
          ${main}
        </div>
      </body>
    </html>`;
  return new Response(String(await page), {
    headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
  });
}

/** Renders data for a page's script. */
export function embeddedData(id: string, value: unknown): Html {
  return html`<script type="application/json" id="${id}">
    ${raw(scriptJson(value))}
  </script>`;
}
