import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startService, type Service } from "../support/service.ts";
import {
  API_SECRET,
  deliver,
  openApp,
  startShopify,
  type Delivery,
  type StandIn,
} from "../support/shopify-stand-in.ts";
import { until } from "../support/until.ts";

let shopify: StandIn;
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
beforeEach(async () => {
  shop = `store-${randomBytes(4).toString("hex")}.myshopify.com`;
  expect((await openApp(service.url, shop)).status).toBe(200);
});

const PERSON = { id: 7012503486663, email: "jane@example.com", phone: "+4930123456" };

/** One delivery of each topic, with what Shopify sends beside what is needed. */
const DELIVERIES: [path: string, topic: string, payload: object][] = [
  ["/webhooks/app/uninstalled", "app/uninstalled", { id: 1, name: "A store", email: PERSON.email }],
  ["/webhooks/app/scopes_update", "app/scopes_update", { previous: [], current: ["read_products"] }],
  ["/webhooks/app_subscriptions/update", "app_subscriptions/update", { app_subscription: { name: "Growth" } }],
  ["/webhooks/products/update", "products/create", { id: 5, title: "A product" }],
  ["/webhooks/products/update", "products/update", { id: 6, title: "A product" }],
  ["/webhooks/products/delete", "products/delete", { id: 7 }],
  [
    "/webhooks/compliance",
    "customers/data_request",
    { customer: PERSON, data_request: { id: 9 }, orders_requested: [] },
  ],
  ["/webhooks/compliance", "customers/redact", { customer: { ...PERSON, id: 1 }, orders_to_redact: [] }],
  ["/webhooks/compliance", "shop/redact", { shop_id: 1 }],
];

/** What Shopify sends to one path names the shop in the payload, too. */
const ofShop = (path: string, payload: object): object =>
  path === "/webhooks/compliance" ? { shop_id: 1, shop_domain: shop, ...payload } : payload;

interface Queued {
  name: string;
  data: string;
}

/** What is to be done for the shop, or has been, because of deliveries. */
async function work(): Promise<Queued[]> {
  return service.database.rows<Queued>(
    `SELECT j.name, j.data::text FROM pgboss.job j JOIN shop s ON s.id = (j.data->>'shopId')::int
      WHERE s.domain = $1 AND j.name IN ('store-event', 'privacy-request')`,
    [shop],
  );
}

describe.each(DELIVERIES)("%s, told of %s,", (path, topic, payload) => {
  const post = (more: Partial<Delivery> = {}): Promise<Response> =>
    deliver(service.url, path, { topic, shop, payload: ofShop(path, payload), ...more });

  test("takes it in: once, however often it is delivered", async () => {
    const webhookId = randomUUID();
    const answers = await Promise.all(Array.from({ length: 5 }, () => post({ webhookId })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    await until("the work to be done", async () => {
      const open = await service.database.rows(
        "SELECT 1 FROM pgboss.job WHERE state < 'completed' AND data->>'shopId' IS NOT NULL",
      );
      return open.length === 0;
    });
    // Also when it was dealt with long ago.
    expect((await post({ webhookId })).status).toBe(200);
    if (topic !== "shop/redact") expect(await work()).toHaveLength(1);
  });

  test("keeps nothing of it that it does not need", async () => {
    expect((await post()).status).toBe(200);
    for (const { data } of await work()) expect(data).not.toMatch(/example\.com|4930|7012503486663|title|A store/);
    const requests = await service.database.rows<{ row: string }>("SELECT r::text AS row FROM privacy_request r");
    for (const { row } of requests) expect(row).not.toMatch(/example\.com|4930|7012503486663/);
  });

  test.each<[string, Partial<Delivery>]>([
    ["another secret's", { headers: { "x-shopify-hmac-sha256": Buffer.alloc(32, 7).toString("base64") } }],
    [
      "another body's",
      {
        body: JSON.stringify(payload),
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
  ])("refuses it without %s with 400", async (header) => {
    expect((await post({ headers: { [header]: undefined } })).status).toBe(400);
    expect(await work()).toEqual([]);
  });

  test("refuses a payload that is no JSON with 400, although it is signed", async () => {
    expect((await post({ body: "{" })).status).toBe(400);
    expect(await work()).toEqual([]);
  });

  test.each(["null", "5", '"text"', "[]", '[{"id":1}]'])("refuses %s with 400: it is no object", async (body) => {
    expect((await post({ body })).status).toBe(400);
    expect(await work()).toEqual([]);
  });

  test("refuses a topic that belongs elsewhere with 400", async () => {
    expect((await post({ topic: "orders/create" })).status).toBe(400);
    expect(await work()).toEqual([]);
  });

  test("has nothing to do for a shop that is not known", async () => {
    expect((await post({ shop: "nobody.myshopify.com" })).status).toBe(200);
    expect(await service.database.rows("SELECT 1 FROM shop WHERE domain = 'nobody.myshopify.com'")).toEqual([]);
  });

  test("is no page", async () => {
    expect((await fetch(service.url + path)).status).toBeGreaterThanOrEqual(400);
  });
});

const COMPLIANCE = DELIVERIES.flatMap(([path, topic, payload]): [string, object][] =>
  path === "/webhooks/compliance" ? [[topic, payload]] : [],
);

describe("a payload", () => {
  const update = (more: Partial<Delivery>): Promise<Response> =>
    deliver(service.url, "/webhooks/products/update", { topic: "products/update", shop, payload: { id: 5 }, ...more });

  test.each([
    ["/webhooks/products/update", "products/update", { title: "no id" }],
    ["/webhooks/products/delete", "products/delete", { id: "gid://shopify/Product/1" }],
    ["/webhooks/app/scopes_update", "app/scopes_update", {}],
    ["/webhooks/compliance", "customers/redact", { customer: { email: "a@b.c" } }],
    ["/webhooks/compliance", "customers/data_request", {}],
  ])("that lacks what its topic is about is refused with 400: %s %s", async (path, topic, payload) => {
    const answer = await deliver(service.url, path, { topic, shop, payload: ofShop(path, payload) });
    expect(answer.status).toBe(400);
    expect(await work()).toEqual([]);
  });

  // The headers are not signed: a request that was made for one shop could be sent again in the name of another.
  test.each(COMPLIANCE)(
    "about people of another shop than the header's is refused with 400: %s",
    async (topic, more) => {
      const other = `other-${shop}`;
      expect((await openApp(service.url, other)).status).toBe(200);
      for (const payload of [{ ...more, shop_domain: other }, { ...more, shop_domain: null }, more]) {
        const answer = await deliver(service.url, "/webhooks/compliance", { topic, shop, payload });
        expect(answer.status).toBe(400);
      }
      expect(await work()).toEqual([]);
      expect(
        await service.database.rows(
          "SELECT 1 FROM privacy_request r JOIN shop s ON s.id = r.shop_id WHERE s.domain IN ($1, $2)",
          [shop, other],
        ),
      ).toEqual([]);
      const payload = { ...more, shop_domain: shop.toUpperCase() };
      expect((await deliver(service.url, "/webhooks/compliance", { topic, shop, payload })).status).toBe(200);
    },
  );

  test("that is not UTF-8 was not signed by Shopify: 401", async () => {
    const body = Buffer.from([0x7b, 0x22, 0x69, 0x64, 0x22, 0x3a, 0x35, 0x2c, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
    const signed = createHmac("sha256", API_SECRET).update(body).digest("base64");
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

  test("may have 64 KiB", async () => {
    const answer = await update({ body: JSON.stringify({ id: 5, title: "" }).padEnd(64 * 1024) });
    expect(answer.status).toBe(200);
    expect((await work()).map(({ data }) => data.length)).toEqual([expect.toSatisfy((size: number) => size < 200)]);
  });

  test("of more than 64 KiB is refused with 413, also when its length is not announced", async () => {
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

test("a delivery that can't be written down is not acknowledged", async () => {
  const other = await startService({ env: shopify.env });
  try {
    expect((await openApp(other.url, shop)).status).toBe(200);
    await until("the tasks", async () => (await other.database.rows("SELECT 1 FROM catalog_sync")).length > 0);
    await other.database.rows("ALTER TABLE pgboss.queue RENAME TO away");
    const news = { topic: "products/delete", shop, payload: { id: 5 } };
    expect((await deliver(other.url, "/webhooks/products/delete", news)).status).toBeGreaterThanOrEqual(500);
  } finally {
    await other.dispose();
  }
});

test("a process that only answers requests takes deliveries in, and another one deals with them", async () => {
  const web = await startService({ database: service.database, env: { ...shopify.env, WISHLIST_ROLE: "web" } });
  try {
    const payload = { previous: [], current: ["read_products", "read_orders"] };
    const news = { topic: "app/scopes_update", shop, payload };
    expect((await deliver(web.url, "/webhooks/app/scopes_update", news)).status).toBe(200);
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

test("what has piled up is worked off at once, not one delivery at a time", async () => {
  const web = await startService({ env: { ...shopify.env, WISHLIST_ROLE: "web" } });
  const { database } = web;
  let worker: Service | undefined;
  try {
    expect((await openApp(web.url, shop)).status).toBe(200);
    // More than somebody who looks every two seconds gets done while the test waits.
    for (let id = 1; id <= 100; id++) {
      const news = { topic: "products/delete", shop, payload: { id } };
      expect((await deliver(web.url, "/webhooks/products/delete", news)).status).toBe(200);
    }
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
