import { beforeEach, describe, expect } from "vitest";
import type { ApiResponse, Call } from "../support/app/client.ts";
import { test } from "../support/app/fixtures.ts";
import type { InProcessApp } from "../support/app/in-process.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import { everythingStored } from "../support/app/stored-rows.ts";
import { addVariants, newGuest, SHOPIFY_ENV, visitor, type ProxyCall } from "../support/app/storefront.ts";
import { until } from "../support/until.ts";

let service: InProcessApp;
let call: Call;
let shop: TestShop;
let ask: ProxyCall;

test.override("appOptions", { env: SHOPIFY_ENV });
test.beforeAll(({ app, call: apiCall }) => {
  service = app;
  call = apiCall;
});
beforeEach(async () => {
  shop = await makeShop(service, call, { plan: "growth", products: { "101": "1101", "102": "1102" } });
  await addVariants(service, shop, { "102": ["1192"] });
  ask = as("77");
});

function as(customer?: string): ProxyCall {
  return visitor(service, { shop: shop.domain, customer });
}

const ENGRAVED = { Engraving: "A. L.", _upload: "https://cdn.example.com/1.png" };
const LINE = { productId: "101", variantId: "1101", quantity: 2, properties: ENGRAVED };
const NOTHING = { quantity: null, properties: null };

function saveLine(line: object = {}, of = ask): Promise<ApiResponse> {
  return of("POST", "/api/saveLine", { json: { ...LINE, ...line } });
}

async function items(of = ask, guestId?: string): Promise<unknown[]> {
  const { items: found } = (await of("POST", "/api/list", { json: { guestId } })).data<{
    items: Record<string, unknown>[];
  }>();
  return found.map(({ addedAt: _, ...item }) => item);
}

describe("a saved line of the cart", () => {
  test("keeps its quantity and properties, also those that a theme hides", async () => {
    expect((await saveLine()).data()).toMatchObject({ outcome: "added", before: NOTHING, itemCount: 1, listCount: 1 });
    expect(await items()).toEqual([LINE]);
  });

  test("is a save of a source of its own in history and reports", async () => {
    (await saveLine()).data();
    (await ask("POST", "/api/add", { json: { productId: "102" } })).data();
    const access = { token: shop.token };
    const versions = (await call("GET", "/v1/wishlists/77/lists/default/history", access)).data<{
      versions: { source: string }[];
    }>();
    expect(versions.versions.map(({ source }) => source)).toEqual(["storefront", "cart"]);
    const sums = await until("the sums of the day", async () => {
      const rows = await service.database.rows<{ source: string; added: number }>(
        "SELECT source, sum(items_added)::int AS added FROM activity_hourly WHERE shop_id = $1 GROUP BY source ORDER BY source",
        [shop.id],
      );
      return rows.length === 2 && rows;
    });
    expect(sums).toEqual([
      { source: "cart", added: 1 },
      { source: "storefront", added: 1 },
    ]);
    const overview = (await call("GET", "/v1/analytics/overview", access)).data();
    expect(overview).toMatchObject({ totalWishlistedItems: 2, activeShoppers: 1 });
  });

  test("belongs to a guest until the login, and keeps everything then", async () => {
    const guestId = newGuest();
    expect((await saveLine({ guestId }, as())).data()).toMatchObject({ outcome: "added", owner: "guest" });
    (await as("78")("POST", "/api/merge", { json: { guestId } })).data();
    expect(await items(as("78"))).toEqual([LINE]);
    expect((await saveLine({}, as())).error().code).toBe("login_required");
  });

  test("shows readers of a shared list no property that a theme hides", async () => {
    (await saveLine()).data();
    const { shareToken } = (await ask("POST", "/api/shareList", { json: {} })).data<{ shareToken: string }>();
    for (const query of ["", "?expand=product"]) {
      const read = (await call("GET", `/v1/wishlists/shared/${shareToken}${query}`)).data<{ items: object[] }>();
      expect(read.items).toEqual([expect.objectContaining({ quantity: 2, properties: { Engraving: "A. L." } })]);
    }
    const page = await visitor(service, { shop: shop.domain })("GET", `/shared/${shareToken}`);
    expect(page.text).not.toContain("A. L.");
  });
});

describe("a line of a variant that is saved already", () => {
  test("leaves the larger quantity, and says what the item was before", async () => {
    (await saveLine()).data();
    expect((await saveLine({ quantity: 5 })).data()).toMatchObject({
      outcome: "updated",
      before: { quantity: 2, properties: ENGRAVED },
    });
    expect((await saveLine({ quantity: 1 })).data()).toMatchObject({ outcome: "present" });
    expect(await items()).toEqual([{ ...LINE, quantity: 5 }]);
  });

  test("gives its details to an item that a heart has saved", async () => {
    (await ask("POST", "/api/add", { json: { productId: "101" } })).data();
    expect((await saveLine()).data()).toMatchObject({ outcome: "updated", before: NOTHING, itemCount: 1 });
    expect(await items()).toEqual([LINE]);
  });

  test.each<[string, object, object]>([
    ["other properties", ENGRAVED, { Engraving: "B. C." }],
    ["none, where the item has some", ENGRAVED, {}],
    ["some, where the item of a line has none", {}, ENGRAVED],
  ])("changes nothing with %s", async (_, before, after) => {
    (await saveLine({ properties: before })).data();
    const stored = await everythingStored(service.database);
    expect((await saveLine({ properties: after })).data()).toMatchObject({ outcome: "differs" });
    expect(await everythingStored(service.database)).toEqual(stored);
  });

  test("is taken back with the details from before", async () => {
    (await ask("POST", "/api/add", { json: { productId: "101" } })).data();
    const { before } = (await saveLine()).data<{ before: object }>();
    const json = { productId: "101", variant_id: "1101", ...before };
    (await ask("POST", "/api/updateListItem", { json })).data();
    expect(await items()).toEqual([{ productId: "101", variantId: "1101" }]);
  });

  test("saved at once in two tabs, is one item", async () => {
    const outcomes = await Promise.all([saveLine(), saveLine()]);
    expect(outcomes.map((one) => one.data<{ outcome: string }>().outcome).sort()).toEqual(["added", "present"]);
    expect(await items()).toEqual([LINE]);
  });
});

describe("nothing is saved of a line", () => {
  const properties = (count: number, length: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`Name ${index}`, "x".repeat(length)]));

  test.each<[string, object]>([
    ["21 properties", { properties: properties(21, 1) }],
    ["a property of 256 characters", { properties: properties(1, 256) }],
    ["more than 2,000 bytes of properties", { properties: properties(10, 200) }],
    ["a property without a name", { properties: { "": "x" } }],
    ["a property that is no text", { properties: { Parts: ["x"] } }],
    ["quantity 0", { quantity: 0 }],
    ["quantity 1,000", { quantity: 1000 }],
    ["no variant", { variantId: undefined }],
  ])("with %s", async (_, line) => {
    const stored = await everythingStored(service.database);
    expect((await saveLine(line)).error()).toMatchObject({ code: "invalid_request" });
    expect(await everythingStored(service.database)).toEqual(stored);
  });

  test.each<[string, string]>([
    ["whose variant is deleted", "UPDATE variant SET deleted_at = now() WHERE shop_id = $1 AND variant_id = '1192'"],
    ["whose product is deleted", "UPDATE product SET deleted_at = now() WHERE shop_id = $1 AND product_id = '102'"],
    ["whose product is a draft", "UPDATE product SET status = 'DRAFT' WHERE shop_id = $1 AND product_id = '102'"],
  ])("%s", async (_, change) => {
    await service.database.rows(change, [shop.id]);
    const line = { productId: "102", variantId: "1192" };
    expect((await saveLine(line)).error().code).toBe("product_not_found");
    expect(await items()).toEqual([]);
  });

  test("where the list is full", async () => {
    await service.database.rows("UPDATE shop SET item_cap = 1 WHERE id = $1", [shop.id]);
    (await ask("POST", "/api/add", { json: { productId: "102" } })).data();
    expect((await saveLine()).error().code).toBe("wishlist_full");
  });
});
