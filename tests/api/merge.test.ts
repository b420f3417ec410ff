import { expect } from "vitest";
import type { ApiResponse, Call } from "../support/app/client.ts";
import { expectFailure, problemsAt } from "../support/app/failure.ts";
import type { InProcessApp } from "../support/app/in-process.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import { everythingStored, storedWishlist } from "../support/app/stored-rows.ts";
import { test } from "../support/app/fixtures.ts";

interface GuestItem {
  productId: string;
  variantId?: string;
  addedAt: string;
}

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

function send(customerId: string, json: unknown, at: TestShop = shop): Promise<ApiResponse> {
  return call("POST", `/v1/wishlists/${customerId}/merge`, { token: at.token, json });
}

function merge(customerId: string, items: GuestItem[], at: TestShop = shop): Promise<ApiResponse> {
  return send(customerId, { items }, at);
}

const day = (of: number): string => `2026-01-${String(of).padStart(2, "0")}T08:00:00.000Z`;

function item(productId: string, variantId: string, addedAt = day(1)): GuestItem {
  return { productId, variantId, addedAt };
}

function fresh(count: number): GuestItem[] {
  return Array.from({ length: count }, (_, i) => item(`n${i}`, "v"));
}

async function saved(customerId: string, at: TestShop = shop): Promise<string[] | undefined> {
  const stored = await storedWishlist(service.database, at.id, customerId);
  return stored?.items.map(({ product_id, variant_id, added_at }) => `${product_id}/${variant_id} ${added_at}`);
}

function setCap(at: TestShop, cap: number): Promise<unknown> {
  return service.database.rows("UPDATE shop SET item_cap = $2 WHERE id = $1", [at.id, cap]);
}

test("a merge adds each item with its time, one event each and one version", async () => {
  const response = await merge("new", [item("p1", "v1", day(2)), item("p2", "v2", day(3)), item("p3", "v3", day(1))]);
  expect(response.status).toBe(200);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.body).toEqual({ ok: true, data: { merged: true, itemCount: 3, addedCount: 3, skipped: [] } });
  const stored = await storedWishlist(service.database, shop.id, "new");
  expect(stored?.items).toEqual([
    { product_id: "p2", variant_id: "v2", added_at: day(3) },
    { product_id: "p1", variant_id: "v1", added_at: day(2) },
    { product_id: "p3", variant_id: "v3", added_at: day(1) },
  ]);
  expect(stored).toMatchObject({ item_count: 3, version: 1 });
  const event = { kind: "added", source: "merge", version: 1, item_count: 3 };
  expect(stored?.activity).toHaveLength(3);
  expect(stored?.activity).toEqual(
    expect.arrayContaining([
      { ...event, product_id: "p1", variant_id: "v1" },
      { ...event, product_id: "p2", variant_id: "v2" },
      { ...event, product_id: "p3", variant_id: "v3" },
    ]),
  );
});

test("a merge saves the default variant of items without one", async () => {
  const response = await merge("defaults", [
    { productId: "p1", addedAt: day(1) },
    { productId: "gid://shopify/Product/p2", addedAt: day(2) },
    { productId: "p2", variantId: "gid://shopify/ProductVariant/other", addedAt: day(3) },
    { productId: "unknown", variantId: "named", addedAt: day(4) },
  ]);
  expect(response.data()).toEqual({ merged: true, itemCount: 4, addedCount: 4, skipped: [] });
  expect(await saved("defaults")).toEqual([
    `unknown/named ${day(4)}`,
    `p2/other ${day(3)}`,
    `p2/v2 ${day(2)}`,
    `p1/v1 ${day(1)}`,
  ]);
});

test("a merge keeps row and time of a saved item and adds no event", async () => {
  await merge("keeps", [item("p1", "v1", day(5)), item("p2", "v2", day(5))]);
  const response = await merge("keeps", [item("p1", "v1", day(1)), item("p2", "v2", day(9)), item("p3", "v3", day(3))]);
  expect(response.data()).toEqual({ merged: true, itemCount: 3, addedCount: 1, skipped: [] });
  expect(new Set(await saved("keeps"))).toEqual(new Set([`p1/v1 ${day(5)}`, `p2/v2 ${day(5)}`, `p3/v3 ${day(3)}`]));
  const stored = await storedWishlist(service.database, shop.id, "keeps");
  expect(stored).toMatchObject({ item_count: 3, version: 2 });
  expect(stored?.activity.slice(2)).toEqual([
    { kind: "added", source: "merge", product_id: "p3", variant_id: "v3", version: 2, item_count: 3 },
  ]);
});

test("a merge keeps the earliest time of duplicates, however they are written", async () => {
  const response = await merge("folds", [
    item("p1", "v1", "2026-01-05T00:00:00.000Z"),
    item("gid://shopify/Product/p1", "v1", "2026-01-03T00:00:00.000Z"),
    { productId: "p1", addedAt: "2026-01-04T00:00:00.000Z" },
    // earlier than its local time
    item("p1", "gid://shopify/ProductVariant/v1", "2026-01-03T01:00:00.000+02:00"),
    item("p1", "other", "2026-01-09T00:00:00.000Z"),
  ]);
  expect(response.data()).toEqual({ merged: true, itemCount: 2, addedCount: 2, skipped: [] });
  expect(await saved("folds")).toEqual(["p1/other 2026-01-09T00:00:00.000Z", "p1/v1 2026-01-02T23:00:00.000Z"]);
  const stored = await storedWishlist(service.database, shop.id, "folds");
  expect(stored?.activity).toHaveLength(2);
});

test("a merge replaces a future time by its own", async () => {
  const response = await merge("future", [
    item("p1", "v1", "2999-01-01T00:00:00.000Z"),
    item("p2", "v2", "9999-12-31T23:59:59.999Z"),
    // the year 10000 in UTC
    item("p3", "v3", "9999-12-31T23:59:59.999-14:00"),
  ]);
  expect(response.data()).toMatchObject({ itemCount: 3, addedCount: 3 });
  const rows = await service.database.rows<{ product_id: string; now: boolean }>(
    `SELECT i.product_id, i.added_at = a.at AND i.added_at = w.updated_at AS now
       FROM wishlist w
       JOIN wishlist_item i ON i.shop_id = w.shop_id AND i.wishlist_id = w.id
       JOIN activity a ON a.shop_id = w.shop_id AND a.wishlist_id = w.id AND a.product_id = i.product_id
      WHERE w.shop_id = $1 AND w.owner_id = 'future' ORDER BY i.product_id`,
    [shop.id],
  );
  expect(rows).toEqual([
    { product_id: "p1", now: true },
    { product_id: "p2", now: true },
    { product_id: "p3", now: true },
  ]);
});

test("a merge prefers the past time of duplicates in past and future", async () => {
  await merge("past-and-future", [item("p1", "v1", "2999-01-01T00:00:00.000Z"), item("p1", "v1", day(1))]);
  expect(await saved("past-and-future")).toEqual([`p1/v1 ${day(1)}`]);
});

test("a merge skips and names products that the catalog lacks", async () => {
  const response = await merge("skips", [
    { productId: "nothing", addedAt: day(1) },
    { productId: "p1", addedAt: day(2) },
    { productId: "gid://shopify/Product/nothing", addedAt: day(3) },
    { productId: "gone", addedAt: day(4) },
  ]);
  const { skipped, ...counts } = response.data<{ skipped: { productId: string; reason: string }[] }>();
  expect(counts).toEqual({ merged: true, itemCount: 1, addedCount: 1 });
  expect(skipped.sort((a, b) => a.productId.localeCompare(b.productId))).toEqual([
    { productId: "gone", reason: "product_not_found" },
    { productId: "nothing", reason: "product_not_found" },
  ]);
  expect(await saved("skips")).toEqual([`p1/v1 ${day(2)}`]);
});

test("a merge skips an item without a variant although its product is saved", async () => {
  const response = await merge("both", [item("nothing", "named"), { productId: "nothing", addedAt: day(2) }]);
  expect(response.data()).toEqual({
    merged: true,
    itemCount: 1,
    addedCount: 1,
    skipped: [{ productId: "nothing", reason: "product_not_found" }],
  });
});

test("a merge whose items are all skipped succeeds and stores nothing", async () => {
  const before = await everythingStored(service.database);
  const response = await merge("all-skipped", [{ productId: "nothing", addedAt: day(1) }]);
  expect(response.data()).toEqual({
    merged: true,
    itemCount: 0,
    addedCount: 0,
    skipped: [{ productId: "nothing", reason: "product_not_found" }],
  });
  expect(await everythingStored(service.database)).toEqual(before);
});

test("a merge of an empty list changes nothing", async () => {
  await merge("some", [item("p1", "v1")]);
  const before = await everythingStored(service.database);
  expect((await merge("some", [])).data()).toEqual({ merged: true, itemCount: 1, addedCount: 0, skipped: [] });
  expect((await merge("nobody", [])).data()).toEqual({ merged: true, itemCount: 0, addedCount: 0, skipped: [] });
  expect(await everythingStored(service.database)).toEqual(before);
});

test("a repeated merge changes nothing", async () => {
  const items = [
    item("p1", "v1", day(1)),
    { productId: "p2", addedAt: day(2) },
    item("p3", "v3", "2999-01-01T00:00:00Z"),
  ];
  await merge("repeat", items);
  const before = await everythingStored(service.database);
  expect((await merge("repeat", items)).data()).toEqual({ merged: true, itemCount: 3, addedCount: 0, skipped: [] });
  expect(await everythingStored(service.database)).toEqual(before);
});

test("ten concurrent copies of a merge add each item once", async () => {
  const items = fresh(20);
  const responses = await Promise.all(Array.from({ length: 10 }, () => merge("race", items)));
  const data = responses.map((response) => response.data<{ itemCount: number; addedCount: number }>());
  expect(data.map(({ addedCount }) => addedCount).sort()).toEqual([...Array<number>(9).fill(0), 20]);
  expect(new Set(data.map(({ itemCount }) => itemCount))).toEqual(new Set([20]));
  const stored = await storedWishlist(service.database, shop.id, "race");
  expect(stored).toMatchObject({ item_count: 20, version: 1 });
  expect([stored?.items.length, stored?.activity.length]).toEqual([20, 20]);
});

test("a merge without a catalog needs a variant for every item", async () => {
  const at = await makeShop(service, call);
  expect((await merge("c1", [item("p1", "v1")], at)).data()).toMatchObject({ merged: true, itemCount: 1 });
  const before = await everythingStored(service.database);
  const refused = await merge("c1", [item("p2", "v2"), { productId: "p3", addedAt: day(1) }], at);
  expectFailure(refused, 409, "catalog_not_connected");
  expect(refused.error().message).toContain("variantId");
  expect(await everythingStored(service.database)).toEqual(before);
});

test("a merge with unknown products is refused while Shopify is unreachable", async () => {
  const at = await makeShop(service, call, { products: { known: "v" } });
  await service.database.rows("UPDATE shop SET catalog = 'syncing' WHERE id = $1", [at.id]);
  const before = await everythingStored(service.database);
  const refused = await merge(
    "c1",
    [{ productId: "known", addedAt: day(1) }, { productId: "perhaps", addedAt: day(1) }, item("x", "y")],
    at,
  );
  expectFailure(refused, 503, "catalog_unavailable");
  expect(refused.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  expect(await everythingStored(service.database)).toEqual(before);
  const response = await merge("c1", [{ productId: "known", addedAt: day(1) }, item("x", "y")], at);
  expect(response.data()).toEqual({ merged: true, itemCount: 2, addedCount: 2, skipped: [] });
});

test("a merge accepts 500 items", async () => {
  const response = await merge("five-hundred", fresh(500));
  expect(response.data()).toEqual({ merged: true, itemCount: 500, addedCount: 500, skipped: [] });
});

test.each([501, 2000])("a merge rejects %i items and stores nothing", async (count) => {
  const before = await everythingStored(service.database);
  expectFailure(await merge("too-many", fresh(count)), 400, "invalid_request", problemsAt("body.items"));
  expect(await everythingStored(service.database)).toEqual(before);
});

test("a merge rejects 501 copies of one item", async () => {
  const response = await merge("too-many", Array<GuestItem>(501).fill(item("p1", "v1")));
  expectFailure(response, 400, "invalid_request", problemsAt("body.items"));
});

test("a merge that exceeds the item cap stores nothing", async () => {
  const at = await makeShop(service, call);
  await setCap(at, 3);
  await merge("c1", [item("a", "v"), item("b", "v")], at);
  const before = await everythingStored(service.database);
  expectFailure(await merge("c1", [item("c", "v"), item("d", "v")], at), 409, "wishlist_full");
  expectFailure(await merge("newcomer", fresh(4), at), 409, "wishlist_full");
  expect(await everythingStored(service.database)).toEqual(before);
});

test("a merge counts only new items against the cap", async () => {
  const at = await makeShop(service, call, { products: { a: "v" } });
  await setCap(at, 3);
  await merge("c1", [item("a", "v"), item("b", "v")], at);
  const items = [
    item("a", "v"),
    item("b", "v"),
    item("c", "v"),
    item("c", "v", day(2)),
    { productId: "x", addedAt: day(1) },
  ];
  expect((await merge("c1", items, at)).data()).toMatchObject({ itemCount: 3, addedCount: 1 });
  const before = await everythingStored(service.database);
  expect((await merge("c1", [item("a", "v"), item("c", "v")], at)).data()).toMatchObject({
    itemCount: 3,
    addedCount: 0,
  });
  expect(await everythingStored(service.database)).toEqual(before);
});

test("concurrent merges never exceed the cap, and each is stored in full or not at all", async () => {
  const at = await makeShop(service, call);
  await setCap(at, 10);
  const responses = await Promise.all(
    Array.from({ length: 6 }, (_, i) =>
      merge(
        "c1",
        [1, 2, 3, 4].map((part) => item(`p${i}-${part}`, "v")),
        at,
      ),
    ),
  );
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409, 409, 409]);
  const stored = await storedWishlist(service.database, at.id, "c1");
  expect(stored).toMatchObject({ item_count: 8, version: 2 });
  expect([stored?.items.length, stored?.activity.length]).toEqual([8, 8]);
});

test.each(["Pacific/Kiritimati", "Pacific/Niue"])(
  "merged items count for the day of the merge in %s",
  async (timeZone) => {
    const at = await makeShop(service, call, { timeZone });
    await merge("c1", [item("p1", "v1", day(1))], at);
    const rows = await service.database.rows<{ right: boolean }>(
      `SELECT a.day = (a.at AT TIME ZONE $2)::date AND i.saved_on = a.day AND i.added_at < a.at AS right
         FROM wishlist_item i JOIN activity a ON a.shop_id = i.shop_id AND a.wishlist_id = i.wishlist_id
        WHERE i.shop_id = $1`,
      [at.id, timeZone],
    );
    expect(rows).toEqual([{ right: true }]);
  },
);

test.each([
  "",
  "yesterday",
  "2026-11-20",
  "2026-11-20T09:30:00",
  "2026-11-20T09:30:00+0200",
  "2026-11-20T09:30:00+24:00",
  "2026-11-20 09:30:00Z",
  " 2026-11-20T09:30:00Z",
  "2026-11-20T09:30:00Z\n",
  "2026-11-20T09:30:00.000Z\u0000",
  "2026-11-20T09:30:00.Z",
  "2026-11-20T9:30:00Z",
  "2026-11-20T24:00:00Z",
  "2026-11-20T23:60:00Z",
  "2026-11-20T23:59:60Z",
  "2026-02-30T00:00:00Z",
  "2025-02-29T00:00:00Z",
  "2026-13-01T00:00:00Z",
  "2026-00-01T00:00:00Z",
  "+010000-01-01T00:00:00Z",
  "-000001-01-01T00:00:00Z",
  "20261120T093000Z",
  "2026-W47-5T09:30:00Z",
  "2026-11-20T09:30:00[Europe/Berlin]",
  "Fri, 20 Nov 2026 09:30:00 GMT",
  "1763631000000",
  "infinity",
  "now",
  "1969-12-31T23:59:59.999Z",
  "1970-01-01T00:00:00.000+00:01",
  "0001-01-01T00:00:00Z",
  1763631000000,
  null,
  true,
  {},
  [day(1)],
])("a merge rejects the time %j with one sentence and stores nothing", async (addedAt) => {
  const before = await everythingStored(service.database);
  const response = await send("times", { items: [item("p1", "v1"), { productId: "p2", variantId: "v2", addedAt }] });
  expectFailure(response, 400, "invalid_request", problemsAt("body.items[1].addedAt"));
  expect(response.error().message).not.toContain("missing");
  expect(await everythingStored(service.database)).toEqual(before);
});

const good = { productId: "p1", variantId: "v1", addedAt: day(1) };

test.each<[why: string, body: unknown, ...places: string[]]>([
  ["no items", {}, "body.items"],
  ["null for items", { items: null }, "body.items"],
  ["an object for items", { items: { 0: good, length: 1 } }, "body.items"],
  ["text for items", { items: JSON.stringify([good]) }, "body.items"],
  ["a bare list", [good], "body"],
  ["an unknown field", { items: [good], customerId: "c1" }, "body.customerId"],
  ["null for an item", { items: [null] }, "body.items[0]"],
  ["text for an item", { items: ["p1"] }, "body.items[0]"],
  ["a list for an item", { items: [[good]] }, "body.items[0]"],
  ["an empty item", { items: [{}] }, "body.items[0].productId", "body.items[0].addedAt"],
  ["no time", { items: [{ productId: "p1" }] }, "body.items[0].addedAt"],
  ["a number for a product", { items: [{ ...good, productId: 1 }] }, "body.items[0].productId"],
  ["null for a variant", { items: [{ ...good, variantId: null }] }, "body.items[0].variantId"],
  ["an empty variant", { items: [{ ...good, variantId: "" }] }, "body.items[0].variantId"],
  ["a NUL byte in an id", { items: [{ ...good, productId: "p\0" }] }, "body.items[0].productId"],
  ["256 characters for a product", { items: [{ ...good, productId: "p".repeat(256) }] }, "body.items[0].productId"],
  [
    "a variant's GID for a product",
    { items: [{ ...good, productId: "gid://shopify/ProductVariant/1" }] },
    "body.items[0].productId",
  ],
  [
    "a product's GID for a variant",
    { items: [{ ...good, variantId: "gid://shopify/Product/1" }] },
    "body.items[0].variantId",
  ],
  ["an unknown field in an item", { items: [good, { ...good, price: 2 }] }, "body.items[1].price"],
  [
    "mistakes in two items",
    { items: [{ ...good, productId: "" }, good, { ...good, addedAt: "" }] },
    "body.items[0].productId",
    "body.items[2].addedAt",
  ],
])("a merge with %s is refused with the place of the mistake, and stores nothing", async (_why, body, ...places) => {
  const before = await everythingStored(service.database);
  expectFailure(await send("invalid", body), 400, "invalid_request", problemsAt(...places));
  expect(await everythingStored(service.database)).toEqual(before);
});

test("a merge suggests the right names for the field names of an add", async () => {
  const response = await send("invalid", { items: [{ product_id: "p1", variant_id: "v1", added_at: day(1) }] });
  expectFailure(response, 400, "invalid_request", [
    { path: "body.items[0].product_id", problem: "is not a known field; did you mean `productId`?" },
    { path: "body.items[0].variant_id", problem: "is not a known field; did you mean `variantId`?" },
    { path: "body.items[0].added_at", problem: "is not a known field; did you mean `addedAt`?" },
  ]);
});

test("a merge with a mistake in every item gets a short response", async () => {
  const items = Array.from({ length: 500 }, () => ({ a: 1, b: 2, c: 3, d: 4 }));
  const response = await send("invalid", { items });
  expect([response.status, response.error().code]).toEqual([400, "invalid_request"]);
  expect(response.text.length).toBeLessThan(20_000);
});
