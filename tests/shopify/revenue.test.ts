import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { exportTable } from "../../app/analytics/index.server.ts";
import type { Revenue } from "../../app/analytics/findings.ts";
import { rangeOf } from "../../app/analytics/range.server.ts";
import { revenueIn } from "../../app/analytics/revenue.server.ts";
import { ordersOfCustomer, purgeOrders } from "../../app/orders/index.server.ts";
import { recordOrder, recordReport, unreadOrders } from "../../app/orders/records.server.ts";
import { Failure } from "../../app/platform/failure.ts";
import { gatherCustomerRecord } from "../../app/privacy/customer-record.server.ts";
import { eraseCustomer } from "../../app/privacy/index.server.ts";
import { addItem, createList, guestOwner, mergeGuest } from "../../app/wishlists/index.server.ts";
import { listNameSchema } from "../../app/wishlists/lists/names.ts";
import { TOPIC_SUBSCRIPTIONS } from "../../app/installation/index.server.ts";
import type { Topic } from "../../packages/devstore/foundation/options.ts";
import type { NewOrder, Order, Refund } from "../../packages/devstore/store/orders.ts";
import * as orderPayloads from "../../packages/devstore/webhooks/order-payloads.ts";
import { selectFields } from "../../packages/devstore/webhooks/sender.ts";
import { client, type Call } from "../support/app/client.ts";
import { connectShop, type ConnectedShop } from "../support/app/merchant.ts";
import { issueToken } from "../support/app/shop.ts";
import { startConnected, type Connected } from "../support/shopify/connected-shop.ts";
import { until } from "../support/until.ts";
import { MATRIX } from "../support/matrix.ts";

const ANNA = { id: "701", firstName: "Anna", lastName: "Berg", email: "anna@example.com" };
const BEN = { id: "702", firstName: "Ben", lastName: "Carl", email: "ben@example.com" };

let connected: Connected;
let call: Call;
let shop: ConnectedShop;
let token: string;

beforeAll(async () => {
  connected = await startConnected();
  call = client(connected.service.url);
});
afterAll(() => connected.close());

beforeEach(async () => {
  const domain = `store-${randomBytes(4).toString("hex")}.myshopify.com`;
  connected.shopify.store(domain).installation.scopes.push("read_orders");
  shop = await connectShop(connected.service, connected.shopify, {
    domain,
    products: [
      { id: 1, handle: "lamp", title: "Lamp", variants: [{ id: 10, priceCents: 10_000 }] },
      {
        id: 2,
        handle: "mug",
        title: "Mug",
        variants: [
          { id: 20, priceCents: 1_000 },
          { id: 21, priceCents: 1_200 },
        ],
      },
    ],
  });
  shop.store.customers.add(ANNA);
  shop.store.customers.add(BEN);
  token = await issueToken(call, shop.id);
});

async function save(customerId: string, productId: string, variantId?: string): Promise<void> {
  const json = { product_id: productId, ...(variantId === undefined ? {} : { variant_id: variantId }) };
  (await call("POST", `/v1/wishlists/${customerId}/items`, { token, json })).data();
}

const PRODUCTS: Record<string, string> = { 10: "1", 20: "2", 21: "2" };
const PRICES: Record<string, number> = { 10: 10_000, 20: 1_000, 21: 1_200 };

/** Places an order in the store. The service learns of it by `tell`. */
function order(customerId: string | undefined, units: Record<string, number>, more: Partial<NewOrder> = {}): Order {
  const lines = Object.entries(units).map(([variantId, quantity]) => ({
    productId: PRODUCTS[variantId] ?? "",
    variantId,
    title: "Title",
    variantTitle: "Default Title",
    quantity,
    priceCents: PRICES[variantId] ?? 0,
    discountCents: 0,
  }));
  return shop.store.orders.add({
    ...{ lines, customerId, email: undefined, cartToken: undefined, test: false, currency: "EUR" },
    ...more,
  });
}

/** Delivers a webhook with the fields to which the service subscribes. */
async function deliver(topic: Topic, full: object, domain = shop.domain): Promise<void> {
  const named = topic.replace("/", "_").toUpperCase();
  const { path = "", includeFields } = TOPIC_SUBSCRIPTIONS.find((one) => one.topic === named) ?? {};
  const payload = z.looseObject({}).parse(selectFields(full, includeFields));
  const response = await connected.shopify.deliverWebhook(connected.service.url, path, {
    topic,
    shop: domain,
    payload,
  });
  expect(response.status).toBe(200);
}

async function sendOrder(
  one: Order,
  topic: "orders/create" | "orders/cancelled" = "orders/create",
  domain = shop.domain,
) {
  const payload = orderPayloads.order(one, shop.store.customers.byId(one.customerId ?? ""));
  await deliver(topic, payload, domain);
}

async function sendRefund(one: Order, refund: Refund): Promise<void> {
  await deliver("refunds/create", orderPayloads.refund(one, refund));
}

interface StoredOrder {
  order_id: string;
  customer_id: string | null;
  read: boolean;
}

function stored(): Promise<StoredOrder[]> {
  return connected.service.database.rows<StoredOrder>(
    "SELECT order_id, customer_id, read_at IS NOT NULL AS read FROM store_order WHERE shop_id = $1 ORDER BY order_id",
    [shop.id],
  );
}

/** Waits until every reported order has been read from the store. */
async function settled(shopId = shop.id): Promise<void> {
  await until("the orders to be read", async () => {
    const open = await connected.service.database.rows(
      `SELECT 1 FROM store_order WHERE shop_id = $1 AND read_at IS NULL
        UNION ALL
       SELECT 1 FROM pgboss.job WHERE name = 'order-reading' AND (data->>'shopId')::int = $1 AND state < 'completed'`,
      [shopId],
    );
    return open.length === 0;
  });
}

interface Report {
  orders: number;
  savedOrders: number;
  savedOrderRate: number;
  units: number;
  revenue: string;
  currency: string | null;
  countedSince: string | null;
  days: { date: string; orders: number; revenue: string }[];
  products: { productId: string; orders: number; units: number; revenue: string }[];
}

async function report(query = ""): Promise<Report> {
  return (await call("GET", `/v1/analytics/revenue${query}`, { token })).data<Report>();
}

/** Stores the sums of days, which are so many days ago. */
async function fillDays(days: readonly { ago: number; orders: number; revenue: number; currency?: string }[]) {
  for (const { ago, orders, revenue, currency = "EUR" } of days) {
    await connected.service.database.rows(
      `INSERT INTO revenue_daily (shop_id, day, currency, orders, saved_orders, units, revenue)
       VALUES ($1, (now() AT TIME ZONE (SELECT time_zone FROM shop WHERE id = $1))::date - $2::integer, $3, 2 * $4::integer, $4, $4, $5)`,
      [shop.id, ago, currency, orders, revenue],
    );
  }
}

const NOTHING = { savedOrders: 0, units: 0, revenue: "0.00", products: [] };

/** The admin's report of the last 7 days and of those before. */
async function comparedWeek(): Promise<Revenue> {
  return revenueIn(shop.id, await rangeOf(shop.id, { period: 7, compare: true }), { compare: true, listed: 5 });
}

describe("the report of the admin", () => {
  test("compares the period with the same number of days before it, in the present currency", async () => {
    await fillDays([
      { ago: 0, orders: 1, revenue: 10 },
      { ago: 6, orders: 2, revenue: 20 },
      { ago: 7, orders: 4, revenue: 40 },
      { ago: 13, orders: 8, revenue: 80 },
      { ago: 14, orders: 16, revenue: 160 },
      { ago: 3, orders: 32, revenue: 320, currency: "USD" },
    ]);
    const { sums, before, beforeUnknown, days } = await comparedWeek();
    expect(sums).toEqual({ orders: 6, savedOrders: 3, savedOrderRate: 50, units: 3, revenue: "30.00" });
    expect(before?.sums).toEqual({ orders: 24, savedOrders: 12, savedOrderRate: 50, units: 12, revenue: "120.00" });
    expect(beforeUnknown).toBe(false);
    expect(days.map(({ savedOrders }) => savedOrders)).toEqual([2, 0, 0, 0, 0, 0, 1]);
    expect(before?.days.map(({ savedOrders }) => savedOrders)).toEqual([8, 0, 0, 0, 0, 0, 4]);
  });

  test("counts since the first day in the present currency", async () => {
    await fillDays([
      { ago: 20, orders: 1, revenue: 10, currency: "USD" },
      { ago: 3, orders: 1, revenue: 10 },
    ]);
    const { countedSince, days } = await report("?days=7");
    expect(countedSince).toBe(days.at(-4)?.date);
  });

  test("does not compare with days on which orders were not counted yet", async () => {
    await fillDays([
      { ago: 0, orders: 1, revenue: 10 },
      { ago: 12, orders: 8, revenue: 80 },
    ]);
    expect(await comparedWeek()).toMatchObject({
      before: undefined,
      beforeUnknown: true,
    });
  });
});

describe("an order", () => {
  test("counts with the lines whose variants its customer had saved", async () => {
    await save(ANNA.id, "1");
    await save(ANNA.id, "2", "20");
    await sendOrder(order(ANNA.id, { 10: 2, 20: 1, 21: 3 }));
    await sendOrder(order(BEN.id, { 10: 1 }));
    await settled();
    expect(await report()).toMatchObject({
      ...{ orders: 2, savedOrders: 1, savedOrderRate: 50, units: 3, revenue: "210.00", currency: "EUR" },
      products: [
        { productId: "1", orders: 1, units: 2, revenue: "200.00" },
        { productId: "2", orders: 1, units: 1, revenue: "10.00" },
      ],
    });
    const { days, countedSince } = await report("?days=2");
    expect(days).toHaveLength(2);
    expect(days[1]).toMatchObject({ date: countedSince, orders: 2, revenue: "210.00" });
    // Whose order has nothing to do with wishlists is forgotten.
    expect((await stored()).map(({ customer_id }) => customer_id)).toEqual([ANNA.id, null]);
  });

  test("is on the page of its customer with its saved items and what was paid for them", async () => {
    await save(ANNA.id, "1");
    await save(ANNA.id, "2", "20");
    const of = (customerId: string) => ordersOfCustomer(shop.id, customerId);
    expect(await of(ANNA.id)).toEqual({ orders: [], more: false });
    const [first, second] = [order(ANNA.id, { 10: 2, 20: 1, 21: 3 }), order(ANNA.id, { 20: 2 })];
    await sendOrder(first);
    await sendOrder(second);
    await sendOrder(order(ANNA.id, { 21: 1 }));
    await sendOrder(order(BEN.id, { 10: 1 }));
    await settled();
    const { orders, more } = await of(ANNA.id);
    expect(orders.map(({ orderedAt: _, ...one }) => one).toSorted((a, b) => b.units - a.units)).toEqual([
      { orderId: first.id, units: 3, revenue: "210.00", currency: "EUR", products: ["Lamp", "Mug"] },
      { orderId: second.id, units: 2, revenue: "20.00", currency: "EUR", products: ["Mug"] },
    ]);
    expect(more).toBe(false);
    expect((await report()).revenue).toBe("230.00");
    expect(await of(BEN.id)).toEqual({ orders: [], more: false });
  });

  test("counts once, however often and in which order it is reported", async () => {
    await save(ANNA.id, "1");
    const one = order(ANNA.id, { 10: 3 });
    const [line] = one.lines;
    if (!line) throw new Error("the order has a line");
    const refund = shop.store.orders.refund(one, [{ lineId: line.id, quantity: 1 }], true);
    await sendRefund(one, refund);
    await Promise.all([sendOrder(one), sendOrder(one), sendRefund(one, refund)]);
    await settled();
    await sendOrder(one);
    await settled();
    expect(await report()).toMatchObject({ orders: 1, savedOrders: 1, units: 2, revenue: "200.00" });
  });

  test("counts what was paid, after the discount of a code", async () => {
    await save(ANNA.id, "1");
    const one = order(ANNA.id, { 10: 2 });
    const [line] = one.lines;
    if (!line) throw new Error("the order has a line");
    line.discountCents = 5_000;
    await sendOrder(one);
    await settled();
    expect(await report()).toMatchObject({ units: 2, revenue: "150.00" });
    await sendRefund(one, shop.store.orders.refund(one, [{ lineId: line.id, quantity: 1 }], false));
    await settled();
    expect(await report()).toMatchObject({ units: 1, revenue: "75.00" });
  });

  test("that is refunded or cancelled no longer counts", async () => {
    await save(ANNA.id, "1");
    const [refunded, cancelled] = [order(ANNA.id, { 10: 1 }), order(ANNA.id, { 10: 1 })];
    await sendOrder(refunded);
    await sendOrder(cancelled);
    await settled();
    expect(await report()).toMatchObject({ orders: 2, savedOrders: 2, units: 2, revenue: "200.00" });
    const quantities = refunded.lines.map(({ id, quantity }) => ({ lineId: id, quantity }));
    await sendRefund(refunded, shop.store.orders.refund(refunded, quantities, true));
    shop.store.orders.cancel(cancelled, "CUSTOMER");
    await sendOrder(cancelled, "orders/cancelled");
    await settled();
    // A refunded order was one; a cancelled one never came to be.
    expect(await report()).toMatchObject({ orders: 1, ...NOTHING });
  });

  test("does not count when its items were saved after it, or removed long before", async () => {
    const early = order(ANNA.id, { 10: 1 }, { createdAt: new Date(Date.now() - 60_000) });
    await save(ANNA.id, "1");
    await save(ANNA.id, "2", "20");
    await save(ANNA.id, "2", "21");
    (await call("DELETE", `/v1/wishlists/${ANNA.id}/items/2?variant_id=20`, { token })).data();
    (await call("DELETE", `/v1/wishlists/${ANNA.id}/items/2?variant_id=21`, { token })).data();
    await connected.service.database.rows(
      "UPDATE activity SET at = at - interval '31 days' WHERE shop_id = $1 AND kind = 'removed' AND variant_id = '21'",
      [shop.id],
    );
    await sendOrder(early);
    await sendOrder(order(ANNA.id, { 20: 1, 21: 1 }));
    await settled();
    expect(await report()).toMatchObject({
      ...{ orders: 2, savedOrders: 1, units: 1 },
      products: [{ productId: "2", units: 1, revenue: "10.00" }],
    });
  });

  test("counts with what was merged before it, and not with what was merged after it", async () => {
    const merge = async (productId: string, variantId: string) => {
      const items = [{ productId, variantId, addedAt: "2026-01-01T00:00:00Z" }];
      (await call("POST", `/v1/wishlists/${ANNA.id}/merge`, { token, json: { items } })).data();
    };
    await merge("2", "20");
    const placed = order(ANNA.id, { 10: 1, 20: 1 });
    await merge("1", "10");
    (
      await call("POST", `/v1/wishlists/${ANNA.id}/lists/default/items/batch`, {
        token,
        json: { operations: [{ op: "remove", productId: "1" }] },
      })
    ).data();
    await sendOrder(placed);
    await settled();
    expect(await report()).toMatchObject({ savedOrders: 1, products: [{ productId: "2", units: 1 }] });
  });

  test("does not count with what a login after it brought", async () => {
    const guest = guestOwner(shop.id, randomBytes(16).toString("base64url"));
    await addItem(guest, { productId: "1", variantId: "10" }, "storefront");
    const placed = order(ANNA.id, { 10: 1 });
    expect(await mergeGuest(guest, { shopId: shop.id, kind: "customer", id: ANNA.id })).toMatchObject({
      addedCount: 1,
    });
    await sendOrder(placed);
    await settled();
    expect(await report()).toMatchObject({ orders: 1, ...NOTHING });
  });

  test.each<[what: string, meanwhile: () => Promise<unknown>]>([
    ["a removed item", () => Promise.resolve()],
    ["an item that was saved again", () => save(ANNA.id, "1")],
  ])("does not count when a restore brought back %s after it", async (_what, meanwhile) => {
    await save(ANNA.id, "1");
    (await call("DELETE", `/v1/wishlists/${ANNA.id}/items/1`, { token })).data();
    await connected.service.database.rows(
      "UPDATE activity SET at = at - interval '31 days' WHERE shop_id = $1 AND kind = 'removed'",
      [shop.id],
    );
    const placed = order(ANNA.id, { 10: 1 });
    await meanwhile();
    (await call("POST", `/v1/wishlists/${ANNA.id}/lists/default/restore`, { token, json: { version: 1 } })).data();
    await sendOrder(placed);
    await settled();
    expect(await report()).toMatchObject({ orders: 1, ...NOTHING });
  });

  test("counts when its item was moved to another list after it", async () => {
    await save(ANNA.id, "1");
    const owner = { shopId: shop.id, kind: "customer", id: ANNA.id } as const;
    const to = await createList(owner, { name: listNameSchema.parse("Birthday") }, "api");
    if (to instanceof Failure) throw new Error(to.message);
    const placed = order(ANNA.id, { 10: 1 });
    const json = { to: to.listId, items: [{ productId: "1" }] };
    (await call("POST", `/v1/wishlists/${ANNA.id}/lists/default/items/move`, { token, json })).data();
    await sendOrder(placed);
    await settled();
    expect(await report()).toMatchObject({ savedOrders: 1, units: 1 });
  });

  test("of a guest, a test and another store's customer are left out", async () => {
    await save(ANNA.id, "1");
    await sendOrder(order(undefined, { 10: 1 }));
    await sendOrder(order(ANNA.id, { 10: 1 }, { test: true }));
    await sendOrder(order("799", { 10: 1 }));
    await settled();
    expect(await report()).toMatchObject({ orders: 2, ...NOTHING });
  });

  test("that is replayed in another shop's name counts nowhere else", async () => {
    await save(ANNA.id, "1");
    const one = order(ANNA.id, { 10: 1 });
    const other = await connectShop(connected.service, connected.shopify);
    other.store.installation.scopes.push("read_orders");
    await sendOrder(one, "orders/create", other.domain);
    await settled(other.id);
    expect(await connected.service.database.rows("SELECT 1 FROM store_order WHERE shop_id = $1", [other.id])).toEqual(
      [],
    );
    expect(await connected.service.database.rows("SELECT 1 FROM revenue_daily WHERE shop_id = $1", [other.id])).toEqual(
      [],
    );
  });

  test("is in the CSV of the days and of the products", async () => {
    await save(ANNA.id, "1");
    await sendOrder(order(ANNA.id, { 10: 2, 21: 1 }));
    await settled();
    const of = { id: shop.id, domain: shop.domain, timeZone: "UTC", currency: "EUR" };
    const lines = async (table: string): Promise<string[]> => {
      const file = await exportTable(of, new URLSearchParams({ table, period: "7" }));
      if (file instanceof Failure) throw new Error(file.message);
      return file.text.trim().split("\r\n");
    };
    const days = await lines("revenue");
    // Days before the first counted order are unknown.
    expect(days).toHaveLength(2);
    expect(days.at(-1)).toMatch(/,1,1,2,200\.00,EUR$/);
    expect(await lines("revenue-products")).toEqual([expect.any(String), "1,Lamp,1,2,200.00,EUR"]);
  });

  test("with 250 lines counts whole", async () => {
    await save(ANNA.id, "1");
    const lines = Array.from({ length: 250 }, () => ({
      ...{ productId: "1", variantId: "10", title: "Lamp", variantTitle: "Default Title" },
      ...{ quantity: 1, priceCents: 100, discountCents: 0 },
    }));
    await sendOrder(order(ANNA.id, {}, { lines }));
    await settled();
    expect(await report()).toMatchObject({ orders: 1, savedOrders: 1, units: 250, revenue: "250.00" });
  });

  /** A line of the product 1 with a price. */
  const lineOf = (priceCents: number) => ({
    ...{ productId: "1", variantId: "10", title: "Lamp", variantTitle: "Default Title" },
    ...{ quantity: 1, priceCents, discountCents: 0 },
  });

  test("of more than a trillion counts", async () => {
    await save(ANNA.id, "1");
    await sendOrder(order(ANNA.id, {}, { lines: [lineOf(200_000_000_000_000)] }));
    await settled();
    expect(await report()).toMatchObject({ orders: 1, revenue: "2000000000000.00" });
  });

  test("that can't be stored is set aside with its reason, and later orders count", async () => {
    await save(ANNA.id, "1");
    const bad = order(ANNA.id, {}, { lines: [lineOf(1e21)] });
    await sendOrder(bad);
    await sendOrder(order(ANNA.id, { 10: 1 }));
    await settled();
    expect(await report()).toMatchObject({ orders: 1, units: 1 });
    const aside = (): Promise<unknown[]> =>
      connected.service.database.rows("SELECT kind, subject_id, reason FROM set_aside WHERE shop_id = $1", [shop.id]);
    expect(await aside()).toEqual([
      { kind: "order", subject_id: bad.id, reason: expect.stringContaining("must be an amount of at most 18 digits") },
    ]);
    for (const line of bad.lines) line.priceCents = 10_000;
    shop.store.orders.cancel(bad, "OTHER");
    await sendOrder(bad, "orders/cancelled");
    await settled();
    expect(await aside()).toEqual([]);
  });

  for (const status of [401, 402, 403, 423]) {
    test(`is read after the store has refused a request with ${status}`, status === 401 ? {} : MATRIX, async () => {
      await save(ANNA.id, "1");
      shop.store.faults.inject({ on: "graphql", operation: "OrdersById", behaviour: { status }, times: 1 });
      await sendOrder(order(ANNA.id, { 10: 1 }));
      await settled();
      expect(await report()).toMatchObject({ orders: 1, units: 1 });
    });
  }

  test("is read again later when the store answers with an older state", MATRIX, async () => {
    await save(ANNA.id, "1");
    const one = order(ANNA.id, { 10: 1 });
    await sendOrder(one);
    await settled();
    const { rows } = connected.service.database;
    await rows("UPDATE store_order SET updated_at = updated_at + interval '1 hour' WHERE shop_id = $1", [shop.id]);
    const requests = (): number =>
      shop.store.adminApiRequests.filter(({ operation }) => operation === "OrdersById").length;
    const before = requests();
    await sendOrder(one);
    await until("the delayed reading", async () => {
      const delayed = await rows(
        `SELECT 1 FROM pgboss.job WHERE name = 'order-reading' AND (data->>'shopId')::int = $1 AND state = 'created'
            AND start_after > now() + interval '30 seconds'`,
        [shop.id],
      );
      return delayed.length > 0;
    });
    expect(requests() - before).toBe(1);
    // An hour after the report, the store's replicas have caught up.
    await rows("UPDATE store_order SET reported_at = reported_at - interval '61 minutes' WHERE shop_id = $1", [
      shop.id,
    ]);
    await rows("UPDATE pgboss.job SET start_after = now() WHERE (data->>'shopId')::int = $1 AND state = 'created'", [
      shop.id,
    ]);
    await settled();
    expect(await report()).toMatchObject({ orders: 1, units: 1 });
  });

  test("waits while the store does not let the app read orders", async () => {
    await save(ANNA.id, "1");
    const { scopes } = shop.store.installation;
    scopes.splice(scopes.indexOf("read_orders"), 1);
    await sendOrder(order(ANNA.id, { 10: 1 }));
    await until("the reading to end", async () => {
      const open = await connected.service.database.rows(
        "SELECT 1 FROM pgboss.job WHERE name = 'order-reading' AND (data->>'shopId')::int = $1 AND state < 'completed'",
        [shop.id],
      );
      return open.length === 0;
    });
    expect(await report()).toMatchObject({ orders: 0, countedSince: null, ...NOTHING });
    scopes.push("read_orders");
    await sendOrder(order(ANNA.id, { 10: 1 }));
    await settled();
    expect(await report()).toMatchObject({ orders: 2, units: 2 });
  });
});

describe("orders and people", () => {
  test("a customer's record has the bought items, and the erasure keeps only sums", async () => {
    await save(ANNA.id, "1");
    const one = order(ANNA.id, { 10: 1 });
    await sendOrder(one);
    await settled();
    expect(await gatherCustomerRecord(shop.id, ANNA.id)).toMatchObject({
      orders: [{ orderId: one.id, items: [{ productId: "1", variantId: "10", units: 1, paid: 100 }] }],
    });
    await eraseCustomer(shop.id, ANNA.id);
    expect((await stored()).map(({ customer_id }) => customer_id)).toEqual([null]);
    expect(await connected.service.database.rows("SELECT 1 FROM order_line WHERE shop_id = $1", [shop.id])).toEqual([]);
    // A late report brings nobody back and counts nothing twice.
    await sendOrder(one);
    await settled();
    expect((await stored()).map(({ customer_id }) => customer_id)).toEqual([null]);
    expect(await report()).toMatchObject({ orders: 1, units: 1, revenue: "100.00" });
  });

  test("an order whose change is unread is not read any more after the erasure of its customer", async () => {
    await save(ANNA.id, "1");
    const one = order(ANNA.id, { 10: 1 });
    await sendOrder(one);
    await settled();
    await recordReport(shop.id, { orderId: one.id, customerId: undefined, isNew: false });
    expect(await unreadOrders(shop.id, 10)).toHaveLength(1);
    await eraseCustomer(shop.id, ANNA.id);
    expect(await unreadOrders(shop.id, 10)).toEqual([]);
  });

  test.for(["is older than the recorded one", "arrives after the erasure of the customer"])(
    "an answer of the store that %s changes nothing",
    async (when) => {
      await save(ANNA.id, "1");
      const one = order(ANNA.id, { 10: 2 });
      await sendOrder(one);
      await settled();
      const isOlder = when.startsWith("is older");
      if (!isOlder) await eraseCustomer(shop.id, ANNA.id);
      const before = await stored();
      await recordOrder(
        shop.id,
        { orderId: one.id, reports: 1 },
        {
          updatedAt: new Date(Date.now() + (isOlder ? -1 : 1) * 3_600_000).toISOString(),
          ...{ orderedAt: new Date().toISOString(), currency: "EUR", counts: isOlder },
          lines: [{ lineId: "1", productId: "1", variantId: "10", units: 1, revenue: "100.00" }],
        },
      );
      expect(await report()).toMatchObject({ orders: 1, savedOrders: 1, units: 2, revenue: "200.00" });
      expect(await stored()).toEqual(before);
    },
  );

  test("orders are purged by age, and their sums stay", async () => {
    await save(ANNA.id, "1");
    await sendOrder(order(ANNA.id, { 10: 1 }));
    await settled();
    await purgeOrders(shop.id, new Date(Date.now() - 60_000));
    expect(await stored()).toHaveLength(1);
    await purgeOrders(shop.id, new Date(Date.now() + 60_000));
    expect(await stored()).toEqual([]);
    expect(await connected.service.database.rows("SELECT 1 FROM order_line WHERE shop_id = $1", [shop.id])).toEqual([]);
    expect(await report()).toMatchObject({ orders: 1, units: 1, revenue: "100.00" });
  });
});
