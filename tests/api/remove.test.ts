import { expect } from "vitest";
import type { ApiResponse, Call } from "../support/app/client.ts";
import { expectFailure, problemsAt } from "../support/app/failure.ts";
import type { InProcessApp } from "../support/app/in-process.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import { everythingStored, storedWishlist } from "../support/app/stored-rows.ts";
import { test } from "../support/app/fixtures.ts";

let service: InProcessApp;
let call: Call;
let shop: TestShop;

test.beforeAll(({ app, call: apiCall, shop: madeShop }) => {
  service = app;
  call = apiCall;
  shop = madeShop;
});

/** Saves `product` or `product/variant`, in this order. */
async function save(customerId: string, ...names: string[]): Promise<void> {
  for (const name of names) {
    const [product_id, variant_id = "v"] = name.split("/");
    const json = { product_id, variant_id };
    (await call("POST", `/v1/wishlists/${customerId}/items`, { token: shop.token, json })).data();
  }
}

function remove(customerId: string, product: string): Promise<ApiResponse> {
  return call("DELETE", `/v1/wishlists/${customerId}/items/${product}`, { token: shop.token });
}

async function saved(customerId: string): Promise<string[] | undefined> {
  const stored = await storedWishlist(service.database, shop.id, customerId);
  return stored?.items.map(({ product_id, variant_id }) => `${product_id}/${variant_id}`);
}

test("a remove deletes one row, adds one event and lowers the count", async () => {
  await save("c1", "p1", "p2");
  const response = await remove("c1", "p1");
  expect(response.status).toBe(200);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.body).toEqual({ ok: true, data: { removed: true, itemCount: 1 } });
  expect(await saved("c1")).toEqual(["p2/v"]);
  const stored = await storedWishlist(service.database, shop.id, "c1");
  expect(stored).toMatchObject({ item_count: 1, version: 3 });
  expect(stored?.activity.at(-1)).toEqual({
    kind: "removed",
    source: "api",
    product_id: "p1",
    variant_id: "v",
    version: 3,
    item_count: 1,
  });
});

test("a remove of the last item leaves a count of 0", async () => {
  await save("last", "p1");
  expect((await remove("last", "p1")).data()).toEqual({ removed: true, itemCount: 0 });
  expect(await storedWishlist(service.database, shop.id, "last")).toMatchObject({ item_count: 0, items: [] });
});

test("a remove without a variant deletes all variants, with one event each", async () => {
  await save("all", "p1/red", "p2/red", "p1/blue", "p1/green", "p11/red");
  expect((await remove("all", "p1")).data()).toEqual({ removed: true, itemCount: 2 });
  expect(await saved("all")).toEqual(["p11/red", "p2/red"]);
  const stored = await storedWishlist(service.database, shop.id, "all");
  const events = stored?.activity.filter(({ kind }) => kind === "removed");
  expect(events?.map(({ product_id, variant_id }) => `${String(product_id)}/${String(variant_id)}`).sort()).toEqual([
    "p1/blue",
    "p1/green",
    "p1/red",
  ]);
  expect(stored?.item_count).toBe(2);
  expect(new Set(events?.map(({ version }) => version))).toEqual(new Set([stored?.version]));
});

test.each(["blue", "gid:%2F%2Fshopify%2FProductVariant%2Fblue", "gid://shopify/ProductVariant/blue", "%62lue"])(
  "`?variant_id=%s` removes this variant only",
  async (variant) => {
    const customer = `one-${Buffer.from(variant).toString("hex")}`;
    await save(customer, "p1/red", "p1/blue", "p2/blue");
    expect((await remove(customer, `p1?variant_id=${variant}`)).data()).toEqual({ removed: true, itemCount: 2 });
    expect(await saved(customer)).toEqual(["p2/blue", "p1/red"]);
  },
);

test.each(["absent", "p1?variant_id=other", "P1", "p", "p11", "gid:%2F%2Fshopify%2FProduct%2Fp2"])(
  "a remove of an unsaved item (%s) responds `removed: false` and changes nothing",
  async (product) => {
    await save("absent", "p1");
    const before = await everythingStored(service.database);
    const response = await remove("absent", product);
    expect([response.status, response.body]).toEqual([200, { ok: true, data: { removed: false, itemCount: 1 } }]);
    expect(await everythingStored(service.database)).toEqual(before);
  },
);

test("a remove for a customer without a wishlist creates none", async () => {
  const before = await everythingStored(service.database);
  expect((await remove("nobody", "p1")).data()).toEqual({ removed: false, itemCount: 0 });
  expect(await everythingStored(service.database)).toEqual(before);
});

test("a repeated remove changes nothing", async () => {
  await save("twice", "p1", "p2");
  expect((await remove("twice", "p1")).data()).toEqual({ removed: true, itemCount: 1 });
  const before = await everythingStored(service.database);
  expect((await remove("twice", "p1")).data()).toEqual({ removed: false, itemCount: 1 });
  expect(await everythingStored(service.database)).toEqual(before);
});

test("concurrent identical removes remove once", async () => {
  await save("race", "p1", "p2");
  const responses = await Promise.all(Array.from({ length: 10 }, () => remove("race", "p1")));
  const data = responses.map((response) => response.data<{ removed: boolean; itemCount: number }>());
  expect(data.filter(({ removed }) => removed)).toHaveLength(1);
  expect(new Set(data.map(({ itemCount }) => itemCount))).toEqual(new Set([1]));
  const stored = await storedWishlist(service.database, shop.id, "race");
  expect(stored).toMatchObject({ item_count: 1, version: 3 });
  expect(stored?.activity.filter(({ kind }) => kind === "removed")).toHaveLength(1);
});

test.each<[sent: string, id: string]>([
  ["gid:%2F%2Fshopify%2FProduct%2F9", "9"],
  ["a%2Fb", "a/b"],
  ["%2531", "%31"],
  ["a+b", "a+b"],
  ["%22%5C", '"\\'],
  ["p.data", "p.data"],
  ["items", "items"],
])("the path segment %s removes the product %s", async (sent, id) => {
  const customer = `seg-${Buffer.from(sent).toString("hex")}`;
  const json = { product_id: id, variant_id: "v" };
  await call("POST", `/v1/wishlists/${customer}/items`, { token: shop.token, json });
  await save(customer, "31", "b", "a");
  expect((await remove(customer, sent)).data()).toEqual({ removed: true, itemCount: 3 });
  expect(await saved(customer)).toEqual(["a/v", "b/v", "31/v"]);
});

test.each<[query: string, ...places: string[]]>([
  ["variantId=blue", "query.variantId"],
  ["variant=blue", "query.variant"],
  ["Variant_id=blue", "query.Variant_id"],
  ["variant_id=", "query.variant_id"],
  ["variant_id", "query.variant_id"],
  ["variant_id=blue&variant_id=red", "query.variant_id"],
  ["variant_id=blue&variant_id=blue", "query.variant_id"],
  ["variant_id=bl%20ue", "query.variant_id"],
  ["variant_id=bl+ue", "query.variant_id"],
  ["variant_id=%00", "query.variant_id"],
  [`variant_id=${"v".repeat(256)}`, "query.variant_id"],
  ["variant_id=gid://shopify/Product/blue", "query.variant_id"],
  ["limit=1", "query.limit"],
])("`?%s` is refused instead of removing all variants", async (query, ...places) => {
  await save("careful", "p1/red", "p1/blue");
  const before = await everythingStored(service.database);
  expectFailure(await remove("careful", `p1?${query}`), 400, "invalid_request", problemsAt(...places));
  expect(await everythingStored(service.database)).toEqual(before);
});

test("a misspelt `variantId` gets the right name", async () => {
  const response = await remove("careful", "p1?variantId=blue");
  expectFailure(response, 400, "invalid_request", [
    { path: "query.variantId", problem: "is not a known query parameter; did you mean `variant_id`?" },
  ]);
});

test("a variant's GID in the product's place is refused", async () => {
  await save("mixed-up", "12");
  const before = await everythingStored(service.database);
  const response = await remove("mixed-up", "gid:%2F%2Fshopify%2FProductVariant%2F12");
  expectFailure(response, 400, "invalid_request", problemsAt("path.productId"));
  expect(await everythingStored(service.database)).toEqual(before);
});

test("a remove keeps another customer's and another shop's item", async () => {
  const other = await makeShop(service, call);
  const json = { product_id: "p1", variant_id: "v" };
  await call("POST", "/v1/wishlists/mine/items", { token: other.token, json });
  await save("mine", "p1");
  await save("yours", "p1");
  expect((await remove("mine", "p1")).data()).toEqual({ removed: true, itemCount: 0 });
  expect(await saved("yours")).toEqual(["p1/v"]);
  expect(await storedWishlist(service.database, other.id, "mine")).toMatchObject({ item_count: 1, version: 1 });
});

test("a product that was deleted from the catalog can be removed", async () => {
  const at = await makeShop(service, call, { products: { p1: "v1" } });
  await call("POST", "/v1/wishlists/c1/items", { token: at.token, json: { product_id: "p1" } });
  await service.database.rows("UPDATE product SET deleted_at = now() WHERE shop_id = $1", [at.id]);
  const response = await call("DELETE", "/v1/wishlists/c1/items/p1", { token: at.token });
  expect(response.data()).toEqual({ removed: true, itemCount: 0 });
});
