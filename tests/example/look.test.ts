import type { Page } from "playwright";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { violations } from "../support/browser/axe.ts";
import { DESKTOP, PHONE } from "../support/browser/browser.ts";
import { expect as expectPage } from "../support/browser/expect.ts";
import { MATRIX } from "../support/matrix.ts";
import { layoutShifts } from "../support/browser/layout-shifts.ts";
import { ANNA, expectNotice, expectSaved, heartOf, rowsOf, ShopFront, titleOf } from "./fixtures/shop-front.ts";

let front: ShopFront;
beforeAll(async () => {
  front = await ShopFront.open();
});
afterEach(() => front.clear());
afterAll(() => front.close());

const DIALOGS = [
  { open: "+ New list", title: "New list" },
  { open: "Share", title: "Share My wishlist" },
  { open: "Rename", title: "Rename list" },
  { open: `Move ${titleOf(1)}`, title: `Move ${titleOf(1)} to` },
];

/** Checks on a desktop and on a phone that axe finds nothing, and that the page is no wider than the screen. */
async function inspect(page: Page): Promise<void> {
  for (const size of [DESKTOP, PHONE]) {
    await page.setViewportSize(size);
    expect(await violations(page.locator("html"))).toEqual([]);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
  }
}

describe("on a phone and a desktop", MATRIX, () => {
  test("all pages are accessible and fit the screen", async () => {
    const shopper = await front.arrive(PHONE);
    const page = await shopper.open("/wishlist");
    await expectPage(page.getByText("Nothing saved yet")).toBeVisible();
    await inspect(page);
    await page.goto(front.origin);
    await shopper.save(page, 1, 2);
    await inspect(page);
    await shopper.logIn(page, ANNA);
    await expectNotice(page, "2 products");
    await inspect(page);
    for (const address of ["/products/lamp-1", "/nowhere", "/shared/no-such-token-at-all"]) {
      await page.goto(front.origin + address);
      await expectPage(page.getByRole("heading", { level: 1 })).toBeVisible();
      await inspect(page);
    }
    await page.goto(`${front.origin}/wishlist`);
    await expectPage(rowsOf(page)).toHaveCount(2);
    await inspect(page);
  });

  test("all dialogs are accessible, close with Escape and return the focus", async () => {
    const shopper = await front.arrive(PHONE);
    const page = await shopper.open("/");
    await shopper.save(page, 1);
    await page.goto(`${front.origin}/wishlist`);
    await shopper.logIn(page, ANNA);
    await expectPage(rowsOf(page)).toHaveCount(1);
    for (const { open, title } of DIALOGS) {
      const button = page.getByRole("button", { name: open, exact: true });
      await button.press("Enter");
      await expectPage(page.getByRole("dialog", { name: title })).toBeVisible();
      await inspect(page);
      await page.keyboard.press("Escape");
      await expectPage(page.getByRole("dialog")).toHaveCount(0);
      if (open !== "Share") await expectPage(button).toBeFocused();
    }
  });

  test.each([PHONE, DESKTOP])(
    "the grid and the wishlist load without layout shifts at $width pixels",
    async (viewport) => {
      const shopper = await front.arrive(viewport);
      const page = await shopper.open("/");
      await shopper.save(page, 1, 2, 3, 4, 5);
      await page.goto(front.origin);
      await expectSaved(heartOf(page, 5));
      await shopper.quiet(page);
      expect(await layoutShifts(page)).toEqual([]);
      await page.goto(`${front.origin}/wishlist`);
      await expectPage(rowsOf(page)).toHaveCount(5);
      await shopper.quiet(page);
      expect(await layoutShifts(page)).toEqual([]);
    },
  );
});

test("the focus goes to the content of a new page, and a removed row's to the heading", async () => {
  const shopper = await front.arrive();
  const page = await shopper.open("/");
  await shopper.save(page, 1, 2);
  await page.getByRole("link", { name: /^Wishlist/ }).press("Enter");
  await expectPage(page.getByRole("main")).toBeFocused();
  await page.getByRole("button", { name: `Remove ${titleOf(1)}` }).press("Enter");
  await expectPage(page.getByRole("heading", { level: 1 })).toBeFocused();
});

test("a notice is announced, and the heart tells its state", async () => {
  const shopper = await front.arrive();
  const page = await shopper.open("/");
  await shopper.save(page, 1);
  await expectPage(page.getByRole("button", { name: `Save ${titleOf(1)}`, pressed: true })).toBeVisible();
  await page.getByRole("link", { name: /^Wishlist/ }).click();
  await page.getByRole("button", { name: `Remove ${titleOf(1)}` }).click();
  await expectPage(page.getByRole("status").filter({ hasText: "was removed" })).toBeVisible();
});
