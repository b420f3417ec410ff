import { describe, expect } from "vitest";
import { z } from "zod";
import { storeDeleted, storeUnseen } from "../../app/catalog/cache.server.ts";
import { eraseCustomer } from "../../app/privacy/erasure.server.ts";
import { endAlertPause, openAlert, openReminders, withdrawByAlert } from "../../app/alerts/index.server.ts";
import { recordOrder, recordReport, unreadOrders } from "../../app/orders/records.server.ts";
import { shopsWithWork } from "../../app/alerts/pipeline.server.ts";
import { transaction } from "../../app/platform/database/transaction.server.ts";
import { onTimeZoneChanged, readSettings, saveSettings } from "../../app/settings/index.server.ts";
import { processAll, storeVariant, storeVariants, turnOn, type StoreVariant } from "../support/app/alerts.ts";
import type { Call } from "../support/app/client.ts";
import { test as base } from "../support/app/fixtures.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import type { TestDatabase } from "../support/database/database.ts";

const KINDS = ["price_dropped", "back_in_stock", "low_stock", "reminder_due"] as const;

/** A shop with all kinds of alerts on, and a product at 100.00. */
class Store {
  readonly shop: TestShop;
  readonly database: TestDatabase;
  readonly #call: Call;

  constructor(shop: TestShop, database: TestDatabase, call: Call) {
    this.shop = shop;
    this.database = database;
    this.#call = call;
  }

  get id(): number {
    return this.shop.id;
  }

  /** Saves product 1 for a customer who asks for all kinds. */
  async save(customerId: string, { listId = "default", consent = true, variantId = "11" } = {}): Promise<void> {
    const path = `/v1/wishlists/${customerId}/lists/${listId}/items`;
    const response = await this.#call("POST", path, {
      token: this.shop.token,
      json: { product_id: "1", variant_id: variantId },
    });
    expect(response.status).toBe(200);
    if (consent) for (const kind of KINDS) await this.consent(customerId, kind, true);
  }

  async createList(customerId: string, name: string): Promise<string> {
    const path = `/v1/wishlists/${customerId}/lists`;
    const response = await this.#call("POST", path, { token: this.shop.token, json: { name } });
    return response.data<{ listId: string }>().listId;
  }

  async remove(customerId: string): Promise<void> {
    await this.#call("DELETE", `/v1/wishlists/${customerId}/items/1`, { token: this.shop.token });
  }

  /** Lets the customer order product 1. */
  async buy(customerId: string, { units = 1 } = {}): Promise<void> {
    await recordReport(this.id, { orderId: `order-${customerId}`, customerId, isNew: true });
    const at = new Date().toISOString();
    const lines = [{ lineId: "1", productId: "1", variantId: "11", units, revenue: "80.00" }];
    const state = { updatedAt: at, orderedAt: at, currency: "EUR", counts: true, lines };
    for (const unread of await unreadOrders(this.id, 10)) await recordOrder(this.id, unread, state);
  }

  async consent(customerId: string, kind: string, given: boolean): Promise<void> {
    await this.database.rows(
      `SELECT alert_consent_record(p_shop_id => $1, p_customer_id => $2, p_kinds => ARRAY[$3], p_given => $4, p_at => now(), p_source => 'api')`,
      [this.id, customerId, kind, given],
    );
  }

  /** Subscribes a webhook to all alerts. */
  async subscribe(): Promise<void> {
    const json = { url: "https://hooks.example.com/alerts", events: KINDS.map((kind) => `wishlist.alert.${kind}`) };
    const response = await this.#call("POST", "/v1/webhooks", { token: this.shop.token, json });
    expect(response.status).toBe(201);
  }

  /** Lets the time pass that an occurrence waits. */
  async mature(): Promise<void> {
    await this.database.rows(
      "UPDATE alert_occurrence SET due_at = now() - interval '1 s' WHERE shop_id = $1 AND status = 'open'",
      [this.id],
    );
    await processAll(this.id);
  }

  /** Lets the cool-down of the alerts that were sent end. */
  async coolDown(): Promise<void> {
    const before = new Date(Date.now() - 2 * 24 * 3_600_000);
    await this.database.rows("UPDATE alert SET sent_at = $2 WHERE shop_id = $1 AND sent_at IS NOT NULL", [
      this.id,
      before,
    ]);
  }

  /** Returns the shop's alerts, oldest first, such as `c1 price_dropped sent`. */
  async alerts(): Promise<string[]> {
    const rows = await this.database.rows<{ shown: string }>(
      `SELECT concat_ws(' ', customer_id, kind, CASE status WHEN 'suppressed' THEN reason ELSE status END) AS shown
         FROM alert WHERE shop_id = $1 ORDER BY occurrence_id, customer_id`,
      [this.id],
    );
    return rows.map(({ shown }) => shown);
  }

  /** Returns the data of the alerts' events, oldest first. */
  async sent(): Promise<{ event: string; data: Record<string, unknown> }[]> {
    return this.database.rows(
      "SELECT event, data FROM webhook_event WHERE shop_id = $1 AND event LIKE 'wishlist.alert.%' ORDER BY id",
      [this.id],
    );
  }

  async price(price: string, variant: StoreVariant = {}): Promise<void> {
    await storeVariant(this.id, { ...variant, price });
    await processAll(this.id);
  }
}

// Without background work, which would find a shop that is due before the test does.
const appOptions = { env: { WISHLIST_ROLE: "web" } };

const test = base.override({ appOptions, shopOptions: { plan: "growth" } }).extend("store", async ({ app, call }) => {
  const shop = await makeShop(app, call, { plan: "growth" });
  await app.database.rows("UPDATE shop SET currency = 'EUR', catalog = 'ready' WHERE id = $1", [shop.id]);
  const store = new Store(shop, app.database, call);
  await storeVariant(shop.id, { inventory: 20 });
  await turnOn(shop.id, [...KINDS]);
  await store.subscribe();
  return store;
});

describe("a price drop", () => {
  test("alerts each customer who saved the variant and asked for it, once", async ({ store }) => {
    await store.save("c1");
    await store.save("c2", { listId: await store.createList("c2", "Birthday") });
    await store.save("c2");
    await store.save("c3", { consent: false });
    await store.price("90.00");
    expect(await store.alerts()).toEqual(["c1 price_dropped sent", "c2 price_dropped sent"]);
  });

  test("below the shop's threshold alerts nobody", async ({ store }) => {
    await store.save("c1");
    await store.price("95.01");
    expect(await store.alerts()).toEqual([]);
    await store.price("95.00");
    expect(await store.alerts()).toEqual(["c1 price_dropped sent"]);
  });

  test("is measured from the price at which the item was saved", async ({ store }) => {
    await store.save("c1");
    await store.price("200.00");
    await store.save("c2");
    await store.price("150.00");
    expect(await store.alerts()).toEqual(["c2 price_dropped sent"]);
  });

  test("to a price that an alert has told before alerts nobody", async ({ store }) => {
    await store.save("c1");
    await store.price("90.00");
    await store.coolDown();
    await store.price("100.00");
    await store.price("89.00");
    await store.price("85.00");
    expect(await store.alerts()).toEqual(["c1 price_dropped sent", "c1 price_dropped sent"]);
  });

  test("of a sold-out variant is withheld, and sent when the variant is back at the lower price", async ({ store }) => {
    await store.save("c1", { consent: false });
    await store.consent("c1", "price_dropped", true);
    await store.save("c2");
    await storeVariant(store.id, { available: false });
    await store.price("80.00", { available: false });
    expect(await store.alerts()).toEqual(["c1 price_dropped sold_out", "c2 price_dropped sold_out"]);
    await store.remove("c2");
    await store.save("c2");
    await store.price("80.00");
    await store.mature();
    expect(await store.alerts()).toEqual([
      "c1 price_dropped sold_out",
      "c2 price_dropped sold_out",
      // The other one saved the item anew, at the lower price.
      "c1 price_dropped sent",
      "c2 back_in_stock sent",
    ]);
    await store.coolDown();
    await storeVariant(store.id, { price: "80.00", available: false });
    await store.price("80.00");
    await store.mature();
    expect((await store.alerts()).slice(4)).toEqual(["c2 back_in_stock sent"]);
  });

  test("of a sold-out variant that is back at the old price alerts nobody of it", async ({ store }) => {
    await store.save("c1");
    await storeVariant(store.id, { available: false });
    await store.price("80.00", { available: false });
    await store.price("100.00");
    await store.mature();
    expect(await store.alerts()).toEqual(["c1 price_dropped sold_out", "c1 back_in_stock sent"]);
  });

  test("of a variant that sells on without inventory is sent", async ({ store }) => {
    await store.save("c1");
    await store.price("80.00", { inventory: -2, available: true });
    expect(await store.alerts()).toEqual(["c1 price_dropped sent"]);
  });

  test("to zero and back alerts nobody", async ({ store }) => {
    await store.save("c1");
    await store.price("0.00");
    await store.price("100.00");
    expect(await store.alerts()).toEqual([]);
  });

  test("of a variant that is saved by nobody makes no occurrence", async ({ store }) => {
    await store.price("50.00");
    expect(await store.database.rows("SELECT 1 FROM alert_occurrence WHERE shop_id = $1", [store.id])).toEqual([]);
    expect(
      await store.database.rows(
        "SELECT processed_at IS NULL AS open, old_price::text, price::text FROM variant_change WHERE shop_id = $1",
        [store.id],
      ),
    ).toEqual([{ open: false, old_price: "100.00", price: "50.00" }]);
  });

  test("that is stored twice, or after a later one, alerts once", async ({ store }) => {
    await store.save("c1");
    const [early, late] = [new Date(Date.now() + 1_000), new Date(Date.now() + 2_000)];
    await storeVariant(store.id, { price: "80.00" }, late);
    await storeVariant(store.id, { price: "80.00" }, late);
    await storeVariant(store.id, { price: "100.00" }, early);
    await processAll(store.id);
    expect(await store.alerts()).toEqual(["c1 price_dropped sent"]);
    expect(await store.database.rows("SELECT price::text FROM variant WHERE shop_id = $1", [store.id])).toEqual([
      { price: "80.00" },
    ]);
  });

  test("in an answer that is older than the stored one changes nothing", async ({ store }) => {
    await store.save("c1");
    const updatedAt = new Date(Date.now() + 10_000);
    await storeVariant(store.id, { price: "101.00", updatedAt });
    const syncStart = new Date();
    await storeVariant(store.id, { price: "50.00", updatedAt: new Date(updatedAt.getTime() - 1) });
    await processAll(store.id);
    expect(await store.alerts()).toEqual([]);
    // The product is in the store: a full sync that got the older answer does not delete it.
    await storeUnseen(store.id, syncStart);
    expect(
      await store.database.rows("SELECT deleted_at FROM product WHERE shop_id = $1 AND product_id = '1'", [store.id]),
    ).toEqual([{ deleted_at: null }]);
  });

  test("in another currency is none", async ({ store }) => {
    await store.save("c1");
    await store.database.rows("UPDATE shop SET currency = 'USD', currency_changed_at = now() WHERE id = $1", [
      store.id,
    ]);
    await store.price("60.00");
    expect(await store.alerts()).toEqual([]);
    // The sync that follows the change has read all prices in the new currency.
    await store.database.rows(
      "INSERT INTO catalog_sync (shop_id, started_at, finished_at) VALUES ($1, now() + interval '1 ms', now() - interval '1 s')",
      [store.id],
    );
    await store.price("50.00");
    expect(await store.alerts()).toEqual(["c1 price_dropped sent"]);
  });

  test("of a variant that moved to another product is none", async ({ store }) => {
    await store.save("c1");
    await storeVariant(store.id, { productId: "2", variantId: "11", price: "10.00" });
    await processAll(store.id);
    expect(await store.alerts()).toEqual([]);
  });

  test("of a product that was deleted and came back is none", async ({ store }) => {
    await store.save("c1");
    await storeDeleted(store.id, "1", new Date());
    await storeVariant(store.id, { price: "100.00", available: true });
    await processAll(store.id);
    await store.mature();
    expect(await store.alerts()).toEqual([]);
  });
});

describe("back in stock", () => {
  test("counts after five minutes in which the variant was available all the time", async ({ store }) => {
    await store.save("c1");
    await storeVariant(store.id, { available: false });
    await storeVariant(store.id, { available: true });
    await processAll(store.id);
    expect(await store.alerts()).toEqual([]);
    await storeVariant(store.id, { available: false });
    await storeVariant(store.id, { available: true });
    await processAll(store.id);
    await store.mature();
    expect(await store.alerts()).toEqual(["c1 back_in_stock sent"]);
  });

  test("waits for five minutes by the database's clock", async ({ store }) => {
    await store.save("c1");
    await storeVariant(store.id, { available: false });
    await storeVariant(store.id, { available: true });
    await processAll(store.id);
    const [row] = await store.database.rows<{ waits: boolean }>(
      "SELECT due_at > now() + interval '4 min' AND due_at < now() + interval '6 min' AS waits FROM alert_occurrence WHERE shop_id = $1",
      [store.id],
    );
    expect(row?.waits).toBe(true);
  });
});

describe("low stock", () => {
  test("counts when the inventory falls to the shop's quantity, and again after it was high", async ({ store }) => {
    await store.save("c1");
    for (const inventory of [6, 5, 4, 6, 5, 9, 3]) await storeVariant(store.id, { inventory });
    await processAll(store.id);
    expect(await store.alerts()).toEqual(["c1 low_stock sent"]);
    await store.coolDown();
    for (const inventory of [11, 5]) {
      await storeVariant(store.id, { inventory });
      await processAll(store.id);
    }
    expect(await store.alerts()).toEqual(["c1 low_stock sent", "c1 low_stock sent"]);
  });

  test.for([[0], [-3], [null]])("is not an inventory of %j", async ([inventory], { store }) => {
    await store.save("c1");
    await storeVariant(store.id, { inventory: inventory ?? null, available: true });
    await processAll(store.id);
    expect(await store.alerts()).toEqual([]);
  });
});

describe("a reminder", () => {
  test("is of items that were saved the shop's number of days ago and are not in a cart", async ({ store }) => {
    for (const customer of ["c1", "c2", "c3"]) await store.save(customer);
    const change = (set: string, owner: string) =>
      store.database.rows(
        `UPDATE wishlist_item i SET ${set}
           FROM wishlist w WHERE w.shop_id = $1 AND i.shop_id = $1 AND w.id = i.wishlist_id AND w.owner_id = $2`,
        [store.id, owner],
      );
    await change("saved_on = current_date - 14", "c1");
    await change("saved_on = current_date - 14, carted_at = now()", "c2");
    await openReminders(store.id);
    await openReminders(store.id);
    await store.mature();
    expect(await store.alerts()).toEqual(["c1 reminder_due sent"]);
  });
});

test.for([
  ["wait for the hour of the digest with the others", false, "pending"],
  ["go at once where the shop excepts them from the digest", true, "sent"],
] as const)("price drops %s", async ([, priceDropsAtOnce, status], { store }) => {
  const digestAt = (new Date().getUTCHours() + 3) % 24;
  await turnOn(store.id, [...KINDS], { digestAt, priceDropsAtOnce, version: 1 });
  await store.save("c1");
  await store.price("80.00", { inventory: 3 });
  const alerts = await store.alerts();
  expect(alerts.toSorted()).toEqual(["c1 low_stock pending", `c1 price_dropped ${status}`]);
});

describe("before it is sent, an alert is suppressed", () => {
  /** Makes alerts that wait for an hour of the day. */
  async function wait(store: Store): Promise<void> {
    await turnOn(store.id, [...KINDS], { digestAt: (new Date().getUTCHours() + 3) % 24, version: 1 });
    await store.save("c1");
    await store.price("80.00");
    expect(await store.alerts()).toEqual(["c1 price_dropped pending"]);
  }

  async function send(store: Store): Promise<void> {
    await store.database.rows(
      "UPDATE alert SET due_at = now() - interval '1 s' WHERE shop_id = $1 AND status = 'pending'",
      [store.id],
    );
    await processAll(store.id);
  }

  test.for<[string, (store: Store) => Promise<unknown>]>([
    ["item_removed", (store) => store.remove("c1")],
    ["bought", (store) => store.buy("c1")],
    ["consent_withdrawn", (store) => store.consent("c1", "price_dropped", false)],
    ["not_current", (store) => storeVariant(store.id, { price: "99.00" })],
    ["sold_out", (store) => storeVariant(store.id, { price: "80.00", available: false })],
    ["product_gone", (store) => storeDeleted(store.id, "1", new Date())],
    ["product_gone", (store) => storeVariant(store.id, { price: "80.00", status: "DRAFT" })],
    ["turned_off", (store) => turnOn(store.id, ["low_stock"], { version: 2 })],
    ["no_receiver", (store) => store.database.rows("DELETE FROM webhook_endpoint WHERE shop_id = $1", [store.id])],
  ])("as %s (%#)", async ([reason, change], { store }) => {
    await wait(store);
    await change(store);
    await send(store);
    expect(await store.alerts()).toEqual([`c1 price_dropped ${reason}`]);
    expect(
      await store.database.rows("SELECT 1 FROM webhook_event WHERE shop_id = $1 AND event LIKE '%alert%'", [store.id]),
    ).toEqual([]);
  });

  test("not as bought when the order was refunded", async ({ store }) => {
    await wait(store);
    await store.buy("c1");
    await store.buy("c1", { units: 0 });
    await send(store);
    expect(await store.alerts()).toEqual(["c1 price_dropped sent"]);
  });

  test("as cool_down when the customer was alerted about the variant within a day", async ({ store }) => {
    await store.save("c1");
    await store.price("90.00");
    await store.price("80.00");
    expect(await store.alerts()).toEqual(["c1 price_dropped sent", "c1 price_dropped cool_down"]);
  });

  test("and is gone after an erasure, also in the middle of the fan-out", async ({ store }) => {
    await wait(store);
    await eraseCustomer(store.id, "c1");
    await send(store);
    expect(await store.alerts()).toEqual([]);
  });

  test("not by an uninstall: it waits", async ({ store }) => {
    await wait(store);
    await store.database.rows("UPDATE shop SET uninstalled_at = now() WHERE id = $1", [store.id]);
    await send(store);
    expect(await store.alerts()).toEqual(["c1 price_dropped pending"]);
  });
});

describe("the alerts of a customer and a product at one moment", () => {
  const prices = (S: string, M: string, L: string): StoreVariant[] => [
    { variantId: "11", title: "S", price: S },
    { variantId: "12", title: "M", price: M },
    { variantId: "13", title: "L", price: L },
  ];

  test("are one event with the variants, whose first was saved last", async ({ store }) => {
    await storeVariants(store.id, prices("100.00", "100.00", "100.00"));
    for (const variantId of ["11", "12", "13"]) await store.save("c1", { variantId });
    await store.save("c2", { variantId: "13" });
    await store.database.rows("UPDATE alert_consent SET locale = 'de' WHERE shop_id = $1", [store.id]);
    await storeVariants(store.id, prices("80.00", "70.00", "100.00"));
    await processAll(store.id);
    expect(await store.sent()).toMatchObject([
      {
        event: "wishlist.alert.price_dropped",
        data: {
          price: "70.00",
          previousPrice: "100.00",
          compareAtPrice: null,
          productTitle: "Product 1",
          variantTitle: "M",
          handle: "product-1",
          productUrl: `https://${store.shop.domain}/products/product-1?variant=12`,
          imageUrl: null,
          locale: "de",
          items: [
            {
              variantId: "12",
              variantTitle: "M",
              kinds: ["price_dropped"],
              price: "70.00",
              previousPrice: "100.00",
              listId: "default",
            },
            { variantId: "11", kinds: ["price_dropped"], price: "80.00", previousPrice: "100.00" },
          ],
        },
      },
    ]);
    expect(await store.alerts()).toEqual(["c1 price_dropped sent", "c1 price_dropped sent"]);
  });

  test("are one event with the hundred variants saved last, and all count as sent", async ({ store }) => {
    const variants = Array.from({ length: 101 }, (_, index) => String(1_000 + index));
    const at = (price: string): StoreVariant[] => variants.map((variantId) => ({ variantId, title: variantId, price }));
    await storeVariants(store.id, at("100.00"));
    for (const variantId of variants) await store.save("c1", { variantId });
    await storeVariants(store.id, at("80.00"));
    await processAll(store.id);
    const [event, ...others] = await store.sent();
    expect(others).toEqual([]);
    const { items } = z.object({ items: z.array(z.object({ variantId: z.string() })) }).parse(event?.data);
    expect(items.map(({ variantId }) => variantId)).toEqual(variants.slice(1).reverse());
    expect(await store.alerts()).toEqual(variants.map(() => "c1 price_dropped sent"));
  });

  test("are one event of a return to stock with the lower price, when both happened", async ({ store }) => {
    await store.save("c1");
    await storeVariant(store.id, { available: false });
    await store.price("80.00", { available: false });
    await store.price("80.00", { inventory: 7 });
    await store.mature();
    expect(await store.alerts()).toEqual([
      "c1 price_dropped sold_out",
      "c1 price_dropped sent",
      "c1 back_in_stock sent",
    ]);
    expect(await store.sent()).toMatchObject([
      {
        event: "wishlist.alert.back_in_stock",
        data: {
          previousPrice: "100.00",
          price: "80.00",
          inventory: 7,
          items: [{ kinds: ["back_in_stock", "price_dropped"], previousPrice: "100.00", price: "80.00", inventory: 7 }],
        },
      },
    ]);
  });

  test("are events of a kind that has a receiver", async ({ store }) => {
    await store.database.rows(
      "UPDATE webhook_endpoint SET events = ARRAY['wishlist.alert.price_dropped'] WHERE shop_id = $1",
      [store.id],
    );
    await store.save("c1");
    await storeVariant(store.id, { available: false });
    await store.price("80.00");
    await store.mature();
    expect(await store.alerts()).toEqual(["c1 price_dropped sent", "c1 back_in_stock no_receiver"]);
  });

  test("count as opened together", async ({ store }) => {
    await storeVariants(store.id, prices("100.00", "100.00", "100.00"));
    for (const variantId of ["11", "12"]) await store.save("c1", { variantId });
    await storeVariants(store.id, prices("80.00", "80.00", "80.00"));
    await processAll(store.id);
    const [event] = await store.sent();
    expect(await openAlert(store.id, String(event?.data["alertId"]))).toEqual({ productId: "1", variantId: "12" });
    const opened = "SELECT variant_id FROM alert WHERE shop_id = $1 AND opened_at IS NOT NULL ORDER BY variant_id";
    expect(await store.database.rows(opened, [store.id])).toEqual([{ variant_id: "11" }, { variant_id: "12" }]);
  });

  test("count as not sent together when Flow alone was to get them and may not", async ({ store }) => {
    await storeVariants(store.id, prices("100.00", "100.00", "100.00"));
    await store.database.rows("UPDATE webhook_endpoint SET id = 'flow' WHERE shop_id = $1", [store.id]);
    for (const variantId of ["11", "12"]) await store.save("7", { variantId });
    await storeVariants(store.id, prices("80.00", "80.00", "80.00"));
    await processAll(store.id);
    expect(await store.alerts()).toEqual(["7 price_dropped sent", "7 price_dropped sent"]);
    await store.database.rows("SELECT flow_withhold(p_shop_id => $1, p_limit => 10)", [store.id]);
    expect(await store.alerts()).toEqual(["7 price_dropped flow_not_permitted", "7 price_dropped flow_not_permitted"]);
  });

  test("pause the product's other variants", async ({ store }) => {
    await storeVariants(store.id, prices("100.00", "100.00", "100.00"));
    for (const variantId of ["11", "12"]) await store.save("c1", { variantId });
    await storeVariants(store.id, prices("80.00", "100.00", "100.00"));
    await processAll(store.id);
    await storeVariants(store.id, prices("80.00", "80.00", "100.00"));
    await processAll(store.id);
    expect(await store.alerts()).toEqual(["c1 price_dropped sent", "c1 price_dropped cool_down"]);
  });
});

describe("quiet hours", () => {
  /** Sets quiet hours around the present hour of a time zone. */
  async function beQuiet(store: Store, version: number): Promise<void> {
    const hour = new Date().getUTCHours();
    await turnOn(store.id, [...KINDS], { quietFrom: (hour + 23) % 24, quietUntil: (hour + 2) % 24, version });
  }

  test("delay alerts and lose none", async ({ store }) => {
    await beQuiet(store, 1);
    await store.save("c1");
    await store.price("80.00");
    expect(await store.alerts()).toEqual(["c1 price_dropped pending"]);
    await turnOn(store.id, [...KINDS], { version: 2 });
    await processAll(store.id);
    expect(await store.alerts()).toEqual(["c1 price_dropped sent"]);
  });

  test("follow a new time zone of the shop at once", async ({ store }) => {
    await beQuiet(store, 1);
    await store.save("c1");
    await store.price("80.00");
    const { version, ...settings } = await readSettings(store.id);
    // This test calls a copy of the module that no service has started.
    onTimeZoneChanged(endAlertPause);
    await transaction(store.id, (tx) => saveSettings(tx, store.id, { ...settings, timeZone: "Asia/Tokyo" }, version));
    expect(await shopsWithWork()).toContain(store.id);
    await processAll(store.id);
    expect(await store.alerts()).toEqual(["c1 price_dropped sent"]);
  });
});

test("an alert records that its variant was bought afterwards, once", async ({ store }) => {
  await store.save("c1");
  await store.save("c2");
  await store.buy("c2");
  await store.price("80.00");
  await store.buy("c1");
  await store.buy("c1");
  expect(
    await store.database.rows(
      "SELECT customer_id, status, bought_at IS NOT NULL AS bought FROM alert WHERE shop_id = $1 ORDER BY customer_id",
      [store.id],
    ),
  ).toEqual([
    { customer_id: "c1", status: "sent", bought: true },
    { customer_id: "c2", status: "suppressed", bought: false },
  ]);
});

test("in the mode merchant_managed all customers are alerted, without a basis", async ({ store }) => {
  await turnOn(store.id, [...KINDS], { mode: "merchant_managed", version: 1 });
  await store.save("c1", { consent: false });
  await store.price("80.00");
  expect(await store.alerts()).toEqual(["c1 price_dropped sent"]);
  const [event] = await store.database.rows<{ data: object }>(
    "SELECT data FROM webhook_event WHERE shop_id = $1 AND event LIKE 'wishlist.alert.%'",
    [store.id],
  );
  expect(event?.data).toMatchObject({
    consent: { basis: "none", givenAt: null },
    currency: "EUR",
    price: "80.00",
    previousPrice: "100.00",
    compareAtPrice: null,
  });
});

test("a withdrawal by the link ends alerts also in the mode merchant_managed", async ({ store }) => {
  await turnOn(store.id, [...KINDS], { mode: "merchant_managed", version: 1 });
  await store.save("c1", { consent: false });
  await store.price("80.00");
  const [alert] = await store.database.rows<{ id: string }>("SELECT id FROM alert WHERE shop_id = $1", [store.id]);
  expect(await withdrawByAlert(store.id, alert?.id ?? "")).toBe("price_dropped");
  await store.coolDown();
  await store.price("60.00");
  expect(await store.alerts()).toEqual(["c1 price_dropped sent"]);
});

test("a shop whose plan has no alerts sends none", async ({ store }) => {
  await store.save("c1");
  await store.database.rows("UPDATE shop SET plan = 'starter' WHERE id = $1", [store.id]);
  await store.price("80.00");
  expect(await store.alerts()).toEqual([]);
});
