import { describe, expect } from "vitest";
import type { InProcessApp } from "../support/app/in-process.ts";
import type { TestShop } from "../support/app/shop.ts";
import { type ProxyCall, SHOPIFY_ENV, visitor } from "../support/app/storefront.ts";
import { test } from "../support/app/fixtures.ts";

interface Listed {
  items: { variantId: string }[];
  itemCount: number;
  matchCount: number;
}

/** In order of saving. */
const PRODUCTS = [
  { id: "101", variant: "1101", title: "étui", price: 20, available: true },
  { id: "102", variant: "1102", title: "Zebra", price: 5, available: false },
  { id: "103", variant: "1103", title: "apron", price: 20, available: true },
  { id: "104", variant: "1104", title: "Boots", price: 9.5, available: true },
];

let service: InProcessApp;
let shop: TestShop;
let ask: ProxyCall;

test.override("appOptions", { env: SHOPIFY_ENV });
test.override("shopOptions", {
  products: Object.fromEntries([...PRODUCTS, { id: "105", variant: "1105" }].map(({ id, variant }) => [id, variant])),
});
test.beforeAll(async ({ app, shop: madeShop }) => {
  service = app;
  shop = madeShop;
  await service.database.rows(
    `WITH given AS (SELECT * FROM jsonb_to_recordset($2) AS g (id text, variant text, title text, price numeric, available boolean)),
          named AS (UPDATE product p SET title = g.title FROM given g WHERE p.shop_id = $1 AND p.product_id = g.id)
     INSERT INTO variant (shop_id, variant_id, product_id, title, price, available, position)
     SELECT $1, variant, id, 'One size', price, available, 1 FROM given`,
    [
      shop.id,
      JSON.stringify([...PRODUCTS, { id: "105", variant: "1105", title: "hidden", price: 1, available: true }]),
    ],
  );
  ask = visitor(service, { shop: shop.domain, customer: "7000001" });
  for (const { id } of [...PRODUCTS, { id: "105" }]) await ask("POST", "/api/add", { json: { productId: id } });
  // Saved while it was published. It has become a draft whose data must not be shown.
  await service.database.rows(
    "UPDATE product SET status = 'DRAFT', ever_published = false WHERE shop_id = $1 AND product_id = '105'",
    [shop.id],
  );
});

async function list(body: object): Promise<Listed & { ids: string[] }> {
  const listed = (await ask("POST", "/api/list", { json: body })).data<Listed>();
  return { ...listed, ids: listed.items.map(({ variantId }) => variantId) };
}

describe("the list endpoint", () => {
  test.each([
    [undefined, ["1105", "1104", "1103", "1102", "1101"]],
    ["newest", ["1105", "1104", "1103", "1102", "1101"]],
    ["oldest", ["1101", "1102", "1103", "1104", "1105"]],
    ["price_asc", ["1102", "1104", "1103", "1101", "1105"]],
    ["price_desc", ["1103", "1101", "1104", "1102", "1105"]],
    ["title", ["1103", "1104", "1101", "1102", "1105"]],
  ])("sorts by %s, with unpublished products last", async (sort, expected) => {
    const { ids, itemCount, matchCount } = await list({ sort });
    expect({ ids, itemCount, matchCount }).toEqual({ ids: expected, itemCount: 5, matchCount: 5 });
  });

  test.each([
    ["newest", ["1104", "1103", "1101"]],
    ["oldest", ["1101", "1103", "1104"]],
    ["price_asc", ["1104", "1103", "1101"]],
    ["price_desc", ["1103", "1101", "1104"]],
    ["title", ["1103", "1104", "1101"]],
  ])("returns only available items when filtered by availability, by %s", async (sort, expected) => {
    const { ids, itemCount, matchCount } = await list({ sort, available: true });
    expect({ ids, itemCount, matchCount }).toEqual({ ids: expected, itemCount: 5, matchCount: 3 });
  });

  test("pages a sorted and filtered list without repeated or missing items", async () => {
    const pages = await Promise.all(
      [0, 1, 2, 3].map((offset) => list({ sort: "price_asc", available: true, limit: 1, offset })),
    );
    expect(pages.map(({ ids }) => ids)).toEqual([["1104"], ["1103"], ["1101"], []]);
    expect(pages.map(({ matchCount }) => matchCount)).toEqual([3, 3, 3, 3]);
    expect((await list({ sort: "title", limit: 250, offset: 2_147_483_647 })).ids).toEqual([]);
  });

  test("follows a change of stock in a filtered list", async () => {
    expect((await list({ available: true })).ids).toContain("1101");
    const stock = (available: boolean): Promise<unknown> =>
      service.database.rows("UPDATE variant SET available = $2 WHERE shop_id = $1 AND variant_id = '1101'", [
        shop.id,
        available,
      ]);
    await stock(false);
    const soldOut = await list({ available: true });
    await stock(true);
    expect([soldOut.ids, soldOut.matchCount]).toEqual([["1104", "1103"], 2]);
  });

  test.each([
    ["deleted", "UPDATE product SET deleted_at = now() WHERE shop_id = $1 AND product_id = '104'", "deleted_at = NULL"],
    [
      "unpublished",
      "UPDATE product SET published_at = NULL WHERE shop_id = $1 AND product_id = '104'",
      "published_at = now()",
    ],
  ])("offers no item of a product that was %s as available", async (_, change, undo) => {
    await service.database.rows(change, [shop.id]);
    const { ids } = await list({ available: true });
    const byPrice = (await list({ sort: "price_asc" })).ids;
    await service.database.rows(`UPDATE product SET ${undo} WHERE shop_id = $1 AND product_id = '104'`, [shop.id]);
    expect(ids).toEqual(["1103", "1101"]);
    expect(byPrice).toEqual(["1102", "1103", "1101", "1105", "1104"]);
  });

  test("finds items by title, by variant title and by note, in any case and order", async () => {
    const note = { productId: "102", variant_id: "1102", note: "For 100% Anna" };
    (await ask("POST", "/api/updateListItem", { json: note })).data();
    const found = async (q: string, more: object = {}) => (await list({ q, ...more })).ids;
    expect(await found("OOT")).toEqual(["1104"]);
    expect(await found("one SIZE", { sort: "oldest" })).toEqual(["1101", "1102", "1103", "1104"]);
    expect(await found("100% anna")).toEqual(["1102"]);
    expect(await found("1%a")).toEqual([]);
    expect(await found("size", { available: true })).toEqual(["1104", "1103", "1101"]);
    expect(await list({ q: "size", limit: 1, offset: 1, sort: "title" })).toMatchObject({
      ids: ["1104"],
      itemCount: 5,
      matchCount: 4,
    });
    (await ask("POST", "/api/updateListItem", { json: { ...note, note: null } })).data();
  });

  test("finds nothing by the title of a product that was never published", async () => {
    expect(await list({ q: "hidden" })).toMatchObject({ ids: [], matchCount: 0 });
  });

  test("returns the caller's list only, sorted or not", async () => {
    const other = visitor(service, { shop: shop.domain, customer: "7000002" });
    const response = await other("POST", "/api/list", { json: { sort: "title", available: true } });
    expect(response.data()).toMatchObject({ items: [], itemCount: 0, matchCount: 0 });
  });

  test.each([
    { sort: "cheapest" },
    { sort: null },
    { available: "1" },
    { available: 1 },
    { q: " " },
    { q: "x".repeat(101) },
  ])("rejects %j with 400 and names the field", async (body) => {
    for (const path of ["/api/list", "/api/page"]) {
      const response = await ask("POST", path, { json: body });
      expect([response.status, response.error().code]).toEqual([400, "invalid_request"]);
      expect(response.error().details).toMatchObject([{ path: `body.${Object.keys(body).join("")}` }]);
    }
  });
});

test.each([
  "sort=cheapest&available=yes",
  "sort=&available=",
  "sort=price_asc&available=1",
  "available=0",
  "q=",
  `q=${"x".repeat(200)}`,
])("the wishlist page accepts the query %s", async (query) => {
  const parameters = query.split("&").map((part) => part.split("=") as [string, string]);
  expect((await ask("GET", "", { query: parameters })).status).toBe(200);
});
