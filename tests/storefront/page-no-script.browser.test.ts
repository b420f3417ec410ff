import { expect } from "vitest";
import { product, testWith } from "../support/browser/wishlist-pages.ts";

/** Variants of one product, one more than a page holds. */
const MANY = Array.from({ length: 21 }, (_, i) => 5000 + i);
const TENT = product(4, "Tent", {
  variants: MANY.map((id) => ({ id, title: `Variant ${id}`, priceCents: 5700 })),
});
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
