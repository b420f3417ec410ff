import type { Browser, BrowserContext, Locator, Page } from "playwright";
import { beforeAll, beforeEach } from "vitest";
import { launchBrowser } from "./browser.ts";
import { expect } from "./expect.ts";
import { logIn } from "./log-in.ts";
import { Storefront, type Store } from "./theme-storefront.ts";
import type { PageOptions } from "./theme-pages.ts";
import { Traffic } from "./traffic.ts";

/** A shopper with a new browser profile in a new store. */
export class Shopper {
  /** errors of the pages' scripts */
  readonly complaints: string[] = [];

  readonly store: Storefront;
  readonly context: BrowserContext;
  readonly #traffic: Traffic;

  private constructor(store: Storefront, context: BrowserContext) {
    this.store = store;
    this.context = context;
    this.#traffic = new Traffic(context);
    context.on("page", (page) => page.on("pageerror", (error) => this.complaints.push(error.message)));
  }

  static async arrive(browser: Browser, viewport = { width: 1280, height: 900 }, store: Store = {}): Promise<Shopper> {
    return new Shopper(await Storefront.start(store), await browser.newContext({ viewport }));
  }

  async leave(): Promise<void> {
    await this.context.close();
    await this.store.close();
    expect(this.complaints).toEqual([]);
  }

  /** Opens a tab and waits until the script has started. */
  async open(path = "/collections/all", options: PageOptions = this.store.page): Promise<Page> {
    const page = await this.context.newPage();
    await this.visit(page, path, options);
    return page;
  }

  async visit(page: Page, path: string, options: PageOptions = this.store.page): Promise<void> {
    this.store.page = options;
    await page.goto(this.store.url + path);
    if (options.embed !== null) await page.waitForSelector(".whl-counter");
    await this.quiet(page);
  }

  quiet(page: Page): Promise<void> {
    return this.#traffic.quiet(page);
  }

  /** Logs in to the store for the following pages; null logs out. */
  async logIn(customer: string | null): Promise<void> {
    await logIn(this.context, this.store.url, this.store.state, customer);
  }
}

/**
 * Gives each test of a file a shopper in a new store. The tests share a browser.
 * @param prepare called with the shopper before each test
 * @param options of a browser that this file has for itself
 */
export function withShopper(
  prepare: (shopper: Shopper) => Promise<void> | void,
  options?: Parameters<typeof launchBrowser>[0],
): void {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser(options);
    return () => browser.close();
  });
  beforeEach(async () => {
    const shopper = await Shopper.arrive(browser);
    await prepare(shopper);
    return () => shopper.leave();
  });
}

/** Locates the heart of a product's card. */
export function heartOf(page: Page, number: number): Locator {
  return page.locator(`[data-wishlist-button][data-product-handle="trail-shoe-${number}"]`);
}

export async function expectSaved(heart: Locator, saved = true): Promise<void> {
  await expect(heart).toHaveAttribute("aria-pressed", String(saved));
}

export async function expectCount(page: Page, count: number): Promise<void> {
  await expect(page.locator("[data-wishlist-count]")).toHaveText(String(count));
}

export async function expectMessage(page: Page, message: string | RegExp): Promise<void> {
  await expect(page.locator(".whl-message:not(:empty)")).toHaveText(message);
}

/** Returns the handles of the products whose hearts show saved. */
export function savedOn(page: Page): Promise<string[]> {
  return page
    .locator('[data-wishlist-button][aria-pressed="true"]')
    .evaluateAll((all: HTMLElement[]) => all.map((one) => one.dataset["productHandle"] ?? ""));
}
