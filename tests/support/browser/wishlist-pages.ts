import type { Browser, Locator, Page } from "playwright";
import { expect, test as base } from "vitest";
import type { Devstore } from "../../../packages/devstore/devstore.ts";
import type { DevstoreOptions } from "../../../packages/devstore/foundation/options.ts";
import type { NewProduct } from "../../../packages/devstore/store/catalog.ts";
import type { Store } from "../../../packages/devstore/store/store.ts";
import { CART_COOKIE } from "../../../packages/devstore/foundation/cookies.ts";
import { startService, type Service } from "../app/service.ts";
import { newGuest, visitor, type ProxyCall } from "../app/storefront.ts";
import { startShopify } from "../shopify/shopify.ts";
import { untilSynced } from "../shopify/synced.ts";
import { DESKTOP, launchBrowser } from "./browser.ts";
import { logIn } from "./log-in.ts";
import { Traffic } from "./traffic.ts";

const WISHLIST = "/apps/wishlist";

/** Returns a product with the id `101 + place` and one variant, whose id is 1000 more. */
export function product(index: number, title: string, more: Partial<NewProduct> = {}): NewProduct {
  const id = 101 + index;
  const variants = [{ id: id + 1000, title: "Default Title", priceCents: 2900 + index * 700 }];
  return { id, handle: `product-${id}`, title, variants, ...more };
}

/** The control of order and filter. */
export const arrangement = (within: Page | Locator): Locator => within.locator("[data-wishlist-arrange]");

/** Chooses an order, or turns the filter on or off. @param name "Oldest" or "Only available" */
export async function choose(within: Page | Locator, name: string): Promise<void> {
  await arrangement(within).locator("summary").click();
  await arrangement(within).getByRole("link", { name, exact: true }).click();
}

/** Returns the order that is shown, and "Only available" with the filter. */
export function chosen(within: Page | Locator): Promise<string[]> {
  return arrangement(within)
    .locator("a[aria-current]")
    .evaluateAll((links) => links.map(({ textContent }) => textContent));
}

/** Renders the layout of a theme like Dawn. @param head markup at the end of the head */
function renderLayout(content: string, head: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Store</title><link rel="icon" href="data:,"><style>
:root { --color-foreground: 18, 18, 18; --color-background: 255, 255, 255; }
* { box-sizing: border-box } body { margin: 0; font: 16px/1.5 Assistant, "Helvetica Neue", sans-serif; color: rgba(18, 18, 18, .85) }
.site { padding: 1.25rem 2rem; border-bottom: 1px solid #ddd; font-size: 1.4rem } h1 { font-size: 2.2rem; font-weight: 400 } h2 { font-weight: 400 }
.button { display: inline-flex; justify-content: center; align-items: center; min-height: 45px; padding: 0 1.5rem; border: 1px solid #121212; background: #121212; color: #fff; font: inherit; cursor: pointer; text-decoration: none }
.button--secondary { background: #fff; color: #121212 } .button--tertiary { background: none; color: #121212; border-color: rgba(18,18,18,.3) }
</style>${head}</head><body><header class="site">Larkfell Outdoor</header><main>${content}</main></body></html>`;
}

interface Stage {
  service: Service;
  devstore: Devstore;
  browser: Browser;
  /** markup in the head of every page */
  theme: { head: string };
}

let customers = 6_000_000;

/** A store with its shoppers, for one test. */
class WishlistPages {
  readonly stage: Stage;
  readonly page: Page;
  readonly #traffic: Traffic;
  /** errors and warnings of the page; a test removes the expected ones */
  complaints: string[] = [];

  constructor(stage: Stage, page: Page) {
    this.stage = stage;
    this.page = page;
    this.#traffic = new Traffic(page.context());
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") this.complaints.push(message.text());
    });
    page.on("pageerror", (error) => this.complaints.push(error.message));
  }

  /** the state of the store */
  get store(): Store {
    return this.stage.devstore.store();
  }

  /** address of the storefront */
  get url(): string {
    return this.stage.devstore.url;
  }

  /** Sets the markup in the head of every page. */
  set head(html: string) {
    this.stage.theme.head = html;
  }

  as(customer?: string): ProxyCall {
    const { service, devstore } = this.stage;
    return visitor(service.url, { shop: devstore.shop, customer, secret: devstore.env.SHOPIFY_API_SECRET });
  }

  /** Saves items, oldest first: `101`, or `102/1102` with its variant. */
  async save(ask: ProxyCall, items: readonly (number | string)[], guestId?: string): Promise<void> {
    for (const item of items) {
      const [productId, variantId] = String(item).split("/");
      const json = { productId, ...(variantId && { variantId }), ...(guestId && { guestId }) };
      (await ask("POST", "/api/add", { json })).data();
    }
  }

  /** Logs in a new customer with saved items. */
  async customerWith(...items: (number | string)[]): Promise<string> {
    const customer = String(++customers);
    await this.save(this.as(customer), items);
    this.store.customers.add({ id: customer, firstName: "Customer", lastName: customer, email: "" });
    await this.logIn(customer);
    return customer;
  }

  /** Logs a customer in; null logs out. */
  logIn(customer: string | null): Promise<void> {
    return logIn(this.page.context(), this.url, this.store, customer);
  }

  /** Gives the browser the guest id of a guest with saved items. */
  async guestWith(...items: (number | string)[]): Promise<string> {
    const guest = newGuest();
    await this.save(this.as(), items, guest);
    const state = { v: 1, cid: null, owner: "guest", guest, count: items.length, saved: {} };
    await this.page.goto(this.url);
    await this.page.evaluate((json) => localStorage.setItem("wishlist", json), JSON.stringify(state));
    return guest;
  }

  /** Opens the wishlist page. @param query with its question mark */
  async open(query = "", page = this.page): Promise<void> {
    await page.goto(this.url + WISHLIST + query);
  }

  /** Opens the wishlist page for the same shopper in a browser that runs no scripts. */
  async openWithoutScript(): Promise<Page> {
    const storageState = await this.page.context().storageState();
    const context = await this.stage.browser.newContext({ javaScriptEnabled: false, storageState });
    const page = await context.newPage();
    await this.open("", page);
    return page;
  }

  /** Resolves when the page has no more requests to make. */
  quiet(): Promise<void> {
    return this.#traffic.quiet(this.page);
  }

  names(): Promise<string[]> {
    return this.page.locator("[data-wishlist-item] .wl-name").allInnerTexts();
  }

  /** Returns the browser's stored copy of the list. */
  async stored(): Promise<unknown> {
    return this.page.evaluate(() => JSON.parse(localStorage.getItem("wishlist") ?? "null") as unknown);
  }

  /** Returns the requests to the app proxy, as `POST /api/add`. */
  requests(): string[] {
    return this.store.storefrontRequests
      .filter(({ path }) => path.startsWith(WISHLIST))
      .map(({ method, path }) => `${method} ${path.slice(WISHLIST.length)}`);
  }

  /** Returns the variants in the shopper's cart in the order of adding, each as often as its quantity. */
  async cart(): Promise<number[]> {
    const { lines } = this.store.carts.open(await this.cartToken());
    return lines.toReversed().flatMap(({ variantId, quantity }) => Array<number>(quantity).fill(Number(variantId)));
  }

  /** Returns the token of the shopper's cart; "" before the first addition. */
  async cartToken(): Promise<string> {
    const cookies = await this.page.context().cookies(this.url);
    return cookies.find(({ name }) => name === CART_COOKIE)?.value ?? "";
  }

  /** Returns the saved variants of a customer, in the list's order. */
  async savedVariants(customer: string): Promise<string[]> {
    const { items } = (await this.as(customer)("POST", "/api/list", { json: {} })).data<{
      items: { variantId: string }[];
    }>();
    return items.map(({ variantId }) => variantId);
  }

  /** Ignores the browser's own log entries of failed requests. */
  forgiveRequests(): void {
    this.complaints = this.complaints.filter((one) => !one.startsWith("Failed to load resource"));
  }
}

async function startStage(
  sold: readonly NewProduct[],
  gone: readonly NewProduct[],
  options: DevstoreOptions,
): Promise<Stage> {
  const theme = { head: "" };
  const devstore = await startShopify({
    plan: "Growth",
    blocksOn: false,
    locales: ["en", "de", "fr", "es", "ja", "pt-BR"],
    renderLayout: (content) => renderLayout(content, theme.head),
    ...options,
  });
  const { catalog, installation } = devstore.store();
  // With a mail server the app sends alerts to customers, whose addresses it may then read.
  if (options.smtp) installation.scopes.push("read_customers");
  catalog.put(...sold, ...gone);
  const [service, browser] = await Promise.all([startService({ env: devstore.env }), launchBrowser()]);
  devstore.connectApp(service.url);
  await devstore.connectStore();
  await untilSynced(service.database, devstore.shop);
  for (const { id } of gone) catalog.remove(String(id));
  return { service, devstore, browser, theme };
}

/**
 * Vitest's `test` with a store whose products are in the theme and in the catalog cache.
 * @param gone products of the catalog cache that the store no longer has
 * @param options of the devstore, such as a mail server
 */
export function testWith(sold: readonly NewProduct[], gone: readonly NewProduct[] = [], options: DevstoreOptions = {}) {
  return base
    .extend("catalog", { scope: "file" }, () => sold)
    .extend("javaScript", (): boolean => true)
    .extend("stage", { scope: "file" }, async ({ catalog }, { onCleanup }) => {
      const stage = await startStage(catalog, gone, options);
      onCleanup(async () => {
        await stage.browser.close();
        await stage.service.dispose();
        await stage.devstore.close();
      });
      return stage;
    })
    .extend("pages", async ({ stage, javaScript }, { onCleanup }) => {
      const { browser, devstore, theme } = stage;
      const store = devstore.store();
      theme.head = "";
      store.catalog.put(...sold);
      store.storefrontLogin = false;
      store.storefrontRequests.length = 0;
      const context = await browser.newContext({ viewport: DESKTOP, javaScriptEnabled: javaScript });
      const pages = new WishlistPages(stage, await context.newPage());
      onCleanup(async () => {
        await context.close();
        expect(pages.complaints).toEqual([]);
      });
      return pages;
    });
}
