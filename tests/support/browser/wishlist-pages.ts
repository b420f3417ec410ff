import type { Browser, Page } from "playwright";
import { expect, test as base } from "vitest";
import { closeDatabase } from "../../../app/platform/database.server.ts";
import { DESKTOP, launchBrowser } from "./browser.ts";
import { client } from "../app/client.ts";
import type { Service } from "../app/service.ts";
import { makeShop, type TestShop } from "../app/shop.ts";
import { newGuest, startStorefront, visitor, type ProxyCall } from "../app/storefront.ts";
import { startThemeStore, type ThemeStore } from "./theme-store.ts";
import type { ThemeProduct } from "./theme.ts";
import { Traffic } from "./traffic.ts";

const COLOURS = ["#7a8b99", "#b08968", "#606c38", "#9d8189", "#457b9d", "#6d597a"];

/** A product with the id `101 + place` and one variant, whose id is 1000 more. */
export function product(place: number, title: string, more: Partial<ThemeProduct> = {}): ThemeProduct {
  const id = 101 + place;
  const variants = [{ id: id + 1000, title: "Default Title", price: 2900 + place * 700, available: true }];
  return { id, handle: `product-${id}`, title, colour: COLOURS[place % COLOURS.length] ?? "#888", variants, ...more };
}

interface Stage {
  service: Service;
  shop: TestShop;
  store: ThemeStore;
  browser: Browser;
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

  get store(): ThemeStore {
    return this.stage.store;
  }

  as(customer?: string): ProxyCall {
    const { service, shop } = this.stage;
    return visitor(service.url, { shop: shop.domain, customer });
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
    this.store.customer = customer;
    return customer;
  }

  /** Gives the browser the guest id of a guest with saved items. */
  async guestWith(...items: (number | string)[]): Promise<string> {
    const guest = newGuest();
    await this.save(this.as(), items, guest);
    const state = { v: 1, cid: null, owner: "guest", guest, count: items.length, saved: {} };
    await this.page.goto(this.store.url);
    await this.page.evaluate((json) => localStorage.setItem("wishlist", json), JSON.stringify(state));
    return guest;
  }

  /** Opens the wishlist page. */
  async open(query = ""): Promise<void> {
    await this.page.goto(`${this.store.url}/apps/wishlist${query}`);
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

  /** Returns the requests that the store has passed to the app. */
  requests(): string[] {
    return this.store.passed.map(({ request }) => request);
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

async function startStage(sold: readonly ThemeProduct[], gone: readonly ThemeProduct[]): Promise<Stage> {
  const products = [...sold, ...gone];
  const service = await startStorefront();
  const shop = await makeShop(service, client(service.url), {
    products: Object.fromEntries(products.map(({ id, variants }) => [String(id), String(variants[0]?.id)])),
  });
  const { rows } = service.database;
  for (const { id, handle, title, variants } of products) {
    const key = [shop.id, String(id)];
    await rows("UPDATE product SET handle = $3, title = $4 WHERE shop_id = $1 AND product_id = $2", [
      ...key,
      handle,
      title,
    ]);
    await rows(
      `INSERT INTO variant (shop_id, product_id, variant_id, title, price, available, position)
       SELECT $1, $2, id, title, price / 100.0, available, row_number() OVER ()
         FROM jsonb_to_recordset($3) AS v (id text, title text, price numeric, available boolean)`,
      [...key, JSON.stringify(variants)],
    );
  }
  const store = await startThemeStore(service.url, shop.domain, sold);
  return { service, shop, store, browser: await launchBrowser() };
}

/**
 * Vitest's `test` with a store whose products are in the theme and in the catalog cache.
 * @param gone products of the catalog cache that the theme no longer has
 */
export function testWith(products: readonly ThemeProduct[], gone: readonly ThemeProduct[] = []) {
  return base
    .extend("catalog", { scope: "file" }, () => products)
    .extend("javaScript", (): boolean => true)
    .extend("stage", { scope: "file" }, async ({ catalog }, { onCleanup }) => {
      const stage = await startStage(catalog, gone);
      onCleanup(async () => {
        await stage.browser.close();
        await stage.store.close();
        await closeDatabase();
        await stage.service.dispose();
      });
      return stage;
    })
    .extend("pages", async ({ stage, javaScript }, { onCleanup }) => {
      Object.assign(stage.store, { customer: undefined, locale: "en", passed: [], cart: [], refused: {} });
      Object.assign(stage.store, { head: "", loginUrl: undefined });
      const context = await stage.browser.newContext({ viewport: DESKTOP, javaScriptEnabled: javaScript });
      const pages = new WishlistPages(stage, await context.newPage());
      onCleanup(async () => {
        await context.close();
        expect(pages.complaints).toEqual([]);
      });
      return pages;
    });
}
