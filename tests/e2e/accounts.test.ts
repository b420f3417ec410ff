import type { Page } from "playwright";
import { describe, expect as expectValue } from "vitest";
import { test } from "./fixtures/journey.ts";
import { productAt } from "./fixtures/live-store.ts";
import { COLLECTION, expect, expectCount, expectSaved, heartOf, listed, press, WISHLIST } from "./fixtures/visitor.ts";
import { MATRIX } from "../support/matrix.ts";

const [first, second] = [productAt(0), productAt(1)];

/** Records every saved heart and every count from the start of the page, including those that flash up. */
async function watch(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shown: string[] = [];
    Object.assign(window, { shown });
    new MutationObserver(() => {
      for (const one of document.querySelectorAll<HTMLElement>('[data-wishlist-button][aria-pressed="true"]')) {
        shown.push(one.dataset["productHandle"] ?? "");
      }
      for (const one of document.querySelectorAll<HTMLElement>("[data-wishlist-count]")) {
        if (one.textContent !== "0") shown.push(one.textContent);
      }
    }).observe(document, { childList: true, subtree: true, attributes: true, characterData: true });
  });
}

function shown(page: Page): Promise<unknown> {
  return page.evaluate(() => ("shown" in window ? window.shown : undefined));
}

for (const [pages, on] of [
  ["separate pages", false],
  ["the same page for everybody, from a full-page cache", true],
] as const) {
  describe(`with ${pages}`, on ? {} : MATRIX, () => {
    test("the next shopper in the same browser sees nothing of a customer who logged out", async ({
      store,
      visitor,
    }) => {
      await store.control("page-cache", { on });
      const page = await visitor.open("/");
      await visitor.logIn(page, store.newCustomer());
      await visitor.visit(page, COLLECTION);
      await press(heartOf(page, first.handle));
      await expectCount(page, 1);
      // On a cached page the save began as a guest's, whose merge would be refused after the logout.
      await visitor.quiet(page);

      await watch(page);
      await visitor.logOut(page);
      expectValue(await shown(page)).toEqual([]);
      const after = await visitor.context.newPage();
      // A cached page does not name the customer. Until the app responds it must show nothing of a customer.
      await watch(after);
      await visitor.visit(after, COLLECTION);
      await expectSaved(heartOf(after, first.handle), false);
      expectValue(await shown(after)).toEqual([]);
      await visitor.visit(after, WISHLIST);
      await expect(after.getByText("Nothing saved yet")).toBeVisible();

      const next = store.newCustomer();
      await visitor.logIn(after, next);
      await visitor.visit(after, COLLECTION);
      await expectSaved(heartOf(after, first.handle), false);
      expectValue(await shown(after)).toEqual([]);
      await press(heartOf(after, second.handle));
      await visitor.visit(after, WISHLIST);
      await expect(listed(after)).toHaveText([second.title]);
      const lists = await store.database.rows(
        "SELECT i.product_id AS product FROM wishlist w JOIN wishlist_item i ON i.shop_id = w.shop_id AND i.wishlist_id = w.id WHERE w.owner_id = $1",
        [next.customerId],
      );
      expectValue(lists).toEqual([{ product: second.productId }]);
    });
  });
}

test(
  "a guest's list without browser storage lasts for the visit and is merged at login",
  MATRIX,
  async ({ store, visitor }) => {
    await visitor.context.addInitScript(() => {
      for (const name of ["localStorage", "sessionStorage"]) {
        Object.defineProperty(window, name, {
          get() {
            throw new DOMException("denied", "SecurityError");
          },
        });
      }
    });
    const page = await visitor.open(COLLECTION);
    await press(heartOf(page, first.handle));
    await visitor.visit(page, `/products/${second.handle}`);
    await press(page.locator("#MainProduct [data-wishlist-button]"));
    await visitor.visit(page, COLLECTION);
    await expectSaved(heartOf(page, first.handle));
    await expectSaved(heartOf(page, second.handle));
    await expectCount(page, 2);
    await visitor.visit(page, WISHLIST);
    await expect(listed(page)).toHaveText([second.title, first.title]);

    await visitor.logIn(page, store.newCustomer());
    await expectCount(page, 2);
    await visitor.visit(page, WISHLIST);
    await expect(listed(page)).toHaveText([second.title, first.title]);
    expectValue(await store.database.rows("SELECT 1 FROM wishlist WHERE owner_kind = 'guest'")).toEqual([]);
  },
);
