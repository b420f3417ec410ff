import { describe, expect } from "vitest";
import { processOutbox } from "../../app/activity/index.server.ts";
import { processAll, storeVariant, turnOn } from "../support/app/alerts.ts";
import { test as base } from "../support/app/fixtures.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import { SHOPIFY_ENV, visitor, type ProxyCall } from "../support/app/storefront.ts";
import type { TestDatabase } from "../support/database/database.ts";

interface Sent {
  shop: TestShop;
  alertId: string;
  customer: ProxyCall;
  guest: ProxyCall;
  database: TestDatabase;
  /** what has become of the alert */
  outcomes: () => Promise<{ opened: boolean; returned: boolean; carted: boolean }>;
}

// Without a worker alerts are not delivered.
const ENV = { ...SHOPIFY_ENV, WISHLIST_ROLE: "web" };

const test = base.override("appOptions", { env: ENV }).extend("sent", async ({ app, call }): Promise<Sent> => {
  const { database } = app;
  const shop = await makeShop(app, call, { plan: "growth" });
  await database.rows("UPDATE shop SET currency = 'EUR', catalog = 'ready' WHERE id = $1", [shop.id]);
  await storeVariant(shop.id);
  await turnOn(shop.id, ["price_dropped"], { mode: "merchant_managed" });
  const json = { url: "https://hooks.example.com/alerts", events: ["wishlist.alert.price_dropped"] };
  await call("POST", "/v1/webhooks", { token: shop.token, json });
  const path = "/v1/wishlists/77/items";
  await call("POST", path, { token: shop.token, json: { product_id: "1" } });
  await processOutbox(shop.id);
  await storeVariant(shop.id, { productId: "2" });
  await storeVariant(shop.id, { price: "80.00" });
  await processAll(shop.id);
  const [row] = await database.rows<{ id: string }>("SELECT id FROM alert WHERE shop_id = $1 AND status = 'sent'", [
    shop.id,
  ]);
  const visit = (customer?: string) =>
    visitor(app, { shop: shop.domain, ...(customer === undefined ? {} : { customer }) });
  return {
    shop,
    alertId: row?.id ?? "",
    customer: visit("77"),
    guest: visit(),
    database,
    async outcomes() {
      await processOutbox(shop.id);
      const [outcome] = await database.rows<{ opened: boolean; returned: boolean; carted: boolean }>(
        `SELECT opened_at IS NOT NULL AS opened, returned_at IS NOT NULL AS returned, carted_at IS NOT NULL AS carted
             FROM alert WHERE shop_id = $1`,
        [shop.id],
      );
      return outcome ?? { opened: false, returned: false, carted: false };
    },
  };
});

describe("the link of an alert", () => {
  test("leads to the variant in the language of the page, also with a campaign's parameters", async ({ sent }) => {
    const response = await sent.guest("GET", `/alerts/${sent.alertId}`, { query: [["utm_source", "email"]] });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/liquid; charset=utf-8");
    expect(response.text).toContain('content="0; url={{ wl_root }}/products/product-1?variant=11"');
    expect(await sent.outcomes()).toEqual({ opened: true, returned: true, carted: false });
  });

  test.for(["unknown", "0192f3a8-0000-7000-8000-000000000000", "%7B%7B%20shop%20%7D%7D"])(
    "leads to the wishlist when the alert is %s",
    async (alertId, { sent }) => {
      const response = await sent.guest("GET", `/alerts/${alertId}`);
      expect(response.status).toBe(200);
      expect(response.text).toContain('content="0; url=/apps/wishlist"');
      expect(await sent.outcomes()).toMatchObject({ opened: false });
    },
  );

  test("of another shop leads to the wishlist and records nothing", async ({ sent, app, call }) => {
    const other = await makeShop(app, call);
    const response = await visitor(app, { shop: other.domain })("GET", `/alerts/${sent.alertId}`);
    expect(response.text).toContain('content="0; url=/apps/wishlist"');
    expect(await sent.outcomes()).toMatchObject({ opened: false });
  });
});

describe("an alert notes", () => {
  test("that the customer was in the store again", async ({ sent }) => {
    (await sent.customer("POST", "/api/add", { json: { productId: "2", variantId: "21" } })).data();
    expect(await sent.outcomes()).toEqual({ opened: false, returned: true, carted: false });
  });

  test("that the variant went into the cart", async ({ sent }) => {
    const items = [{ product_id: "1", variant_id: "11" }];
    (await sent.customer("POST", "/api/recordCart", { json: { event_id: "event-1", items } })).data();
    expect(await sent.outcomes()).toEqual({ opened: false, returned: true, carted: true });
  });

  test("nothing of what happens long after it", async ({ sent }) => {
    await sent.database.rows("UPDATE alert SET sent_at = now() - interval '31 days' WHERE shop_id = $1", [
      sent.shop.id,
    ]);
    const items = [{ product_id: "1", variant_id: "11" }];
    (await sent.customer("POST", "/api/recordCart", { json: { event_id: "event-1", items } })).data();
    expect(await sent.outcomes()).toEqual({ opened: false, returned: false, carted: false });
  });
});
