import type { BrowserContext, Request } from "playwright";
import { expect } from "./expect.ts";

/** A page, or an element of one of its frames. */
interface Scripted {
  evaluate: (work: () => Promise<void>) => Promise<void>;
}

/** Observes the requests of the pages of a browser profile. */
export class Traffic {
  /** requests without a response */
  readonly #waiting = new Set<Request>();
  #sent = 0;

  constructor(context: BrowserContext) {
    const end = (request: Request): void => void this.#waiting.delete(request);
    context.on("requestfinished", end).on("requestfailed", end);
    // The browser reports no end for an error's body that no script reads.
    context.on("response", (response) => {
      if (response.status() >= 400) end(response.request());
    });
    context.on("request", (request) => {
      this.#sent++;
      this.#waiting.add(request);
    });
    context.on("page", (page) => {
      // The browser reports no end for requests of a page that was left.
      page.on("framenavigated", () => {
        for (const request of this.#waiting) if (!request.isNavigationRequest()) end(request);
      });
    });
  }

  /**
   * Resolves when a page has neither pending requests nor scheduled work. Playwright's `waitForLoadState` resolves
   * immediately on a page that was idle before.
   * @param page what to wait for: the page's scheduled work, or that of the element's frame
   */
  async quiet(page: Scripted): Promise<void> {
    for (let before = -1; before !== this.#sent;) {
      await expect.poll(() => this.#waiting.size, { intervals: [10] }).toBe(0);
      before = this.#sent;
      // The script defers work to idle time and to the frames after a layout. It begins its work with the last response after the browser has reported
      // the request's end.
      await page.evaluate(async () => {
        for (let turn = 0; turn < 5; turn++)
          await new Promise((resolve) => requestAnimationFrame(() => requestIdleCallback(resolve, { timeout: 100 })));
      });
    }
  }
}
