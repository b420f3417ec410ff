import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { signedQuery } from "../app/storefront.ts";
import { renderLiquid, themeLayout, type ThemeProduct } from "./theme.ts";

export interface ThemeStore {
  url: string;
  /** the logged-in customer; undefined for none */
  customer: string | undefined;
  locale: string;
  /** requests that were passed to the app, as `POST /api/add`, with their bodies */
  passed: { request: string; body: string }[];
  /** variants in the cart */
  cart: number[];
  /** the cart's reason to reject a variant, by variant id */
  refused: Record<string, string>;
  /** markup in the head of every page */
  head: string;
  /** Shopify's login URL, if Liquid knows it */
  loginUrl: string | undefined;
  close: () => Promise<void>;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  return Buffer.concat(await request.toArray()).toString();
}

function hostOf(request: IncomingMessage): string {
  return request.headers.host ?? "";
}

/** Adds to the Ajax cart: all items or none, and returns the requested sections. */
function addToCart(store: ThemeStore, body: string): { status: number } {
  const { sections = [] } = JSON.parse(body) as { sections?: string[] };
  const ids = [...body.matchAll(/"id":(\d+)/g)].map(([, id = ""]) => id);
  const description = ids.map((id) => store.refused[id]).find(Boolean);
  if (description !== undefined) return Object.assign({ status: 422 }, { message: "Cart Error", description });
  store.cart.push(...ids.map(Number));
  const html = `<div class="shopify-section">${store.cart.length}</div>`;
  return Object.assign(
    { status: 200 },
    {
      items: ids.map((id) => ({ id, key: `${id}:1` })),
      sections: Object.fromEntries(sections.map((id) => [id, html])),
    },
  );
}

/** A minimal store for the app's pages: the signed app proxy, a theme that renders Liquid, and a cart. */
export async function startThemeStore(
  app: string,
  shop: string,
  products: readonly ThemeProduct[],
): Promise<ThemeStore> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://store");
    const respond = async (): Promise<void> => {
      const body = await bodyOf(request);
      if (url.pathname.startsWith("/apps/wishlist")) {
        const path = url.pathname.slice("/apps/wishlist".length);
        store.passed.push({ request: `${request.method ?? ""} ${path}`, body });
        const query = signedQuery({ shop, customer: store.customer }, { query: [...url.searchParams] });
        const { origin, "content-type": type } = request.headers;
        const passed = await fetch(`${app}/proxy${path}?${query}`, {
          method: request.method ?? "GET",
          headers: {
            "x-forwarded-for": "203.0.113.9",
            "x-forwarded-host": hostOf(request),
            ...(origin === undefined ? {} : { origin }),
            ...(type === undefined ? {} : { "content-type": type }),
          },
          ...(request.method === "POST" ? { body } : {}),
        });
        const text = await passed.text();
        const isLiquid = passed.headers.get("content-type")?.startsWith("application/liquid") === true;
        const rendered = isLiquid
          ? await renderLiquid(text, { products, locale: store.locale, loginUrl: store.loginUrl })
          : text;
        const page = isLiquid && !text.startsWith("{% layout none %}") ? themeLayout(rendered, store.head) : rendered;
        response.writeHead(passed.status, {
          "content-type": isLiquid ? "text/html; charset=utf-8" : (passed.headers.get("content-type") ?? ""),
        });
        response.end(page);
      } else if (url.pathname === "/cart/add.js") {
        const { status, ...added } = addToCart(store, body);
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(added));
      } else if (url.pathname === "/cart.js") {
        const cart = {
          token: "a-cart?key=1",
          item_count: store.cart.length,
          total_price: 0,
          currency: "EUR",
          items: [],
        };
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(cart));
      } else if (url.pathname === "/cart/add") {
        store.cart.push(Number(new URLSearchParams(body).get("id")));
        response.writeHead(200, { "content-type": "text/html" }).end(themeLayout("<h1>Your cart</h1>", store.head));
      } else {
        response.writeHead(200, { "content-type": "text/html" }).end(themeLayout("<h1>Elsewhere</h1>", store.head));
      }
    };
    respond().catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const store: ThemeStore = {
    url: `http://127.0.0.1:${port}`,
    customer: undefined,
    locale: "en",
    passed: [],
    cart: [],
    refused: {},
    head: "",
    loginUrl: undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
  return store;
}
