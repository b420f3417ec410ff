// @module-tag matrix

import type { Page } from "playwright";
import { describe, expect as expectValue } from "vitest";
import { violations } from "../support/browser/axe.ts";
import { DESKTOP, PHONE } from "../support/browser/browser.ts";
import { test } from "./fixtures/journey.ts";
import { productAt } from "./fixtures/live-store.ts";
import {
  COLLECTION,
  expect,
  expectSaved,
  heartOf,
  listed,
  mainButton,
  removeButton,
  saveAll,
  share,
  shareButton,
  WISHLIST,
} from "./fixtures/visitor.ts";

const [first, second] = [productAt(0), productAt(1)];

/** Checks the whole page (theme, blocks and what the app rendered into it) on a desktop and on a phone. */
async function expectNoViolations(page: Page): Promise<void> {
  for (const size of [DESKTOP, PHONE]) {
    await page.setViewportSize(size);
    expectValue(await violations(page.locator("html"))).toEqual([]);
    expectValue(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  }
}

describe("axe finds no violation and no page overflows on a phone or a desktop,", () => {
  test("on a guest's pages and messages", async ({ store, arrive }) => {
    const visitor = await arrive({ viewport: PHONE });
    const page = await visitor.context.newPage();
    await visitor.visit(page, "/");
    await expectNoViolations(page);
    await visitor.visit(page, WISHLIST);
    await expect(page.getByText("Nothing saved yet")).toBeVisible();
    await expectNoViolations(page);
    await saveAll(visitor, page, [first, second]);
    await expectSaved(heartOf(page, second.handle));
    await expectNoViolations(page);
    await visitor.visit(page, `/products/${first.handle}`);
    await expectSaved(mainButton(page));
    await expectNoViolations(page);
    await visitor.visit(page, WISHLIST);
    await expect(listed(page)).toHaveCount(2);
    await expectNoViolations(page);
    await removeButton(page, first.title).click();
    await expect(page.getByRole("button", { name: /Undo/ })).toBeFocused();
    await expectNoViolations(page);

    await visitor.visit(page, COLLECTION);
    await store.control("faults", { faults: { proxy: "error" } });
    await heartOf(page, first.handle).click();
    await expect(page.getByRole("status").filter({ hasText: "Something went wrong." })).toBeVisible();
    await expectNoViolations(page);
    visitor.expectFailures("502 POST /apps/wishlist/api/add");
  });

  test("on a customer's wishlist, a shared list, a revoked link and an unknown link", async ({ store, arrive }) => {
    const visitor = await arrive({ viewport: PHONE });
    await visitor.startSession(store.newCustomer());
    const page = await visitor.context.newPage();
    await saveAll(visitor, page, [first, second]);
    await visitor.visit(page, WISHLIST);
    const link = await share(page);
    await page
      .locator("[data-wishlist-item]")
      .filter({ has: page.getByRole("button", { name: "Add to cart" }) })
      .first()
      .getByRole("button", { name: "Add to cart" })
      .click();
    await expect(page.getByRole("link", { name: "View cart" })).toBeVisible();
    // The card's buttons fade in when the cart has responded.
    await expect(page.locator("[data-wishlist-item] [aria-disabled]")).toHaveCount(0);
    await expectNoViolations(page);

    await visitor.visit(page, new URL(link).pathname);
    await expect(listed(page)).toHaveCount(2);
    await expectNoViolations(page);
    await visitor.visit(page, WISHLIST);
    await shareButton(page).click();
    await page.getByRole("button", { name: "Stop sharing" }).click();
    await expect(page.getByText("The link no longer works")).toBeVisible();
    await expectNoViolations(page);
    await visitor.visit(page, new URL(link).pathname);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("This wishlist is no longer shared");
    await expectNoViolations(page);
    await visitor.visit(page, `${WISHLIST}/shared/0123456789abcdefghijkl`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("No wishlist found for this link");
    await expectNoViolations(page);
  });
});

test("axe finds no violation on a card or wishlist with an error message", async ({ arrive }) => {
  const visitor = await arrive({ viewport: PHONE });
  const page = await visitor.context.newPage();
  await saveAll(visitor, page, [first]);
  const hearts = await visitor.open();
  await visitor.visit(page, WISHLIST);
  for (const [status, code, said] of [
    [409, "wishlist_full", "full"],
    [429, "rate_limited", "Too many requests"],
    [503, "service_unavailable", "Something went wrong"],
  ] as const) {
    await visitor.context.route(/\/api\/(?:add|remove)$/, (route) =>
      route.fulfill({ json: { ok: false, error: { code, status, retryAfter: 30 } } }),
    );
    await heartOf(hearts, second.handle).click();
    await expect(hearts.locator(".whl-message:not(:empty)")).toContainText(said);
    await expectNoViolations(hearts);
    await removeButton(page, first.title).click();
    await expect(page.locator("[data-wishlist-status]:not(:empty)")).toContainText(said);
    await expectNoViolations(page);
  }
});
