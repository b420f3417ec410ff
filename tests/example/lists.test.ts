import type { Page } from "playwright";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { expect as expectPage } from "../support/browser/expect.ts";
import {
  ANNA,
  expectCount,
  expectNotice,
  expectSaved,
  heartOf,
  rowsOf,
  ShopFront,
  titleOf,
  type Shopper,
} from "./fixtures/shop-front.ts";

let front: ShopFront;
beforeAll(async () => {
  front = await ShopFront.open();
});
afterEach(() => front.clear());
afterAll(() => front.close());

const heading = (page: Page) => page.getByRole("heading", { level: 1 });

/** Returns the titles of a list's rows. */
const expectRows = (page: Page, ...numbers: number[]) =>
  expectPage(page.locator(".row .title")).toHaveText(numbers.map(titleOf));

/** Opens the wishlist of a guest who has saved products. */
async function openWishlist(shopper: Shopper, ...numbers: number[]): Promise<Page> {
  const page = await shopper.open("/");
  await shopper.save(page, ...numbers);
  await page.getByRole("link", { name: /^Wishlist/ }).click();
  await expectPage(rowsOf(page)).toHaveCount(numbers.length);
  return page;
}

async function createList(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "+ New list" }).click();
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByRole("button", { name: "Create" }).click();
}

test("a list is created, renamed and deleted", async () => {
  const shopper = await front.arrive();
  const page = await shopper.open("/wishlist");
  await createList(page, "Camping");
  await expectPage(heading(page)).toHaveText("Camping 0");
  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Winter camping");
  await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
  await expectPage(heading(page)).toHaveText("Winter camping 0");
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete list" }).click();
  await expectNotice(page, "Winter camping was deleted.");
  await expectPage(heading(page)).toHaveText("My wishlist 0");
  await expectPage(page.getByRole("link", { name: /Winter/ })).toHaveCount(0);
});

test("a name that another list has is refused in the dialog, and stays in the field", async () => {
  const shopper = await front.arrive();
  const page = await shopper.open("/wishlist");
  await createList(page, "Camping");
  await expectPage(heading(page)).toHaveText("Camping 0");
  await createList(page, "camping");
  await expectPage(page.getByRole("dialog").getByRole("alert")).toHaveText(
    "You have a list with this name. Choose a different one.",
  );
  await expectPage(page.getByLabel("Name", { exact: true })).toHaveValue("camping");
});

test("the picker of a variant adds it to lists and to a new one", async () => {
  const shopper = await front.arrive();
  const page = await shopper.open("/products/lamp-2");
  await page.getByRole("button", { name: `Choose lists for ${titleOf(2)}, Blue` }).click();
  await page.getByLabel("My wishlist").check();
  await page.getByLabel("New list").fill("Office");
  await page.getByRole("button", { name: "Create" }).click();
  await expectPage(page.getByLabel("Office")).toBeChecked();
  await page.keyboard.press("Escape");
  await expectSaved(page.getByRole("button", { name: `Save ${titleOf(2)}, Blue` }));
  await expectCount(page, 1);
  await page.getByRole("link", { name: /^Wishlist/ }).click();
  await page.getByRole("link", { name: "Office 1" }).click();
  await expectRows(page, 2);
  await expectPage(rowsOf(page)).toContainText("Blue");
});

test("an item moves to another list with its note", async () => {
  const shopper = await front.arrive();
  const page = await openWishlist(shopper, 1, 2);
  const note = page.getByLabel(`Note on ${titleOf(1)}`);
  const noted = page.waitForResponse((response) => response.request().method() === "PATCH" && response.ok());
  await note.fill("For the hall");
  await note.press("Enter");
  await noted;
  await page.getByRole("button", { name: `Move ${titleOf(1)}`, exact: true }).click();
  await page.getByLabel("New list").fill("Hall");
  await page.getByRole("button", { name: "Create and move" }).click();
  await expectNotice(page, `${titleOf(1)} was moved to Hall.`);
  await expectRows(page, 2);
  await page.getByRole("link", { name: "Hall 1" }).click();
  await expectRows(page, 1);
  await expectPage(note).toHaveValue("For the hall");
});

test("undo brings back a removed item with its quantity and note", async () => {
  const shopper = await front.arrive();
  const page = await openWishlist(shopper, 1, 2);
  const patched = () => page.waitForResponse((response) => response.request().method() === "PATCH" && response.ok());
  const quantity = page.getByLabel(`Quantity of ${titleOf(1)}`);
  const note = page.getByLabel(`Note on ${titleOf(1)}`);
  await Promise.all([patched(), quantity.selectOption("3")]);
  await note.fill("Warm white");
  await Promise.all([patched(), note.blur()]);
  await page.getByRole("button", { name: `Remove ${titleOf(1)}` }).click();
  await expectNotice(page, `${titleOf(1)} was removed.`);
  await expectRows(page, 2);
  await page.getByRole("button", { name: "Undo" }).click();
  await expectPage(rowsOf(page)).toHaveCount(2);
  await page.reload();
  await expectPage(quantity).toHaveValue("3");
  await expectPage(note).toHaveValue("Warm white");
});

test("a list is sorted by the order in the address", async () => {
  const shopper = await front.arrive();
  const page = await openWishlist(shopper, 2, 1, 3);
  await expectRows(page, 3, 1, 2);
  await page.getByLabel("Sort by").selectOption("Price, low to high");
  await expectRows(page, 3, 2, 1);
  await page.reload();
  await expectPage(page.getByLabel("Sort by")).toHaveValue("cheap");
  await expectRows(page, 3, 2, 1);
});

test("a long list is shown in parts", async () => {
  const shopper = await front.arrive();
  const page = await shopper.open("/");
  await shopper.save(page, ...Array.from({ length: 23 }, (_, index) => index + 1));
  await page.getByRole("link", { name: /^Wishlist/ }).click();
  await page.getByRole("button", { name: "Show more (20 of 23)" }).click();
  await expectPage(rowsOf(page)).toHaveCount(23);
  await expectPage(page.getByRole("button", { name: /^Show more/ })).toHaveCount(0);
});

test("an item's link puts its variant and quantity into the store's cart", async () => {
  const shopper = await front.arrive();
  const page = await openWishlist(shopper, 5);
  const patched = page.waitForResponse((response) => response.request().method() === "PATCH" && response.ok());
  await page.getByLabel(`Quantity of ${titleOf(5)}`).selectOption("2");
  await patched;
  await page.getByRole("link", { name: `Add to cart: ${titleOf(5)}` }).click();
  await page.waitForURL(`${front.connected.shopify.url}/cart**`);
  const cart = await page.evaluate(async () => (await fetch("/cart.js")).json() as Promise<{ items: unknown[] }>);
  expect(cart.items).toEqual([expect.objectContaining({ variant_id: 1005, quantity: 2 })]);
});

test("a guest is told to log in to share, and can't", async () => {
  const shopper = await front.arrive();
  const page = await openWishlist(shopper, 1);
  await expectPage(page.getByText("to have it on all your devices, and to share it.")).toBeVisible();
  await expectPage(page.getByRole("button", { name: "Share" })).toHaveCount(0);
});

test("everybody reads a shared list without its notes, until the link is revoked", async () => {
  const owner = await front.arrive();
  const page = await openWishlist(owner, 1, 2);
  await owner.logIn(page, ANNA);
  const note = page.getByLabel(`Note on ${titleOf(1)}`);
  const noted = page.waitForResponse((response) => response.request().method() === "PATCH" && response.ok());
  await note.fill("A secret");
  await note.press("Enter");
  await noted;
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await expectPage(page.getByText("The link works until")).toBeVisible();
  const link = await page.getByLabel("Everybody with this link").inputValue();
  expect(new URL(link).origin).toBe(front.origin);

  const reader = await front.arrive();
  const shared = await reader.open(new URL(link).pathname);
  await expectRows(shared, 2, 1);
  await expectPage(shared.getByText("A secret")).toHaveCount(0);
  await reader.save(shared, 2);
  await expectSaved(heartOf(await reader.open("/"), 2));

  await page.getByRole("button", { name: "Stop sharing" }).click();
  await expectNotice(page, "The link doesn't work any more.");
  await expectPage(page.getByRole("button", { name: "Share", exact: true })).toBeVisible();
  await shared.reload();
  await expectPage(shared.getByText("Ask the person who sent it for a new one.")).toBeVisible();
});

test("the link of a shared list is copied", async () => {
  const shopper = await front.arrive();
  await shopper.context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: front.origin });
  const page = await shopper.open("/wishlist");
  await shopper.logIn(page, ANNA);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await page.getByRole("button", { name: "Copy link" }).click();
  await expectPage(page.getByText("The link was copied.")).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(await page.getByLabel("Everybody with this link").inputValue());
});

test("the page of a list that does not exist leads to the wishlist", async () => {
  const shopper = await front.arrive();
  const page = await openWishlist(shopper, 1);
  await page.goto(`${front.origin}/wishlist/no-such-list`);
  await expectPage(heading(page)).toHaveText("This list doesn't exist");
  await page.getByRole("link", { name: "See your wishlist" }).click();
  await expectRows(page, 1);
});
