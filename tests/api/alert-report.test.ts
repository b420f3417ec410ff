import { describe, expect } from "vitest";
import { priceDropDemand } from "../../app/alerts/index.server.ts";
import { processOutbox } from "../../app/activity/index.server.ts";
import { readReceivedAlertKinds } from "../../app/webhooks/index.server.ts";
import { storeVariant, turnOn } from "../support/app/alerts.ts";
import { test as base } from "../support/app/fixtures.ts";
import { makeShop } from "../support/app/shop.ts";

const test = base.extend("seller", async ({ app, call }) => {
  const shop = await makeShop(app, call, { plan: "growth" });
  await app.database.rows("UPDATE shop SET currency = 'EUR', catalog = 'ready' WHERE id = $1", [shop.id]);
  return shop;
});

describe("demand at a lower price", () => {
  test("counts customers by their reference price, and those who asked, of variants in stock", async ({
    app,
    call,
    seller: shop,
  }) => {
    const { database } = app;
    await storeVariant(shop.id, { price: "100.00" });
    await turnOn(shop.id, ["price_dropped"], { priceDropPercent: 10 });
    for (const customerId of ["c1", "c2", "c3"]) {
      const path = `/v1/wishlists/${customerId}/items`;
      (await call("POST", path, { token: shop.token, json: { product_id: "1" } })).data();
    }
    // For c2 the price must fall below 81.00.
    await database.rows(
      `UPDATE wishlist_item i SET saved_price = 90 FROM wishlist w
        WHERE i.shop_id = $1 AND w.shop_id = $1 AND w.id = i.wishlist_id AND w.owner_id = 'c2'`,
      [shop.id],
    );
    await database.rows(
      `SELECT alert_consent_record(p_shop_id => $1, p_customer_id => 'c1', p_kinds => ARRAY['price_dropped'], p_given => true, p_at => now(), p_source => 'api')`,
      [shop.id],
    );
    await processOutbox(shop.id);
    const { variants, ...settings } = await priceDropDemand(shop.id, "1");
    expect(settings).toEqual({ needsConsent: true, isOn: true });
    expect(variants).toMatchObject([
      {
        variantId: "11",
        price: "100.00",
        more: false,
      },
    ]);
    expect(variants[0]?.points).toEqual([
      { percent: 5, price: "95.00", customers: 0, consented: 0 },
      { percent: 10, price: "90.00", customers: 2, consented: 1 },
      { percent: 15, price: "85.00", customers: 2, consented: 1 },
      { percent: 20, price: "80.00", customers: 3, consented: 1 },
      { percent: 25, price: "75.00", customers: 3, consented: 1 },
      { percent: 30, price: "70.00", customers: 3, consented: 1 },
      { percent: 40, price: "60.00", customers: 3, consented: 1 },
      { percent: 50, price: "50.00", customers: 3, consented: 1 },
    ]);
    const [some] = (await priceDropDemand(shop.id, "1", 2)).variants;
    expect(some?.more).toBe(true);
    expect(some?.points.at(-1)?.customers).toBe(2);
    // No alert is sent about a variant that can't be bought.
    await storeVariant(shop.id, { price: "100.00", available: false });
    expect((await priceDropDemand(shop.id, "1")).variants).toEqual([]);
  });

  test("counts who has asked for the variant by what was asked for", async ({ app, call, seller: shop }) => {
    await storeVariant(shop.id, { price: "100.00" });
    await turnOn(shop.id, ["price_dropped"], { priceDropPercent: 10 });
    const ask = (customerId: string, target: object) =>
      call("POST", `/v1/wishlists/${customerId}/alert-requests`, {
        token: shop.token,
        json: { kind: "price_dropped", product_id: "1", variant_id: "11", ...target },
      });
    (await ask("c1", { target_price: "60.00" })).data();
    (await ask("c2", {})).data();
    // Somebody without an account, and one who has not confirmed it.
    await app.database.rows(
      `INSERT INTO alert_request (shop_id, id, customer_id, kind, product_id, variant_id, target_price, created_at, confirmed_at)
       VALUES ($1, uuid_v7(), 'contact 1', 'price_dropped', '1', '11', 80, now(), now()),
              ($1, uuid_v7(), 'contact 2', 'price_dropped', '1', '11', 80, now(), NULL)`,
      [shop.id],
    );
    await processOutbox(shop.id);
    const [variant] = (await priceDropDemand(shop.id, "1")).variants;
    const counted = variant?.points.map(({ price, customers, consented }) => [price, customers, consented]);
    expect(counted).toEqual([
      ["95.00", 0, 0],
      ["90.00", 1, 1],
      ["85.00", 1, 1],
      ["80.00", 2, 2],
      ["75.00", 2, 2],
      ["70.00", 2, 2],
      ["60.00", 3, 3],
      ["50.00", 3, 3],
    ]);
    // Nobody has saved it, and somebody waits for it.
    for (const id of ["c1", "c2"]) (await call("DELETE", `/v1/wishlists/${id}/items/1`, { token: shop.token })).data();
    await processOutbox(shop.id);
    expect((await priceDropDemand(shop.id, "1")).variants).toHaveLength(1);
  });

  test.for<[currency: string, price: string, prices: string[]]>([
    // 5% and 10% less are 3 yen as well, 50% less is 2.
    ["JPY", "3", ["2"]],
    ["JPY", "1", []],
    ["KWD", "0.250", ["0.238", "0.225", "0.213", "0.200", "0.188", "0.175", "0.150", "0.125"]],
  ])("has each lower price in %s once, of %s", async ([currency, price, prices], { app, call, seller: shop }) => {
    await app.database.rows("UPDATE shop SET currency = $2 WHERE id = $1", [shop.id, currency]);
    await storeVariant(shop.id, { price });
    (await call("POST", "/v1/wishlists/c1/items", { token: shop.token, json: { product_id: "1" } })).data();
    await processOutbox(shop.id);
    const { variants } = await priceDropDemand(shop.id, "1");
    expect(variants.map(({ points }) => points.map((point) => point.price))).toEqual([prices]);
  });
});

test("only active webhooks of the shop count as receivers of alerts", async ({ app, call, seller: shop }) => {
  expect(await readReceivedAlertKinds(shop.id)).toEqual({ flow: [], email: [], klaviyo: [], webhooks: [] });
  const json = { url: "https://hooks.example.com/alerts", events: ["wishlist.alert.low_stock", "wishlist.shared"] };
  (await call("POST", "/v1/webhooks", { token: shop.token, json })).data();
  expect(await readReceivedAlertKinds(shop.id)).toEqual({ flow: [], email: [], klaviyo: [], webhooks: ["low_stock"] });
  await app.database.rows(
    "UPDATE webhook_endpoint SET disabled_at = now(), disabled_reason = 'paused' WHERE shop_id = $1",
    [shop.id],
  );
  expect(await readReceivedAlertKinds(shop.id)).toEqual({ flow: [], email: [], klaviyo: [], webhooks: [] });
});
