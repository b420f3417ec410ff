import type { Page } from "playwright";
import { describe, expect } from "vitest";
import { violations } from "../support/browser/axe.ts";
import { PHONE } from "../support/browser/browser.ts";
import { product, testWith } from "../support/browser/wishlist-pages.ts";
import { MATRIX } from "../support/matrix.ts";

const TENT = product(4, "Tent", {
  variants: Array.from({ length: 22 }, (_, i) => ({ id: 5000 + i, title: `Size ${i}`, priceCents: 5700 })),
});
const SOLD_OUT = product(3, "Lantern", {
  variants: [{ id: 1104, title: "Default Title", priceCents: 900, available: false }],
});
const test = testWith([product(0, "Beanie"), product(1, "Socks"), product(2, "Mug"), SOLD_OUT, TENT]);

const toggle = (page: Page) => page.getByRole("button", { name: "Select", exact: true });
const tools = (page: Page) => page.getByRole("group", { name: "Select" });
const count = (page: Page) => page.locator("[data-wishlist-live]").innerText();
const status = (page: Page) => page.locator("[data-wishlist-status]");

/** Begins to select, and selects items by their titles. */
async function select(page: Page, ...titles: string[]): Promise<void> {
  await toggle(page).click();
  for (const title of titles) await page.getByRole("checkbox", { name: `Select ${title}` }).check();
}

describe("selected items", () => {
  test("are removed in one request, and come back with their times and details", async ({ pages }) => {
    const { page } = pages;
    const customer = await pages.customerWith(101, 102, 103);
    const json = { productId: "101", variant_id: "1101", quantity: 2, note: "For Anna", properties: { size: "M" } };
    await pages.as(customer)("POST", "/api/updateListItem", { json });
    const items = async () =>
      (await pages.as(customer)("POST", "/api/list", { json: {} })).data<{ items: unknown }>().items;
    const before = await items();
    await pages.open();
    await select(page, "Beanie", "Mug");
    expect(await count(page)).toBe("2 selected");
    await tools(page).getByRole("button", { name: "Remove" }).click();
    await page.getByText("2 items removed").waitFor();
    expect(await pages.names()).toEqual(["Socks"]);
    expect(pages.requests().filter((one) => one.endsWith("/api/changeListItems"))).toHaveLength(1);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Back on your wishlist").waitFor();
    expect(await pages.names()).toEqual(["Mug", "Socks", "Beanie"]);
    expect(await items()).toEqual(before);
  });

  test("stay removed when the list has changed before the undo", async ({ pages }) => {
    const { page } = pages;
    const customer = await pages.customerWith(101, 102);
    await pages.open();
    await select(page, "Beanie");
    await tools(page).getByRole("button", { name: "Remove" }).click();
    await page.getByText("Removed from your wishlist").waitFor();
    await pages.save(pages.as(customer), [103]);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("The list has changed since, so nothing was undone.").waitFor();
    expect(await pages.savedVariants(customer)).toEqual(["1103", "1102"]);
  });

  test("are moved to another list and back", async ({ pages }) => {
    const { page } = pages;
    const customer = await pages.customerWith(101, 102, 103);
    (await pages.as(customer)("POST", "/api/createList", { json: { name: "Birthday" } })).data();
    await pages.open();
    await select(page, "Beanie", "Socks");
    await tools(page).getByText("Move to").click();
    await tools(page).getByRole("button", { name: "Birthday" }).click();
    await page.getByText("Moved to “Birthday”").waitFor();
    expect(await pages.names()).toEqual(["Mug"]);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Moved to “My wishlist”").waitFor();
    expect(await pages.names()).toEqual(["Mug", "Socks", "Beanie"]);
  });

  test("that another device has removed are named, and the others stay selected", MATRIX, async ({ pages }) => {
    const { page } = pages;
    const customer = await pages.customerWith(101, 102, 103);
    (await pages.as(customer)("POST", "/api/createList", { json: { name: "Birthday" } })).data();
    await pages.open();
    await select(page, "Mug", "Socks");
    await pages.as(customer)("POST", "/api/remove", { json: { productId: "102" } });
    await tools(page).getByText("Move to").click();
    await tools(page).getByRole("button", { name: "Birthday" }).click();
    await expect.poll(() => status(page).innerText()).toBe("Socks: This product is no longer on this list.");
    expect(await page.getByRole("checkbox", { name: "Select Mug" }).isChecked()).toBe(true);
    expect(await pages.savedVariants(customer)).toEqual(["1103", "1101"]);
    pages.forgiveRequests();
  });

  test("go into the cart, and those that the store refuses stay selected by name", async ({ pages }) => {
    const { page } = pages;
    await pages.customerWith(101, 102, 104);
    await pages.open();
    await select(page, "Beanie", "Lantern", "Socks");
    await tools(page).getByRole("button", { name: "Add to cart" }).click();
    await status(page).filter({ hasText: "2 items added to cart. Couldn’t be added: Lantern" }).waitFor();
    expect((await pages.cart()).toSorted()).toEqual([1101, 1102]);
    await expect.poll(() => page.getByRole("checkbox", { checked: true }).count()).toBe(1);
    expect(await page.getByRole("checkbox", { name: "Select Lantern" }).isChecked()).toBe(true);
    pages.forgiveRequests();
  });

  test("are those of all pages after “Select all”, and stay selected on the next page", async ({ pages }) => {
    const { page } = pages;
    const customer = await pages.customerWith(...TENT.variants.map(({ id }) => `105/${id}`), 101);
    await pages.open();
    await toggle(page).click();
    await tools(page).getByRole("button", { name: "Select all" }).click();
    await expect.poll(() => count(page)).toBe("23 selected");
    await page.getByRole("checkbox", { name: "Select Beanie" }).uncheck();
    await page.getByRole("link", { name: "Next" }).click();
    await page.getByText("Page 2 of 2").waitFor();
    expect(await page.getByRole("checkbox", { checked: true }).count()).toBe(3);
    await tools(page).getByRole("button", { name: "Remove" }).click();
    await page.getByText("22 items removed").waitFor();
    expect(await pages.savedVariants(customer)).toEqual(["1101"]);
  });

  test("stay selected when the service can't be reached", MATRIX, async ({ pages }) => {
    const { page } = pages;
    await pages.customerWith(101, 102);
    await pages.open();
    await select(page, "Beanie");
    await page.route("**/api/changeListItems", (route) => route.abort());
    await tools(page).getByRole("button", { name: "Remove" }).click();
    await page.getByText("Something went wrong").waitFor();
    expect(await page.getByRole("checkbox", { name: "Select Beanie" }).isChecked()).toBe(true);
    pages.forgiveRequests();
  });
});

describe("the selection", () => {
  test("works by keyboard, and Escape ends it", async ({ pages }) => {
    const { page } = pages;
    await pages.customerWith(101, 102);
    await pages.open();
    await toggle(page).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Space");
    expect(await count(page)).toBe("1 selected");
    expect(await page.getByRole("checkbox", { name: "Select Socks" }).isChecked()).toBe(true);
    await page.keyboard.press("Escape");
    expect(await page.getByRole("checkbox").count()).toBe(0);
    expect(await toggle(page).evaluate((one) => one === document.activeElement)).toBe(true);
    expect(await toggle(page).getAttribute("aria-pressed")).toBe("false");
  });

  test("fits a phone and is accessible", MATRIX, async ({ pages }) => {
    const { page } = pages;
    await page.setViewportSize(PHONE);
    const customer = await pages.customerWith(101, 102, 103, 104);
    (await pages.as(customer)("POST", "/api/createList", { json: { name: "Birthday" } })).data();
    await pages.open();
    await select(page, "Beanie");
    await tools(page).getByText("Move to").click();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
    expect(await violations(page.locator(".wl"))).toEqual([]);
  });

  test("is a guest's, too", MATRIX, async ({ pages }) => {
    const { page } = pages;
    await pages.guestWith(101, 102);
    await pages.open();
    await select(page, "Beanie");
    await tools(page).getByRole("button", { name: "Remove" }).click();
    await page.getByText("Removed from your wishlist").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Back on your wishlist").waitFor();
    expect(await pages.names()).toEqual(["Socks", "Beanie"]);
  });
});
