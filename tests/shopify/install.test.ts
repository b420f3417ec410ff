import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { MERCHANT_BROWSER, type Devstore } from "../../packages/devstore/devstore.ts";
import type { Store } from "../../packages/devstore/store/store.ts";
import { client } from "../support/app/client.ts";
import { startConnected, type Connected } from "../support/shopify/connected-shop.ts";
import { dump } from "../support/database/dump.ts";
import { startService, type Service } from "../support/app/service.ts";
import { issueToken } from "../support/app/shop.ts";
import { bodies } from "../support/shopify/shopify.ts";
import { until } from "../support/until.ts";
import { lockWaiters } from "../support/database/locks.ts";

let connected: Connected;
let shopify: Devstore;
let service: Service;
let shop: string;
let store: Store;

beforeAll(async () => {
  connected = await startConnected();
  ({ shopify, service } = connected);
});
afterAll(() => connected.close());
beforeEach(() => {
  shop = `store-${randomBytes(4).toString("hex")}.myshopify.com`;
  store = shopify.store(shop);
});

interface ShopRow {
  id: number;
  plan: string;
  time_zone: string;
  catalog: string;
  uninstalled: boolean;
}

async function shopRow(): Promise<ShopRow | undefined> {
  const [row] = await service.database.rows<ShopRow>(
    "SELECT id, plan, time_zone, catalog, uninstalled_at IS NOT NULL AS uninstalled FROM shop WHERE domain = $1",
    [shop],
  );
  return row;
}

async function installed(): Promise<ShopRow> {
  expect((await shopify.openApp({ app: service.url, shop })).status).toBe(200);
  return until("the catalogue", async () => {
    const row = await shopRow();
    return row?.catalog === "ready" && row.time_zone !== "UTC" && row;
  });
}

describe("opening the app", () => {
  test("creates the shop, reads time zone and plan, and starts the product sync", async () => {
    store.subscriptions.replaceAll({ name: "Starter", status: "ACTIVE" });
    store.catalog.put(
      { id: 11, handle: "lamp", title: "Lamp", variants: [{ id: 110 }, { id: 111 }] },
      { id: 12, handle: "vase", title: "Vase", variants: [{ id: 120 }] },
    );
    const page = await shopify.openApp({ app: service.url, shop });
    expect(page.status).toBe(200);
    expect(await page.text()).toContain(shop);
    expect(page.headers.get("content-security-policy")).toContain(`frame-ancestors https://${shop}`);

    const row = await until("the sync", async () => {
      const found = await shopRow();
      return found?.catalog === "ready" && found.plan !== "free" && found;
    });
    expect(row).toMatchObject({ plan: "starter", time_zone: "Europe/Berlin", uninstalled: false });
    const products = await service.database.rows(
      "SELECT product_id, handle, default_variant_id FROM product WHERE shop_id = $1 ORDER BY product_id",
      [row.id],
    );
    expect(products).toEqual([
      { product_id: "11", handle: "lamp", default_variant_id: "110" },
      { product_id: "12", handle: "vase", default_variant_id: "120" },
    ]);
  });

  test("stores Shopify's tokens sealed and logs none", async () => {
    await installed();
    const [session] = await service.database.rows<{ access_token: string; refresh_token: string }>(
      "SELECT access_token, refresh_token FROM session WHERE shop = $1",
      [shop],
    );
    expect(session?.access_token).toMatch(/^k1\./);
    expect(session?.refresh_token).toMatch(/^k1\./);
    const kept = (await dump(service.database)) + JSON.stringify(service.log());
    expect(kept).toContain(shop);
    expect(store.tokens.issued.length).toBeGreaterThan(1);
    for (const token of [...store.tokens.issued, shopify.env.SHOPIFY_API_SECRET]) expect(kept).not.toContain(token);
  });

  test("repeatedly keeps one shop and syncs the catalog once a day", async () => {
    const first = await installed();
    const pages = await Promise.all(Array.from({ length: 5 }, () => shopify.openApp({ app: service.url, shop })));
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    // The token has expired.
    await service.database.rows("UPDATE session SET expires = now() - interval '1 minute' WHERE shop = $1", [shop]);
    const requestsBefore = store.adminApiRequests.length;
    expect((await shopify.openApp({ app: service.url, shop })).status).toBe(200);
    await until("the settings to be read again", () =>
      store.adminApiRequests.slice(requestsBefore).some(({ operation }) => operation === "ShopSettings"),
    );
    expect(await shopRow()).toMatchObject({ id: first.id });
    expect(store.adminApiRequests.slice(requestsBefore).filter(({ operation }) => operation === "CatalogPage")).toEqual(
      [],
    );
  });

  test.each([
    ["a forged signature", () => `${shopify.sessionToken("a.myshopify.com").slice(0, -3)}abc`],
    ["another app's token", () => shopify.sessionToken("a.myshopify.com", { aud: "other" })],
    ["an expired token", () => shopify.sessionToken("a.myshopify.com", { exp: 1 })],
  ])("gets 401 with %s", async (_, token) => {
    const response = await fetch(`${service.url}/app?shop=a.myshopify.com`, {
      headers: { authorization: `Bearer ${token()}`, "user-agent": MERCHANT_BROWSER },
      redirect: "manual",
    });
    expect(response.status).toBe(401);
    expect(await service.database.rows("SELECT 1 FROM shop WHERE domain = 'a.myshopify.com'")).toEqual([]);
  });
});

test("outside a store's admin explains where to go", async () => {
  const away = await fetch(`${service.url}/app`, { headers: { "user-agent": MERCHANT_BROWSER }, redirect: "manual" });
  expect(away.status).toBe(302);
  expect(away.headers.get("location")).toBe("/auth/login");
  const page = await fetch(`${service.url}/auth/login`);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain("Open the app from your store");
  const bounce = await fetch(`${service.url}/auth/session-token?shop=${shop}`, {
    headers: { "user-agent": MERCHANT_BROWSER },
  });
  expect(await bounce.text()).toContain("app-bridge.js");
});

describe("uninstalling the app", () => {
  test("disables keys and deletes the session, and a new installation restores the data", async () => {
    const call = client(service.url);
    const { id } = await installed();
    const token = await issueToken(call, id, ["read_wishlists", "write_wishlists"]);
    const item = { product_id: "1", variant_id: "2" };
    expect((await call("POST", "/v1/wishlists/c1/items", { token, json: item })).status).toBe(200);

    await shopify.uninstall(service.url, shop);
    await until("the key to stop", async () => (await call("GET", "/v1/wishlists/c1", { token })).status === 401);
    expect(await shopRow()).toMatchObject({ uninstalled: true });
    expect(await service.database.rows("SELECT 1 FROM session WHERE shop = $1", [shop])).toEqual([]);

    shopify.install(shop);
    expect((await shopify.openApp({ app: service.url, shop })).status).toBe(200);
    const page = await until("the key to work", async () => {
      const response = await call("GET", "/v1/wishlists/c1", { token });
      return response.status === 200 && response;
    });
    expect(page.data<{ total: number }>().total).toBe(1);
    expect(await shopRow()).toMatchObject({ id, uninstalled: false });
  });

  test("leaves keys and session while the store shows no uninstall", async () => {
    const { id } = await installed();
    store.tokens.endRefreshTokens();
    await service.database.rows("UPDATE session SET expires = now() WHERE shop = $1", [shop]);
    await shopify.deliverWebhook(service.url, "/webhooks/app/uninstalled", {
      topic: "app/uninstalled",
      shop,
      payload: bodies.uninstalled(shop),
    });
    await until("the task to be retried", async () => {
      const rows = await service.database.rows(
        "SELECT 1 FROM pgboss.job WHERE name = 'store-event' AND (data->>'shopId')::int = $1 AND state = 'retry'",
        [id],
      );
      return rows.length > 0;
    });
    expect(await shopRow()).toMatchObject({ uninstalled: false });
    expect(await service.database.rows("SELECT 1 FROM session WHERE shop = $1", [shop])).toHaveLength(1);
    // The test below waits until no task is open.
    await service.database.rows("DELETE FROM pgboss.job WHERE (data->>'shopId')::int = $1", [id]);
  });

  test("has no effect when its webhook arrives after a new installation", async () => {
    const before = new Date();
    await installed();
    // The shop has a new token by then, which the store accepts.
    await shopify.deliverWebhook(service.url, "/webhooks/app/uninstalled", {
      topic: "app/uninstalled",
      shop,
      payload: bodies.uninstalled(shop),
      triggeredAt: before,
    });
    store.installation.scopes = ["read_products"];
    await shopify.deliverWebhook(service.url, "/webhooks/app/scopes_update", {
      topic: "app/scopes_update",
      shop,
      payload: bodies.scopes(shop),
    });
    // Deliveries are processed in order: the second is done, so the first is.
    await until("the scopes", async () => {
      const rows = await service.database.rows("SELECT 1 FROM session WHERE shop = $1 AND scope = 'read_products'", [
        shop,
      ]);
      return rows.length > 0;
    });
    expect(await shopRow()).toMatchObject({ uninstalled: false });
  });
});

test("concurrent first visits create one shop", async () => {
  const pages = await Promise.all(Array.from({ length: 6 }, () => shopify.openApp({ app: service.url, shop })));
  expect(pages.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
  expect(await service.database.rows("SELECT count(*)::int AS n FROM shop WHERE domain = $1", [shop])).toEqual([
    { n: 1 },
  ]);
});

test("a reinstallation during an uninstall keeps the shop and its session", async () => {
  const { id } = await installed();
  const holder = await service.database.pool.connect();
  try {
    await holder.query("BEGIN");
    await holder.query("SELECT 1 FROM shop WHERE id = $1 FOR UPDATE", [id]);
    await shopify.uninstall(service.url, shop);
    await lockWaiters(service.database, 1);
    await service.database.rows("UPDATE session SET expires = now() WHERE shop = $1", [shop]);
    shopify.install(shop);
    const page = shopify.openApp({ app: service.url, shop });
    await lockWaiters(service.database, 2);
    await holder.query("COMMIT");
    expect((await page).status).toBe(200);
  } finally {
    holder.release(true);
  }
  expect(await shopRow()).toMatchObject({ id, uninstalled: false });
  expect(await service.database.rows("SELECT 1 FROM session WHERE shop = $1", [shop])).toHaveLength(1);
});

test("a reinstallation just before an uninstall keeps the shop", async () => {
  const { id } = await installed();
  const holder = await service.database.pool.connect();
  try {
    const { rows } = await holder.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    await holder.query("BEGIN");
    await holder.query("SELECT 1 FROM shop WHERE id = $1 FOR UPDATE", [id]);
    await shopify.uninstall(service.url, shop);
    await until("the uninstall to wait", async () => {
      const waiting = await service.database.rows(
        "SELECT 1 FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))",
        [rows[0]?.pid],
      );
      return waiting.length > 0;
    });
    await holder.query("UPDATE shop SET authorized_at = $2 WHERE id = $1", [id, new Date(Date.now() + 1_000)]);
    await holder.query("COMMIT");
  } finally {
    holder.release(true);
  }
  await until("the uninstall to be dealt with", async () => {
    const open = await service.database.rows(
      "SELECT 1 FROM pgboss.job WHERE name = 'store-event' AND state < 'completed'",
    );
    return open.length === 0;
  });
  expect(await shopRow()).toMatchObject({ id, uninstalled: false });
  expect(await service.database.rows("SELECT 1 FROM session WHERE shop = $1", [shop])).toHaveLength(1);
});

describe("a changed subscription", () => {
  test("sets the plan that Shopify reports now, whatever the webhook says", async () => {
    await installed();
    // Cancelled charges and charges of other apps do not count.
    store.subscriptions.replaceAll(
      { name: "Growth", status: "CANCELLED" },
      { name: "Starter", status: "ACTIVE" },
      { name: "Growth", status: "FROZEN" },
      { name: "Another app's", status: "ACTIVE" },
    );
    const news = { topic: "app_subscriptions/update", shop, payload: bodies.subscription(shop) };
    expect((await shopify.deliverWebhook(service.url, "/webhooks/app_subscriptions/update", news)).status).toBe(200);
    await until("a plan", async () => (await shopRow())?.plan !== "free");
    expect(await shopRow()).toMatchObject({ plan: "starter" });
    store.subscriptions.replaceAll({ name: "Starter", status: "ACTIVE" }, { name: "Growth", status: "ACTIVE" });
    expect((await shopify.deliverWebhook(service.url, "/webhooks/app_subscriptions/update", news)).status).toBe(200);
    await until("the better plan", async () => (await shopRow())?.plan === "growth");
    store.subscriptions.replaceAll();
    expect((await shopify.deliverWebhook(service.url, "/webhooks/app_subscriptions/update", news)).status).toBe(200);
    await until("the plan", async () => (await shopRow())?.plan === "free");
  });
});

test("a shop's time zone is Shopify's until the merchant chooses one", async () => {
  const { id } = await installed();
  const news = { topic: "app_subscriptions/update", shop, payload: bodies.subscription(shop) };
  /** Waits for the new plan: plan and time zone are read in one request. */
  const change = async (timeZone: string, plan: string): Promise<void> => {
    store.shop.timeZone = timeZone;
    store.subscriptions.replaceAll({ name: plan, status: "ACTIVE" });
    expect((await shopify.deliverWebhook(service.url, "/webhooks/app_subscriptions/update", news)).status).toBe(200);
    await until("the plan", async () => (await shopRow())?.plan === plan.toLowerCase());
  };
  await change("America/New_York", "Starter");
  expect(await shopRow()).toMatchObject({ time_zone: "America/New_York" });
  await service.database.rows("UPDATE shop SET time_zone = 'Asia/Tokyo', time_zone_chosen = true WHERE id = $1", [id]);
  await change("Europe/Paris", "Growth");
  expect(await shopRow()).toMatchObject({ time_zone: "Asia/Tokyo" });
});

test("a shop's currency and money format are Shopify's", async () => {
  await installed();
  const currency = async (): Promise<unknown> =>
    (await service.database.rows("SELECT currency, money_format FROM shop WHERE domain = $1", [shop]))[0];
  for (const [code, format] of [
    ["EUR", "€{{amount_with_comma_separator}}"],
    ["JPY", "¥{{amount_no_decimals}}"],
  ] as const) {
    store.shop.currency = code;
    await shopify.deliverWebhook(service.url, "/webhooks/app_subscriptions/update", {
      topic: "app_subscriptions/update",
      shop,
      payload: bodies.subscription(shop),
    });
    await expect.poll(currency).toEqual({ currency: code, money_format: format });
  }
});

describe("a service without Shopify's settings", () => {
  test("responds with an error on Shopify's routes and serves the API", async () => {
    const alone = await startService();
    try {
      expect((await shopify.openApp({ app: alone.url, shop })).status).toBe(503);
      const news = { topic: "app/uninstalled", shop, payload: {} };
      expect((await shopify.deliverWebhook(alone.url, "/webhooks/app/uninstalled", news)).status).toBe(503);
      expect((await fetch(`${alone.url}/v1/openapi.json`)).status).toBe(200);
      expect((await fetch(`${alone.url}/`)).status).toBe(200);
    } finally {
      await alone.dispose();
    }
  });
});
