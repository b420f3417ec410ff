import { describe, expect } from "vitest";
import { alertTotals, listAlerts, priceDropDemand } from "../../app/alerts/index.server.ts";
import { processOutbox } from "../../app/activity/index.server.ts";
import { readReceivedAlertKinds } from "../../app/webhooks/index.server.ts";
import { storeVariant, turnOn } from "../support/app/alerts.ts";
import { test as base } from "../support/app/fixtures.ts";
import { makeShop } from "../support/app/shop.ts";
import type { TestDatabase } from "../support/database/database.ts";

const test = base.extend("seller", async ({ app, call }) => {
  const shop = await makeShop(app, call, { plan: "growth" });
  await app.database.rows("UPDATE shop SET currency = 'EUR', catalog = 'ready' WHERE id = $1", [shop.id]);
  return shop;
});

/** Stores alerts of one kind, of which the first is the oldest. */
async function addAlerts(
  database: TestDatabase,
  shopId: number,
  count: number,
  { kind = "price_dropped", status = "sent", at = new Date() } = {},
): Promise<void> {
  await database.rows(
    `INSERT INTO alert (shop_id, id, occurrence_id, kind, customer_id, wishlist_id, product_id, variant_id, saved_at, price, status, created_at,
                        due_at, opened_at, bought_at)
     SELECT $1::bigint, CASE WHEN $5::timestamptz < now() - interval '1 day' THEN uuid_v7_min($5) ELSE uuid_v7() END, n, $2::text, $2::text || $3::text || n || $5::text, 1, '1', '11', $5, 90, $3, $5, $5,
            CASE WHEN n % 2 = 0 THEN now() END, CASE WHEN n % 4 = 0 THEN now() END
       FROM generate_series(1, $4::integer) AS n`,
    [shopId, kind, status, count, at],
  );
}

describe("the alert log", () => {
  test("pages through all alerts, newest first, and back", async ({ app, seller: shop }) => {
    await addAlerts(app.database, shop.id, 60);
    const first = await listAlerts(shop.id, {});
    expect(first).toMatchObject({ hasNewer: false, hasOlder: true });
    expect(first.alerts).toHaveLength(50);
    const second = await listAlerts(shop.id, { before: first.alerts.at(-1)?.id });
    expect(second).toMatchObject({ hasNewer: true, hasOlder: false });
    const ids = [...first.alerts, ...second.alerts].map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted().toReversed());
    expect(new Set(ids).size).toBe(60);
    expect((await listAlerts(shop.id, { after: second.alerts[0]?.id })).alerts).toEqual(first.alerts);
  });

  test("filters by kind and outcome, and shows no other shop's alerts", async ({ app, call, seller: shop }) => {
    await addAlerts(app.database, shop.id, 2);
    await addAlerts(app.database, shop.id, 3, { kind: "low_stock", status: "pending" });
    const found = async (filter: Parameters<typeof listAlerts>[1]) => (await listAlerts(shop.id, filter)).alerts.length;
    expect(await found({})).toBe(5);
    expect(await found({ kind: "low_stock" })).toBe(3);
    expect(await found({ status: "sent" })).toBe(2);
    expect(await found({ kind: "low_stock", status: "sent" })).toBe(0);
    const other = await makeShop(app, call);
    expect((await listAlerts(other.id, {})).alerts).toEqual([]);
  });
});

describe("totals of alerts", () => {
  test("count the sent alerts of the last 30 days by kind", async ({ app, seller: shop }) => {
    await addAlerts(app.database, shop.id, 8);
    await addAlerts(app.database, shop.id, 3, { kind: "low_stock", status: "suppressed" });
    await addAlerts(app.database, shop.id, 1, { kind: "low_stock", at: new Date(Date.now() - 31 * 86_400_000) });
    const { price_dropped, low_stock } = await alertTotals(shop.id);
    expect(price_dropped).toEqual({ sent: 8, opened: 4, returned: 0, carted: 0, bought: 2, more: false });
    expect(low_stock.sent).toBe(0);
  });

  test("count the newest alerts up to the limit and report that there are more", async ({ app, seller: shop }) => {
    await addAlerts(app.database, shop.id, 8);
    expect((await alertTotals(shop.id, 4)).price_dropped).toMatchObject({ sent: 4, opened: 2, more: true });
  });
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
        reach: {
          5: { customers: 0, consented: 0 },
          10: { customers: 2, consented: 1 },
          20: { customers: 3, consented: 1 },
          30: { customers: 3, consented: 1 },
        },
      },
    ]);
    expect((await priceDropDemand(shop.id, "1", 2)).variants).toMatchObject([
      { more: true, reach: { 30: { customers: 2 } } },
    ]);
    // No alert is sent about a variant that can't be bought.
    await storeVariant(shop.id, { price: "100.00", available: false });
    expect((await priceDropDemand(shop.id, "1")).variants).toEqual([]);
  });
});

test("only active webhooks of the shop count as receivers of alerts", async ({ app, call, seller: shop }) => {
  expect(await readReceivedAlertKinds(shop.id)).toEqual([]);
  const json = { url: "https://hooks.example.com/alerts", events: ["wishlist.alert.low_stock", "wishlist.shared"] };
  (await call("POST", "/v1/webhooks", { token: shop.token, json })).data();
  expect(await readReceivedAlertKinds(shop.id)).toEqual(["low_stock"]);
  await app.database.rows(
    "UPDATE webhook_endpoint SET disabled_at = now(), disabled_reason = 'paused' WHERE shop_id = $1",
    [shop.id],
  );
  expect(await readReceivedAlertKinds(shop.id)).toEqual([]);
});
