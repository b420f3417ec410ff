// @module-tag matrix

import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { expect as expectPage } from "../support/browser/expect.ts";
import { expectCount, expectNotice, expectSaved, heartOf, rowsOf, ShopFront, titleOf } from "./fixtures/shop-front.ts";

let front: ShopFront;
beforeAll(async () => {
  front = await ShopFront.open();
});
afterEach(() => front.clear());
afterAll(() => front.close());

test("a new guest's page makes no request to the service", async () => {
  const shopper = await front.arrive();
  const page = await shopper.open("/");
  await expectSaved(heartOf(page, 1), false);
  await shopper.quiet(page);
  expect(shopper.requests).toEqual([]);
});

test("the hearts of 250 products take one request", async () => {
  const shopper = await front.arrive();
  await shopper.save(await shopper.open("/"), 1);
  shopper.requests.length = 0;
  const page = await shopper.open("/?count=250");
  await expectPage(page.locator(".card")).toHaveCount(250);
  await expectSaved(heartOf(page, 1));
  await shopper.quiet(page);
  const reads = shopper.requests.filter((request) => request.startsWith("GET"));
  expect(reads.sort()).toEqual(["GET /v1/wishlists/me/contains", "GET /v1/wishlists/me/lists"]);
});

test("the products that are shown on request take one further request", async () => {
  const shopper = await front.arrive();
  const page = await shopper.open("/");
  await shopper.save(page, 1);
  shopper.requests.length = 0;
  await page.getByRole("link", { name: "Show more products" }).click();
  await expectPage(page.locator(".card")).toHaveCount(48);
  await shopper.quiet(page);
  expect(shopper.requests).toEqual(["GET /v1/wishlists/me/contains"]);
});

test("a reload keeps what a guest has saved", async () => {
  const shopper = await front.arrive();
  const page = await shopper.open("/");
  await shopper.save(page, 1, 2);
  await page.reload();
  await expectSaved(heartOf(page, 1));
  await expectSaved(heartOf(page, 3), false);
  await expectCount(page, 2);
});

test("another tab shows what is saved and removed in this one", async () => {
  const shopper = await front.arrive();
  const first = await shopper.open("/");
  await shopper.save(first, 1);
  const second = await shopper.open("/");
  await expectSaved(heartOf(second, 1));
  await first.bringToFront();
  await heartOf(first, 2).click();
  await heartOf(first, 1).click();
  await expectSaved(heartOf(second, 2));
  await expectSaved(heartOf(second, 1), false);
});

test("a press shows before the service responds, and is taken back with a message when refused", async () => {
  const shopper = await front.arrive();
  const page = await shopper.open("/");
  let shownFirst = false;
  await page.route("**/items", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    // The response waits for what the page shows.
    await expectSaved(heartOf(page, 1));
    shownFirst = true;
    return route.fulfill({
      status: 409,
      headers: { "access-control-allow-origin": "*" },
      json: { ok: false, error: { code: "wishlist_full", message: "The wishlist is full.", requestId: "req_1" } },
    });
  });
  await heartOf(page, 1).click();
  await expectNotice(page, "This list is full.");
  await expectSaved(heartOf(page, 1), false);
  expect(shownFirst).toBe(true);
});

test("without the service, a guest sees the shop, and a press says what is wrong", async () => {
  const shopper = await front.arrive();
  await shopper.context.route(`${front.connected.service.url}/**`, (route) => route.abort("connectionrefused"));
  const page = await shopper.open("/");
  await expectPage(page.locator(".card")).toHaveCount(24);
  await heartOf(page, 1).click();
  await expectNotice(page, "Your wishlist can't be reached right now.");
  await expectSaved(heartOf(page, 1), false);
});

test("a wishlist that can't be read says so, and is shown on another try", async () => {
  const shopper = await front.arrive();
  await shopper.save(await shopper.open("/"), 1);
  await shopper.context.route("**/v1/**", (route) => route.abort("connectionrefused"));
  const page = await shopper.open("/wishlist");
  await expectPage(page.getByRole("heading", { name: "This list can't be shown" })).toBeVisible();
  await shopper.context.unroute("**/v1/**");
  await page.getByRole("button", { name: "Try again" }).click();
  await expectPage(rowsOf(page)).toContainText(titleOf(1));
});

test("without the store, the page says so", async () => {
  const shopper = await front.arrive();
  await shopper.context.route("**/graphql.json", (route) => route.abort("connectionrefused"));
  const page = await shopper.open("/");
  await expectPage(page.getByText("The store can't be reached.")).toBeVisible();
});

test("search shows the products that have the words, and says when there are none", async () => {
  const shopper = await front.arrive();
  const page = await shopper.open("/");
  const search = page.getByRole("searchbox");
  await search.fill("lamp 007");
  await search.press("Enter");
  await expectPage(page.locator(".card")).toHaveCount(1);
  await expectPage(heartOf(page, 7)).toBeVisible();
  await search.fill("kettle");
  await search.press("Enter");
  await expectPage(page.getByRole("heading", { name: "Nothing found for “kettle”" })).toBeVisible();
});

test("the heart of a variant saves that variant only", async () => {
  const shopper = await front.arrive();
  const page = await shopper.open("/products/lamp-1");
  const blue = page.getByRole("button", { name: `Save ${titleOf(1)}, Blue` });
  const added = page.waitForResponse((response) => response.url().endsWith("/items") && response.ok());
  await blue.click();
  await added;
  await page.reload();
  await expectSaved(blue);
  await expectSaved(page.getByRole("button", { name: `Save ${titleOf(1)}, Red` }), false);
});
