import { describe, expect } from "vitest";
import { violations } from "../support/browser/axe.ts";
import { arrangement, choose, chosen, product, testWith } from "../support/browser/wishlist-pages.ts";

/** In order of saving. Sorted by title: apron, Boots, étui, Zebra. */
const PRODUCTS = [
  ["Boots", 2000, true],
  ["étui", 900, true],
  ["Zebra", 500, false],
  ["apron", 4000, true],
] as const;
const CARDS = PRODUCTS.map(([title, priceCents, available], index) =>
  product(index, title, { variants: [{ id: 1101 + index, title: "Default Title", priceCents, available }] }),
);
const TENT = product(4, "Tent", {
  variants: Array.from({ length: 25 }, (_, i) => ({
    id: 5000 + i,
    title: `Size ${i}`,
    priceCents: 100 + i,
    available: i > 0,
  })),
});
const test = testWith([...CARDS, TENT]);

const ALL = [101, 102, 103, 104];
const isFocused = (one: Element) => one === document.activeElement;

describe("the order of the list", () => {
  test("is the shopper's choice, and stays in the address and over a reload", async ({ pages }) => {
    const { page } = pages;
    await pages.customerWith(...ALL);
    await pages.open();
    for (const [order, names] of [
      ["Title", ["apron", "Boots", "étui", "Zebra"]],
      ["Price, low to high", ["Zebra", "étui", "Boots", "apron"]],
      ["Price, high to low", ["apron", "Boots", "étui", "Zebra"]],
      ["Oldest", ["Boots", "étui", "Zebra", "apron"]],
      ["Newest", ["apron", "Zebra", "étui", "Boots"]],
    ] as const) {
      await choose(page, order);
      await expect.poll(() => pages.names()).toEqual(names);
    }
    expect(page.url()).toBe(`${pages.url}/apps/wishlist`);
    await choose(page, "Oldest");
    await page.waitForURL(/\?sort=oldest$/);
    expect(await arrangement(page).locator("summary").evaluate(isFocused)).toBe(true);
    await page.reload();
    expect(await pages.names()).toEqual(["Boots", "étui", "Zebra", "apron"]);
    expect(await chosen(page)).toEqual(["Oldest"]);
    expect(await arrangement(page).locator("summary").innerText()).toBe("Sort by Oldest");
  });

  test("follows the browser's back and forward buttons", async ({ pages }) => {
    const { page } = pages;
    await pages.customerWith(...ALL);
    await pages.open();
    await choose(page, "Title");
    await page.waitForURL(/sort=title/);
    await choose(page, "Only available");
    await page.waitForURL(/available=1/);
    await expect.poll(() => pages.names()).toEqual(["apron", "Boots", "étui"]);
    await page.goBack();
    await expect.poll(() => pages.names()).toEqual(["apron", "Boots", "étui", "Zebra"]);
    expect(await chosen(page)).toEqual(["Title"]);
    await page.goBack();
    await expect.poll(() => pages.names()).toEqual(["apron", "Zebra", "étui", "Boots"]);
    await page.goForward();
    await expect.poll(() => chosen(page)).toEqual(["Title"]);
  });

  test("stays while the shopper turns pages, removes and undoes", async ({ pages }) => {
    const { page } = pages;
    await pages.customerWith(...TENT.variants.map(({ id }) => `105/${id}`));
    await pages.open("?sort=price_asc");
    await page.getByRole("link", { name: "Next" }).click();
    await page.waitForURL(/page=2&sort=price_asc|sort=price_asc&page=2/);
    expect(await page.locator(".wl-price").first().innerText()).toBe("€1,20");
    await page
      .getByRole("button", { name: /^Remove/ })
      .first()
      .click();
    await page.getByRole("button", { name: /Undo$/ }).click();
    await page.getByRole("link", { name: "Previous" }).click();
    await expect.poll(() => page.locator(".wl-price").first().innerText()).toBe("€1,00");
    // A new order starts at its first page.
    await page.getByRole("link", { name: "Next" }).click();
    await page.getByText("Page 2 of 2").waitFor();
    await choose(page, "Newest");
    await page.getByText("Page 1 of 2").waitFor();
    expect(new URL(page.url()).search).toBe("");
  });

  test("is the one that the shopper chooses while the list is loaded for another reason", async ({ pages }) => {
    const { page } = pages;
    await pages.customerWith(...ALL);
    await pages.open();
    const released = Promise.withResolvers<undefined>();
    await page.route("**/api/page", async (route) => {
      await released.promise;
      await route.continue();
    });
    const refresh = page.waitForRequest("**/api/page");
    await page.evaluate(() => {
      const state = JSON.parse(localStorage.getItem("wishlist") ?? "{}") as object;
      localStorage.setItem("wishlist", JSON.stringify({ ...state, count: 2 }));
      dispatchEvent(new StorageEvent("storage", { key: "wishlist" }));
    });
    await refresh;
    await choose(page, "Title");
    released.resolve(undefined);
    await expect.poll(() => pages.names()).toEqual(["apron", "Boots", "étui", "Zebra"]);
    await page.waitForURL(/\?sort=title$/);
  });

  test("is kept for a guest, whose list the script loads", async ({ pages }) => {
    const { page } = pages;
    await pages.guestWith(...ALL);
    await pages.open("?sort=price_asc&available=1");
    await expect.poll(() => pages.names()).toEqual(["étui", "Boots", "apron"]);
    expect(await chosen(page)).toEqual(["Price, low to high", "Only available"]);
  });

  test("stays the shown one when the list can't be loaded, and can be tried again", async ({ pages }) => {
    const { page } = pages;
    await pages.customerWith(...ALL);
    await pages.open();
    await page.route("**/api/page", (route) => route.abort());
    await choose(page, "Title");
    const again = page.getByRole("status").getByRole("button", { name: "Try again" });
    await again.waitFor();
    expect(await chosen(page)).toEqual(["Newest"]);
    expect(await pages.names()).toEqual(["apron", "Zebra", "étui", "Boots"]);
    await page.unroute("**/api/page");
    await again.click();
    await expect.poll(() => pages.names()).toEqual(["apron", "Boots", "étui", "Zebra"]);
    pages.forgiveRequests();
  });
});

describe("the filter", () => {
  test("has its own pages, beside the count of the whole list", async ({ pages }) => {
    const { page } = pages;
    // 21 items, of which 20 are available.
    await pages.customerWith(...TENT.variants.slice(0, 21).map(({ id }) => `105/${id}`));
    await pages.open();
    expect(await page.getByText("Page 1 of 2").isVisible()).toBe(true);
    await choose(page, "Only available");
    await page.waitForURL(/available=1/);
    expect(await pages.names()).toHaveLength(20);
    expect(await page.getByText(/^Page/).count()).toBe(0);
    expect(await page.locator("[data-wishlist-total]").innerText()).toBe("21 items");
  });

  test("without matches shows a message and a link to the whole list", async ({ pages }) => {
    const { page } = pages;
    await pages.customerWith(103);
    await pages.open("?available=1");
    expect(await page.getByText("None of your saved items is available right now").isVisible()).toBe(true);
    expect(await page.getByText("Nothing saved yet").count()).toBe(0);
    expect(await violations(page.locator("[data-wishlist-root]"))).toEqual([]);
    await page.getByRole("link", { name: "Show all" }).click();
    await expect.poll(() => pages.names()).toEqual(["Zebra"]);
    expect(new URL(page.url()).search).toBe("");
  });

  test("and the order are links without JavaScript, also after a removal", async ({ pages }) => {
    await pages.customerWith(...ALL);
    const page = await pages.openWithoutScript();
    await choose(page, "Price, low to high");
    await choose(page, "Only available");
    await page.waitForURL(/sort=price_asc&available=1$/);
    const names = page.locator("[data-wishlist-item] .wl-name");
    expect(await names.allInnerTexts()).toEqual(["étui", "Boots", "apron"]);
    expect(await page.getByRole("button", { name: "Add all to cart" }).isVisible()).toBe(false);
    await page.getByRole("button", { name: /^Remove Boots/ }).click();
    await page.waitForURL(/items\/remove$/);
    expect(await names.allInnerTexts()).toEqual(["étui", "apron"]);
    expect(await chosen(page)).toEqual(["Price, low to high", "Only available"]);
    await page.context().close();
  });
});
