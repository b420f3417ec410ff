import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { signedQuery } from "./storefront.ts";
import { renderLiquid, themeLayout, type ThemeProduct } from "./theme.ts";

export interface ThemeStore {
  url: string;
  /** who is logged in from now on; undefined for nobody */
  customer: string | undefined;
  locale: string;
  /** paths of the requests that were passed to the app, as `POST /api/add`, with their bodies */
  passed: { request: string; body: string }[];
  /** what was put into the cart */
  cart: number[];
  close: () => Promise<void>;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  return Buffer.concat(await request.toArray()).toString();
}

function hostOf(request: IncomingMessage): string {
  return request.headers.host ?? "";
}

/** A store as far as the app's pages need one: the app proxy with its signature, the theme that renders Liquid, and a cart. */
export async function startThemeStore(
  app: string,
  shop: string,
  products: readonly ThemeProduct[],
): Promise<ThemeStore> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://store");
    const answer = async (): Promise<void> => {
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
        const rendered = isLiquid ? await renderLiquid(text, { products, locale: store.locale }) : text;
        const page = isLiquid && !text.startsWith("{% layout none %}") ? themeLayout(rendered) : rendered;
        response.writeHead(passed.status, {
          "content-type": isLiquid ? "text/html; charset=utf-8" : (passed.headers.get("content-type") ?? ""),
        });
        response.end(page);
      } else if (url.pathname === "/cart/add.js") {
        for (const [, id] of body.matchAll(/"id":(\d+)/g)) store.cart.push(Number(id));
        response.writeHead(200, { "content-type": "application/json" }).end("{}");
      } else if (url.pathname === "/cart.js") {
        response.writeHead(200, { "content-type": "application/json" }).end('{"token":"a-cart?key=1"}');
      } else if (url.pathname === "/cart/add") {
        store.cart.push(Number(new URLSearchParams(body).get("id")));
        response.writeHead(200, { "content-type": "text/html" }).end(themeLayout("<h1>Your cart</h1>"));
      } else {
        response.writeHead(200, { "content-type": "text/html" }).end(themeLayout("<h1>Elsewhere</h1>"));
      }
    };
    answer().catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const store: ThemeStore = {
    url: `http://127.0.0.1:${port}`,
    customer: undefined,
    locale: "en",
    passed: [],
    cart: [],
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
