// @module-tag matrix

import { afterAll, beforeAll, expect, test } from "vitest";
import type { Devstore } from "../devstore.ts";
import { picturePath } from "../foundation/product-pictures.ts";
import { startShopify } from "../../../tests/support/shopify/shopify.ts";

const LIQUID = "{{ request.locale.iso_code }} {{ routes.root_url }} {{ routes.storefront_login_url }}";

let shopify: Devstore;
beforeAll(async () => {
  shopify = await startShopify({
    app: () => new Response(LIQUID, { headers: { "content-type": "application/liquid" } }),
    locales: ["en", "pt-BR"],
    storefrontLogin: true,
    renderLayout: (content) => `<main>${content}</main>`,
  });
  const { catalog, customers } = shopify.store();
  catalog.put(
    { id: 1, handle: "lamp", title: "Lamp", variants: [{ id: 10, compareAtPriceCents: 2_000 }], hasPicture: false },
    { id: 2, handle: "mug", title: "Mug", variants: [{ id: 20 }] },
  );
  customers.add({ id: "7", firstName: "Jane", lastName: "Doe", email: "" });
});
afterAll(() => shopify.close());

const ask = async (path: string) => (await fetch(shopify.url + path)).text();

test("renderLayout replaces the theme's layout and leaves out the extension's embeds", async () => {
  expect(await ask("/apps/wishlist")).toMatch(/^<main>en \/ [^<]*<\/main>$/);
  expect(await ask("/cart")).toMatch(/^<main>(?:(?!<html|wishlist\.js).)*<\/main>$/s);
});

test("a language with a region has a path prefix in lower case", async () => {
  expect(await ask("/pt-br/apps/wishlist")).toContain("pt-BR /pt-br ");
});

test("the login of new customer accounts returns to the page from which it was opened", async () => {
  const [login = ""] = /\/customer_authentication\S+(?=<)/.exec(await ask("/pt-br/apps/wishlist?sort=title")) ?? [];
  const returnUrl = "/pt-br/apps/wishlist?sort=title";
  expect(login).toBe(`/customer_authentication/login?return_to=${encodeURIComponent(returnUrl)}&locale=pt-BR`);
  expect(await ask(login)).toContain(`name="return_url" value="${returnUrl}"`);
  const body = new URLSearchParams({ customer_id: "7", return_url: returnUrl });
  const response = await fetch(`${shopify.url}/account/login`, { method: "POST", body, redirect: "manual" });
  expect(response.headers.get("location")).toBe(returnUrl);
});

test("a product without a picture has none in the Ajax API and on the CDN", async () => {
  expect(await (await fetch(`${shopify.url}/products/lamp.js`)).json()).toMatchObject({
    featured_image: null,
    images: [],
    media: [],
    variants: [{ compare_at_price: 2_000 }],
  });
  expect((await fetch(shopify.url + picturePath({ handle: "lamp" }))).status).toBe(404);
  expect((await fetch(shopify.url + picturePath({ handle: "mug" }))).status).toBe(200);
});
