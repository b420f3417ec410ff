import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { closeDatabase } from "../../app/platform/database/database.server.ts";
import { provideSettings } from "../../app/platform/process/env.server.ts";
import type { Devstore } from "../../packages/devstore/devstore.ts";
import { client, type ApiResponse } from "../support/app/client.ts";
import { startService, type Service } from "../support/app/service.ts";
import { issueToken } from "../support/app/shop.ts";
import { bodies, startShopify } from "../support/shopify/shopify.ts";
import { newGuest, visitor, type ProxyCall } from "../support/app/storefront.ts";
import { until } from "../support/until.ts";

const SHOP = "store-of-defaults.myshopify.com";

let shopify: Devstore;
let service: Service;
let shopId: number;
let token: string;
let ask: ProxyCall;
let visitors = 0;
let address: string;
let guestId: string;

beforeAll(async () => {
  shopify = await startShopify();
  stock(1, "boots", { 11: false, 12: true, 13: true });
  stock(2, "mug", { 21: false, 22: false });
  service = await startService({ env: shopify.env });
  expect((await shopify.openApp({ app: service.url, shop: SHOP })).status).toBe(200);
  shopId = await until("the catalog cache", async () => {
    const [shop] = await service.database.rows<{ id: number }>(
      "SELECT id FROM shop WHERE domain = $1 AND catalog = 'ready'",
      [SHOP],
    );
    return shop?.id ?? false;
  });
  provideSettings({ DATABASE_URL: service.database.url, DATABASE_POOL_SIZE: "5" });
  token = await issueToken(client(service.url), shopId, ["read_wishlists", "write_wishlists"]);
  ask = visitor(service.url, { shop: SHOP, secret: shopify.env.SHOPIFY_API_SECRET });
});
afterAll(async () => {
  await closeDatabase();
  await service.dispose();
  await shopify.close();
});
beforeEach(() => {
  shopify.store(SHOP).adminApiRequests.length = 0;
  guestId = newGuest();
  // Each test has its own budget of look-ups.
  address = `203.0.113.${++visitors}`;
});
afterEach(() => {
  shopify.store(SHOP).faults.clear();
});

/** @param variants availability by id, in the store's order */
function stock(id: number, handle: string, variants: Record<number, boolean>): void {
  const nodes = Object.entries(variants).map(([variant, available]) => ({ id: Number(variant), available }));
  shopify.store(SHOP).catalog.put({ id, handle, title: handle, variants: nodes });
}

/** More variants than a product look-up returns. */
function manyVariants(id: number, available: readonly number[]): Record<number, boolean> {
  return Object.fromEntries(Array.from({ length: 14 }, (_, n) => [id * 100 + n, available.includes(n)]));
}

function add(item: object): Promise<ApiResponse> {
  return ask("POST", "/api/add", { json: { guestId, ...item }, headers: { "x-forwarded-for": address } });
}

async function savedVariants(): Promise<string[]> {
  const list = await ask("POST", "/api/list", { json: { guestId } });
  return list.data<{ items: { variantId: string }[] }>().items.map(({ variantId }) => variantId);
}

async function cachedDefault(id: number): Promise<string | undefined> {
  const [row] = await service.database.rows<{ variant: string }>(
    "SELECT default_variant_id AS variant FROM product WHERE shop_id = $1 AND product_id = $2",
    [shopId, String(id)],
  );
  return row?.variant;
}

describe("a product's default variant", () => {
  test.each([
    ["the first available one", "boots", "12"],
    ["the first one when all are sold out", "mug", "21"],
  ])("is %s", async (_, handle, variantId) => {
    expect((await add({ handle })).data()).toMatchObject({ added: true, variantId });
  });

  test("follows a change of stock that the store reports", async () => {
    stock(3, "tent", { 31: true, 32: true });
    expect((await add({ handle: "tent" })).data()).toMatchObject({ variantId: "31" });
    for (const [variants, expected] of [
      [{ 31: false, 32: true }, "32"],
      [{ 31: false, 32: false }, "31"],
    ] as const) {
      stock(3, "tent", variants);
      const report = { topic: "products/update", shop: SHOP, payload: bodies.product(3) };
      expect((await shopify.deliverWebhook(service.url, "/webhooks/products/update", report)).status).toBe(200);
      await until("the report", async () => (await cachedDefault(3)) === expected);
      guestId = newGuest();
      expect((await add({ productId: "3" })).data()).toMatchObject({ added: true, variantId: expected });
    }
  });

  test.each([
    ["its id", 41, () => add({ productId: "41" })],
    ["its handle", 42, () => add({ handle: "lamp-42" })],
  ])("is the first available one of a product that is not cached, by %s", async (_, id, send) => {
    stock(id, `lamp-${id}`, { [id * 100]: false, [id * 100 + 1]: true });
    expect((await send()).data()).toMatchObject({ added: true, variantId: String(id * 100 + 1) });
  });

  test.each([
    ["the eleventh", 51, [11, 12], 11],
    ["the second", 52, [1, 11], 1],
    ["none", 53, [], 0],
  ])("is found among many variants of which %s is the first available", async (_, id, available, expected) => {
    stock(id, `shirt-${id}`, manyVariants(id, available));
    const variantId = String(id * 100 + expected);
    expect((await add({ productId: String(id) })).data()).toMatchObject({ added: true, variantId });
    await until("the catalog cache", async () => (await cachedDefault(id)) === variantId);
  });

  test("is not chosen while not all variants are known", async () => {
    stock(54, "shirt-54", manyVariants(54, [12]));
    let release: (() => void) | undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    // The look-up itself succeeds. Its further variants wait, as does the refresh, which requests all variants at once.
    const { faults, adminApiRequests } = shopify.store(SHOP);
    faults.inject({
      on: "graphql",
      when: ({ variants, after }) => after !== undefined || variants !== 10,
      behaviour: { until: held },
    });
    const adding = add({ productId: "54" });
    await until("the further variants", () =>
      adminApiRequests.some(({ operation }) => operation === "CatalogVariants"),
    );
    expect(await cachedDefault(54)).toBeUndefined();
    release?.();
    expect((await adding).data()).toMatchObject({ added: true, variantId: "5412" });
  });

  test("is saved and merged by the API when no variant is named", async () => {
    const call = client(service.url);
    const at = "/v1/wishlists/customer-1";
    expect((await call("POST", `${at}/items`, { token, json: { product_id: "1" } })).data()).toMatchObject({
      added: true,
    });
    stock(61, "scarf", { 611: false, 612: true });
    const items = ["2", "61"].map((productId) => ({ productId, addedAt: "2026-01-01T00:00:00.000Z" }));
    expect((await call("POST", `${at}/merge`, { token, json: { items } })).data()).toMatchObject({ addedCount: 2 });
    const page = (await call("GET", at, { token })).data<{ items: { variantId: string }[] }>();
    expect(page.items.map(({ variantId }) => variantId).sort()).toEqual(["12", "21", "612"]);
  });
});

describe("a shopper's add without a variant", () => {
  test("adds nothing when another variant is saved, and returns that variant", async () => {
    await add({ productId: "1", variantId: "11" });
    await add({ productId: "1", variantId: "13" });
    const list = await savedVariants();
    for (const product of [{ handle: "boots" }, { productId: "1" }]) {
      expect((await add(product)).data()).toEqual({
        ...{
          added: false,
          productId: "1",
          variantId: "13",
          itemCount: 2,
          listCount: 2,
          choosesLists: false,
          owner: "guest",
        },
      });
    }
    expect(await savedVariants()).toEqual(list);
  });

  test("returns the default variant when it is saved beside others", async () => {
    for (const variantId of ["12", "13"]) await add({ productId: "1", variantId });
    expect((await add({ handle: "boots" })).data()).toMatchObject({ added: false, variantId: "12", itemCount: 2 });
  });

  test("adds nothing when the default variant has changed since the product was saved", async () => {
    stock(71, "hat", { 711: true, 712: true });
    expect((await add({ productId: "71" })).data()).toMatchObject({ added: true, variantId: "711" });
    await service.database.rows(
      "UPDATE product SET default_variant_id = '712' WHERE shop_id = $1 AND product_id = '71'",
      [shopId],
    );
    expect((await add({ productId: "71" })).data()).toMatchObject({ added: false, variantId: "711", itemCount: 1 });
  });

  test("adds nothing beside a saved variant of a product that is not cached", async () => {
    stock(72, "cap", { 721: true, 722: true });
    expect((await add({ productId: "72", variantId: "722" })).data()).toMatchObject({ added: true });
    await service.database.rows("DELETE FROM product WHERE shop_id = $1 AND product_id = '72'", [shopId]);
    expect((await add({ productId: "72" })).data()).toMatchObject({ added: false, variantId: "722", itemCount: 1 });
  });

  test("adds one item when many pages send it at once, with and without a variant", async () => {
    const variants = [undefined, "12", undefined, "12", undefined, undefined, "12", undefined];
    const responses = await Promise.all(variants.map((variantId) => add({ productId: "1", variantId })));
    expect(responses.filter((response) => response.data<{ added: boolean }>().added)).toHaveLength(1);
    expect(await savedVariants()).toEqual(["12"]);
  });

  test("with a variant adds another item of the product", async () => {
    await add({ handle: "boots" });
    expect((await add({ productId: "1", variantId: "13" })).data()).toMatchObject({ added: true, itemCount: 2 });
  });
});

test("the API saves the default variant beside another saved variant", async () => {
  const call = client(service.url);
  const at = "/v1/wishlists/customer-2/items";
  await call("POST", at, { token, json: { product_id: "1", variant_id: "13" } });
  const response = await call("POST", at, { token, json: { product_id: "1" } });
  expect(response.data()).toEqual({ added: true, itemCount: 2 });
});
