import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Devstore, TestWebhook } from "../../packages/devstore/devstore.ts";
import { createCatalog } from "../../packages/devstore/store/catalog.ts";
import { product } from "../../packages/devstore/webhooks/payloads.ts";
import { startService, type Service } from "../support/app/service.ts";
import { bodies, PERSON, startShopify } from "../support/shopify/shopify.ts";
import { until } from "../support/until.ts";
import { MATRIX } from "../support/matrix.ts";

let shopify: Devstore;
let service: Service;
let shop: string;

beforeAll(async () => {
  shopify = await startShopify();
  service = await startService({ env: shopify.env });
});
afterAll(async () => {
  await service.dispose();
  await shopify.close();
});

/** Installs the app in a new shop. Tests of refused deliveries share one, because nothing may come of them. */
async function newShop(): Promise<void> {
  shop = `store-${randomBytes(4).toString("hex")}.myshopify.com`;
  expect((await shopify.openApp({ app: service.url, shop })).status).toBe(200);
}

/** Returns a payload with every field of a product, as Shopify sends it to a subscription without `include_fields`. */
function fullProduct(): object {
  return product(createCatalog().create("A title", 1_000));
}

/** One delivery of each topic, with additional fields of Shopify's payload. */
const DELIVERIES: [path: string, topic: string, payload: (shop: string) => object][] = [
  ["/webhooks/app/uninstalled", "app/uninstalled", bodies.uninstalled],
  ["/webhooks/app/scopes_update", "app/scopes_update", (shop) => bodies.scopes(shop)],
  ["/webhooks/app_subscriptions/update", "app_subscriptions/update", bodies.subscription],
  ["/webhooks/products/update", "products/create", () => fullProduct()],
  ["/webhooks/products/update", "products/update", () => bodies.product(6)],
  ["/webhooks/products/delete", "products/delete", () => bodies.deletedProduct(7)],
  ["/webhooks/compliance", "customers/data_request", (shop) => bodies.dataRequest(shop)],
  ["/webhooks/compliance", "customers/redact", (shop) => bodies.customerRedact(shop, { ...PERSON, id: 1 })],
  ["/webhooks/compliance", "shop/redact", bodies.shopRedact],
];

interface Queued {
  name: string;
  data: string;
}

/** Waits for the tasks of the test's shop. A task of another test's shop may be retried for hours, because its store refuses the token. */
function tasksDone(): Promise<true> {
  return until("the shop's tasks", async () => {
    const open = await service.database.rows(
      `SELECT 1 FROM pgboss.job j JOIN shop s ON s.id = (j.data->>'shopId')::int
        WHERE s.domain = $1 AND j.state < 'completed'`,
      [shop],
    );
    return open.length === 0;
  });
}

/** Returns the shop's open and completed tasks of deliveries. */
async function work(): Promise<Queued[]> {
  return service.database.rows<Queued>(
    `SELECT j.name, j.data::text FROM pgboss.job j JOIN shop s ON s.id = (j.data->>'shopId')::int
      WHERE s.domain = $1 AND j.name IN ('store-event', 'privacy-request')`,
    [shop],
  );
}

describe.each(DELIVERIES)("%s with topic %s", (path, topic, payload) => {
  beforeEach(newShop);
  const post = (more: Partial<TestWebhook> = {}): Promise<Response> =>
    shopify.deliverWebhook(service.url, path, { topic, shop, payload: payload(shop), ...more });
  /** Does in the store what the delivery reports: after an uninstall, it refuses the access token. */
  const happen = (): void => {
    if (topic === "app/uninstalled") shopify.store(shop).tokens.expireAll();
  };

  test("accepts a delivery once, however often it arrives", async () => {
    happen();
    const webhookId = randomUUID();
    const responses = await Promise.all(Array.from({ length: 5 }, () => post({ webhookId })));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    await tasksDone();
    // Even long after it was processed.
    expect((await post({ webhookId })).status).toBe(200);
    if (topic !== "shop/redact") expect(await work()).toHaveLength(1);
  });

  test("stores only the fields that it needs", async () => {
    happen();
    expect((await post()).status).toBe(200);
    for (const { data } of await work())
      expect(data).not.toMatch(/example\.com|4930123456|7012503486663|title|A store/);
    const requests = await service.database.rows<{ row: string }>("SELECT r::text AS row FROM privacy_request r");
    for (const { row } of requests) expect(row).not.toMatch(/example\.com|4930123456|7012503486663/);
  });
});

describe.each(DELIVERIES)("%s for a delivery with topic %s that it does not accept", (path, topic, payload) => {
  beforeAll(newShop);
  const post = (more: Partial<TestWebhook> = {}): Promise<Response> =>
    shopify.deliverWebhook(service.url, path, { topic, shop, payload: payload(shop), ...more });

  test.each<[string, Partial<TestWebhook>]>([
    ["another secret's", { headers: { "x-shopify-hmac-sha256": Buffer.alloc(32, 7).toString("base64") } }],
    [
      "another body's",
      {
        body: JSON.stringify(payload("another.myshopify.com")),
        headers: { "x-shopify-hmac-sha256": "4vrLpkPAzuGk8dYcEJ9Zk2q5yKkGqvW0Tt0o3Jp8c9A=" },
      },
    ],
  ])("refuses %s signature with 401", async (_, forged) => {
    expect((await post(forged)).status).toBe(401);
    expect(await work()).toEqual([]);
  });

  test.each([
    "x-shopify-hmac-sha256",
    "x-shopify-topic",
    "x-shopify-shop-domain",
    "x-shopify-api-version",
    "x-shopify-webhook-id",
  ])("refuses a delivery without %s with 400", async (header) => {
    expect((await post({ headers: { [header]: undefined } })).status).toBe(400);
    expect(await work()).toEqual([]);
  });

  test("refuses a signed payload that is not JSON with 400", async () => {
    expect((await post({ body: "{" })).status).toBe(400);
    expect(await work()).toEqual([]);
  });

  test.each(["null", "5", '"text"', "[]", '[{"id":1}]'])(
    "refuses %s, which is not an object, with 400",
    async (body) => {
      expect((await post({ body })).status).toBe(400);
      expect(await work()).toEqual([]);
    },
  );

  test("refuses another endpoint's topic with 400", async () => {
    expect((await post({ topic: "orders/create" })).status).toBe(400);
    expect(await work()).toEqual([]);
  });

  test("ignores an unknown shop", async () => {
    expect((await post({ shop: "nobody.myshopify.com" })).status).toBe(200);
    expect(await service.database.rows("SELECT 1 FROM shop WHERE domain = 'nobody.myshopify.com'")).toEqual([]);
  });

  test("is not a page", async () => {
    expect((await fetch(service.url + path)).status).toBeGreaterThanOrEqual(400);
  });
});

const update = (more: Partial<TestWebhook>): Promise<Response> =>
  shopify.deliverWebhook(service.url, "/webhooks/products/update", {
    topic: "products/update",
    shop,
    payload: bodies.product(5),
    ...more,
  });

describe("a payload that is refused", () => {
  beforeAll(newShop);

  test.each<[string, string, (shop: string) => object]>([
    ["/webhooks/products/update", "products/update", () => ({ title: "no id", updated_at: "2026-11-20T10:00:00Z" })],
    ["/webhooks/products/delete", "products/delete", () => ({ id: "gid://shopify/Product/1" })],
    ["/webhooks/app/scopes_update", "app/scopes_update", () => ({})],
    ["/webhooks/app/uninstalled", "app/uninstalled", () => ({ id: 1 })],
    ["/webhooks/app_subscriptions/update", "app_subscriptions/update", () => ({ app_subscription: {} })],
    ["/webhooks/compliance", "customers/redact", (shop) => bodies.customerRedact(shop, { email: "a@b.c" })],
    ["/webhooks/compliance", "customers/data_request", bodies.shopRedact],
    ["/webhooks/compliance", "shop/redact", () => ({ shop_id: 1 })],
  ])("because it lacks its topic's subject gets 400: %s %s", async (path, topic, payload) => {
    const response = await shopify.deliverWebhook(service.url, path, { topic, shop, payload: payload(shop) });
    expect(response.status).toBe(400);
    expect(await work()).toEqual([]);
  });

  // The topic is an unsigned header: a delivery could be replayed under another topic.
  test.each(DELIVERIES)("signed for %s, %s, gets 400 under every other topic", async (_, signedFor, payload) => {
    const isProduct = /^products\/(?:create|update)$/;
    for (const [path, topic] of DELIVERIES) {
      if (topic === signedFor || (isProduct.test(topic) && isProduct.test(signedFor))) continue;
      const response = await shopify.deliverWebhook(service.url, path, { topic, shop, payload: payload(shop) });
      expect({ topic, status: response.status }).toEqual({ topic, status: 400 });
    }
    expect(await work()).toEqual([]);
  });

  // The shop header is unsigned: a delivery could be replayed for another shop.
  describe("because it names another shop than the header", () => {
    let other: string;
    beforeAll(async () => {
      other = `other-${shop}`;
      expect((await shopify.openApp({ app: service.url, shop: other })).status).toBe(200);
      await until("the shops' ids", async () => {
        const rows = await service.database.rows(
          "SELECT 1 FROM shop WHERE domain IN ($1, $2) AND store_id IS NOT NULL",
          [shop, other],
        );
        return rows.length === 2;
      });
    });

    test.each(DELIVERIES.filter(([path]) => !path.startsWith("/webhooks/products/")))(
      "gets 400: %s %s",
      async (path, topic, payload) => {
        const response = await shopify.deliverWebhook(service.url, path, { topic, shop, payload: payload(other) });
        expect(response.status).toBe(400);
        expect(await work()).toEqual([]);
        expect(
          await service.database.rows(
            "SELECT 1 FROM privacy_request r JOIN shop s ON s.id = r.shop_id WHERE s.domain IN ($1, $2)",
            [shop, other],
          ),
        ).toEqual([]);
      },
    );
  });

  test("that is not UTF-8 gets 401", async () => {
    const body = Buffer.from([0x7b, 0x22, 0x69, 0x64, 0x22, 0x3a, 0x35, 0x2c, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
    const signed = createHmac("sha256", shopify.env.SHOPIFY_API_SECRET).update(body).digest("base64");
    const [path, topic] = ["/webhooks/products/update", "products/update"];
    const given = {
      "x-shopify-topic": topic,
      "x-shopify-shop-domain": shop,
      "x-shopify-api-version": "2026-10",
      "x-shopify-webhook-id": randomUUID(),
      "x-shopify-hmac-sha256": signed,
    };
    expect((await fetch(service.url + path, { method: "POST", headers: given, body })).status).toBe(401);
    expect(await work()).toEqual([]);
  });

  test("of more than 64 KiB gets 413, also without an announced length", async () => {
    const body = JSON.stringify({ id: 5, title: "" }).padEnd(64 * 1024 + 1);
    expect((await update({ body })).status).toBe(413);
    const chunked = await fetch(`${service.url}/webhooks/products/update`, {
      method: "POST",
      body: new Blob([body]).stream(),
      duplex: "half",
    });
    expect(chunked.status).toBe(413);
    expect(await work()).toEqual([]);
  });
});

describe("a payload", () => {
  beforeEach(newShop);

  test("that names its shop in capitals is accepted", async () => {
    const payload = { ...bodies.customerRedact(shop), shop_domain: shop.toUpperCase() };
    const response = await shopify.deliverWebhook(service.url, "/webhooks/compliance", {
      topic: "customers/redact",
      shop,
      payload,
    });
    expect(response.status).toBe(200);
  });

  test("of 64 KiB is accepted", async () => {
    const payload = { ...bodies.product(5), body_html: "" };
    const room = 64 * 1024 - Buffer.byteLength(JSON.stringify(payload));
    const response = await update({ payload: { ...payload, body_html: "x".repeat(room) } });
    expect(response.status).toBe(200);
    expect((await work()).map(({ data }) => data.length)).toEqual([expect.toSatisfy((size: number) => size < 200)]);
  });
});

describe("a delivery", () => {
  beforeEach(newShop);

  test("that cannot be stored is not acknowledged", MATRIX, async () => {
    const other = await startService({ env: shopify.env });
    try {
      expect((await shopify.openApp({ app: other.url, shop })).status).toBe(200);
      await until("the tasks", async () => (await other.database.rows("SELECT 1 FROM catalog_sync")).length > 0);
      await other.database.rows("ALTER TABLE pgboss.queue RENAME TO away");
      const news = { topic: "products/delete", shop, payload: bodies.deletedProduct(5) };
      expect(
        (await shopify.deliverWebhook(other.url, "/webhooks/products/delete", news)).status,
      ).toBeGreaterThanOrEqual(500);
    } finally {
      await other.dispose();
    }
  });

  test("is accepted by a web process and processed by a worker", async () => {
    const web = await startService({ database: service.database, env: { ...shopify.env, WISHLIST_ROLE: "web" } });
    try {
      shopify.store(shop).installation.scopes = ["read_products", "read_orders"];
      const news = { topic: "app/scopes_update", shop, payload: bodies.scopes(shop) };
      expect((await shopify.deliverWebhook(web.url, "/webhooks/app/scopes_update", news)).status).toBe(200);
      await until("the scopes", async () => {
        const rows = await service.database.rows(
          "SELECT 1 FROM session WHERE shop = $1 AND scope = 'read_products,read_orders'",
          [shop],
        );
        return rows.length > 0;
      });
    } finally {
      await web.stop();
    }
  });

  test("is processed together with others that wait", async () => {
    const web = await startService({ env: { ...shopify.env, WISHLIST_ROLE: "web" } });
    const { database } = web;
    let worker: Service | undefined;
    try {
      expect((await shopify.openApp({ app: web.url, shop })).status).toBe(200);
      // More than a worker that polls every two seconds would process during the test.
      const responses = await Promise.all(
        Array.from({ length: 100 }, (_, n) => {
          const news = { topic: "products/delete", shop, payload: bodies.deletedProduct(n + 1) };
          return shopify.deliverWebhook(web.url, "/webhooks/products/delete", news);
        }),
      );
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
      worker = await startService({ database, env: { ...shopify.env, WISHLIST_ROLE: "worker" } });
      await until("the deliveries", async () => {
        const [row] = await database.rows<{ n: number }>(
          "SELECT count(*)::int AS n FROM pgboss.job WHERE name = 'store-event' AND state = 'completed'",
        );
        return row?.n === 100;
      });
    } finally {
      await worker?.stop();
      await web.dispose();
    }
  });
});

describe("a replayed event with a valid signature", () => {
  beforeEach(newShop);
  const isInstalled = async (): Promise<boolean> =>
    (await service.database.rows("SELECT 1 FROM shop WHERE domain = $1 AND uninstalled_at IS NULL", [shop])).length > 0;

  test("uninstalls nothing while the store accepts the app's token", MATRIX, async () => {
    await shopify.deliverWebhook(service.url, "/webhooks/app/uninstalled", {
      topic: "app/uninstalled",
      shop,
      payload: bodies.uninstalled(shop),
    });
    await until("a request to the store", () =>
      shopify.store(shop).adminApiRequests.some(({ operation }) => operation === "Installation"),
    );
    // Retried for a while, because the token may still be valid, and then abandoned.
    await service.database.rows(
      `UPDATE pgboss.job SET data = jsonb_set(data, '{receivedAt}', '"2026-01-01T00:00:00.000Z"'), start_after = now()
        WHERE name = 'store-event' AND state < 'completed'`,
    );
    await tasksDone();
    expect(await isInstalled()).toBe(true);
  });

  test("uninstalls a shop whose store says that the app is not installed", async () => {
    await tasksDone();
    await service.database.rows("UPDATE session SET expires = now() - interval '1 minute' WHERE shop = $1", [shop]);
    shopify.store(shop).installation.installed = false;
    await shopify.deliverWebhook(service.url, "/webhooks/app/uninstalled", {
      topic: "app/uninstalled",
      shop,
      payload: bodies.uninstalled(shop),
    });
    await tasksDone();
    expect(await isInstalled()).toBe(false);
  });

  test("deletes no product that the store has", async () => {
    const { catalog } = shopify.store(shop);
    catalog.put({ id: 7, handle: "lamp", title: "Lamp", variants: [{ id: 70 }] });
    const news = (): Promise<Response> =>
      shopify.deliverWebhook(service.url, "/webhooks/products/delete", {
        topic: "products/delete",
        shop,
        payload: bodies.deletedProduct(7),
      });
    const here = (): Promise<unknown[]> =>
      service.database.rows(
        "SELECT p.deleted_at IS NULL AS here FROM product p JOIN shop s ON s.id = p.shop_id WHERE s.domain = $1 AND product_id = '7'",
        [shop],
      );
    await tasksDone();
    await news();
    await tasksDone();
    expect(await here()).toEqual([{ here: true }]);
    catalog.remove("7");
    await news();
    await tasksDone();
    expect(await here()).toEqual([{ here: false }]);
  });

  test("grants no scope that the store does not grant", async () => {
    await tasksDone();
    const payload = bodies.scopes(shop, ["read_all_orders"]);
    await shopify.deliverWebhook(service.url, "/webhooks/app/scopes_update", {
      topic: "app/scopes_update",
      shop,
      payload,
    });
    await tasksDone();
    expect(await service.database.rows("SELECT scope FROM session WHERE shop = $1", [shop])).toEqual([
      { scope: "read_products,write_app_proxy" },
    ]);
  });
});
