// @module-tag matrix

import type { Locator, Page } from "playwright";
import { describe, expect } from "vitest";
import { choose, product, testWith } from "../support/browser/wishlist-pages.ts";

const test = testWith([product(0, "Beanie"), product(1, "Socks")]);

/** A theme's page with the list in two blocks. */
const BLOCKS = `<script>addEventListener("DOMContentLoaded", async () => {
  document.querySelector("main").innerHTML = "<h1>Saved</h1><div data-wishlist-page></div><div data-wishlist-page></div>";
  for (const block of document.querySelectorAll("[data-wishlist-page]")) {
    const response = await fetch("/apps/wishlist/api/page", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ heading: 2 }) });
    block.replaceChildren(document.createRange().createContextualFragment(await response.text()));
  }
})</script>`;

const listAt = (page: Page, index: number) => page.locator("[data-wishlist-page]").nth(index);
const namesIn = (list: Locator) => list.locator(".wl-name").allInnerTexts();
const statusOf = (list: Locator) => list.locator("[data-wishlist-status]");

describe("two lists on one page", () => {
  test("both show an item's removal and its restoration", async ({ pages }) => {
    const { page } = pages;
    pages.head = BLOCKS;
    await pages.customerWith(102, 101);
    await page.goto(`${pages.url}/pages/wishlist`);
    const [first, second] = [listAt(page, 0), listAt(page, 1)];
    await second.getByRole("button", { name: /^Remove Beanie/ }).click();
    await second.getByRole("button", { name: /Undo/ }).waitFor();
    await expect.poll(() => namesIn(first)).toEqual(["Socks"]);
    await second.getByRole("button", { name: /Undo/ }).click();
    await expect.poll(() => namesIn(first)).toEqual(["Beanie", "Socks"]);
    expect(await namesIn(second)).toEqual(["Beanie", "Socks"]);
  });

  test("only the one that is sorted changes its order", async ({ pages }) => {
    const { page } = pages;
    pages.head = BLOCKS;
    await pages.customerWith(102, 101);
    await page.goto(`${pages.url}/pages/wishlist`);
    const [first, second] = [listAt(page, 0), listAt(page, 1)];
    await choose(second, "Oldest");
    await expect.poll(() => namesIn(second)).toEqual(["Socks", "Beanie"]);
    // A list that used the old address would load again.
    await page.waitForLoadState("networkidle");
    expect(await namesIn(second)).toEqual(["Socks", "Beanie"]);
    expect(await namesIn(first)).toEqual(["Beanie", "Socks"]);
  });

  test("each clears its own message", async ({ pages }) => {
    const { page } = pages;
    pages.head = BLOCKS;
    await pages.customerWith(102, 101);
    await page.clock.install();
    await page.goto(`${pages.url}/pages/wishlist`);
    const lists = [listAt(page, 0), listAt(page, 1)];
    for (const list of lists) {
      await list.getByRole("button", { name: "Add to cart – Beanie" }).click();
      await statusOf(list).filter({ hasText: "Added to cart" }).waitFor();
    }
    await page.clock.fastForward(60_000);
    for (const list of lists) await expect.poll(() => statusOf(list).innerText()).toBe("");
    expect(await pages.cart()).toEqual([1101, 1101]);
  });
});
