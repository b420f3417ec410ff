import { describe, expect } from "vitest";
import { violations } from "../support/browser/axe.ts";
import { PHONE } from "../support/browser/browser.ts";
import { product, testWith } from "../support/browser/wishlist-pages.ts";
import { MATRIX } from "../support/matrix.ts";

const TENT = product(4, "Tent", {
  variants: Array.from({ length: 22 }, (_, i) => ({ id: 5000 + i, title: `Size ${i}`, priceCents: 5700 })),
});
const test = testWith([product(0, "Beanie"), product(1, "Bread & <b>Butter</b>"), TENT]);

const TENTS = TENT.variants.map(({ id }) => `105/${id}`);
/** Oldest, so on the second page. */
const MANY = [101, 102, ...TENTS];

describe("the search", () => {
  test("finds items of all pages, and survives a reload and the way back", async ({ pages }) => {
    const { page } = pages;
    await pages.customerWith(...MANY);
    await pages.open();
    const field = page.getByRole("searchbox", { name: "Search this list" });
    await field.fill(" beanie ");
    await field.press("Enter");
    await page.getByText("1 item matches “beanie”").first().waitFor();
    expect(await pages.names()).toEqual(["Beanie"]);
    expect(new URL(page.url()).search).toBe("?q=beanie");
    expect(await field.evaluate((one) => one === document.activeElement)).toBe(true);
    expect(await page.locator("[data-wishlist-live]").innerText()).toBe("1 item matches “beanie”");
    await page.reload();
    expect(await pages.names()).toEqual(["Beanie"]);
    expect(await field.inputValue()).toBe("beanie");
    await page.goBack();
    await expect.poll(() => page.locator("[data-wishlist-item]").count()).toBe(20);
  });

  test("says when nothing matches, and leads back to all items", async ({ pages }) => {
    const { page } = pages;
    await pages.customerWith(...MANY);
    await pages.open(`?q=${encodeURIComponent('"><i>{{ shop }}')}`);
    expect(await page.locator(".wl-lead").innerText()).toBe('No items match “"><i>{{ shop }}”');
    await page.getByRole("link", { name: "Show all" }).click();
    await page.getByText("Page 1 of 2").waitFor();
    expect(new URL(page.url()).search).toBe("");
  });

  test("ends when the shopper empties the field", async ({ pages }) => {
    const { page } = pages;
    await pages.customerWith(...MANY);
    await pages.open("?q=butter");
    expect(await pages.names()).toEqual(["Bread & <b>Butter</b>"]);
    await page.getByRole("searchbox").fill("");
    await page.getByText("Page 1 of 2").waitFor();
  });

  test("limits “Add all to cart” to the items found", async ({ pages }) => {
    const { page } = pages;
    await pages.customerWith(...MANY);
    await pages.open("?q=size+1");
    await page.getByRole("button", { name: "Add all to cart" }).click();
    await page.getByText("11 items added to cart").waitFor();
    expect(await pages.cart()).toHaveLength(11);
  });

  test("is there only for more than 20 items", async ({ pages }) => {
    const { page } = pages;
    await pages.customerWith(...TENTS.slice(0, 20));
    await pages.open();
    expect(await page.getByRole("search").count()).toBe(0);
    await pages.open("?q=size");
    expect(await page.getByRole("search").count()).toBe(1);
  });

  test("works for a guest, fits a phone and is accessible", MATRIX, async ({ pages }) => {
    const { page } = pages;
    await page.setViewportSize(PHONE);
    await pages.guestWith(...MANY);
    await pages.open("?q=beanie");
    await expect.poll(() => pages.names()).toEqual(["Beanie"]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
    expect(await violations(page.locator(".wl"))).toEqual([]);
  });

  test("works without JavaScript, and stays after another form", MATRIX, async ({ pages }) => {
    await pages.customerWith(...MANY);
    const page = await pages.openWithoutScript();
    await page.getByRole("searchbox").fill("size 1");
    await page.getByRole("searchbox").press("Enter");
    await page.waitForURL(/\?q=size\+1$/);
    expect(await page.locator("[data-wishlist-item]").count()).toBe(11);
    await page
      .getByRole("button", { name: /^Remove/ })
      .first()
      .click();
    await page.getByText("Removed from your wishlist").waitFor();
    expect(await page.locator("[data-wishlist-item]").count()).toBe(10);
  });
});
