// @module-tag matrix

import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { expect as expectPage } from "../support/browser/expect.ts";
import {
  ANNA,
  expectCount,
  expectNotice,
  expectSaved,
  heartOf,
  PIET,
  rowsOf,
  ShopFront,
} from "./fixtures/shop-front.ts";

let front: ShopFront;
beforeAll(async () => {
  front = await ShopFront.open();
});
afterEach(() => front.clear());
afterAll(() => front.close());

test("a login merges the guest's list, and says what was merged", async () => {
  const device = await front.arrive();
  const first = await device.open("/");
  await device.logIn(first, ANNA);
  await device.save(first, 1);

  const shopper = await front.arrive();
  const page = await shopper.open("/");
  await shopper.save(page, 1, 2, 3);
  await shopper.logIn(page, ANNA);
  await expectNotice(page, "2 products that you had saved before are in your wishlist now.");
  await expectCount(page, 3);
});

test("a login returns to the page on which it began", async () => {
  const shopper = await front.arrive();
  const page = await shopper.open("/products/lamp-5?from=test");
  await shopper.logIn(page, ANNA);
  await page.waitForURL(`${front.origin}/products/lamp-5?from=test`);
});

test("a login with another state is refused before its code is exchanged", async () => {
  const shopper = await front.arrive();
  const exchanges: string[] = [];
  shopper.context.on("request", (request) => {
    if (request.url().endsWith("/oauth/token")) exchanges.push(request.url());
  });
  const page = await shopper.open("/");
  await page.getByRole("button", { name: "Log in" }).click();
  await page.waitForURL(`${front.connected.shopify.url}/**`);
  await page.goto(`${front.origin}/account/authorize?code=a-code&state=a-state`);
  await expectPage(page.getByText("You couldn't be logged in.")).toBeVisible();
  expect(exchanges).toEqual([]);
});

test("a customer sees nothing of the customer who was logged in before", async () => {
  const shopper = await front.arrive();
  const page = await shopper.open("/");
  await shopper.logIn(page, ANNA);
  await shopper.save(page, 1);
  await page.getByRole("button", { name: "Log out" }).click();
  await expectPage(page.getByRole("button", { name: "Log in" })).toBeVisible();
  await expectSaved(heartOf(page, 1), false);
  await expectCount(page, 0);
  await shopper.logIn(page, PIET);
  await expectSaved(heartOf(page, 1), false);
  await expectCount(page, 0);
});

test("a reload keeps the customer logged in, without a request as a guest", async () => {
  const shopper = await front.arrive();
  const page = await shopper.open("/");
  await shopper.logIn(page, ANNA);
  await shopper.save(page, 1);
  const exchanges: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/storefront-token")) exchanges.push(request.postData() ?? "");
  });
  await page.reload();
  await expectSaved(heartOf(page, 1));
  await expectPage(page.getByRole("button", { name: "Log out" })).toBeVisible();
  expect(exchanges).toEqual([expect.stringContaining("customer_access_token")]);
});

test("an access token near its end is refreshed, once for all tabs", async () => {
  const shopper = await front.arrive();
  const page = await shopper.open("/");
  await shopper.logIn(page, ANNA);
  await shopper.save(page, 1);
  await page.evaluate(() => {
    const tokens = JSON.parse(localStorage.getItem("customer.tokens") ?? "{}") as object;
    localStorage.setItem("customer.tokens", JSON.stringify({ ...tokens, accessToken: "expired", expiresAt: 0 }));
  });
  const refreshes: string[] = [];
  shopper.context.on("request", (request) => {
    if (request.url().endsWith("/oauth/token")) refreshes.push(request.postData() ?? "");
  });
  const tabs = await Promise.all([shopper.open("/"), shopper.open("/"), shopper.open("/")]);
  for (const tab of tabs) {
    await tab.bringToFront();
    await expectSaved(heartOf(tab, 1));
  }
  expect(refreshes).toEqual([expect.stringContaining("grant_type=refresh_token")]);
});

test("a login that has expired ends with a message, and the shopper continues as a guest", async () => {
  const shopper = await front.arrive();
  const page = await shopper.open("/");
  await shopper.logIn(page, ANNA);
  await shopper.save(page, 1);
  front.shop.store.customerTokens.revoke(ANNA.id);
  await page.evaluate(() => {
    const tokens = JSON.parse(localStorage.getItem("customer.tokens") ?? "{}") as object;
    localStorage.setItem("customer.tokens", JSON.stringify({ ...tokens, expiresAt: 0 }));
  });
  await page.reload();
  await expectNotice(page, "Your login has expired.");
  await expectPage(page.getByRole("button", { name: "Log in" }).first()).toBeVisible();
  await expectSaved(heartOf(page, 1), false);
});

test("while the service is down, a customer stays logged in", async () => {
  const shopper = await front.arrive();
  const page = await shopper.open("/");
  await shopper.logIn(page, ANNA);
  await shopper.save(page, 1);
  await shopper.context.route("**/v1/**", (route) => route.abort("connectionrefused"));
  await page.reload();
  await expectNotice(page, "Your wishlist can't be reached right now.");
  await expectPage(page.getByRole("button", { name: "Log out" })).toBeVisible();
  await shopper.context.unroute("**/v1/**");
  await page.reload();
  await expectSaved(heartOf(page, 1));
});

test("a page follows changes on the customer's other device", async () => {
  const phone = await front.arrive();
  const shown = await phone.open("/wishlist");
  await phone.logIn(shown, ANNA);
  await expectPage(shown.getByText("Nothing saved yet")).toBeVisible();
  const laptop = await front.arrive();
  const page = await laptop.open("/");
  await laptop.logIn(page, ANNA);
  await laptop.save(page, 4);
  await expectPage(rowsOf(shown)).toHaveCount(1);
  await expectCount(shown, 1);
  await heartOf(page, 4).click();
  await expectPage(rowsOf(shown)).toHaveCount(0);
});

test("other tabs follow a login and a logout", async () => {
  const shopper = await front.arrive();
  const other = await shopper.open("/");
  const page = await shopper.open("/");
  await shopper.logIn(page, ANNA);
  await shopper.save(page, 1);
  await other.bringToFront();
  await expectSaved(heartOf(other, 1));
  await page.bringToFront();
  await page.getByRole("button", { name: "Log out" }).click();
  await expectPage(page.getByRole("button", { name: "Log in" })).toBeVisible();
  await expectPage(other.getByRole("button", { name: "Log in" })).toBeVisible();
  await expectSaved(heartOf(other, 1), false);
});
