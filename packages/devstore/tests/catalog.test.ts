// @module-tag matrix

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { adminApi, type AdminApi } from "./fixtures/admin-api.ts";
import { startStage, type Stage } from "./fixtures/devstore.ts";

const SCOPES = ["read_products", "read_inventory", "write_app_proxy"];
const PRODUCT = "700";
const VARIANT = "701";

let stage: Stage;
let query: AdminApi;
beforeAll(async () => {
  stage = await startStage({ scopes: SCOPES, data: "none" });
  query = await adminApi(stage.devstore);
});
afterAll(async () => stage.close());
beforeEach(async () => {
  await stage.control("await-deliveries");
  await stage.control("reset");
  stage.devstore.store().catalog.put({
    id: PRODUCT,
    handle: "lamp",
    title: "Lamp",
    variants: [
      { id: VARIANT, title: "Brass", priceCents: 4_000 },
      { id: "702", title: "Steel", priceCents: 3_333, available: false },
    ],
  });
  stage.app.requests.length = 0;
});

/** Returns topic and body of the webhooks that the app received. */
async function received(): Promise<{ topic: string; body: Record<string, unknown> }[]> {
  await stage.control("await-deliveries");
  return stage.app.requests.map(({ headers, body }) => ({
    topic: String(headers["x-shopify-topic"]),
    body: z.record(z.string(), z.unknown()).parse(JSON.parse(body)),
  }));
}

const topics = async () => (await received()).map(({ topic }) => topic);

const VARIANT_QUERY = `query ($id: ID!) { productVariant(id: $id) {
  price compareAtPrice availableForSale inventoryQuantity inventoryPolicy inventoryItem { id tracked }
} }`;

async function variant(id = VARIANT): Promise<unknown> {
  const { data, errors } = await query(VARIANT_QUERY, { id: `gid://shopify/ProductVariant/${id}` });
  expect(errors).toBeUndefined();
  return z.object({ productVariant: z.unknown() }).parse(data).productVariant;
}

test("the Admin API has a variant's prices, inventory and inventory item", async () => {
  await stage.control("edit-variant", {
    variantId: VARIANT,
    priceCents: 3_900,
    compareAtPriceCents: 5_000,
    quantity: 3,
  });
  expect(await variant()).toEqual({
    price: "39.00",
    compareAtPrice: "50.00",
    availableForSale: true,
    inventoryQuantity: 3,
    inventoryPolicy: "DENY",
    inventoryItem: { id: "gid://shopify/InventoryItem/2000000000701", tracked: true },
  });
  await stage.control("edit-variant", { variantId: VARIANT, compareAtPriceCents: null });
  expect(await variant()).toMatchObject({ compareAtPrice: null });
});

test.each([
  [{ tracked: true, policy: "DENY", quantity: 1 }, true],
  [{ tracked: true, policy: "DENY", quantity: 0 }, false],
  [{ tracked: true, policy: "DENY", quantity: -4 }, false],
  [{ tracked: true, policy: "CONTINUE", quantity: -4 }, true],
  [{ tracked: false, policy: "DENY", quantity: 0 }, true],
])("a variant with %j is for sale: %s", async (edit, isForSale) => {
  await stage.control("edit-variant", { variantId: VARIANT, ...edit });
  expect(await variant()).toMatchObject({ availableForSale: isForSale, inventoryQuantity: edit.quantity });
});

test("a changed price sends products/update alone", async () => {
  await stage.control("edit-variant", { variantId: VARIANT, priceCents: 3_000 });
  expect(await received()).toMatchObject([
    { topic: "products/update", body: { id: 700, variants: [{ id: 701, price: "30.00" }, { price: "33.33" }] } },
  ]);
});

test("a changed quantity also sends inventory_levels/update with Shopify's fields", async () => {
  await stage.control("edit-variant", { variantId: VARIANT, quantity: 5 });
  const sent = await received();
  expect(sent.map(({ topic }) => topic).sort()).toEqual(["inventory_levels/update", "products/update"]);
  expect(sent.find(({ topic }) => topic === "inventory_levels/update")?.body).toEqual({
    inventory_item_id: 2_000_000_000_701,
    location_id: expect.any(Number),
    available: 5,
    updated_at: expect.any(String),
    admin_graphql_api_id: expect.stringMatching(
      /^gid:\/\/shopify\/InventoryLevel\/\d+\?inventory_item_id=2000000000701$/,
    ),
  });
});

test("inventory_levels/update is not sent to an app without read_inventory", async () => {
  const { installation } = stage.devstore.store();
  installation.scopes = ["read_products"];
  await stage.control("edit-variant", { variantId: VARIANT, quantity: 5 });
  expect(await topics()).toEqual(["products/update"]);
  installation.scopes = [...SCOPES];
});

test("a sale lowers each price and keeps the price before the first sale as compare-at price", async () => {
  await stage.control("lower-price", { productId: PRODUCT, percent: 10 });
  await stage.control("lower-price", { productId: PRODUCT, percent: 10 });
  expect(await variant("702")).toMatchObject({ price: "27.00", compareAtPrice: "33.33" });
  await stage.control("restore-price", { productId: PRODUCT });
  expect(await variant("702")).toMatchObject({ price: "33.33", compareAtPrice: null });
});

test("selling out and restocking change the inventory of every variant", async () => {
  await stage.control("sell-out", { productId: PRODUCT });
  expect(await variant()).toMatchObject({ availableForSale: false, inventoryQuantity: 0 });
  await stage.control("restock", { productId: PRODUCT, quantity: 2 });
  expect(await variant("702")).toMatchObject({ availableForSale: true, inventoryQuantity: 2 });
});

test("a changed currency is the shop's in the Admin API, the storefront and shop/update", async () => {
  await stage.control("currency", { currency: "USD" });
  expect(await received()).toMatchObject([{ topic: "shop/update", body: { currency: "USD" } }]);
  const { data } = await query("{ shop { currencyCode } }");
  expect(data).toEqual({ shop: { currencyCode: "USD" } });
  const page = await (await fetch(`${stage.devstore.storefrontUrl}/products/lamp`)).text();
  expect(page).toContain("$40.00");
  expect(page).not.toContain("€");
  await stage.control("currency", { currency: "EUR" });
});

describe("the webhook fault", () => {
  const lowerTo = async (priceCents: number) => stage.control("edit-variant", { variantId: VARIANT, priceCents });
  const prices = async () =>
    (await received()).map(
      ({ body }) => z.object({ variants: z.array(z.object({ price: z.string() })) }).parse(body).variants[0]?.price,
    );

  test("next_lost loses one webhook and ends", async () => {
    await stage.control("faults", { faults: { webhooks: "next_lost" } });
    await lowerTo(3_000);
    await lowerTo(2_000);
    expect(await prices()).toEqual(["20.00"]);
  });

  test("twice delivers each webhook twice with the same ids", async () => {
    await stage.control("faults", { faults: { webhooks: "twice" } });
    await lowerTo(3_000);
    expect(await prices()).toEqual(["30.00", "30.00"]);
    for (const name of ["x-shopify-webhook-id", "x-shopify-event-id"])
      expect(new Set(stage.app.requests.map(({ headers }) => headers[name])).size).toBe(1);
  });

  test("out_of_order delivers an older webhook after a newer one, with its own time", async () => {
    await stage.control("faults", { faults: { webhooks: "out_of_order" } });
    for (const price of [3_000, 2_000, 1_000]) await lowerTo(price);
    expect(await prices()).toEqual(["20.00", "30.00", "10.00"]);
    const [newer, older] = stage.app.requests.map(({ headers }) => String(headers["x-shopify-triggered-at"]));
    expect(older && newer && older <= newer).toBe(true);
  });
});

test("a subscription with include_fields receives these fields only", async () => {
  const own = await startStage({
    data: "none",
    webhooks: { "products/update": { uri: "/products", includeFields: ["id", "updated_at"] } },
  });
  try {
    own.devstore.store().catalog.put({ id: 1, handle: "vase", title: "Vase", variants: [{ id: 2 }] });
    await own.control("edit-product", { productId: "1", title: "Blue vase" });
    await own.control("await-deliveries");
    expect(own.app.requests.map(({ body }): unknown => JSON.parse(body))).toEqual([
      { id: 1, updated_at: expect.any(String) },
    ]);
  } finally {
    await own.close();
  }
});
