import type { Page } from "playwright";
import { describe, expect, test } from "vitest";
import { needs } from "../support/programs/needs.ts";
import { chromium } from "../support/programs/programs.ts";
import { expectCount, expectSaved, heartOf, savedOn, type Shopper, withShopper } from "../support/browser/shopper.ts";

let shopper: Shopper;
let store: Shopper["store"];

withShopper(
  (arrival) => {
    shopper = arrival;
    store = shopper.store;
  },
  { whole: true, ignoreDefaultArgs: ["--disable-back-forward-cache"] },
);

describe("a page from the back/forward cache", needs(chromium), () => {
  const mark = (page: Page): Promise<unknown> => page.evaluate(() => (document.body.dataset["kept"] = "yes"));

  // Chromium delivers the storage events that the page has missed; other browsers need not.
  const options = { script: 'addEventListener("storage", (event) => event.stopImmediatePropagation(), true);' };

  /** Goes back to the marked page. A reloaded page has no mark and would prove nothing. */
  async function goBack(page: Page): Promise<void> {
    // Playwright's goBack waits for a load.
    await page.evaluate(() => history.back());
    await expect.poll(() => page.evaluate(() => document.body.dataset["kept"]).catch(() => "")).toBe("yes");
  }

  test("shows items that were saved meanwhile", async () => {
    const page = await shopper.open("/collections/all", options);
    await mark(page);
    await shopper.visit(page, "/products/trail-shoe-2");
    await page.locator("main [data-wishlist-button]").click();
    await expectCount(page, 1);
    await shopper.quiet(page);
    await goBack(page);
    await expectSaved(heartOf(page, 2));
    await expectCount(page, 1);
  });

  test("shows only the list of the shopper who has logged in meanwhile", async () => {
    await shopper.logIn("1");
    store.service.save("customer 1", "90011", "90021");
    store.service.save("customer 2", "90031");
    const page = await shopper.open("/collections/all", options);
    await expectCount(page, 2);
    await mark(page);
    await shopper.logIn("2");
    await shopper.visit(page, "/products/trail-shoe-2");
    await expectCount(page, 1);
    await goBack(page);
    await expectSaved(heartOf(page, 3));
    expect(await savedOn(page)).toEqual(["trail-shoe-3"]);
    await expectCount(page, 1);
  });
});
