// @module-tag matrix

import { jwtVerify } from "jose";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { LOGIN_COOKIE } from "../foundation/cookies.ts";
import type { Store } from "../store/store.ts";
import { API_KEY, API_SECRET, APP_URL, startStage, type Stage } from "./fixtures/devstore.ts";

const tokenSchema = z.object({ token: z.string() });

let stage: Stage;
let store: Store;
let customerId: string;
beforeAll(async () => {
  stage = await startStage();
  store = stage.devstore.store();
  customerId = stage.devstore.logins[0]?.customerId ?? "";
});
afterAll(async () => stage.close());
beforeEach(() => {
  store.protectedCustomerData = true;
});

function send(path: string, method: string, customer?: string): Promise<Response> {
  const cookie = customer === undefined ? "" : `${LOGIN_COOKIE}=${store.customerSessions.open(customer)}`;
  return fetch(stage.devstore.storefrontUrl + path, { method, headers: { cookie }, redirect: "manual" });
}

async function claims(): Promise<Record<string, unknown>> {
  const { token } = tokenSchema.parse(await (await send("/account/session-token", "POST", customerId)).json());
  const { payload } = await jwtVerify(token, new TextEncoder().encode(API_SECRET), { audience: API_KEY });
  return payload;
}

test("a logged-in customer's extension gets a session token of five minutes that names the customer", async () => {
  const { dest, sub, exp, nbf, iss } = await claims();
  expect({ dest, sub, iss }).toEqual({ dest: store.shop.domain, sub: `gid://shopify/Customer/${customerId}` });
  expect(Number(exp) - Number(nbf)).toBe(300);
});

test("a session token names no customer while the app has no access to protected customer data", async () => {
  store.protectedCustomerData = false;
  expect(await claims()).not.toHaveProperty("sub");
});

test("nobody else gets a session token, and the address does not give one to a link", async () => {
  expect((await send("/account/session-token", "POST")).status).toBe(401);
  expect((await send("/account/session-token", "GET", customerId)).status).toBe(405);
});

test("the pages of the account lead to the login first, and back", async () => {
  const response = await send("/account/pages/wishlist-account", "GET");
  expect(response.headers.get("location")).toBe("/account/login?return_url=%2Faccount%2Fpages%2Fwishlist-account");
});

test("an extension's code has the app's address, under which the browser reaches it", async () => {
  const code = await (await send("/shopifycloud/extensions/wishlist-account/wishlist-account.js", "GET")).text();
  expect(code).toContain("/v1");
  expect(code).not.toContain(APP_URL);
  expect(code).not.toContain("process.env");
});

test("a cart permalink replaces the cart and leaves out what is sold out", async () => {
  const [inStock, soldOut] = [44003118551387, 44000287612134];
  const response = await send(`/cart/${inStock}:2,${soldOut}:1?storefront=true`, "GET");
  expect(response.headers.get("location")).toBe("/cart");
  const [cookie = ""] = (response.headers.getSetCookie()[0] ?? "").split(";");
  const cart = await fetch(`${stage.devstore.storefrontUrl}/cart.js`, { headers: { cookie } });
  expect(await cart.json()).toMatchObject({ items: [{ id: inStock, quantity: 2 }] });
});
