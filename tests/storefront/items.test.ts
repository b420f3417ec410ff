import { describe, expect } from "vitest";
import { disagreements } from "../support/app/audit.ts";
import { client } from "../support/app/client.ts";
import type { InProcessApp } from "../support/app/in-process.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import { addVariants, type ProxyCall, newGuest, type Saved, SHOPIFY_ENV, visitor } from "../support/app/storefront.ts";
import { test } from "../support/app/fixtures.ts";

let service: InProcessApp;
let shop: TestShop;
/** a logged-out shopper without a guest id */
let loggedOut: ProxyCall;

test.override("appOptions", { env: SHOPIFY_ENV });
test.override("shopOptions", {
  products: { "101": "1101", "102": "1102", "103": "1103", "104": "1104" },
});
test.beforeAll(async ({ app, shop: madeShop }) => {
  service = app;
  shop = madeShop;
  await service.database.rows("UPDATE product SET handle = 'product-' || product_id WHERE shop_id = $1", [shop.id]);
  await addVariants(service, shop, { "102": ["9"], "103": ["1", "2"] });
  loggedOut = visitor(service, { shop: shop.domain });
});

let customers = 7_000_000;

/** Logs in a new customer. */
function newCustomer(): { id: string; ask: ProxyCall } {
  const id = String(++customers);
  return { id, ask: visitor(service, { shop: shop.domain, customer: id }) };
}

function idsOf({ saved }: Saved): Record<string, string[]> {
  return Object.fromEntries(saved.map(({ productId, variantIds }) => [productId, variantIds]));
}

describe("a guest", () => {
  test("saves by id or handle, reads the list newest first, and removes", async () => {
    const guestId = newGuest();
    const added = await loggedOut("POST", "/api/add", { json: { guestId, productId: "101" } });
    expect(added.data()).toEqual({
      added: true,
      choosesLists: false,
      productId: "101",
      variantId: "1101",
      itemCount: 1,
      listCount: 1,
      owner: "guest",
    });
    expect(added.headers.get("cache-control")).toBe("no-store");
    expect(added.headers.get("access-control-allow-origin")).toBeNull();
    const again = await loggedOut("POST", "/api/add", { json: { guestId, productId: "gid://shopify/Product/101" } });
    expect(again.data()).toMatchObject({ added: false, productId: "101", itemCount: 1 });
    const byHandle = await loggedOut("POST", "/api/add", { json: { guestId, handle: "product-102", variantId: "9" } });
    expect(byHandle.data()).toMatchObject({ added: true, productId: "102", variantId: "9", itemCount: 2 });

    const list = (await loggedOut("POST", "/api/list", { json: { guestId, limit: 1 } })).data();
    expect(list).toEqual({
      items: [{ productId: "102", variantId: "9", addedAt: expect.stringMatching(/^20.*Z$/) }],
      itemCount: 2,
      listCount: 2,
      matchCount: 2,
      owner: "guest",
    });
    const removed = await loggedOut("POST", "/api/remove", { json: { guestId, handle: "product-102" } });
    expect(removed.data()).toEqual({ removed: true, itemCount: 1, listCount: 1, owner: "guest" });
    expect((await loggedOut("POST", "/api/remove", { json: { guestId, productId: "102" } })).data()).toMatchObject({
      removed: false,
    });
  });

  test("looks up which products and variants of a page are saved, by id and handle", async () => {
    const guestId = newGuest();
    for (const variantId of ["1", "2"]) {
      await loggedOut("POST", "/api/add", { json: { guestId, productId: "103", variantId } });
    }
    await loggedOut("POST", "/api/add", { json: { guestId, productId: "104" } });
    const response = await loggedOut("POST", "/api/saved", {
      json: { guestId, productIds: ["103", "unknown"], handles: ["product-104", "product-101", "no-such-thing"] },
    });
    const found = response.data<Saved>();
    expect(found.saved).toHaveLength(2);
    expect(found.saved).toContainEqual({ productId: "103", variantIds: ["2", "1"] });
    expect(found.saved).toContainEqual({ productId: "104", handle: "product-104", variantIds: ["1104"] });
    expect(found).toMatchObject({ itemCount: 3, owner: "guest" });
  });

  test.each(["ほしい-物", "crème-brûlée", 'it\'s-"50%"-off', "a%20b", "with space", "👢", "x".repeat(255)])(
    "finds, saves and removes a product by the handle %s, in every variant",
    async (handle) => {
      const guestId = newGuest();
      const change = "UPDATE product SET handle = $2 WHERE shop_id = $1 AND product_id = '103'";
      await service.database.rows(change, [shop.id, handle]);
      for (const variantId of ["1", "2"]) {
        const added = await loggedOut("POST", "/api/add", { json: { guestId, handle, variantId } });
        expect(added.data()).toMatchObject({ added: true, productId: "103" });
      }
      const found = await loggedOut("POST", "/api/saved", { json: { guestId, handles: ["product-101", handle] } });
      expect(found.data<Saved>().saved).toEqual([{ productId: "103", handle, variantIds: ["2", "1"] }]);
      const removed = await loggedOut("POST", "/api/remove", { json: { guestId, handle } });
      expect(removed.data()).toMatchObject({ removed: true, itemCount: 0 });
      await service.database.rows(change, [shop.id, "product-103"]);
    },
  );

  test("looks up a page's products when one of its links is no product's", async () => {
    const guestId = newGuest();
    await loggedOut("POST", "/api/add", { json: { guestId, productId: "104" } });
    const handles = ["", "with\u0000nul", "\ud800", "x".repeat(256), "product-104"];
    const found = await loggedOut("POST", "/api/saved", { json: { guestId, handles } });
    expect(found.data<Saved>().saved).toEqual([{ productId: "104", handle: "product-104", variantIds: ["1104"] }]);
  });

  test("without saved items has an empty list, with an id or without, and nothing is stored", async () => {
    const count = async (): Promise<unknown> => service.database.rows("SELECT count(*) FROM wishlist");
    const before = await count();
    for (const guest of [{}, { guestId: newGuest() }]) {
      expect((await loggedOut("POST", "/api/list", { json: guest })).data()).toEqual({
        items: [],
        itemCount: 0,
        listCount: 0,
        matchCount: 0,
        owner: "guest",
      });
      expect((await loggedOut("POST", "/api/saved", { json: { ...guest, productIds: ["101"] } })).data()).toEqual({
        saved: [],
        itemCount: 0,
        owner: "guest",
      });
    }
    await loggedOut("POST", "/api/remove", { json: { guestId: newGuest(), productId: "101" } });
    expect(await count()).toEqual(before);
  });

  test("gets 400 for a change with a guest id that is too short", async () => {
    for (const path of ["/api/add", "/api/remove"]) {
      const none = await loggedOut("POST", path, { json: { productId: "101" } });
      expect([none.status, none.error().code]).toEqual([401, "login_required"]);
      expect(none.error().message).toContain("guestId");
      const short = await loggedOut("POST", path, { json: { guestId: "tooshort", productId: "101" } });
      expect(short.error().message).toContain("must be 22 to 64");
    }
  });

  test("gets 404 for an unknown product, and nothing is stored", async () => {
    const guestId = newGuest();
    for (const product of [{ productId: "999" }, { handle: "no-such-product" }]) {
      const response = await loggedOut("POST", "/api/add", { json: { guestId, ...product } });
      expect([response.status, response.error().code]).toEqual([404, "product_not_found"]);
    }
    expect((await loggedOut("POST", "/api/list", { json: { guestId } })).data()).toMatchObject({ itemCount: 0 });
  });

  test("has an id that is stored and logged as a hash only", async () => {
    const guestId = newGuest();
    await loggedOut("POST", "/api/add", { json: { guestId, productId: "101" } });
    const [row] = await service.database.rows<{ dump: string }>(
      "SELECT string_agg(row, '') AS dump FROM (SELECT w::text AS row FROM wishlist w UNION ALL SELECT a::text FROM activity a) AS rows",
    );
    expect(row?.dump).toContain(shop.id);
    expect(row?.dump).not.toContain(guestId);
    expect(JSON.stringify(service.log())).not.toContain(guestId);
  });
});

describe("a customer", () => {
  test("has one list in the storefront and /v1, and a unique owner tag", async () => {
    const [one, two] = [newCustomer(), newCustomer()];
    const added = (await one.ask("POST", "/api/add", { json: { productId: "101" } })).data<Saved>();
    const page = await client(service)("GET", `/v1/wishlists/${one.id}`, { token: shop.token });
    expect(page.data()).toMatchObject({ total: 1, items: [{ productId: "101", variantId: "1101" }] });
    const tags = [added, (await two.ask("POST", "/api/list", { json: {} })).data<Saved>()].map(({ owner }) => owner);
    expect(tags[0]).toMatch(/^[\w-]{16}$/);
    expect(tags[1]).not.toBe(tags[0]);
    expect((await one.ask("POST", "/api/list", { json: {} })).data<Saved>().owner).toBe(tags[0]);
    expect(tags[0]).not.toContain(one.id);
  });

  test("is the one whom Shopify names, whatever guest id is sent", async () => {
    const guestId = newGuest();
    await loggedOut("POST", "/api/add", { json: { guestId, productId: "102" } });
    const { ask } = newCustomer();
    expect((await ask("POST", "/api/list", { json: { guestId } })).data()).toMatchObject({ itemCount: 0 });
    await ask("POST", "/api/add", { json: { guestId, productId: "103" } });
    expect((await ask("POST", "/api/remove", { json: { guestId, productId: "102" } })).data()).toMatchObject({
      removed: false,
      itemCount: 1,
    });
    expect((await loggedOut("POST", "/api/list", { json: { guestId } })).data()).toMatchObject({ itemCount: 1 });
  });

  test("merges the guest's list at login, once", async () => {
    const guestId = newGuest();
    const { ask } = newCustomer();
    await loggedOut("POST", "/api/add", { json: { guestId, productId: "101" } });
    await loggedOut("POST", "/api/add", { json: { guestId, productId: "102" } });
    await ask("POST", "/api/add", { json: { productId: "101" } });
    const merged = (
      await ask("POST", "/api/merge", { json: { guestId, handles: ["product-102"], productIds: ["101"] } })
    ).data<Saved & { addedCount: number; merged: true }>();
    expect(merged).toMatchObject({ merged: true, addedCount: 1, itemCount: 2 });
    expect(idsOf(merged)).toEqual({ "101": ["1101"], "102": ["1102"] });
    const again = await ask("POST", "/api/merge", { json: { guestId } });
    expect(again.data()).toEqual({ merged: true, addedCount: 0, saved: [], itemCount: 2, owner: merged.owner });
    expect(await disagreements(service.database)).toEqual([]);
  });

  test("shares by a link below the app proxy's path, and ends it", async () => {
    const { id } = newCustomer();
    const ask = visitor(service, { shop: shop.domain, customer: id, prefix: "/tools/saved" });
    const link = (await ask("POST", "/api/shareList", { json: {} })).data<{ shareUrl: string; owner: string }>();
    expect(link.shareUrl).toMatch(new RegExp(`^https://${shop.domain}/tools/saved/shared/\\w+_\\w{22}$`));
    expect((await ask("POST", "/api/shareList", { json: {} })).data<{ shareUrl: string }>().shareUrl).toBe(
      link.shareUrl,
    );
    expect((await ask("POST", "/api/revokeListShareLink", { json: {} })).data()).toEqual({
      revoked: true,
      itemCount: 0,
      owner: link.owner,
    });
    expect((await ask("POST", "/api/revokeListShareLink", { json: {} })).data()).toMatchObject({ revoked: false });
  });

  test("can't share in a store whose plan does not include it", async () => {
    const free = await makeShop(service, client(service), { plan: "free" });
    const ask = visitor(service, { shop: free.domain, customer: "1" });
    const response = await ask("POST", "/api/shareList", { json: {} });
    expect([response.status, response.error().code]).toEqual([403, "plan_required"]);
    expect((await ask("POST", "/api/revokeListShareLink", { json: {} })).data()).toMatchObject({ revoked: false });
  });
});

test.each(["merge", "shareList", "revokeListShareLink"])("%s without a login gets 401 login_required", async (name) => {
  const response = await loggedOut("POST", `/api/${name}`, { json: name === "merge" ? { guestId: newGuest() } : {} });
  expect([response.status, response.error().code]).toEqual([401, "login_required"]);
});

describe("a cart event", () => {
  test("is recorded once per saved variant, also when it is sent again after the login", async () => {
    const guestId = newGuest();
    const { ask } = newCustomer();
    await loggedOut("POST", "/api/add", { json: { guestId, productId: "101" } });
    await loggedOut("POST", "/api/add", { json: { guestId, productId: "102" } });
    const items = [
      { product_id: "101", variant_id: "1101" },
      { product_id: "102", variant_id: "1102" },
      { product_id: "103", variant_id: "1103" },
    ];
    const event = { event_id: "e-1", items };
    expect((await loggedOut("POST", "/api/recordCart", { json: { guestId, ...event } })).data()).toEqual({
      recorded: 2,
      itemCount: 2,
      owner: "guest",
    });
    expect((await loggedOut("POST", "/api/recordCart", { json: { guestId, ...event } })).data()).toMatchObject({
      recorded: 0,
    });
    await ask("POST", "/api/merge", { json: { guestId } });
    expect((await ask("POST", "/api/recordCart", { json: event })).data()).toMatchObject({ recorded: 0 });
    expect((await ask("POST", "/api/recordCart", { json: { ...event, event_id: "e-2" } })).data()).toMatchObject({
      recorded: 2,
    });
  });

  test("of a headless shop counts like one of a theme, and once whichever of them reports it", async ({ call }) => {
    const { id, ask } = newCustomer();
    await ask("POST", "/api/add", { json: { productId: "101" } });
    const inV1 = (event_id: string) =>
      call("POST", `/v1/wishlists/${id}/cart`, {
        token: shop.token,
        json: { event_id, items: [{ product_id: "101", variant_id: "1101" }] },
      });
    const rate = async (): Promise<unknown> =>
      (await call("GET", "/v1/analytics/overview", { token: shop.token })).data();
    const before = await rate();
    expect((await inV1("e-1")).data()).toEqual({ recorded: 1 });
    expect(await rate()).not.toEqual(before);
    const items = [{ product_id: "101", variant_id: "1101" }];
    expect((await ask("POST", "/api/recordCart", { json: { event_id: "e-1", items } })).data()).toMatchObject({
      recorded: 0,
    });
    expect((await ask("POST", "/api/recordCart", { json: { event_id: "e-2", items } })).data()).toMatchObject({
      recorded: 1,
    });
    expect((await inV1("e-2")).data()).toEqual({ recorded: 0 });
  });
});
