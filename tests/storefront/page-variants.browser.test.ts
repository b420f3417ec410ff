import type { Page } from "playwright";
import { expect } from "vitest";
import { product, testWith } from "../support/browser/wishlist-pages.ts";

const [MOSS, SLATE, EMBER] = ["1101", "2101", "3101"];
const PACK = product(0, "Daypack", {
  variants: [
    { id: 1101, title: "Moss", priceCents: 8900, compareAtPriceCents: 11900 },
    { id: 2101, title: "Slate", priceCents: 7900 },
    { id: 3101, title: "Ember", priceCents: 6900, available: false },
  ],
});
const MANY = product(1, "Rope", {
  variants: Array.from({ length: 100 }, (_, i) => ({
    id: 4000 + i,
    title: `${i} m`,
    priceCents: 100 + i,
    available: i !== 7,
  })),
});
const test = testWith([PACK, MANY, product(2, "Mug")]);

const select = (page: Page, title = "Daypack") => page.getByRole("combobox", { name: `Variant of ${title}` });
const card = (page: Page, title = "Daypack") => page.locator("[data-wishlist-item]").filter({ hasText: title });
const status = (page: Page) => page.locator("[data-wishlist-status]");

test("a card offers its product's other variants, and marks those that are sold out", async ({ pages }) => {
  const { page } = pages;
  await pages.customerWith(103, 102, 101);
  await pages.open();
  expect(await select(page).locator("option").allInnerTexts()).toEqual(["Moss", "Slate", "Ember – Sold out"]);
  expect(await select(page, "Rope").locator("option").count()).toBe(100);
  expect(await select(page, "Rope").locator("option", { hasText: "Sold out" }).allInnerTexts()).toEqual([
    "7 m – Sold out",
  ]);
  expect(await page.getByRole("combobox", { name: /^Variant/ }).count()).toBe(2);
});

test("choosing a variant replaces the saved one, and the card keeps its place", async ({ pages }) => {
  const { page } = pages;
  const customer = await pages.customerWith(101, 103);
  await pages.open();
  await select(page).selectOption(SLATE);
  await status(page).filter({ hasText: "Changed to Slate" }).waitFor();
  expect(await pages.savedVariants(customer)).toEqual([SLATE, "1103"]);
  expect(await pages.names()).toEqual(["Mug", "Daypack"]);
  expect(await card(page).innerText()).toMatch(/€79,00/);
  expect(await card(page).locator("s").count()).toBe(0);
  expect(await page.locator("[data-wishlist-total]").innerText()).toBe("2 items");
  await card(page)
    .getByRole("button", { name: /^Add to cart/ })
    .click();
  await expect.poll(() => pages.cart()).toEqual([2101]);
  const saved = await page.evaluate(() => JSON.parse(localStorage.getItem("wishlist") ?? "{}") as object);
  expect(saved).toMatchObject({ count: 2, saved: { 101: { v: [SLATE] } } });
});

test("removing and undoing after a change restores the variant that was chosen", async ({ pages }) => {
  const { page } = pages;
  const customer = await pages.customerWith(101);
  await pages.open();
  await select(page).selectOption(SLATE);
  await status(page).filter({ hasText: "Changed to Slate" }).waitFor();
  await page.getByRole("button", { name: /^Remove Daypack/ }).click();
  await page.getByRole("button", { name: /Undo$/ }).click();
  await select(page).waitFor();
  expect(await pages.savedVariants(customer)).toEqual([SLATE]);
  expect(await select(page).inputValue()).toBe(SLATE);
});

test("a sold-out variant can be saved, and shows a link to the product instead of the cart", async ({ pages }) => {
  const { page } = pages;
  const customer = await pages.customerWith(101);
  await pages.open();
  await select(page).selectOption(EMBER);
  await status(page).filter({ hasText: "Changed to Ember" }).waitFor();
  expect(await pages.savedVariants(customer)).toEqual([EMBER]);
  expect(
    await card(page)
      .getByRole("button", { name: /^Add to cart/ })
      .count(),
  ).toBe(0);
  const view = card(page).getByRole("link", { name: /^View product/ });
  expect(await view.getAttribute("href")).toMatch(/\/products\/product-101\?variant=3101$/);
  expect(await card(page).locator(".wl-badge").isVisible()).toBe(true);
  await select(page).selectOption(MOSS);
  await card(page)
    .getByRole("button", { name: /^Add to cart/ })
    .waitFor();
  expect(await card(page).innerText()).toMatch(/€119,00[^]*€89,00/);
});

test("a failed change restores the select and the list", async ({ pages }) => {
  const { page } = pages;
  const customer = await pages.customerWith(101);
  await pages.open();
  for (const path of ["add", "remove"]) {
    let requests = 0;
    // The request that restores the other variant succeeds.
    await page.route(`**/api/${path}`, (route) => (++requests === 1 ? route.abort() : route.continue()));
    await select(page).selectOption(SLATE);
    await status(page).filter({ hasText: "Something went wrong." }).waitFor();
    expect(await select(page).inputValue()).toBe(MOSS);
    expect(await pages.savedVariants(customer)).toEqual([MOSS]);
    await page.unroute(`**/api/${path}`);
    await page.evaluate(() => document.querySelector("[data-wishlist-status]")?.replaceChildren());
  }
  pages.forgiveRequests();
});

test("a change on a full list removes before it adds", async ({ pages }) => {
  const { page } = pages;
  const customer = await pages.customerWith(101);
  await pages.open();
  let removed = false;
  await page.route("**/api/add", (route) =>
    removed
      ? route.continue()
      : route.fulfill({
          status: 409,
          json: { ok: false, error: { code: "wishlist_full", message: "", requestId: "r" } },
        }),
  );
  page.on("response", (response) => (removed ||= response.url().endsWith("/api/remove")));
  await select(page).selectOption(SLATE);
  await status(page).filter({ hasText: "Changed to Slate" }).waitFor();
  expect(await pages.savedVariants(customer)).toEqual([SLATE]);
  pages.forgiveRequests();
});

test("choosing a variant that is saved already leaves one card of it", async ({ pages }) => {
  const { page } = pages;
  const customer = await pages.customerWith("101/2101", "101/1101");
  await pages.open();
  await select(page).first().selectOption(SLATE);
  await page.getByText("1 item", { exact: true }).waitFor();
  await expect.poll(() => card(page).count()).toBe(1);
  expect(await pages.savedVariants(customer)).toEqual([SLATE]);
});

test("a deleted saved variant can be replaced", async ({ pages }) => {
  const { page, stage } = pages;
  const customer = await pages.customerWith(101);
  await stage.service.database.rows(
    "UPDATE wishlist_item SET variant_id = '999' WHERE variant_id = $1 AND wishlist_id = (SELECT id FROM wishlist WHERE owner_id = $2)",
    [MOSS, customer],
  );
  await pages.open();
  expect(await select(page).locator("option").first().innerText()).toBe("No longer available");
  await select(page).selectOption(SLATE);
  await status(page).filter({ hasText: "Changed to Slate" }).waitFor();
  expect(await pages.savedVariants(customer)).toEqual([SLATE]);
});

test("without JavaScript a card names its variant and offers no select", async ({ pages }) => {
  await pages.customerWith(101);
  const page = await pages.openWithoutScript();
  expect(await select(page).isVisible()).toBe(false);
  expect(await card(page).getByText("Moss", { exact: true }).and(page.locator("p")).isVisible()).toBe(true);
  await page.context().close();
});
