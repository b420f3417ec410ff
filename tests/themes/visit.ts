import type { Browser, Page } from "playwright";
import { Shopper } from "../support/browser/shopper.ts";
import type { PageOptions } from "../support/browser/theme-pages.ts";
import type { TestTheme } from "./test-theme.ts";
import { testThemePage } from "./page.ts";
import { installProbe, type Probe } from "./probe.ts";
import { CATALOG, SHOWN, type Product } from "./products.ts";

/** For what the extension puts off, such as the header's link until the header has stopped changing. */
export const LONG_POLL = { timeout: 10_000, interval: 20 };

export const WIDTHS = [1280, 390];

type Named<Result> = { [Name in keyof Probe]: Probe[Name] extends () => Result ? Name : never }[keyof Probe];

/** A shopper on the collection page of a theme. */
export class ThemeVisit {
  readonly page: Page;
  readonly shopper: Shopper;
  readonly theme: TestTheme;

  private constructor(shopper: Shopper, page: Page, theme: TestTheme) {
    this.shopper = shopper;
    this.page = page;
    this.theme = theme;
  }

  static async open(
    browser: Browser,
    theme: TestTheme,
    width: number,
    { products = SHOWN, saved = [], ...options }: PageOptions & { products?: Product[]; saved?: string[] } = {},
  ): Promise<ThemeVisit> {
    const shopper = await Shopper.arrive(
      browser,
      { width, height: width > 600 ? 900 : 844 },
      {
        render: (_, customer, given) => testThemePage(theme, customer, given, products),
        catalog: CATALOG,
      },
    );
    shopper.store.page = options;
    if (saved.length > 0) {
      await shopper.logIn("1");
      shopper.store.service.save("customer 1", ...saved);
    }
    await shopper.context.addInitScript(installProbe);
    const visit = new ThemeVisit(shopper, await shopper.context.newPage(), theme);
    // The theme is painted as a whole before the extension comes: what moves afterwards, the extension has moved.
    await visit.page.route("**/assets/wishlist.js", async (route) => {
      await visit.page.evaluate(async () => {
        while (performance.getEntriesByName("first-contentful-paint").length === 0) {
          await new Promise((resolve) => requestAnimationFrame(resolve));
        }
      });
      await route.continue();
    });
    await visit.page.goto(`${shopper.store.url}/collections/all`);
    await visit.waitUntilIdle();
    return visit;
  }

  /** Resolves when the extension has nothing to do any more: all is answered, and nothing of it changes or moves. */
  async waitUntilIdle(): Promise<void> {
    await this.shopper.quiet(this.page);
    await this.page.evaluate(async () => {
      let before = "";
      for (let calm = 0; calm < 3;) {
        await new Promise((resolve) => requestAnimationFrame(() => requestIdleCallback(resolve, { timeout: 100 })));
        const now = window.probe.ours();
        calm = now === before ? calm + 1 : 0;
        before = now;
      }
    });
  }

  /** Runs a check of the probe that takes nothing. */
  ask(name: Named<string[]>): Promise<string[]> {
    return this.page.evaluate((one) => window.probe[one](), name);
  }

  /** Presses a heart with the pointer. */
  async press(handle: string): Promise<void> {
    const { x, y } = await this.page.evaluate((one) => window.probe.aim(one), handle);
    await this.page.mouse.click(x, y);
    await this.waitUntilIdle();
  }

  /** All that can be wrong with the number of hearts and with what they stand for. */
  async mistakes(expected: Record<string, string> = VARIANTS): Promise<string[]> {
    const wrong = await this.page.evaluate((given) => window.probe.wrong(given), expected);
    return [...(await this.ask("counted")), ...(await this.ask("strays")), ...wrong];
  }

  async leave(): Promise<void> {
    await this.shopper.leave();
  }
}

/** The variants that cards name, by the product's handle. */
export const VARIANTS = Object.fromEntries(CATALOG.map(({ handle, named = "" }) => [handle, named]));
