import type { Browser, Page } from "playwright";
import { Shopper } from "../support/browser/shopper.ts";
import type { PageOptions } from "../support/browser/theme-pages.ts";
import type { TestTheme } from "./test-theme.ts";
import { testThemePage } from "./page.ts";
import { installProbe, type Probe } from "./probe.ts";
import { CATALOG, SHOWN, type Product } from "./products.ts";
import { dawn } from "./test-themes/dawn.ts";
import { horizon } from "./test-themes/horizon.ts";
import { TEST_THEMES } from "./test-themes/index.ts";

/** For deferred work, such as the header's link, which waits until the header is stable. */
export const OFTEN = { interval: 20 };

export const WIDTHS = [1280, 390];

/** A theme at a width. */
export interface ThemePage {
  name: string;
  theme: TestTheme;
  width: number;
}

const pages: ThemePage[] = WIDTHS.flatMap((width) => TEST_THEMES.map((theme) => ({ name: theme.name, theme, width })));

function isFirst({ theme, width }: ThemePage): boolean {
  return theme === (width === WIDTHS[0] ? dawn : horizon);
}

/** A page for each width, which stands for the others in `npm test`. */
export const FIRST_PAGES = pages.filter(isFirst);
export const OTHER_PAGES = pages.filter((page) => !isFirst(page));

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
    {
      products = SHOWN,
      saved = [],
      above,
      prepare,
      ...options
    }: PageOptions & {
      products?: Product[];
      saved?: string[];
      /** HTML above the list of products */
      above?: string;
      /** called before the page is opened */
      prepare?: (page: Page) => Promise<unknown>;
    } = {},
  ): Promise<ThemeVisit> {
    const shopper = await Shopper.arrive(
      browser,
      { width, height: width > 600 ? 900 : 844 },
      {
        render: (_, customer, given) => testThemePage(theme, customer, given, products, above),
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
    // The theme is painted before the extension runs, so later moves are the extension's.
    await visit.page.route("**/assets/wishlist.js", async (route) => {
      await visit.page.evaluate(async () => {
        while (performance.getEntriesByName("first-contentful-paint").length === 0) {
          await new Promise((resolve) => requestAnimationFrame(resolve));
        }
      });
      await route.continue();
    });
    await prepare?.(visit.page);
    await visit.page.goto(`${shopper.store.url}/collections/all`);
    await visit.waitUntilIdle();
    return visit;
  }

  /** Resolves when the extension has no pending requests and its elements neither change nor move. */
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

  /** Runs a check of the probe without arguments. */
  ask(name: Named<string[]>): Promise<string[]> {
    return this.page.evaluate((one) => window.probe[one](), name);
  }

  /** Presses a heart with the pointer. */
  async press(handle: string): Promise<void> {
    const { x, y } = await this.page.evaluate((one) => window.probe.aim(one), handle);
    await this.page.mouse.click(x, y);
    await this.waitUntilIdle();
  }

  /** Returns the problems with the number of hearts and their products. */
  async mistakes(expected: Record<string, string> = VARIANTS): Promise<string[]> {
    const wrong = await this.page.evaluate((given) => window.probe.wrong(given), expected);
    return [...(await this.ask("counted")), ...(await this.ask("strays")), ...wrong];
  }

  async leave(): Promise<void> {
    await this.shopper.leave();
  }
}

/** Returns the variants in the cards' links by handle. */
export const VARIANTS = Object.fromEntries(CATALOG.map(({ handle, named = "" }) => [handle, named]));
