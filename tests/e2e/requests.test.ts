import type { Page } from "playwright";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect as expectValue, test } from "vitest";
import { DESKTOP, PHONE } from "../devstore/fixtures/browser.ts";
import { openStore, productAt, type LiveStore } from "./fixtures/live-store.ts";
import { COLLECTION, expect, expectCount, expectSaved, heartOf, press, Visitor } from "./fixtures/visitor.ts";

const first = productAt(0);
const PRODUCT = `/products/${first.handle}`;

let store: LiveStore;
let visitor: Visitor;

beforeAll(async () => {
  store = await openStore();
});
afterAll(() => store.close());
beforeEach(async () => {
  visitor = await Visitor.arrive(store);
});
afterEach(() => visitor.leave());

test("a new guest's pages ask the app for nothing before the first press, and leave nothing in the browser", async () => {
  const page = await visitor.open("/");
  for (const path of [COLLECTION, PRODUCT, "/search?q=tent", "/cart"]) await visitor.visit(page, path);
  expectValue(visitor.asked).toEqual([]);
  expectValue(await page.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0);
  await visitor.visit(page, COLLECTION);
  await press(heartOf(page, first.handle));
  expectValue(visitor.asked).toEqual(["add"]);
  // From then on the browser knows the list.
  for (const path of ["/", COLLECTION, PRODUCT]) await visitor.visit(page, path);
  expectValue(visitor.asked).toEqual(["add"]);
});

test("a customer's page asks once, however many products it shows", async () => {
  const page = await visitor.open("/");
  await visitor.logIn(page, store.newCustomer());
  for (const path of [COLLECTION, PRODUCT, "/"]) {
    visitor.asked = [];
    await visitor.visit(page, path);
    expectValue(await page.locator("[data-wishlist-button]").count()).toBeGreaterThan(3);
    expectValue(visitor.asked).toEqual(["saved"]);
  }
});

/** What the browser counts as layout shifts of the page since it was opened. */
function shifts(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((entries) => {
          for (const entry of entries.getEntries()) if ("value" in entry) sum += Number(entry.value);
        }).observe({ type: "layout-shift", buffered: true });
        // What was buffered comes with the next task; the second frame is after it.
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(sum))));
      }),
  );
}

describe.each([
  ["a phone", PHONE],
  ["a desktop", DESKTOP],
])("on %s", (_, viewport) => {
  test("nothing moves on a page, with and without something saved", async () => {
    const page = await visitor.open("/");
    await page.setViewportSize(viewport);
    const look = async (): Promise<void> => {
      for (const path of ["/", COLLECTION, PRODUCT]) {
        await visitor.visit(page, path);
        await expect(page.locator(".whl-counter")).toHaveCount(1);
        expectValue([path, await shifts(page)]).toEqual([path, 0]);
      }
    };
    await look();
    await visitor.visit(page, COLLECTION);
    await press(heartOf(page, first.handle));
    await expectSaved(heartOf(page, first.handle));
    await expectCount(page, 1);
    await look();
    await visitor.logIn(page, store.newCustomer());
    await look();
  });
});
