import { beforeEach, describe, expect } from "vitest";
import type { Call } from "../support/app/client.ts";
import { test } from "../support/app/fixtures.ts";
import type { InProcessApp } from "../support/app/in-process.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import { newGuest, SHOPIFY_ENV, visitor, type ProxyCall } from "../support/app/storefront.ts";

let service: InProcessApp;
let call: Call;
let shop: TestShop;
let token: string;

test.override("appOptions", { env: SHOPIFY_ENV });
test.beforeAll(({ app, call: apiCall }) => {
  service = app;
  call = apiCall;
});
/** Customer 77 shares a list of 103, 102 and 101, of which the store no longer sells 103. */
beforeEach(async () => {
  shop = await makeShop(service, call, {
    plan: "growth",
    products: { "101": "1101", "102": "1102", "103": "1103", "104": "1104" },
  });
  const owner = as("77");
  for (const productId of ["101", "102", "103"]) (await owner("POST", "/api/add", { json: { productId } })).data();
  const json = { productId: "101", variant_id: "1101", quantity: 5, note: "For Anna" };
  (await owner("POST", "/api/updateListItem", { json })).data();
  ({ shareToken: token } = (await owner("POST", "/api/shareList", { json: {} })).data<{ shareToken: string }>());
  await service.database.rows("UPDATE product SET deleted_at = now() WHERE shop_id = $1 AND product_id = '103'", [
    shop.id,
  ]);
});

function as(customer?: string): ProxyCall {
  return visitor(service, { shop: shop.domain, customer });
}

async function itemsOf(ask: ProxyCall, guestId?: string): Promise<unknown[]> {
  const { items } = (await ask("POST", "/api/list", { json: { guestId } })).data<{
    items: Record<string, unknown>[];
  }>();
  return items.map(({ addedAt: _, ...item }) => item);
}

const SOLD = [
  { productId: "102", variantId: "1102" },
  { productId: "101", variantId: "1101" },
];

describe("saving a shared list", () => {
  test("saves what the store sells, in its order and without the owner's details", async () => {
    const response = await as("78")("POST", "/api/saveShared", { json: { token } });
    expect(response.data()).toMatchObject({ addedCount: 2, itemCount: 2 });
    expect(await itemsOf(as("78"))).toEqual(SOLD);
  });

  test("counts only items that are new", async () => {
    const ask = as("78");
    (await ask("POST", "/api/add", { json: { productId: "101" } })).data();
    (await ask("POST", "/api/add", { json: { productId: "104" } })).data();
    expect((await ask("POST", "/api/saveShared", { json: { token } })).data()).toMatchObject({
      addedCount: 1,
      itemCount: 3,
    });
    expect((await ask("POST", "/api/saveShared", { json: { token } })).data()).toMatchObject({
      addedCount: 0,
      itemCount: 3,
    });
  });

  test("works for a guest, and not without an id", async () => {
    const guestId = newGuest();
    expect((await as()("POST", "/api/saveShared", { json: { guestId, token } })).data()).toMatchObject({
      owner: "guest",
    });
    expect(await itemsOf(as(), guestId)).toEqual(SOLD);
    expect((await as()("POST", "/api/saveShared", { json: { token } })).error().code).toBe("login_required");
  });

  test("is no visit of the link", async () => {
    (await as("78")("POST", "/api/saveShared", { json: { token } })).data();
    const [link] = await service.database.rows<{ views: number }>(
      "SELECT views::int AS views FROM share_link WHERE shop_id = $1",
      [shop.id],
    );
    expect(link).toEqual({ views: 0 });
  });

  test("fails for a link that is revoked, unknown, or another store's", async () => {
    const other = await makeShop(service, call, { plan: "growth", products: {} });
    const foreign = await visitor(service, { shop: other.domain, customer: "78" })("POST", "/api/saveShared", {
      json: { token },
    });
    expect(foreign.error().code).toBe("share_not_found");
    expect((await as("78")("POST", "/api/saveShared", { json: { token: "no" } })).error().code).toBe("share_not_found");
    expect((await as("78")("POST", "/api/saveShared", { json: { token: "" } })).error().code).toBe("invalid_request");
    (await as("77")("POST", "/api/revokeListShareLink", { json: {} })).data();
    expect((await as("78")("POST", "/api/saveShared", { json: { token } })).error().code).toBe("share_expired");
    expect(await itemsOf(as("78"))).toEqual([]);
  });
});
