import { describe, expect } from "vitest";
import {
  alertLogQuery,
  alertResults,
  consentResults,
  downloadAlerts,
  listMomentAlerts,
  listMoments,
  readMoment,
  toMomentId,
} from "../../app/alerts/index.server.ts";
import type { AlertFilters, AlertMoment, LoggedAlert } from "../../app/alerts/report.ts";
import { revenue as analyticsRevenue } from "../../app/analytics/index.server.ts";
import { recordOrder, recordReport, unreadOrders } from "../../app/orders/records.server.ts";
import { csvCells, unescapeCell } from "../../app/platform/text/csv.ts";
import { storeMoment, type MomentAlert } from "../support/app/alert-moments.ts";
import { processAll, storeVariant, storeVariants, turnOn } from "../support/app/alerts.ts";
import { test as base } from "../support/app/fixtures.ts";
import { makeShop } from "../support/app/shop.ts";

const test = base.extend("seller", async ({ app, call }) => {
  const shop = await makeShop(app, call, { plan: "growth" });
  await app.database.rows("UPDATE shop SET currency = 'EUR', catalog = 'ready' WHERE id = $1", [shop.id]);
  return shop;
});

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const ago = (ms: number): Date => new Date(Date.now() - ms);

const NO_POSITION = { before: undefined, after: undefined };

/** Returns the log's moments for filters. */
async function logOf(shopId: number, filters: AlertFilters = {}): Promise<AlertMoment[]> {
  const { q, kind, status, from, to } = filters;
  return (await listMoments(shopId, { q, kind, status, from, to, ...NO_POSITION })).moments;
}

/** Returns all alerts of a moment. */
async function alertsOf(shopId: number, id: number, status?: AlertFilters["status"]): Promise<LoggedAlert[]> {
  const found = await readMoment(shopId, id);
  if (!found) return [];
  const of = { occurrences: found.occurrences, hasRevenue: true };
  return (await listMomentAlerts(shopId, of, { status, ...NO_POSITION }, 1_000)).alerts;
}

/** Exports alerts. @param query of the download's address */
function exported(shopId: number, query = "", limit?: number): Promise<string> {
  const shop = { id: shopId, domain: "a.myshopify.com", timeZone: "UTC", currency: "EUR" };
  return new Response(downloadAlerts(shop, new URLSearchParams(query), limit).body).text();
}

/** Returns the rows of an export by the names of their columns. */
async function csvOf(shopId: number, query = "", limit?: number): Promise<Record<string, string>[]> {
  const csv = await exported(shopId, query, limit);
  const [head = [], ...rows] = csv
    .trimEnd()
    .split("\r\n")
    .map((line) => (csvCells(line, ",") ?? []).map(unescapeCell));
  return rows.map((cells) => Object.fromEntries(head.map((name, index) => [name, cells[index] ?? ""])));
}

const customers = (count: number, alert: Omit<MomentAlert, "customerId"> = {}, prefix = "c"): MomentAlert[] =>
  Array.from({ length: count }, (_, index) => ({ customerId: `${prefix}${index}`, ...alert }));

/** Records an order, as if the service had read it from the store. */
async function order(
  shopId: number,
  orderId: string,
  {
    customerId,
    at = new Date(),
    units = 1,
    paid = "80.00",
  }: { customerId: string; at?: Date; units?: number; paid?: string },
): Promise<void> {
  await recordReport(shopId, { orderId, customerId, isNew: true });
  const lines = [{ lineId: `${orderId}-1`, productId: "1", variantId: "11", units, revenue: paid }];
  const state = {
    updatedAt: new Date().toISOString(),
    orderedAt: at.toISOString(),
    currency: "EUR",
    counts: true,
    lines,
  };
  for (const unread of await unreadOrders(shopId, 10)) await recordOrder(shopId, unread, state);
}

describe("the results of alerts", () => {
  test("count customers once by kind and once in all", async ({ app, seller: shop }) => {
    await storeMoment(app.database, shop.id, { alerts: customers(3) });
    await storeMoment(app.database, shop.id, { alerts: customers(2) });
    await storeMoment(app.database, shop.id, { kind: "low_stock", alerts: customers(4) });
    await storeMoment(app.database, shop.id, { kind: "low_stock", at: ago(31 * DAY), alerts: customers(9) });
    const { all, price_dropped, low_stock, back_in_stock } = await alertResults(shop.id);
    expect([price_dropped.sent, low_stock.sent, back_in_stock.sent, all.sent]).toEqual([3, 4, 0, 4]);
  });

  test("have no step that is larger than the one before it", async ({ app, seller: shop }) => {
    await storeMoment(app.database, shop.id, {
      alerts: [
        { customerId: "opened", did: ["opened"] },
        { customerId: "returned", did: ["returned"] },
        { customerId: "carted", did: ["carted"] },
        { customerId: "bought", did: ["bought"] },
        { customerId: "none" },
      ],
    });
    const { all } = await alertResults(shop.id);
    expect(all).toMatchObject({ sent: 5, visited: 4, opened: 1, addedToCart: 2, bought: 1 });
  });

  test("give each customer who got none one reason: that of the newest alert", async ({ app, seller: shop }) => {
    await storeMoment(app.database, shop.id, { at: ago(2 * HOUR), alerts: customers(3, { reason: "sold_out" }) });
    await storeMoment(app.database, shop.id, {
      at: ago(HOUR),
      alerts: [
        { customerId: "c0" },
        { customerId: "c1", reason: "cool_down" },
        { customerId: "c3", status: "pending" },
        { customerId: "c4", reason: "cool_down" },
      ],
    });
    await storeMoment(app.database, shop.id, { kind: "low_stock", alerts: [{ customerId: "c4" }] });
    const { all, price_dropped } = await alertResults(shop.id);
    expect(price_dropped).toMatchObject({ sent: 1, waiting: 1, notSent: 3 });
    expect(price_dropped.reasons).toEqual([
      { reason: "cool_down", customers: 2 },
      { reason: "sold_out", customers: 1 },
    ]);
    expect(all).toMatchObject({ sent: 2, waiting: 1, notSent: 2 });
  });

  test("count the newest alerts up to the limit and report that there are more", async ({ app, seller: shop }) => {
    await storeMoment(app.database, shop.id, { alerts: customers(6) });
    expect((await alertResults(shop.id, 4)).all).toMatchObject({ sent: 4, moreSent: true, moreNotSent: false });
    expect((await alertResults(shop.id, 6)).all).toMatchObject({ sent: 6, moreSent: false });
  });

  test("begin with at least the customers to whom an alert was sent", async ({ app, seller: shop }) => {
    const { database } = app;
    const choose = async (customerId: string, given: boolean): Promise<void> => {
      await database.rows(
        `SELECT alert_consent_record(p_shop_id => $1, p_customer_id => $2, p_kinds => ARRAY['price_dropped'], p_given => $3, p_at => now(), p_source => 'api')`,
        [shop.id, customerId, given],
      );
    };
    for (const customerId of ["c0", "c1", "x"]) await choose(customerId, true);
    await storeMoment(database, shop.id, { alerts: customers(2) });
    await choose("c0", false);
    expect((await consentResults(shop.id)).price_dropped).toEqual({ consented: 2, consentedOrSent: 3 });
    expect((await consentResults(shop.id)).all).toEqual({ consented: 2, consentedOrSent: 3 });
  });
});

describe("revenue of alerts", () => {
  test("is that of Analytics to the cent, in results, log and rows, and falls with a refund", async ({
    call,
    seller: shop,
  }) => {
    await storeVariant(shop.id, { price: "100.00" });
    await turnOn(shop.id, ["price_dropped"]);
    const json = { url: "https://hooks.example.com/alerts", events: ["wishlist.alert.price_dropped"] };
    (await call("POST", "/v1/webhooks", { token: shop.token, json })).data();
    for (const customerId of ["c1", "c2", "c3"]) {
      const path = `/v1/wishlists/${customerId}`;
      (await call("POST", `${path}/items`, { token: shop.token, json: { product_id: "1" } })).data();
      const alerts = { price_dropped: true };
      (await call("PATCH", `${path}/alerts`, { token: shop.token, json: { alerts } })).data();
    }
    await storeVariant(shop.id, { price: "80.00" });
    await processAll(shop.id);
    await order(shop.id, "o1", { customerId: "c1", paid: "79.99" });
    await order(shop.id, "o2", { customerId: "c2", units: 2, paid: "160.01" });
    const seen = async (): Promise<string[]> => {
      const [moment] = await logOf(shop.id);
      const rows = await alertsOf(shop.id, moment?.id ?? 0);
      const sum = rows.reduce((total, { revenue }) => total + Number(revenue ?? 0), 0).toFixed(2);
      const { all, price_dropped } = await alertResults(shop.id);
      const analytics = await analyticsRevenue(shop.id, { days: 30, limit: 1 });
      return [all.revenue, price_dropped.revenue, moment?.revenue ?? "", sum, analytics.revenue];
    };
    expect(await seen()).toEqual(Array.from({ length: 5 }, () => "240.00"));
    expect(await logOf(shop.id)).toMatchObject([{ sent: 3, notSent: 0, bought: 2 }]);
    await order(shop.id, "o2", { customerId: "c2", units: 1, paid: "80.00" });
    expect(await seen()).toEqual(Array.from({ length: 5 }, () => "159.99"));
  });

  test("counts an order once: for the latest alert before it", async ({ app, call, seller: shop }) => {
    await storeVariant(shop.id);
    (await call("POST", "/v1/wishlists/c0/items", { token: shop.token, json: { product_id: "1" } })).data();
    await app.database.rows("UPDATE wishlist_item SET added_at = now() - interval '10 days' WHERE shop_id = $1", [
      shop.id,
    ]);
    await app.database.rows("UPDATE activity SET at = now() - interval '10 days' WHERE shop_id = $1", [shop.id]);
    const sentAt = [ago(3 * DAY), ago(2 * DAY), ago(HOUR)];
    for (const at of sentAt) await storeMoment(app.database, shop.id, { at, alerts: customers(1) });
    await order(shop.id, "o1", { customerId: "c0", at: ago(DAY) });
    const moments = await logOf(shop.id);
    expect(moments.map(({ bought, revenue }) => [bought, revenue])).toEqual([
      [0, "0.00"],
      [1, "80.00"],
      [1, "0.00"],
    ]);
    expect((await alertResults(shop.id)).all).toMatchObject({ bought: 1, revenue: "80.00" });
  });

  test("is unknown for moments whose orders have been purged", async ({ app, seller: shop }) => {
    await storeMoment(app.database, shop.id, { at: ago(91 * DAY), alerts: customers(1, { did: ["bought"] }) });
    expect(await logOf(shop.id)).toMatchObject([{ bought: 1, revenue: null }]);
  });
});

describe("the alert log", () => {
  test("has one moment for a product's variants of one time, and counts its customers once", async ({
    call,
    seller: shop,
  }) => {
    const variants = ["11", "12", "13"];
    const prices = async (price: string) =>
      storeVariants(
        shop.id,
        variants.map((variantId) => ({
          variantId,
          title: `Size ${variantId}`,
          price: variantId === "13" ? "50.00" : price,
        })),
      );
    await prices("100.00");
    await turnOn(shop.id, ["price_dropped"]);
    for (const variant_id of ["11", "12"]) {
      (
        await call("POST", "/v1/wishlists/c1/items", { token: shop.token, json: { product_id: "1", variant_id } })
      ).data();
    }
    (
      await call("PATCH", "/v1/wishlists/c1/alerts", { token: shop.token, json: { alerts: { price_dropped: true } } })
    ).data();
    await prices("80.00");
    await processAll(shop.id);
    const moments = await logOf(shop.id);
    expect(moments).toMatchObject([
      {
        kind: "price_dropped",
        productTitle: "Product 1",
        prices: { low: "80.00", high: "80.00", lowBefore: "100.00", highBefore: "100.00" },
        ...{ sent: 0, waiting: 0, notSent: 1, bought: 0 },
      },
    ]);
    const alerts = await alertsOf(shop.id, moments[0]?.id ?? 0);
    expect(alerts.map(({ variantId, reason }) => [variantId, reason]).toSorted()).toEqual([
      ["11", "no_receiver"],
      ["12", "no_receiver"],
    ]);
  });

  test("agrees with the results and the rows of its moments", async ({ app, seller: shop }) => {
    await storeMoment(app.database, shop.id, {
      alerts: [...customers(5), ...customers(2, { reason: "bought" }, "n"), { customerId: "w", status: "pending" }],
    });
    await storeMoment(app.database, shop.id, { kind: "low_stock", alerts: customers(3, { did: ["bought"] }, "l") });
    const moments = await logOf(shop.id);
    const results = await alertResults(shop.id);
    for (const { id, kind, sent, waiting, notSent, bought } of moments) {
      expect(results[kind]).toMatchObject({ sent, waiting, notSent, bought });
      const alerts = await alertsOf(shop.id, id);
      const count = (status: string): number => alerts.filter((alert) => alert.status === status).length;
      expect([count("sent"), count("pending"), count("suppressed")]).toEqual([sent, waiting, notSent]);
      expect(await alertsOf(shop.id, id, "bought")).toHaveLength(bought);
      expect(results[kind].reasons.reduce((sum, { customers: some }) => sum + some, 0)).toBe(notSent);
    }
    expect(moments).toHaveLength(2);
  });

  test("pages through all moments, newest first, and back", async ({ app, seller: shop }) => {
    const start = ago(100 * HOUR).getTime();
    for (let n = 0; n < 60; n++) {
      // Three happen at the same time, so that a page ends amid them.
      const at = new Date(start + (n % 20) * HOUR);
      await storeMoment(app.database, shop.id, { at, productId: String(n), alerts: customers(1) });
    }
    const page = async (position: { before?: number | undefined; after?: number | undefined }) =>
      listMoments(shop.id, { ...{ from: undefined, to: undefined }, ...position });
    const first = await page({});
    expect(first.newer).toBeUndefined();
    const second = await page({ before: first.older });
    const third = await page({ before: second.older });
    expect(third.older).toBeUndefined();
    const all = [first, second, third].flatMap(({ moments }) => moments);
    expect(new Set(all.map(({ id }) => id)).size).toBe(60);
    const times = all.map(({ at }) => at.getTime());
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect((await page({ after: third.newer })).moments).toEqual(second.moments);
    const back = await page({ after: second.newer });
    expect(back.moments).toEqual(first.moments);
    expect(back).toMatchObject({ newer: undefined, older: first.older });
  });

  test("searches titles in any case, and goes on where a page has looked at enough", async ({ app, seller: shop }) => {
    await storeVariant(shop.id, { productId: "1" });
    await app.database.rows("UPDATE product SET title = 'Shearling 100% Fleece' WHERE shop_id = $1", [shop.id]);
    const old = await storeMoment(app.database, shop.id, { at: ago(10 * HOUR), alerts: customers(1) });
    for (let n = 1; n < 8; n++) {
      await storeMoment(app.database, shop.id, { at: ago(n * HOUR), productId: `x${n}`, alerts: customers(1) });
    }
    const found = async (q: string) => (await logOf(shop.id, { q })).map(({ id }) => id);
    expect(await found("100% fLEECE")).toEqual([old]);
    expect(await found("100_ fleece")).toEqual([]);
    const query = { q: "fleece", from: undefined, to: undefined, ...NO_POSITION };
    const first = await listMoments(shop.id, query, { scanned: 4 });
    expect(first).toMatchObject({ moments: [], searchedTo: expect.any(Date) });
    const second = await listMoments(shop.id, { ...query, before: first.older }, { scanned: 4 });
    const third = await listMoments(shop.id, { ...query, before: second.older }, { scanned: 4 });
    expect([...second.moments, ...third.moments].map(({ id }) => id)).toEqual([old]);
    expect(third.older).toBeUndefined();
  });

  test("filters by kind, outcome and the shop's calendar days", async ({ app, seller: shop }) => {
    await app.database.rows("UPDATE shop SET time_zone = 'Asia/Tokyo' WHERE id = $1", [shop.id]);
    const add = async (
      at: string,
      alert: Partial<MomentAlert> = {},
      kind: "low_stock" | "price_dropped" = "low_stock",
    ) => storeMoment(app.database, shop.id, { kind, at: new Date(at), alerts: [{ customerId: "c", ...alert }] });
    // Midnight in Tokyo is at 15:00 UTC.
    const late = await add("2026-11-10T14:59:00Z");
    const early = await add("2026-11-10T15:00:00Z", { reason: "cool_down" });
    const bought = await add("2026-11-12T00:00:00Z", { did: ["bought"] }, "price_dropped");
    const waiting = await add("2026-11-13T00:00:00Z", { status: "pending" });
    const found = async (filters: AlertFilters) => (await logOf(shop.id, filters)).map(({ id }) => id);
    expect(await found({})).toEqual([waiting, bought, early, late]);
    expect(await found({ to: "2026-11-10" })).toEqual([late]);
    expect(await found({ from: "2026-11-11", to: "2026-11-12" })).toEqual([bought, early]);
    expect(await found({ kind: "price_dropped" })).toEqual([bought]);
    expect(await found({ status: "sent" })).toEqual([bought, late]);
    expect(await found({ status: "suppressed" })).toEqual([early]);
    expect(await found({ status: "pending" })).toEqual([waiting]);
    expect(await found({ status: "bought" })).toEqual([bought]);
  });

  test("ignores invalid filters of an address", () => {
    const query = new URLSearchParams("q=%00&kind=x&status=y&from=0000-01-01&to=2026-02-30&before=1e3&after=-1");
    expect(alertLogQuery(query)).toEqual({});
    expect(alertLogQuery(new URLSearchParams(`q=${"x".repeat(101)}`))).toEqual({});
    expect([toMomentId("07"), toMomentId("x"), toMomentId("9".repeat(16)), toMomentId("7")]).toEqual([
      undefined,
      undefined,
      undefined,
      7,
    ]);
  });

  test("has the reminders of a day as one moment without a product", async ({ app, seller: shop }) => {
    const id = await storeMoment(app.database, shop.id, {
      kind: "reminder_due",
      productId: null,
      alerts: [
        { customerId: "c1", variantId: "11" },
        { customerId: "c1", variantId: "12" },
        { customerId: "c2", variantId: "11" },
      ],
    });
    expect(await logOf(shop.id)).toMatchObject([{ id, kind: "reminder_due", productId: null, prices: null, sent: 2 }]);
    expect(await alertsOf(shop.id, id)).toHaveLength(3);
  });

  test("shows no other shop's moments, alerts and results", async ({ app, call, seller: shop }) => {
    const id = await storeMoment(app.database, shop.id, { alerts: customers(2, { did: ["bought"] }) });
    const other = await makeShop(app, call, { plan: "growth" });
    expect(await logOf(other.id)).toEqual([]);
    expect(await readMoment(other.id, id)).toBeUndefined();
    const of = { occurrences: [id], hasRevenue: true };
    expect((await listMomentAlerts(other.id, of, { status: undefined, ...NO_POSITION })).alerts).toEqual([]);
    expect(await csvOf(other.id, `moment=${id}`)).toEqual([]);
    expect((await alertResults(other.id)).all.sent).toBe(0);
    // Nor is another shop's moment a position in the log.
    await storeMoment(app.database, other.id, { alerts: customers(1) });
    const query = { from: undefined, to: undefined, before: id, after: undefined };
    expect(await listMoments(other.id, query)).toMatchObject({ moments: [{ sent: 1 }], newer: undefined });
  });

  test("pages through the customers of a moment and back", async ({ app, seller: shop }) => {
    const id = await storeMoment(app.database, shop.id, { alerts: customers(60) });
    const found = await readMoment(shop.id, id);
    const of = { occurrences: found?.occurrences ?? [], hasRevenue: true };
    const page = async (position: { before?: string | undefined; after?: string | undefined }) =>
      listMomentAlerts(shop.id, of, { status: undefined, before: position.before, after: position.after });
    const first = await page({});
    expect(first).toMatchObject({ hasNewer: false, hasOlder: true });
    const second = await page({ before: first.alerts.at(-1)?.id });
    expect(second).toMatchObject({ hasNewer: true, hasOlder: false });
    expect(new Set([...first.alerts, ...second.alerts].map(({ id: alertId }) => alertId)).size).toBe(60);
    expect((await page({ after: second.alerts[0]?.id })).alerts).toEqual(first.alerts);
  });
});

describe("the export of the alert log", () => {
  test("writes the alerts that the filters find, with outcome, reason and revenue", async ({ app, seller: shop }) => {
    const id = await storeMoment(app.database, shop.id, {
      alerts: [
        { customerId: "c1", did: ["bought"] },
        { customerId: "c2", reason: "sold_out" },
      ],
    });
    await storeMoment(app.database, shop.id, { kind: "low_stock", at: ago(DAY), alerts: customers(600, {}, "l") });
    expect(await csvOf(shop.id)).toHaveLength(602);
    expect(await csvOf(shop.id, "kind=low_stock")).toHaveLength(600);
    expect(await csvOf(shop.id, "status=suppressed&kind=x")).toMatchObject([
      { "Customer id": "c2", Outcome: "suppressed", Reason: "sold_out", "Price before": "100.00", Price: "80.00" },
    ]);
    expect(await csvOf(shop.id, `status=bought&moment=${id}`)).toMatchObject([
      { "Customer id": "c1", Revenue: "0.00", Currency: "EUR" },
    ]);
    expect(await csvOf(shop.id, "", 501)).toHaveLength(501);
  });

  test("escapes what a spreadsheet would evaluate", async ({ app, seller: shop }) => {
    await storeVariant(shop.id);
    await app.database.rows("UPDATE product SET title = '=HYPERLINK(1)' WHERE shop_id = $1", [shop.id]);
    await storeMoment(app.database, shop.id, { alerts: [{ customerId: "+c" }] });
    const csv = await exported(shop.id);
    expect(csv).toContain(",'=HYPERLINK(1),");
    expect(csv).toContain(",'+c,");
  });
});
