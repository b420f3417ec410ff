import type { Page } from "playwright";
import { describe, expect } from "vitest";
import { violations } from "../support/browser/axe.ts";
import { PHONE } from "../support/browser/browser.ts";
import { product, testWith } from "../support/browser/wishlist-pages.ts";
import { MATRIX } from "../support/matrix.ts";

const test = testWith([product(0, "Beanie"), product(1, "Socks"), product(2, "Mug")]);

/** Has the browser remember products as viewed, the newest first. */
async function view(page: Page, url: string, handles: unknown): Promise<void> {
  await page.goto(url);
  await page.evaluate((json) => localStorage.setItem("wishlist:viewed", json), JSON.stringify(handles));
}

const part = (page: Page, title: string) => page.locator(".wl-suggested").filter({ hasText: title });
const titles = (page: Page, title: string) => part(page, title).locator(".wl-name").allInnerTexts();

/** A theme that knows the address of recommendations, and a store that recommends Mug for Beanie. */
async function recommend(page: Page): Promise<void> {
  await page.route("**/apps/wishlist", async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replaceAll(
      'data-recommendations=""',
      'data-recommendations="/recommendations/products"',
    );
    await route.fulfill({ response, body });
  });
  await page.route("**/recommendations/products.json?product_id=101&limit=4&intent=related", (route) =>
    route.fulfill({
      json: {
        products: [
          {
            id: 103,
            title: "Mug",
            url: "/products/product-103?pr_seq=1",
            featured_image: null,
            price: 4300,
            price_varies: false,
          },
          { id: 9, title: "Elsewhere", url: "https://elsewhere.example/products/x", featured_image: null },
        ],
      },
    }),
  );
}

describe("an empty list", () => {
  test("shows what was viewed last, and what the store recommends for it", async ({ pages }) => {
    const { page } = pages;
    await recommend(page);
    pages.head = '<script>window.Shopify = { currency: { active: "EUR" } };</script>';
    await view(page, pages.url, ["gone", "product-101", "product-102"]);
    await pages.customerWith();
    await pages.open();
    await part(page, "You may also like").waitFor();
    expect(await titles(page, "You may also like")).toEqual(["Mug"]);
    expect(await part(page, "You may also like").locator(".wl-price").innerText()).toBe("€43.00");
    expect(await titles(page, "Recently viewed")).toEqual(["Beanie", "Socks"]);
    await part(page, "Recently viewed").getByRole("link", { name: "Beanie" }).click();
    await page.waitForURL(/products\/product-101$/);
    pages.forgiveRequests();
  });

  test("is a guest's, too, fits a phone and is accessible", MATRIX, async ({ pages }) => {
    const { page } = pages;
    await page.setViewportSize(PHONE);
    await view(page, pages.url, ["product-101"]);
    await pages.open();
    await part(page, "Recently viewed").waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
    expect(await violations(page.locator(".wl"))).toEqual([]);
  });

  test.for([[null], ["{}"], [["../cart", "a/b", 7, "?x"]]])("shows nothing for %j", async ([stored], { pages }) => {
    const { page } = pages;
    await view(page, pages.url, stored);
    await pages.open();
    await page.getByText("Nothing saved yet").waitFor();
    await pages.quiet();
    expect(await page.locator(".wl-suggested:visible").count()).toBe(0);
    pages.forgiveRequests();
  });
});

test("a list with items asks the store for no suggestions", async ({ pages }) => {
  const { page } = pages;
  const requested: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  await view(page, pages.url, ["product-101"]);
  await pages.customerWith(102);
  await pages.open();
  await pages.quiet();
  expect(requested.filter((url) => /products|recommendations/.test(url) && !/\/files\/|cdn/.test(url))).toEqual([]);
});
