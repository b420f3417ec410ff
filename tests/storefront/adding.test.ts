import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { closeDatabase } from "../../app/platform/database/database.server.ts";
import type { Devstore } from "../../packages/devstore/devstore.ts";
import type { NewProduct } from "../../packages/devstore/store/catalog.ts";
import { client, type ApiResponse } from "../support/app/client.ts";
import { startService, type Service } from "../support/app/service.ts";
import { makeShop } from "../support/app/shop.ts";
import { bodies, startShopify } from "../support/shopify/shopify.ts";
import { addVariants, newGuest, visitor, type ProxyCall } from "../support/app/storefront.ts";
import { until } from "../support/until.ts";

let shopify: Devstore;
let service: Service;
const SHOP = "store-of-adding.myshopify.com";
let shopId: number;
let ask: ProxyCall;
let address: string;
let visitors = 0;
let guestId: string;

beforeAll(async () => {
  shopify = await startShopify();
  stock(1, "boots", [11, 12]);
  stock(2, "mug", [21]);
  stock(3, "tent", [31]);
  service = await startService({ env: shopify.env });
  expect((await shopify.openApp({ app: service.url, shop: SHOP })).status).toBe(200);
  shopId = await until("the shop's mirror", async () => {
    const [shop] = await service.database.rows<{ id: number }>(
      "SELECT id FROM shop WHERE domain = $1 AND catalog = 'ready'",
      [SHOP],
    );
    return shop?.id ?? false;
  });
  ask = visitor(service.url, { shop: SHOP, secret: shopify.env.SHOPIFY_API_SECRET });
});
afterAll(async () => {
  await closeDatabase();
  await service.dispose();
  await shopify.close();
});
beforeEach(() => {
  guestId = newGuest();
  // Each test has a separate budget of look-ups.
  address = `203.0.113.${++visitors}`;
  shopify.store(SHOP).adminApiRequests.length = 0;
});
afterEach(() => {
  shopify.store(SHOP).faults.clear();
});

function stock(id: number, handle: string, variants: number[], more: Partial<NewProduct> = {}): void {
  const product = { id, handle, title: handle, variants: variants.map((variant) => ({ id: variant })) };
  shopify.store(SHOP).catalog.put({ ...product, ...more });
}

function add(item: object): Promise<ApiResponse> {
  return ask("POST", "/api/add", { json: { guestId, ...item }, headers: { "x-forwarded-for": address } });
}

/** Returns the requests for products so far. Other requests follow an installation at any time. */
function productRequests(): string[] {
  return shopify
    .store(SHOP)
    .adminApiRequests.map(({ operation }) => operation)
    .filter((operation) => operation.startsWith("CatalogProducts"));
}

async function saved(): Promise<string[]> {
  const list = await ask("POST", "/api/list", { json: { guestId } });
  return list.data<{ items: { variantId: string }[] }>().items.map(({ variantId }) => variantId);
}

async function expectRefused(response: ApiResponse, status: number, code: string): Promise<void> {
  expect([response.status, response.error().code]).toEqual([status, code]);
  expect(await saved()).toEqual([]);
}

describe("a shopper's add", () => {
  test.each([
    ["the id", { productId: "1" }, "11"],
    ["the handle", { handle: "boots" }, "11"],
    ["the id and a variant", { productId: "1", variantId: "12" }, "12"],
    ["the handle and a variant", { handle: "boots", variantId: "gid://shopify/ProductVariant/12" }, "12"],
  ])("of a product in the catalog cache, by %s, makes no request to the store", async (_, item, variantId) => {
    const response = await add(item);
    expect(response.data()).toEqual({
      added: true,
      productId: "1",
      variantId,
      itemCount: 1,
      listCount: 1,
      choosesLists: false,
      owner: "guest",
    });
    expect((await add(item)).data()).toMatchObject({ added: false, variantId, itemCount: 1 });
    expect(productRequests()).toEqual([]);
  });

  test("of an unknown product is rejected, with a variant and without", async () => {
    await expectRefused(await add({ productId: "999" }), 404, "product_not_found");
    await expectRefused(await add({ productId: "999", variantId: "11" }), 404, "product_not_found");
    await expectRefused(await add({ productId: "999", variantId: "no-number" }), 404, "product_not_found");
    await expectRefused(await add({ productId: "invented", variantId: "11" }), 404, "product_not_found");
    await expectRefused(await add({ handle: "invented", variantId: "11" }), 404, "product_not_found");
  });

  test.each(["21", "777", "no-number"])(
    "of the variant %s of no such product is rejected with the field",
    async (variantId) => {
      for (const product of [{ productId: "1" }, { handle: "boots" }]) {
        const response = await add({ ...product, variantId });
        await expectRefused(response, 400, "invalid_request");
        expect(response.error().details).toEqual([
          { path: "body.variantId", problem: "is no variant of the product 1" },
        ]);
      }
      // An unknown product is not requested again.
      expect(productRequests().length).toBeLessThanOrEqual(1);
    },
  );

  test("of a product that was deleted from the store is rejected", async () => {
    shopify.store(SHOP).catalog.remove("3");
    await service.database.rows("UPDATE product SET deleted_at = now() WHERE shop_id = $1 AND product_id = '3'", [
      shopId,
    ]);
    await expectRefused(await add({ productId: "3" }), 404, "product_not_found");
    await expectRefused(await add({ productId: "3", variantId: "31" }), 404, "product_not_found");
    await expectRefused(await add({ handle: "tent" }), 404, "product_not_found");
  });

  test("by a handle that another product has taken over saves that product", async () => {
    stock(5, "lamp", [51]);
    stock(6, "lamp", [61]);
    expect((await add({ productId: "5", variantId: "51" })).data()).toMatchObject({ added: true });
    expect((await add({ productId: "6", variantId: "61" })).data()).toMatchObject({ added: true });
    await service.database.rows(
      "UPDATE product SET handle = 'lamp', seen_at = CASE product_id WHEN '6' THEN now() ELSE now() - interval '1 day' END WHERE shop_id = $1 AND product_id IN ('5', '6')",
      [shopId],
    );
    guestId = newGuest();
    expect((await add({ handle: "lamp" })).data()).toMatchObject({ added: true, productId: "6" });
    await service.database.rows(
      "UPDATE product SET seen_at = now() + interval '1 minute' WHERE shop_id = $1 AND product_id = '5'",
      [shopId],
    );
    expect((await add({ handle: "lamp" })).data()).toMatchObject({ added: true, productId: "5" });
  });

  test("of a variant that was deleted from the store is rejected", async () => {
    stock(7, "cup", [71, 72]);
    expect((await add({ productId: "7", variantId: "72" })).data()).toMatchObject({ added: true });
    stock(7, "cup", [71]);
    await service.database.rows("UPDATE variant SET deleted_at = now() WHERE shop_id = $1 AND variant_id = '72'", [
      shopId,
    ]);
    guestId = newGuest();
    for (const product of [{ productId: "7" }, { handle: "cup" }]) {
      await expectRefused(await add({ ...product, variantId: "72" }), 400, "invalid_request");
    }
  });

  test("of a variant that is newer than the catalog cache is looked up in the store", async () => {
    const many = Array.from({ length: 150 }, (_, index) => 4_000 + index);
    stock(4, "shirt", many);
    expect((await add({ productId: "4", variantId: "4149" })).data()).toMatchObject({ added: true, variantId: "4149" });
    stock(2, "mug", [21, 22]);
    expect((await add({ handle: "mug", variantId: "22" })).data()).toMatchObject({ added: true, productId: "2" });
    expect(await saved()).toEqual(["22", "4149"]);
  });

  test("of a variant that can't be looked up now is rejected with a retry, and stores nothing", async () => {
    shopify.store(SHOP).faults.inject({ on: "graphql", behaviour: { status: 500 } });
    const response = await add({ productId: "1", variantId: "13" });
    await expectRefused(response, 503, "catalog_unavailable");
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(response.error().message).toBe("The product can't be looked up in the shop's catalog right now. Try again.");
    // Cached products can still be saved.
    expect((await add({ productId: "1", variantId: "12" })).data()).toMatchObject({ added: true });
  });

  test("of unknown products gets 429 when one address sends too many, for any guest", async () => {
    const responses: ApiResponse[] = [];
    for (let n = 0; n < 30; n++) {
      guestId = newGuest();
      responses.push(await add({ productId: String(5_000_000 + n) }));
    }
    const refused = responses.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.error().code).toBe("rate_limited");
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
    // Cached products and earlier look-ups are still available.
    expect((await add({ productId: "5000000" })).error().code).toBe("product_not_found");
    expect((await add({ productId: "1" })).data()).toMatchObject({ added: true });
  });
});

describe("a product that is not published", () => {
  /** Updates the catalog cache with the product's current state in the store. */
  async function refresh(id: number): Promise<void> {
    const [before] = await service.database.rows<{ seen_at: Date }>(
      "SELECT seen_at FROM product WHERE shop_id = $1 AND product_id = $2",
      [shopId, String(id)],
    );
    const news = { topic: "products/update", shop: SHOP, payload: bodies.product(id) };
    expect((await shopify.deliverWebhook(service.url, "/webhooks/products/update", news)).status).toBe(200);
    await until("the product", async () => {
      const rows = await service.database.rows(
        "SELECT 1 FROM product WHERE shop_id = $1 AND product_id = $2 AND seen_at > $3",
        [shopId, String(id), before?.seen_at ?? new Date(0)],
      );
      return rows.length > 0;
    });
    shopify.store(SHOP).adminApiRequests.length = 0;
  }
  async function page(): Promise<string> {
    return (await ask("POST", "/api/page", { json: { guestId } })).text;
  }
  /** Saves through `/v1` with a variant, which needs no look-up. */
  async function save(id: number): Promise<void> {
    await add({ productId: "1" });
    await service.database.rows(
      `UPDATE wishlist_item SET product_id = $2, variant_id = $2 || '0'
        WHERE shop_id = $1 AND wishlist_id = (SELECT max(id) FROM wishlist WHERE shop_id = $1)`,
      [shopId, String(id)],
    );
  }

  const tomorrow = new Date(Date.now() + 24 * 3_600_000);
  const HIDDEN: [string, Partial<NewProduct>][] = [
    ["a draft", { status: "DRAFT", published: false }],
    ["a draft that was published before it became one", { status: "DRAFT" }],
    ["archived", { status: "ARCHIVED" }],
    ["not on the online store", { published: false }],
    ["published tomorrow", { published: tomorrow }],
    ["of a status that is new", { status: "EMBARGOED" }],
  ];

  test.each(HIDDEN.map(([why, more], index) => [why, 500 + index, more] as const))(
    "because it is %s is rejected by id, variant and handle, cached or not",
    async (_, id, more) => {
      stock(id, `secret-${id}`, [id * 10, id * 10 + 1], more);
      for (const isCached of [false, true]) {
        if (isCached) await refresh(id);
        await expectRefused(await add({ productId: String(id) }), 404, "product_not_found");
        await expectRefused(await add({ productId: String(id), variantId: `${id}1` }), 404, "product_not_found");
        await expectRefused(await add({ handle: `secret-${id}` }), 404, "product_not_found");
        expect((await ask("POST", "/api/remove", { json: { guestId, handle: `secret-${id}` } })).status).toBe(404);
      }
      // A visitor who guesses ids causes no further requests to the store.
      for (let n = 0; n < 3; n++) await add({ handle: `secret-${id}` });
      expect(productRequests()).toEqual([]);
    },
  );

  test("is described on no page and in no response, though it is saved", async () => {
    stock(600, "secret-lamp", [6000], { title: "Secret lamp", status: "DRAFT", published: false });
    await refresh(600);
    await save(600);
    const html = await page();
    expect(html).toContain('wl_product_ids = "600"');
    expect(html).not.toMatch(/secret|cdn\.shopify/i);
    const found = await ask("POST", "/api/saved", { json: { guestId, handles: ["secret-lamp"] } });
    expect(found.data()).toMatchObject({ saved: [] });
  });

  test("any more is shown by the names it had when it was published", async () => {
    stock(601, "brass-lamp", [6010, 6011], { title: "Brass lamp" });
    await refresh(601);
    expect((await add({ handle: "brass-lamp" })).data()).toMatchObject({ added: true });
    stock(601, "secret-lamp", [], {
      title: "Secret lamp",
      status: "DRAFT",
      variants: [6010, 6011].map((variant) => ({ id: variant, title: "Secret size" })),
    });
    await refresh(601);
    const html = await page();
    expect(html).toContain("Brass lamp");
    expect(html).not.toMatch(/secret/i);
    guestId = newGuest();
    await expectRefused(await add({ productId: "601" }), 404, "product_not_found");
    stock(601, "secret-lamp", [6010, 6011], { title: "New lamp" });
    await refresh(601);
    expect((await add({ handle: "secret-lamp" })).data()).toMatchObject({ added: true });
    expect(await page()).toContain("New lamp");
  });

  test("in lists, but at its own address, is saved like any other", async () => {
    stock(602, "for-friends", [6020], { status: "UNLISTED" });
    expect((await add({ handle: "for-friends" })).data()).toMatchObject({ added: true, productId: "602" });
  });
});

describe("in a shop that is not connected to its store", () => {
  test("without a catalog saves a named variant, and rejects an add without one", async () => {
    const bare = await makeShop(service, client(service.url));
    ask = visitor(service.url, { shop: bare.domain, secret: shopify.env.SHOPIFY_API_SECRET });
    expect((await add({ productId: "p", variantId: "v" })).data()).toMatchObject({ added: true, variantId: "v" });
    const response = await add({ productId: "p" });
    expect([response.status, response.error().code]).toEqual([409, "catalog_not_connected"]);
    expect(response.error().message).toContain("`variantId`");
  });

  test("with a catalog takes products from that catalog alone", async () => {
    const shop = await makeShop(service, client(service.url), { products: { "1": "11", "2": "21" } });
    await addVariants(service, shop, { "1": ["12"], "2": ["22"] });
    ask = visitor(service.url, { shop: shop.domain, secret: shopify.env.SHOPIFY_API_SECRET });
    await expectRefused(await add({ productId: "1", variantId: "22" }), 400, "invalid_request");
    await expectRefused(await add({ productId: "3", variantId: "12" }), 404, "product_not_found");
    expect((await add({ productId: "1", variantId: "12" })).data()).toMatchObject({ added: true });
  });
});
