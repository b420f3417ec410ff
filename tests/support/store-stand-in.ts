import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { z } from "zod";
import { themePage, type PageOptions } from "./theme-pages.ts";
import { EXTENSION } from "./theme-blocks.ts";
import { ProxyStandIn, Said, type Catalog } from "./proxy-stand-in.ts";

export interface Asked {
  path: string;
  body: Record<string, unknown>;
}

/** What a store shows and sells where it is not the theme of `theme-pages.ts` with its shoes. */
export interface Store {
  render?: (url: URL, customer: string, options: PageOptions) => string;
  catalog?: Catalog;
}

/** A store's front with the extension's blocks in it: a real HTTP server on this machine. The cookie `customer` is who is logged in. */
export class Storefront {
  url = "";
  readonly service: ProxyStandIn;
  /** requests to the app proxy, in the order of arrival */
  asked: Asked[] = [];
  /** requests for /cart.js */
  cartReads = 0;
  cart: string[] = [];
  /** the cart takes nothing: 422, as of what is sold out */
  isSoldOut = false;
  page: PageOptions = {};
  /** answers of the app proxy wait for it */
  gate: Promise<void> = Promise.resolve();
  /** what the next request to a path gets instead of an answer */
  readonly refusals = new Map<string, { status: number; code: string; headers?: Record<string, string> }>();
  readonly #render: NonNullable<Store["render"]>;
  readonly #server = createServer((request, response) => {
    // A mistake of the stand-in's own is to be read in the page, not to be waited for.
    this.#serve(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });

  private constructor({ render = themePage, catalog }: Store) {
    this.#render = render;
    this.service = new ProxyStandIn(catalog);
  }

  static async start(given: Store = {}): Promise<Storefront> {
    const store = new Storefront(given);
    store.#server.listen(0, "127.0.0.1");
    await once(store.#server, "listening");
    const address = store.#server.address();
    store.url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
    return store;
  }

  /** Holds the app proxy's answers back. @returns lets them go */
  hold(): () => void {
    let release = (): void => undefined;
    this.gate = new Promise((resolve) => (release = resolve));
    return release;
  }

  paths(): string[] {
    return this.asked.map(({ path }) => path);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.url);
    const customer = /customer=(\d+)/.exec(request.headers.cookie ?? "")?.[1] ?? "";
    const text = await read(request);
    const send = (type: string, body: string, status = 200, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { "content-type": type, ...headers }).end(body);
    };
    const asset = /^\/assets\/(wishlist[\w-]*\.(?:js|css))$/.exec(url.pathname)?.[1];
    const api = /^\/apps\/wishlist\/api\/(\w+)$/.exec(url.pathname)?.[1];
    if (asset !== undefined) {
      send(asset.endsWith("js") ? "text/javascript" : "text/css", readFileSync(`${EXTENSION}assets/${asset}`, "utf8"));
    } else if (api !== undefined) {
      const body = z.record(z.string(), z.unknown()).parse(JSON.parse(text));
      this.asked.push({ path: api, body });
      const refusal = this.refusals.get(api);
      this.refusals.delete(api);
      await this.gate;
      if (api === "page") {
        send("text/html", `<h2>My list</h2><script>document.body.dataset.fragmentRan = "yes";</script>`);
        return;
      }
      const said = refusal
        ? new Said(refusal.status, { ok: false, error: { code: refusal.code } })
        : this.service.answer(api, body, customer);
      send("application/json", JSON.stringify(said.body), said.status, refusal?.headers);
    } else if (url.pathname === "/cart.js") {
      this.cartReads++;
      const items = this.cart.map((id) => ({ variant_id: Number(id) }));
      send("application/json", JSON.stringify({ token: "cart-1?key=secret", items }));
    } else if (url.pathname.startsWith("/cart/add") && this.isSoldOut) {
      send("application/json", JSON.stringify({ status: 422, message: "Cart Error", description: "sold out" }), 422);
    } else if (url.pathname.startsWith("/cart/add")) {
      const id = new URLSearchParams(text).get("id");
      if (id !== null) this.cart.unshift(id);
      if (url.pathname === "/cart/add.js") send("application/json", "{}");
      else send("text/plain", "", 302, { location: "/cart" });
    } else if (/^\/(collections|products|pages|cart)/.test(url.pathname)) {
      send("text/html; charset=utf-8", this.#render(url, customer, this.page));
    } else send("text/plain", "Not found", 404);
  }
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
