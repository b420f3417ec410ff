import { expect as expectValue } from "vitest";
import { DESKTOP, PHONE } from "../support/browser/browser.ts";
import { MATRIX } from "../support/matrix.ts";
import { layoutShifts } from "../support/browser/layout-shifts.ts";
import { test } from "./fixtures/journey.ts";
import { productAt } from "./fixtures/live-store.ts";
import { COLLECTION, expect, expectCount, expectSaved, heartOf, press } from "./fixtures/visitor.ts";

const first = productAt(0);
const PRODUCT = `/products/${first.handle}`;

test("a new guest's pages send no request before the first press, and store only which products were viewed", async ({
  visitor,
}) => {
  const page = await visitor.open("/");
  for (const path of [COLLECTION, PRODUCT, "/search?q=tent", "/cart"]) await visitor.visit(page, path);
  expectValue(visitor.proxyRequests).toEqual([]);
  const stored = await page.evaluate(() => [localStorage, sessionStorage].flatMap((storage) => Object.keys(storage)));
  expectValue(stored).toEqual(["wishlist:viewed"]);
  await visitor.visit(page, COLLECTION);
  await press(heartOf(page, first.handle));
  expectValue(visitor.proxyRequests).toEqual(["add"]);
  // The browser has stored the list now.
  for (const path of ["/", COLLECTION, PRODUCT]) await visitor.visit(page, path);
  expectValue(visitor.proxyRequests).toEqual(["add"]);
});

for (const viewport of [PHONE, DESKTOP]) {
  const title = `pages have no layout shifts at ${viewport.width} pixels, with and without saved items`;
  test(title, MATRIX, async ({ store, visitor }) => {
    const page = await visitor.open("/");
    await page.setViewportSize(viewport);
    const look = async (): Promise<void> => {
      for (const path of ["/", COLLECTION, PRODUCT]) {
        await visitor.visit(page, path);
        await expect(page.locator(".whl-counter")).toHaveCount(1);
        expectValue([path, await layoutShifts(page)]).toEqual([path, []]);
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
}
