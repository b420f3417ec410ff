import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { closeDatabase } from "../../app/platform/database/database.server.ts";
import { holdClock } from "../../app/platform/clock.server.ts";
import { provideEnv } from "../../app/platform/process/env.server.ts";
import { sendTask } from "../../app/platform/jobs/tasks.server.ts";
import { connectShopify } from "../../app/shopify.server.ts";
import { catalogSync, describeProducts, describeToShoppers, resolveHandles } from "../../app/catalog/index.server.ts";
import type { Devstore } from "../../packages/devstore/devstore.ts";
import { picturePath } from "../../packages/devstore/foundation/product-pictures.ts";
import type { AdminApiRequest, Fault } from "../../packages/devstore/store/faults.ts";
import type { Store } from "../../packages/devstore/store/store.ts";
import { client, type ApiResponse, type Call } from "../support/app/client.ts";
import { createDatabase, type TestDatabase } from "../support/database/database.ts";
import { serviceEnv, startService, type Service } from "../support/app/service.ts";
import { issueToken } from "../support/app/shop.ts";
import { bodies, startShopify } from "../support/shopify/shopify.ts";
import { until } from "../support/until.ts";
import { MATRIX } from "../support/matrix.ts";

let shopify: Devstore;
let database: TestDatabase;
let service: Service;
let shop: string;
let store: Store;

beforeAll(async () => {
  shopify = await startShopify();
  database = await createDatabase();
  service = await startService({ database, env: shopify.env });
  provideEnv({ ...serviceEnv(database.url), ...shopify.env, DATABASE_POOL_SIZE: "3" });
});
afterAll(async () => {
  await closeDatabase();
  await service.dispose();
  await database.drop();
  await shopify.close();
});
beforeEach(() => {
  shop = `store-${randomBytes(4).toString("hex")}.myshopify.com`;
  store = shopify.store(shop);
});

function stock(count: number, variants = 1): void {
  for (let id = 1; id <= count; id++) {
    store.catalog.put({
      id,
      handle: `product-${id}`,
      title: `Product ${id}`,
      variants: Array.from({ length: variants }, (_, index) => ({ id: id * 1_000 + index })),
    });
  }
}

/** Returns a cursor of the Admin API. */
const cursorSchema = z.object({ last_id: z.string() });

interface Sync {
  shop_id: number;
  seen: number;
  finished: boolean;
  failed_reason: string | null;
  catalog: string;
}

async function sync(): Promise<Sync | undefined> {
  const [row] = await database.rows<Sync>(
    `SELECT y.shop_id, y.seen, y.finished_at IS NOT NULL AS finished, y.failed_reason, s.catalog
       FROM catalog_sync y JOIN shop s ON s.id = y.shop_id WHERE s.domain = $1`,
    [shop],
  );
  return row;
}

async function catalogSynced(): Promise<number> {
  const done = await until("the sync", async () => {
    const row = await sync();
    return row?.finished === true && row;
  });
  expect(done.catalog).toBe("ready");
  return done.shop_id;
}

async function install(): Promise<number> {
  expect((await shopify.openApp({ app: service.url, shop })).status).toBe(200);
  return catalogSynced();
}

function requestsOf(operation: string): AdminApiRequest[] {
  return store.adminApiRequests.filter((one) => one.operation === operation);
}

/** Returns the size of each requested page of the catalog, and the last product id of the page before it. */
function pages(): { first: unknown; after: string | null }[] {
  return requestsOf("CatalogPage").map(({ variables: { first, after } }) => ({
    first,
    after:
      typeof after === "string"
        ? cursorSchema.parse(JSON.parse(Buffer.from(after, "base64").toString())).last_id
        : null,
  }));
}

async function products(shopId: number): Promise<{ here: number; gone: number; variants: number }> {
  const [row] = await database.rows<{ here: number; gone: number; variants: number }>(
    `SELECT count(*) FILTER (WHERE deleted_at IS NULL)::int AS here, count(*) FILTER (WHERE deleted_at IS NOT NULL)::int AS gone,
            (SELECT count(*)::int FROM variant WHERE shop_id = $1 AND deleted_at IS NULL) AS variants
       FROM product WHERE shop_id = $1`,
    [shopId],
  );
  if (!row) throw new Error("no row");
  return row;
}

/** Syncs the catalog again, as if the last sync were old. */
async function syncAgain(shopId: number): Promise<void> {
  await database.rows("UPDATE catalog_sync SET finished_at = finished_at - interval '2 days' WHERE shop_id = $1", [
    shopId,
  ]);
  await database.rows("UPDATE session SET expires = now() WHERE shop = $1", [shop]);
  const before = requestsOf("CatalogPage").length;
  expect((await shopify.openApp({ app: service.url, shop })).status).toBe(200);
  await until("another sync", () => requestsOf("CatalogPage").length > before);
  await catalogSynced();
}

describe("a product sync", () => {
  test("caches all pages of products, and marks deleted products the next time", async () => {
    stock(250);
    const shopId = await install();
    expect(await products(shopId)).toEqual({ here: 250, gone: 0, variants: 250 });
    // A page of 100 products exceeds the cost of a single query.
    expect(pages()).toEqual([
      { first: 100, after: null },
      { first: 50, after: null },
      ...["50", "100", "150", "200"].map((after) => ({ first: 50, after })),
    ]);

    for (const id of [1, 120, 250]) store.catalog.remove(String(id));
    await syncAgain(shopId);
    expect(await products(shopId)).toMatchObject({ here: 247, gone: 3 });

    stock(250);
    await syncAgain(shopId);
    expect(await products(shopId)).toMatchObject({ here: 250, gone: 0 });
  });

  test("caches status and publication of each product", async () => {
    stock(4);
    store.catalog.edit("2", { status: "DRAFT", published: false });
    store.catalog.edit("3", { status: "ARCHIVED" });
    store.catalog.edit("4", { published: false });
    const shopId = await install();
    const rows = await database.rows(
      "SELECT status, published_at IS NOT NULL AS published, ever_published FROM product WHERE shop_id = $1 ORDER BY product_id",
      [shopId],
    );
    expect(rows).toEqual([
      { status: "ACTIVE", published: true, ever_published: true },
      { status: "DRAFT", published: false, ever_published: false },
      { status: "ARCHIVED", published: true, ever_published: false },
      { status: "ACTIVE", published: false, ever_published: false },
    ]);
    expect([...(await describeToShoppers(shopId, ["1", "2", "3", "4"])).keys()]).toEqual(["1"]);
    expect([...(await describeProducts(shopId, ["1", "2", "3", "4"])).keys()].sort()).toEqual(["1", "2", "3", "4"]);
  });

  test("caches all pages of a product's variants, and removes deleted variants", async () => {
    stock(2, 205);
    const shopId = await install();
    expect(await products(shopId)).toMatchObject({ here: 2, variants: 410 });
    stock(2, 150);
    await syncAgain(shopId);
    expect(await products(shopId)).toMatchObject({ here: 2, variants: 300 });
  });

  test("resumes after kill -9", MATRIX, async () => {
    const own = await createDatabase();
    const start = (): Promise<Service> => startService({ database: own, env: shopify.env });
    const first = await start();
    let second: Service | undefined;
    try {
      stock(250);
      const recover = store.faults.inject({
        on: "graphql",
        operation: "CatalogPage",
        when: ({ after }) => after !== null,
        behaviour: "hangs",
      });
      expect((await shopify.openApp({ app: first.url, shop })).status).toBe(200);
      await until("the second page", () =>
        requestsOf("CatalogPage").some(({ variables }) => variables["after"] !== null),
      );
      await first.stop("SIGKILL");
      expect(await own.rows("SELECT seen FROM catalog_sync")).toEqual([{ seen: 50 }]);

      recover();
      const before = pages().length;
      second = await start();
      await until("the sync", async () => (await own.rows("SELECT 1 FROM shop WHERE catalog = 'ready'")).length > 0);
      expect(pages().slice(before)).toEqual([
        { first: 100, after: "50" },
        ...["50", "100", "150", "200"].map((after) => ({ first: 50, after })),
      ]);
      expect(await own.rows("SELECT count(*)::int AS n FROM product WHERE deleted_at IS NULL")).toEqual([{ n: 250 }]);
      expect(await own.rows("SELECT seen FROM catalog_sync")).toEqual([{ seen: 250 }]);
    } finally {
      await first.stop("SIGKILL");
      await second?.stop();
      await own.drop();
    }
  });

  test("waits when Shopify throttles, and requests less when a page costs too much", async () => {
    stock(60);
    store.faults.inject({
      on: "graphql",
      operation: "CatalogPage",
      when: ({ first }) => first === 50,
      behaviour: "throttled",
      times: 3,
    });
    store.faults.inject({
      on: "graphql",
      operation: "CatalogPage",
      when: ({ first }) => Number(first) > 25,
      behaviour: "query too expensive",
    });
    const shopId = await install();
    expect(await products(shopId)).toMatchObject({ here: 60 });
    // The page size is reduced once and kept.
    expect(pages().map(({ first }) => first)).toEqual([100, 50, 50, 50, 50, 25, 25, 25]);
  });

  test("waits for throttled variants without requesting the page again", async () => {
    stock(1, 600);
    store.faults.inject({
      on: "graphql",
      operation: "CatalogVariants",
      when: () => requestsOf("CatalogVariants").length === 2,
      behaviour: "throttled",
      times: 1,
    });
    const shopId = await install();
    expect(await products(shopId)).toMatchObject({ here: 1, variants: 600 });
    expect(pages().map(({ first }) => first)).toEqual([100, 50]);
  });

  test("of one slow shop does not delay another shop's", MATRIX, async () => {
    stock(3);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const slow = shop;
    store.faults.inject({ on: "graphql", operation: "CatalogPage", behaviour: { until: held } });
    expect((await shopify.openApp({ app: service.url, shop: slow })).status).toBe(200);
    await until("the question", () => requestsOf("CatalogPage").length > 0);
    shop = `store-${randomBytes(4).toString("hex")}.myshopify.com`;
    await install();
    shop = slow;
    expect((await sync())?.finished).toBe(false);
    release();
    await catalogSynced();
  });

  test("starts again when the app is reinstalled", async () => {
    stock(2);
    const shopId = await install();
    await shopify.uninstall(service.url, shop);
    await until("its end", async () => (await sync()) === undefined);
    store.catalog.remove("1");
    shopify.install(shop);
    expect(await install()).toBe(shopId);
    expect(await products(shopId)).toMatchObject({ here: 1, gone: 1 });
  });

  test("does not deadlock with an uninstall", MATRIX, async () => {
    stock(1);
    const shopId = await install();
    const uninstall = await database.pool.connect();
    // PostgreSQL aborts the transaction that detects a deadlock, never the sync, which waits longer.
    await uninstall.query("SET deadlock_timeout = '10ms'");
    const { rows } = await uninstall.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    try {
      for (const catalog of ["none", "ready"]) {
        await database.rows("UPDATE shop SET catalog = $2 WHERE id = $1", [shopId, catalog]);
        await database.rows(
          "UPDATE catalog_sync SET finished_at = NULL, started_at = started_at - interval '2 days' WHERE shop_id = $1",
          [shopId],
        );
        await uninstall.query("BEGIN");
        await uninstall.query("UPDATE shop SET uninstalled_at = NULL WHERE id = $1", [shopId]);
        await sendTask(catalogSync, { shopId }, { key: String(shopId) });
        await until("the sync to wait", async () => {
          const waiting = await database.rows("SELECT 1 FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))", [
            rows[0]?.pid,
          ]);
          return waiting.length > 0;
        });
        await uninstall.query("SELECT 1 FROM catalog_sync WHERE shop_id = $1 FOR UPDATE", [shopId]);
        await uninstall.query("COMMIT");
        expect(await catalogSynced()).toBe(shopId);
      }
    } finally {
      uninstall.release(true);
    }
  });

  for (const status of [401, 402, 403, 423]) {
    test(`is retried after Shopify has refused it with ${status}`, status === 401 ? {} : MATRIX, async () => {
      stock(3);
      store.faults.inject({ on: "graphql", operation: "CatalogPage", behaviour: { status }, times: 1 });
      const shopId = await install();
      expect(await products(shopId)).toMatchObject({ here: 3 });
    });
  }

  test("sets a product aside that can't be stored, until it can", async () => {
    stock(3);
    const handled = { id: 2, handle: "product-2", title: "Product 2" };
    // PostgreSQL has no text with this character.
    store.catalog.put({ ...handled, title: "Product \u{0}", variants: [{ id: 2_000 }] });
    const shopId = await install();
    expect(await products(shopId)).toMatchObject({ here: 2 });
    const aside = (): Promise<unknown[]> =>
      database.rows("SELECT kind, subject_id, reason FROM set_aside WHERE shop_id = $1", [shopId]);
    expect(await aside()).toEqual([
      { kind: "product", subject_id: "2", reason: expect.stringContaining("unsupported Unicode escape sequence") },
    ]);
    store.catalog.put({ ...handled, variants: [{ id: 2_000, priceCents: 200_000_000_000_000 }] });
    await syncAgain(shopId);
    expect(await products(shopId)).toMatchObject({ here: 3 });
    expect(
      await database.rows("SELECT price::text FROM variant WHERE shop_id = $1 AND variant_id = '2000'", [shopId]),
    ).toEqual([{ price: "2000000000000.00" }]);
    expect(await aside()).toEqual([]);
  });

  test("that Shopify refuses shows the reason, and continues with the next token", async () => {
    stock(3);
    const recover = store.faults.inject({ on: "graphql", behaviour: { status: 403 } });
    expect((await shopify.openApp({ app: service.url, shop })).status).toBe(200);
    await until("the reason", async () => (await sync())?.failed_reason?.includes("403"));
    expect(await sync()).toMatchObject({ finished: false, catalog: "syncing" });
    recover();
    await database.rows("UPDATE session SET expires = now() WHERE shop = $1", [shop]);
    const shopId = await install();
    expect(await products(shopId)).toMatchObject({ here: 3 });
  });
});

describe("a changed product", () => {
  const news = (topic: string, id: number, more: object = {}): Promise<Response> =>
    shopify.deliverWebhook(service.url, `/webhooks/products/${topic === "delete" ? "delete" : "update"}`, {
      topic: `products/${topic}`,
      shop,
      payload: topic === "delete" ? bodies.deletedProduct(id) : { ...bodies.product(id), ...more },
    });
  const titleOf = async (shopId: number, id: number): Promise<string | undefined> =>
    (
      await database.rows<{ title: string }>(
        "SELECT title FROM product WHERE shop_id = $1 AND product_id = $2 AND deleted_at IS NULL",
        [shopId, String(id)],
      )
    )[0]?.title;

  test("is cached as the store has it now, even after a late webhook", async () => {
    stock(1);
    const shopId = await install();
    store.catalog.put({ id: 1, handle: "new", title: "New", variants: [{ id: 1_001 }] });
    expect((await news("update", 1, { title: "Older" })).status).toBe(200);
    await until("the title", async () => (await titleOf(shopId, 1)) === "New");
    expect(
      await database.rows("SELECT variant_id FROM variant WHERE shop_id = $1 AND deleted_at IS NULL", [shopId]),
    ).toEqual([{ variant_id: "1001" }]);

    store.catalog.put({ id: 2, handle: "second", title: "Second", variants: [{ id: 2_000 }] });
    await news("create", 2);
    await until("the product", async () => (await titleOf(shopId, 2)) === "Second");

    store.catalog.remove("2");
    await news("delete", 2);
    await until("its end", async () => (await titleOf(shopId, 2)) === undefined);
    // An update from before the deletion.
    await news("update", 2);
    await news("update", 1);
    await until(
      "both",
      async () =>
        (
          await database.rows(
            "SELECT 1 FROM pgboss.job WHERE state < 'completed' AND name IN ('store-event', 'catalog-product')",
          )
        ).length === 0,
    );
    expect(await titleOf(shopId, 2)).toBeUndefined();
  });
});

test("a product deleted during a request is not cached again by its response", async () => {
  stock(1);
  stock(2, 300);
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  store.faults.inject({ on: "graphql", operation: "CatalogVariants", behaviour: { until: held } });
  expect((await shopify.openApp({ app: service.url, shop })).status).toBe(200);
  await until("the variants", () => requestsOf("CatalogVariants").length > 0);
  store.catalog.remove("2");
  await shopify.deliverWebhook(service.url, "/webhooks/products/delete", {
    topic: "products/delete",
    shop,
    payload: bodies.deletedProduct(2),
  });
  await until(
    "the news",
    async () =>
      (
        await database.rows(
          `SELECT 1 FROM product p JOIN shop s ON s.id = p.shop_id
            WHERE s.domain = $1 AND p.product_id = '2' AND p.deleted_at IS NOT NULL`,
          [shop],
        )
      ).length > 0,
  );
  release();
  const shopId = await catalogSynced();
  expect(await products(shopId)).toMatchObject({ here: 1, gone: 1 });
  expect([...(await describeProducts(shopId, ["1", "2"])).keys()]).toEqual(["1"]);
});

describe("a product that is not cached", () => {
  let call: Call;
  let token: string;
  let shopId: number;

  beforeEach(async () => {
    shopId = await install();
    call = client(service.url);
    token = await issueToken(call, shopId, ["read_wishlists", "write_wishlists"]);
  });
  const add = (productId: number | string): Promise<ApiResponse> =>
    call("POST", `/v1/wishlists/c-${randomBytes(4).toString("hex")}/items`, {
      token,
      json: { product_id: String(productId) },
    });

  test("is requested once for concurrent look-ups, and cached", async () => {
    stock(1, 12);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    store.faults.inject({ on: "graphql", behaviour: { until: held } });
    const adding = Array.from({ length: 20 }, () => add(1));
    await until("the question", () => requestsOf("CatalogProductsById").length > 0);
    release();
    const responses = await Promise.all(adding);
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    // Later callers find the product in the cache; the additional request is for its other variants.
    await until("all variants", async () => (await products(shopId)).variants === 12);
    expect(requestsOf("CatalogProductsById").length).toBeLessThanOrEqual(2);
    expect((await add(1)).status).toBe(200);
    expect(requestsOf("CatalogProductsById").length).toBeLessThanOrEqual(2);
    expect(await database.rows("SELECT DISTINCT variant_id FROM wishlist_item WHERE shop_id = $1", [shopId])).toEqual([
      { variant_id: "1000" },
    ]);
  });

  test("is remembered as unknown when the store does not have it", async () => {
    expect((await add(404)).error().code).toBe("product_not_found");
    expect((await add(404)).error().code).toBe("product_not_found");
    expect((await add("not-a-number")).error().code).toBe("product_not_found");
    expect(requestsOf("CatalogProductsById")).toHaveLength(1);
  });

  test.each<[string, Fault]>([
    ["hangs", { on: "graphql", behaviour: "hangs" }],
    ["responds with 502", { on: "graphql", behaviour: { status: 502 } }],
    ["throttles", { on: "graphql", behaviour: "throttled", times: 1 }],
    ["refuses the token", { on: "graphql", behaviour: "unauthorized token" }],
    ["refuses to refresh the token", { on: "token", behaviour: { status: 400 } }],
  ])("gets 503 after one request when Shopify %s", async (_, fault) => {
    stock(1);
    store.faults.inject(fault);
    if (fault.on === "token") await database.rows("UPDATE session SET expires = now() WHERE shop = $1", [shop]);
    // A look-up times out after two seconds, so this ends even if Shopify hangs.
    const response = await add(1);
    expect(response.status).toBe(503);
    expect(response.error().code).toBe("catalog_unavailable");
    expect(response.headers.get("retry-after")).toBe("5");
    expect(requestsOf("CatalogProductsById").length).toBeLessThanOrEqual(1);
    expect(await database.rows("SELECT 1 FROM wishlist_item WHERE shop_id = $1", [shopId])).toEqual([]);
    // Cached products and items with a variant are not affected.
    const json = { product_id: "1", variant_id: "1000" };
    expect((await call("POST", "/v1/wishlists/c1/items", { token, json })).status).toBe(200);
  });

  test("is found by the API in every sales channel, but not as a draft", async () => {
    stock(2);
    store.catalog.edit("1", { published: false });
    store.catalog.edit("2", { status: "DRAFT" });
    expect((await add(1)).status).toBe(200);
    for (let n = 0; n < 2; n++) expect((await add(2)).error().code).toBe("product_not_found");
    expect(requestsOf("CatalogProductsById")).toHaveLength(2);
    const json = { product_id: "2", variant_id: "2000" };
    expect((await call("POST", "/v1/wishlists/c1/items", { token, json })).status).toBe(200);
  });

  test("is found with a new token when the old one is about to expire", async () => {
    stock(1);
    await database.rows("UPDATE session SET expires = now() + interval '1 minute' WHERE shop = $1", [shop]);
    const tokens = store.tokens.issued.length;
    expect((await add(1)).status).toBe(200);
    expect(store.tokens.issued.length).toBe(tokens + 2);
  });

  test("is found by its handle and cached", async () => {
    stock(2);
    connectShopify();
    expect(await resolveHandles(shopId, ["product-2", "no-such", "No Handle", "product-2"], "customer c1")).toEqual(
      new Map([["product-2", "2"]]),
    );
    expect(requestsOf("CatalogProductsByHandle").map(({ variables }) => variables)).toEqual([
      { variants: 10, h0: "product-2", h1: "no-such" },
    ]);
    expect(await resolveHandles(shopId, ["product-2", "no-such"], "customer c1")).toEqual(
      new Map([["product-2", "2"]]),
    );
    expect(requestsOf("CatalogProductsByHandle")).toHaveLength(1);
    expect(await describeProducts(shopId, ["2", "404"])).toEqual(
      new Map([
        [
          "2",
          {
            productId: "2",
            handle: "product-2",
            title: "Product 2",
            imageUrl: `https://cdn.shopify.com${picturePath({ handle: "product-2" })}`,
            defaultVariantId: "2000",
            deleted: false,
            variants: [{ variantId: "2000", title: "Variant 2000", price: "10.00", available: true }],
          },
        ],
      ]),
    );

    // A handle belongs to the product that has it now.
    store.catalog.put({ id: 3, handle: "product-2", title: "Heir", variants: [{ id: 3_000 }] });
    store.catalog.remove("2");
    await shopify.deliverWebhook(service.url, "/webhooks/products/update", {
      topic: "products/update",
      shop,
      payload: bodies.product(3),
    });
    await until("the heir", async () => (await describeProducts(shopId, ["3"])).has("3"));
    expect(await resolveHandles(shopId, ["product-2"], "customer c1")).toEqual(new Map([["product-2", "3"]]));
  });

  const lookedUp = (operation = "CatalogProductsById"): number =>
    requestsOf(operation).reduce((sum, { variables }) => sum + Object.values(variables).flat().length - 1, 0);

  test("gets 429 after 25 look-ups of one merge, without affecting another customer", async () => {
    stock(1);
    const items = Array.from({ length: 500 }, (_, index) => ({
      productId: String(1_000_000 + index),
      addedAt: "2026-01-01T00:00:00.000Z",
    }));
    const merge = (): Promise<ApiResponse> => call("POST", "/v1/wishlists/greedy/merge", { token, json: { items } });
    const response = await merge();
    expect([response.status, response.error().code]).toEqual([429, "rate_limited"]);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(lookedUp()).toBe(25);
    for (let n = 0; n < 5; n++) expect((await merge()).status).toBe(429);
    // Little budget is restored in a second.
    expect(lookedUp()).toBeLessThan(50);
    expect(await database.rows("SELECT 1 FROM wishlist WHERE shop_id = $1", [shopId])).toEqual([]);
    expect((await add(1)).status).toBe(200);
  });

  test("is looked up by repeated calls, each of which finds more", async () => {
    stock(60);
    connectShopify();
    const handles = [
      ...Array.from({ length: 30 }, (_, n) => `product-${n + 31}`),
      ...Array.from({ length: 30 }, (_, n) => `absent-${n}`),
    ];
    const started = Date.now();
    try {
      for (const [minutes, total] of [
        [0, 25],
        [1, 50],
      ] as const) {
        holdClock(new Date(started + minutes * 60_000));
        const refused = await resolveHandles(shopId, handles, "customer repeating");
        expect(refused).toMatchObject({ code: "rate_limited" });
        expect(lookedUp("CatalogProductsByHandle")).toBe(total);
      }
      holdClock(new Date(started + 2 * 60_000));
      expect(await resolveHandles(shopId, handles, "customer repeating")).toMatchObject({ size: 30 });
      expect(lookedUp("CatalogProductsByHandle")).toBe(60);
      expect(await resolveHandles(shopId, handles, "customer another")).toMatchObject({ size: 30 });
      expect(lookedUp("CatalogProductsByHandle")).toBe(60);
    } finally {
      holdClock(undefined);
    }
  });

  test("is not looked up when the customers of its shop request too much together", async () => {
    const responses = await Promise.all(Array.from({ length: 130 }, (_, n) => add(2_000_000 + n)));
    const refused = responses.filter(({ status }) => status === 429);
    expect(lookedUp()).toBe(130 - refused.length);
    expect(refused.length).toBeGreaterThan(0);
    for (const response of refused) expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("is unknown in a shop that is not connected", async () => {
    await database.rows("DELETE FROM session WHERE shop = $1", [shop]);
    stock(1);
    expect((await add(1)).error().code).toBe("product_not_found");
    await database.rows("UPDATE shop SET catalog = 'syncing' WHERE id = $1", [shopId]);
    expect((await add(1)).error().code).toBe("catalog_unavailable");
    await database.rows("UPDATE shop SET catalog = 'none' WHERE id = $1", [shopId]);
    expect((await add(1)).error().code).toBe("catalog_not_connected");
    expect((await add("p")).error().code).toBe("catalog_not_connected");
    expect(requestsOf("CatalogProductsById")).toEqual([]);
  });
});
