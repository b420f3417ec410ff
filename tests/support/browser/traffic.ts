import type { BrowserContext, Page, Request } from "playwright";
import { expect } from "./expect.ts";

/** What the pages of a browser profile ask for. */
export class Traffic {
  /** requests that have no answer yet */
  readonly #waiting = new Set<Request>();
  #sent = 0;

  constructor(context: BrowserContext) {
    const end = (request: Request): void => void this.#waiting.delete(request);
    context.on("requestfinished", end).on("requestfailed", end);
    context.on("request", (request) => {
      this.#sent++;
      this.#waiting.add(request);
    });
    context.on("page", (page) => {
      // The browser does not tell what becomes of the requests of a page that was left.
      page.on("framenavigated", () => {
        for (const request of this.#waiting) if (!request.isNavigationRequest()) end(request);
      });
    });
  }

  /**
   * Resolves when a page has nothing to do and nothing to wait for: what it has not asked by then, it never asks by itself. Playwright's
   * `waitForLoadState` does not tell this: it resolves at once on a page that was quiet before.
   */
  async quiet(page: Page): Promise<void> {
    for (let before = -1; before !== this.#sent;) {
      before = this.#sent;
      // What the script puts off it does in slices, when the browser is idle or has laid out what the last one changed.
      await page.evaluate(async () => {
        for (let turn = 0; turn < 5; turn++)
          await new Promise((resolve) => requestAnimationFrame(() => requestIdleCallback(resolve, { timeout: 100 })));
      });
      await expect.poll(() => this.#waiting.size, { intervals: [10] }).toBe(0);
    }
  }
}
