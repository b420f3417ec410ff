// @module-tag matrix

import type { Locator, Page } from "playwright";
import { describe, expect } from "vitest";
import { product, testWith } from "../support/browser/wishlist-pages.ts";

const SIZES = Array.from({ length: 22 }, (_, i) => ({ id: 5000 + i, title: `Size ${i}`, priceCents: 100 }));
const test = testWith([product(0, "Beanie"), product(1, "Tent", { variants: SIZES })]);

const removeButton = (page: Page) => page.getByRole("button", { name: "Remove Beanie from the wishlist" });
const undoButton = (page: Page) => page.getByRole("button", { name: /Undo/ });

/** Clicks twice before the first click's request has its response. @returns the number of requests that the clicks sent */
function pressTwice(button: Locator): Promise<number> {
  return button.evaluate((one: HTMLElement) => {
    const { fetch } = window;
    let count = 0;
    window.fetch = (...request) => {
      count++;
      return fetch(...request);
    };
    one.click();
    one.click();
    window.fetch = fetch;
    return count;
  });
}

describe("a double click", () => {
  test("on Remove and on Undo acts once", async ({ pages }) => {
    const { page } = pages;
    const customer = await pages.customerWith(101);
    await pages.open();
    expect(await pressTwice(removeButton(page))).toBe(1);
    expect(await pressTwice(undoButton(page))).toBe(1);
    await removeButton(page).waitFor();
    expect(await pages.savedVariants(customer)).toEqual(["1101"]);
  });

  test("on Share and on Stop sharing acts once", async ({ pages }) => {
    const { page } = pages;
    pages.head = "<script>window.sheets = 0; navigator.share = async () => { window.sheets++; }</script>";
    await pages.customerWith(101);
    await pages.open();
    expect(await pressTwice(page.getByRole("button", { name: "Share", exact: true }))).toBe(1);
    await page.getByRole("button", { name: "Send link" }).waitFor();
    expect(await pressTwice(page.getByRole("button", { name: "Stop sharing" }))).toBe(1);
    await page.getByText("The link no longer works").waitFor();
    expect(await page.evaluate("sheets")).toBe(1);
  });

  test("on Next turns one page", async ({ pages }) => {
    const { page } = pages;
    await pages.customerWith(...SIZES.map(({ id }) => `102/${id}`));
    await pages.open();
    const before = await page.evaluate(() => history.length);
    expect(await pressTwice(page.getByRole("link", { name: "Next" }))).toBe(1);
    await page.getByText("Page 2 of 2").waitFor();
    expect(await page.evaluate(() => history.length)).toBe(before + 1);
  });

  test("on Try again merges a guest's list once", async ({ pages }) => {
    const { page } = pages;
    await pages.guestWith(101);
    await pages.customerWith("102/5000");
    await page.route("**/api/merge", (route) => route.abort());
    await pages.open();
    const again = page.getByRole("button", { name: "Try again" });
    await again.waitFor();
    await page.unroute("**/api/merge");
    expect(await pressTwice(again)).toBe(1);
    await expect.poll(() => pages.names()).toHaveLength(2);
    pages.forgiveRequests();
  });
});
