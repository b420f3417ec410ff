import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { TOPIC_SUBSCRIPTIONS } from "../../app/installation/index.server.ts";
import type { Store } from "../../packages/devstore/store/store.ts";
import { connectShop, type ConnectedShop } from "../support/app/merchant.ts";
import { startConnected, type Connected } from "../support/shopify/connected-shop.ts";
import { bodies } from "../support/shopify/shopify.ts";
import { until } from "../support/until.ts";
import { MATRIX } from "../support/matrix.ts";

let connected: Connected;
let shop: ConnectedShop;
let store: Store;
beforeAll(async () => {
  connected = await startConnected();
});
afterAll(() => connected.close());
beforeEach(async () => {
  shop = await connectShop(connected.service, connected.shopify);
  ({ store } = shop);
});

const ORDER_TOPICS = ["orders/cancelled", "orders/create", "orders/edited", "refunds/create"];
const APP_URL = "https://app.example.com";

const subscribed = () => store.webhookSubscriptions.map(({ topic }) => topic).sort();

async function untilSubscribed(topics: readonly string[]): Promise<void> {
  await until("the subscriptions", async () => subscribed().join() === topics.join());
}

/** Returns what the shop's row says about reports of orders. */
async function ordersAreReported(): Promise<boolean> {
  const [row] = await connected.service.database.rows<{ since: Date | null }>(
    "SELECT orders_reported_since AS since FROM shop WHERE id = $1",
    [shop.id],
  );
  return (row?.since ?? null) !== null;
}

/** Changes the granted scopes, as the merchant's decision in App Bridge does, and sends the webhook. */
async function grant(...scopes: string[]): Promise<void> {
  store.installation.scopes = ["read_products", "write_app_proxy", ...scopes];
  await connected.shopify.deliverWebhook(connected.service.url, "/webhooks/app/scopes_update", {
    topic: "app/scopes_update",
    shop: shop.domain,
    payload: bodies.scopes(shop.domain, store.installation.scopes),
  });
}

/** Makes the job of each night due. */
async function nightly(): Promise<void> {
  await connected.service.database.rows(
    `INSERT INTO shop_maintenance (shop_id, job, due_at) VALUES ($1, 'store-access', now())
         ON CONFLICT (shop_id, job) DO UPDATE SET due_at = EXCLUDED.due_at`,
    [shop.id],
  );
}

describe("a store's subscriptions to topics of optional scopes", () => {
  test("are made when it grants a scope and end when it revokes the scope", async () => {
    expect(subscribed()).toEqual([]);
    await grant("read_orders");
    await untilSubscribed(ORDER_TOPICS);
    await grant("read_orders", "read_inventory");
    await untilSubscribed(["inventory_levels/update", ...ORDER_TOPICS]);
    await until("the note that orders are reported", ordersAreReported);
    const made = store.webhookSubscriptions.map(({ uri, includeFields }) => ({ uri, includeFields }));
    const wanted = TOPIC_SUBSCRIPTIONS.map(({ path, includeFields }) => ({ uri: APP_URL + path, includeFields }));
    expect(made).toEqual(expect.arrayContaining(wanted));
    await grant("read_inventory");
    await untilSubscribed(["inventory_levels/update"]);
    await until("the note that orders are not reported", async () => !(await ordersAreReported()));
  });

  test("are repaired each night: what is missing, or has another address or other fields", async () => {
    await grant("read_orders");
    await untilSubscribed(ORDER_TOPICS);
    const [missing, moved, reduced] = [...store.webhookSubscriptions];
    store.webhookSubscriptions.splice(
      store.webhookSubscriptions.findIndex((one) => one === missing),
      1,
    );
    if (moved) moved.uri = "https://old.example.com/webhooks/orders/create";
    if (reduced) reduced.includeFields = ["id"];
    await nightly();
    await until("the repair", async () => {
      const uris = store.webhookSubscriptions.map(({ uri }) => uri);
      return subscribed().join() === ORDER_TOPICS.join() && uris.every((uri) => uri.startsWith(APP_URL));
    });
    const wanted = TOPIC_SUBSCRIPTIONS.filter(({ scope }) => scope === "read_orders").map(
      ({ includeFields }) => includeFields,
    );
    await until("the fields", async () => {
      const found = store.webhookSubscriptions.map(({ includeFields }) => includeFields?.join());
      return wanted.every((fields) => found.includes(fields.join()));
    });
  });

  test(
    "need approval for protected customer data: a refusal is logged, and made good when Shopify approves",
    MATRIX,
    async () => {
      store.protectedCustomerData = false;
      await grant("read_orders", "read_inventory");
      await untilSubscribed(["inventory_levels/update"]);
      await until("the refusals", async () => {
        const refused = connected.service.log().filter(({ shop: domain, topic }) => domain === shop.domain && topic);
        return refused.length >= ORDER_TOPICS.length;
      });
      // The admin does not say that orders are counted.
      expect(await ordersAreReported()).toBe(false);
      store.protectedCustomerData = true;
      await nightly();
      await untilSubscribed(["inventory_levels/update", ...ORDER_TOPICS]);
      await until("the note that orders are reported", ordersAreReported);
    },
  );
});
