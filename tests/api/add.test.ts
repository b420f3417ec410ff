import { expect } from "vitest";
import type { ApiResponse, Call } from "../support/app/client.ts";
import { expectFailure } from "../support/app/failure.ts";
import type { InProcessApp } from "../support/app/in-process.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import { everythingStored, storedWishlist } from "../support/app/stored-rows.ts";
import { test } from "../support/app/fixtures.ts";

let service: InProcessApp;
let call: Call;
let shop: TestShop;

test.override("shopOptions", { products: { p1: "v1", p2: "v2", p3: "v3", gone: "vgone" } });
test.beforeAll(async ({ app, call: apiCall, shop: madeShop }) => {
  service = app;
  call = apiCall;
  shop = madeShop;
  await service.database.rows("UPDATE product SET deleted_at = now() WHERE shop_id = $1 AND product_id = 'gone'", [
    shop.id,
  ]);
});

function add(customerId: string, json: unknown, at: TestShop = shop): Promise<ApiResponse> {
  return call("POST", `/v1/wishlists/${customerId}/items`, { token: at.token, json });
}

function setCatalog(at: TestShop, state: "none" | "syncing" | "ready"): Promise<unknown> {
  return service.database.rows("UPDATE shop SET catalog = $2 WHERE id = $1", [at.id, state]);
}

function setCap(at: TestShop, cap: number): Promise<unknown> {
  return service.database.rows("UPDATE shop SET item_cap = $2 WHERE id = $1", [at.id, cap]);
}

test("an add without a variant saves the default variant with one row, event and count", async () => {
  const response = await add("fresh", { product_id: "p1" });
  expect(response.status).toBe(200);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.body).toEqual({ ok: true, data: { added: true, itemCount: 1 } });
  const stored = await storedWishlist(service.database, shop.id, "fresh");
  expect(stored).toEqual({
    item_count: 1,
    version: 1,
    items: [{ product_id: "p1", variant_id: "v1", added_at: stored?.items[0]?.added_at }],
    activity: [{ kind: "added", source: "api", product_id: "p1", variant_id: "v1", version: 1, item_count: 1 }],
  });
});

test("response, page and table have the same count after each add", async () => {
  for (const [index, product_id] of ["p1", "p2", "p3"].entries()) {
    expect((await add("three", { product_id })).data()).toEqual({ added: true, itemCount: index + 1 });
  }
  const page = await call("GET", "/v1/wishlists/three", { token: shop.token });
  const stored = await storedWishlist(service.database, shop.id, "three");
  expect(page.data()).toEqual({
    items: stored?.items.map(({ product_id, variant_id, added_at }) => ({
      productId: product_id,
      variantId: variant_id,
      addedAt: added_at,
    })),
    count: 3,
    total: 3,
    has_more: false,
  });
  expect(stored).toMatchObject({ item_count: 3, version: 3 });
  expect(stored?.activity.map(({ product_id, version }) => [product_id, version])).toEqual([
    ["p1", 1],
    ["p2", 2],
    ["p3", 3],
  ]);
});

test("an add of a saved item responds `added: false` and changes nothing", async () => {
  await add("again", { product_id: "p1" });
  const before = await everythingStored(service.database);
  for (const json of [{ product_id: "p1" }, { product_id: "p1", variant_id: "v1" }]) {
    const response = await add("again", json);
    expect([response.status, response.body]).toEqual([200, { ok: true, data: { added: false, itemCount: 1 } }]);
  }
  expect(await everythingStored(service.database)).toEqual(before);
});

test("concurrent identical adds leave one row and event, and one says `added: true`", async () => {
  const responses = await Promise.all(Array.from({ length: 20 }, () => add("race", { product_id: "p1" })));
  const data = responses.map((response) => response.data<{ added: boolean; itemCount: number }>());
  expect(data.filter(({ added }) => added)).toHaveLength(1);
  expect(new Set(data.map(({ itemCount }) => itemCount))).toEqual(new Set([1]));
  const stored = await storedWishlist(service.database, shop.id, "race");
  expect(stored).toMatchObject({ item_count: 1, version: 1 });
  expect([stored?.items.length, stored?.activity.length]).toEqual([1, 1]);
});

test("another variant of a saved product is another item", async () => {
  await add("variants", { product_id: "p1" });
  expect((await add("variants", { product_id: "p1", variant_id: "other" })).data()).toEqual({
    added: true,
    itemCount: 2,
  });
});

test("a GID and its tail are the same item", async () => {
  const gids = { product_id: "gid://shopify/Product/11", variant_id: "gid://shopify/ProductVariant/12" };
  expect((await add("gids", gids)).data()).toEqual({ added: true, itemCount: 1 });
  expect((await add("gids", { product_id: "11", variant_id: "12" })).data()).toEqual({ added: false, itemCount: 1 });
  const stored = await storedWishlist(service.database, shop.id, "gids");
  expect(stored?.items).toMatchObject([{ product_id: "11", variant_id: "12" }]);
});

test("a product is looked up by the tail of its GID", async () => {
  expect((await add("gid-lookup", { product_id: "gid://shopify/Product/p1" })).data()).toEqual({
    added: true,
    itemCount: 1,
  });
});

test("ids of 255 characters are stored in full", async () => {
  const json = { product_id: "p".repeat(255), variant_id: "~".repeat(255) };
  expect((await add("c".repeat(255), json)).status).toBe(200);
  const stored = await storedWishlist(service.database, shop.id, "c".repeat(255));
  expect(stored?.items).toMatchObject([json]);
});

test.each(["unknown", "P1", "gone", "p1x"])(
  "an add of a product that the catalog lacks (%s) gets 404 and stores nothing",
  async (product_id) => {
    const before = await everythingStored(service.database);
    expectFailure(await add("lost", { product_id }), 404, "product_not_found");
    expect(await everythingStored(service.database)).toEqual(before);
  },
);

test("an add of another shop's product gets 404", async () => {
  const other = await makeShop(service, call, { products: { theirs: "v" } });
  const before = await everythingStored(service.database);
  expectFailure(await add("lost", { product_id: "theirs" }), 404, "product_not_found");
  expect(await everythingStored(service.database)).toEqual(before);
  expect((await add("lost", { product_id: "theirs" }, other)).data()).toEqual({ added: true, itemCount: 1 });
});

test.each<["none" | "syncing" | "ready", string]>([
  ["ready", "unknown"],
  ["ready", "gone"],
  ["none", "unknown"],
  ["syncing", "unknown"],
])("an add with a variant needs no look-up: catalog %s, product %s", async (state, product_id) => {
  const at = await makeShop(service, call);
  await setCatalog(at, state);
  const response = await add("c1", { product_id, variant_id: "anything" }, at);
  expect(response.data()).toEqual({ added: true, itemCount: 1 });
  const stored = await storedWishlist(service.database, at.id, "c1");
  expect(stored?.items).toMatchObject([{ product_id, variant_id: "anything" }]);
});

test("an add without a variant is refused while the shop has no catalog", async () => {
  const at = await makeShop(service, call);
  const before = await everythingStored(service.database);
  const response = await add("c1", { product_id: "p1" }, at);
  expectFailure(response, 409, "catalog_not_connected");
  expect(response.error().message).toContain("variant_id");
  expect(await everythingStored(service.database)).toEqual(before);
});

test("an add of an unknown product gets 503 with Retry-After while Shopify is unreachable", async () => {
  const at = await makeShop(service, call, { products: { known: "v" } });
  await setCatalog(at, "syncing");
  const before = await everythingStored(service.database);
  const response = await add("c1", { product_id: "perhaps" }, at);
  expectFailure(response, 503, "catalog_unavailable");
  expect(response.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  expect(await everythingStored(service.database)).toEqual(before);
  expect((await add("c1", { product_id: "known" }, at)).data()).toEqual({ added: true, itemCount: 1 });
});

test("a full wishlist refuses a new item and accepts an add of a saved one", async () => {
  const at = await makeShop(service, call);
  await setCap(at, 3);
  for (const product_id of ["a", "b", "c"]) await add("full", { product_id, variant_id: "v" }, at);
  const before = await everythingStored(service.database);
  expectFailure(await add("full", { product_id: "d", variant_id: "v" }, at), 409, "wishlist_full");
  expect((await add("full", { product_id: "a", variant_id: "v" }, at)).data()).toEqual({ added: false, itemCount: 3 });
  expect(await everythingStored(service.database)).toEqual(before);
  expect((await add("other", { product_id: "d", variant_id: "v" }, at)).data()).toEqual({ added: true, itemCount: 1 });
});

test("a removal makes room in a full wishlist", async () => {
  const at = await makeShop(service, call);
  await setCap(at, 1);
  await add("c1", { product_id: "a", variant_id: "v" }, at);
  await call("DELETE", "/v1/wishlists/c1/items/a", { token: at.token });
  expect((await add("c1", { product_id: "b", variant_id: "v" }, at)).data()).toEqual({ added: true, itemCount: 1 });
});

test("concurrent adds never exceed the item cap", async () => {
  const at = await makeShop(service, call);
  await setCap(at, 5);
  const responses = await Promise.all(
    Array.from({ length: 12 }, (_, i) => add("c1", { product_id: `p${i}`, variant_id: "v" }, at)),
  );
  expect(responses.map(({ status }) => status).sort()).toEqual([
    ...Array<number>(5).fill(200),
    ...Array<number>(7).fill(409),
  ]);
  const stored = await storedWishlist(service.database, at.id, "c1");
  expect(stored).toMatchObject({ item_count: 5, version: 5 });
  expect([stored?.items.length, stored?.activity.length]).toEqual([5, 5]);
});

test("a wishlist holds 2,500 items at most", async () => {
  const at = await makeShop(service, call);
  for (let part = 0; part < 5; part++) {
    const items = Array.from({ length: part === 4 ? 499 : 500 }, (_, i) => ({
      productId: `p${part * 500 + i}`,
      variantId: "v",
      addedAt: "2026-01-01T00:00:00.000Z",
    }));
    (await call("POST", "/v1/wishlists/big/merge", { token: at.token, json: { items } })).data();
  }
  expect((await add("big", { product_id: "last", variant_id: "v" }, at)).data()).toEqual({
    added: true,
    itemCount: 2500,
  });
  expectFailure(await add("big", { product_id: "beyond", variant_id: "v" }, at), 409, "wishlist_full");
  const [rows] = await service.database.rows<{ count: number }>(
    "SELECT count(*)::int AS count FROM wishlist_item WHERE shop_id = $1",
    [at.id],
  );
  expect(rows).toEqual({ count: 2500 });
});

test("an item that was removed and added again is first and has a new event", async () => {
  const old = { productId: "p1", variantId: "v1", addedAt: "2026-01-01T00:00:00.000Z" };
  const newer = { productId: "p2", variantId: "v2", addedAt: "2026-02-01T00:00:00.000Z" };
  await call("POST", "/v1/wishlists/back/merge", { token: shop.token, json: { items: [old, newer] } });
  await call("DELETE", "/v1/wishlists/back/items/p1", { token: shop.token });
  await add("back", { product_id: "p1" });
  const stored = await storedWishlist(service.database, shop.id, "back");
  expect(stored?.items.map(({ product_id }) => product_id)).toEqual(["p1", "p2"]);
  expect(stored?.activity.map(({ kind, product_id }) => [kind, product_id])).toEqual([
    ["added", "p1"],
    ["added", "p2"],
    ["removed", "p1"],
    ["added", "p1"],
  ]);
});

test("the same customer id has a separate wishlist in each shop", async () => {
  const other = await makeShop(service, call);
  await add("same-id", { product_id: "p1" });
  expect((await add("same-id", { product_id: "x", variant_id: "y" }, other)).data()).toEqual({
    added: true,
    itemCount: 1,
  });
  expect((await storedWishlist(service.database, shop.id, "same-id"))?.items).toMatchObject([{ product_id: "p1" }]);
  expect((await storedWishlist(service.database, other.id, "same-id"))?.items).toMatchObject([{ product_id: "x" }]);
});

test.each(["Pacific/Kiritimati", "Pacific/Niue", "Asia/Kathmandu"])(
  "item and event have the date of the shop's calendar in %s",
  async (timeZone) => {
    const at = await makeShop(service, call, { timeZone });
    await add("c1", { product_id: "p", variant_id: "v" }, at);
    const rows = await service.database.rows<{ right: boolean }>(
      `SELECT i.saved_on = (i.added_at AT TIME ZONE $2)::date AND a.day = i.saved_on AND a.at = i.added_at AS right
         FROM wishlist_item i JOIN activity a ON a.shop_id = i.shop_id AND a.wishlist_id = i.wishlist_id
        WHERE i.shop_id = $1`,
      [at.id, timeZone],
    );
    expect(rows).toEqual([{ right: true }]);
  },
);
