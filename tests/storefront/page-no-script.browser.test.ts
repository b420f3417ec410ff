// @module-tag matrix

import type { Page } from "playwright";
import { expect } from "vitest";
import type { ProxyCall } from "../support/app/storefront.ts";
import { product, testWith } from "../support/browser/wishlist-pages.ts";

/** Variants of one product, one more than a page holds. */
const MANY = Array.from({ length: 21 }, (_, i) => 5000 + i);
const TENT = product(4, "Tent", {
  variants: MANY.map((id) => ({ id, title: `Variant ${id}`, priceCents: 5700 })),
});

/** The store with its shoppers, as far as these tests need it outside of a test. */
interface Pages {
  stage: { service: { database: { rows: (sql: string, values: unknown[]) => Promise<unknown[]> } } };
  page: Page;
  as: (customer: string) => ProxyCall;
  customerWith: (...items: (number | string)[]) => Promise<string>;
  open: (query: string) => Promise<void>;
}

const test = testWith([product(0, "Larch Wool Beanie"), product(1, "Ridge 28 Daypack"), TENT]);
test.override("javaScript", false);

test("forms remove an item and add one to the cart", async ({ pages }) => {
  const { page } = pages;
  await pages.customerWith(102, 101);
  await pages.open();
  await page.getByRole("button", { name: "Remove Larch Wool Beanie from the wishlist" }).click();
  await page.waitForURL(/items\/remove$/);
  expect(await pages.names()).toEqual(["Ridge 28 Daypack"]);
  expect(await page.getByText("1 item").isVisible()).toBe(true);
  await page.getByRole("button", { name: /Add to cart/ }).click();
  await page.getByRole("heading", { name: "Your cart" }).waitFor();
  expect(await pages.cart()).toEqual([1102]);
});

/** Returns a customer's items with all that the service keeps of them. */
function itemsOf(pages: Pages, customer: string): Promise<unknown[]> {
  return pages.stage.service.database.rows(
    `SELECT i.product_id, i.variant_id, i.added_at, i.seq, i.quantity, i.note, i.properties, i.position, i.saved_price
       FROM wishlist_item i JOIN wishlist w ON w.shop_id = i.shop_id AND w.id = i.wishlist_id WHERE w.owner_id = $1 ORDER BY i.seq`,
    [customer],
  );
}

/** Opens the page of a customer with three items, of which one has every detail, and removes that one. */
async function removeOne(pages: Pages): Promise<{ customer: string; before: unknown[] }> {
  const customer = await pages.customerWith(102, 101, "105/5000");
  await pages.stage.service.database.rows(
    `UPDATE wishlist_item SET quantity = 3, note = 'For <b>Anna</b>', properties = '{"Engraving":"A. L."}', position = 2.5
      WHERE product_id = '101' AND wishlist_id = (SELECT id FROM wishlist WHERE owner_id = $1)`,
    [customer],
  );
  const before = await itemsOf(pages, customer);
  await pages.open("?sort=oldest");
  await pages.page.getByRole("button", { name: "Remove Larch Wool Beanie from the wishlist" }).click();
  await pages.page.getByText("Removed from your wishlist").waitFor();
  return { customer, before };
}

test("a removed item comes back as it was, in the order that was shown", async ({ pages }) => {
  const { page } = pages;
  const { customer, before } = await removeOne(pages);
  expect(await itemsOf(pages, customer)).toHaveLength(2);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Back on your wishlist").waitFor();
  expect(await itemsOf(pages, customer)).toEqual(before);
  expect(await pages.names()).toEqual(["Ridge 28 Daypack", "Larch Wool Beanie", "Tent"]);
  expect(await page.getByRole("button", { name: "Undo" }).count()).toBe(0);
});

test("the undo of a removal works once, and for its customer alone", async ({ pages }) => {
  const { page } = pages;
  const { customer, before } = await removeOne(pages);
  const undo = page.locator("form[action$='/lists/restore']");
  const fields = await undo
    .locator("input")
    .evaluateAll((all: HTMLInputElement[]) => all.map(({ name, value }) => [name, value]));
  const again = async (ask: ProxyCall): Promise<string> =>
    (
      await ask("POST", "/lists/restore", {
        body: new URLSearchParams(fields).toString(),
        headers: { "content-type": "application/x-www-form-urlencoded" },
      })
    ).text;
  const other = await pages.customerWith(101);
  expect(await again(pages.as(other))).toContain("forbidden_origin");
  expect(await itemsOf(pages, customer)).toHaveLength(2);
  expect(await again(pages.as(customer))).toContain('wl_outcome = "restored"');
  expect(await again(pages.as(customer))).toContain('wl_outcome = "list_changed"');
  expect(await itemsOf(pages, customer)).toEqual(before);
});

test("the pages of the list can be opened from the response to a form", async ({ pages }) => {
  const { page } = pages;
  await pages.customerWith(101, ...MANY.map((id) => `105/${id}`));
  await pages.open();
  await page
    .getByRole("button", { name: /^Remove/ })
    .first()
    .click();
  await page.waitForURL(/items\/remove$/);
  await page.getByRole("link", { name: "Next" }).click();
  await page.getByText("Page 2 of 2").waitFor();
});

test("a form that is sent after the logout shows a page that says so", async ({ pages }) => {
  const { page } = pages;
  await pages.customerWith(101);
  await pages.open();
  await pages.logIn(null);
  await page.getByRole("button", { name: /^Remove/ }).click();
  await page.getByRole("heading", { name: "You are logged out" }).waitFor();
  expect(await page.getByRole("link", { name: "Log in" }).getAttribute("href")).toContain("/account/login");
  pages.complaints = pages.complaints.filter((one) => !one.includes("status of 401"));
});

test("a form that was made for another customer removes nothing", async ({ pages }) => {
  const { page } = pages;
  const victim = await pages.customerWith(101);
  const token = async (): Promise<string> => {
    await pages.open();
    return (await page.locator("input[name=token]").first().getAttribute("value")) ?? "";
  };
  await pages.customerWith(101);
  const others = await token();
  const ask = pages.as(victim);
  for (const given of [others, `x${others}`, ""]) {
    const body = new URLSearchParams({ token: given, product: "101", variant: "1101", page: "1" }).toString();
    const response = await ask("POST", "/items/remove", {
      body,
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect(response.headers.get("content-type")).toContain("application/liquid");
    expect(response.text).toContain("forbidden_origin");
  }
  expect((await ask("POST", "/api/list", { json: {} })).data()).toMatchObject({ itemCount: 1 });
});

test("a guest is told how to see the list", async ({ pages }) => {
  const { page } = pages;
  await pages.open();
  // Scripts are disabled, but the browser's parser still reads <noscript> as text.
  expect(await page.locator("noscript").innerHTML()).toContain("Without JavaScript, log in to see your wishlist.");
  expect(await page.getByText("Loading your wishlist").isVisible()).toBe(false);
});
