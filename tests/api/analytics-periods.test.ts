import { afterAll, beforeAll, describe, expect } from "vitest";
import { dashboard, exportTable, productFindings, rangeOf, spanOf } from "../../app/analytics/index.server.ts";
import type { Dashboard } from "../../app/analytics/findings.ts";
import { holdClock } from "../../app/platform/clock.server.ts";
import { Failure } from "../../app/platform/failure.ts";
import type { InProcessApp } from "../support/app/in-process.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import { test as base } from "../support/app/fixtures.ts";

const NOW = new Date("2026-11-20T14:30:00Z");
const TODAY = "2026-11-20";

beforeAll(() => holdClock(NOW));
afterAll(() => holdClock(undefined));

const test = base.extend("fresh", async ({ app, call }) => {
  const shop = await makeShop(app, call, { timeZone: "UTC" });
  return { shop, ...changesOf(app, shop) };
});

function changesOf(app: InProcessApp, shop: TestShop) {
  const change = (name: string) => (customer: string, at: string, product: string) =>
    app.database.rows(`SELECT wishlist_${name}($1, 'customer', $2, $3, 'v', 'api', $4)`, [
      shop.id,
      customer,
      product,
      at,
    ]);
  return {
    save: (customer: string, at: string, product = "p") => change("add")(customer, at, product),
    remove: (customer: string, at: string, product = "p") => change("remove")(customer, at, product),
    cart: (customer: string, at: string) =>
      app.database.rows("SELECT wishlist_record_cart($1, 'customer', $2, 'p', 'v', $3, 'api', $4)", [
        shop.id,
        customer,
        ...[at, at],
      ]),
    order: (at: string, revenue: number) => placeOrder(app, shop, at, revenue),
    look: (query: string): Promise<Dashboard> => dashboard(shop, spanOf(new URLSearchParams(query)), 10),
    csv: async (query: string): Promise<string[]> => {
      const of = { ...shop, timeZone: "UTC", currency: "EUR" };
      const file = await exportTable(of, new URLSearchParams(query));
      return file instanceof Failure ? [file.code, file.message] : file.text.trimEnd().split("\r\n");
    },
  };
}

let orders = 0;

/** Stores an order of a shopper who saved the item, as if it had been read from the store. */
async function placeOrder({ database }: InProcessApp, { id }: TestShop, at: string, revenue: number): Promise<void> {
  const order = String(++orders);
  await database.rows("UPDATE shop SET currency = 'EUR' WHERE id = $1", [id]);
  await database.rows(
    "INSERT INTO store_order (shop_id, order_id, customer_id, reported_at) VALUES ($1, $2, 'c', now())",
    [id, order],
  );
  const lines = [{ lineId: "1", productId: "p", variantId: "v", units: 1, revenue }];
  await database.rows("SELECT order_record($1, $2, 1, $3::timestamptz, $3::timestamptz, 'EUR', true, $4)", [
    ...[id, order, at],
    JSON.stringify(lines),
  ]);
}

describe("a comparison of a period that ends today", () => {
  test("cuts the day before at the same hour", async ({ fresh }) => {
    const { save, remove, cart, look, csv } = fresh;
    await save("old", "2026-11-01T00:00:00Z", "q");
    await save("a", "2026-11-13T09:00:00Z");
    await cart("a", "2026-11-13T14:59:00Z");
    await save("b", "2026-11-13T14:59:00Z");
    await save("c", "2026-11-13T15:00:00Z");
    await remove("c", "2026-11-13T23:00:00Z");
    await save("d", "2026-11-12T23:00:00Z");
    await save("e", "2026-11-20T14:00:00Z");
    const { activity } = await look("period=7&compare=1");
    expect(activity?.before).toMatchObject({ until: "15:00", overview: { totalWishlistedItems: 3 } });
    expect(activity?.before?.days.at(-1)).toMatchObject({ itemsAdded: 2, itemsRemoved: 0, addToCartFromWishlist: 1 });
    expect(activity?.days.at(-1)).toMatchObject({ date: TODAY, itemsAdded: 1 });
    const lines = await csv("table=daily&period=7&compare=1");
    expect(lines[0]).toContain("Date,Period,Until,Saved,Removed,Active shoppers,Added to cart");
    expect(lines.filter((line) => line.includes("15:00"))).toEqual(["2026-11-13,previous,15:00,2,0,,1"]);
  });

  test("has the whole day before when some of it was counted before hours were", async ({ app, fresh }) => {
    const { save, look, shop } = fresh;
    await save("old", "2026-11-01T00:00:00Z", "q");
    await save("a", "2026-11-13T09:00:00Z");
    await save("b", "2026-11-13T20:00:00Z");
    await look("");
    await app.database.rows("DELETE FROM activity_hourly WHERE shop_id = $1 AND hour = 20", [shop.id]);
    const { activity } = await look("period=7&compare=1");
    expect(activity?.before?.until).toBeUndefined();
    expect(activity?.before?.days.at(-1)).toMatchObject({ itemsAdded: 2 });
  });

  test("cuts the revenue of the day before at the same hour, to the cent", async ({ fresh }) => {
    const { save, order, look } = fresh;
    await save("c", "2026-10-01T00:00:00Z");
    await look("");
    await order("2026-11-07T09:00:00Z", 0.1);
    await order("2026-11-13T14:59:00Z", 0.2);
    await order("2026-11-13T15:00:00Z", 1000);
    await order("2026-11-20T10:00:00Z", 5);
    const { revenue } = await look("period=7&compare=1");
    expect(revenue?.before).toMatchObject({
      until: "15:00",
      sums: { orders: 2, savedOrders: 2, units: 2, revenue: "0.30" },
    });
    expect(revenue?.before?.days.at(-1)).toMatchObject({ date: "2026-11-13", revenue: "0.20" });
    expect(revenue?.sums.revenue).toBe("5.00");
  });
});

describe("custom dates", () => {
  test("show their days, compared with as many days before, which are whole", async ({ fresh }) => {
    const { save, look, csv } = fresh;
    await save("old", "2026-10-01T00:00:00Z", "q");
    await save("a", "2026-11-01T23:00:00Z");
    await save("b", "2026-11-03T08:00:00Z");
    await save("c", "2026-11-04T08:00:00Z");
    await save("d", "2026-11-05T08:00:00Z");
    const { activity, problem } = await look("from=2026-11-03&to=2026-11-04&compare=1");
    expect(problem).toBeUndefined();
    expect(activity?.days.map(({ date, itemsAdded }) => [date, itemsAdded])).toEqual([
      ["2026-11-03", 1],
      ["2026-11-04", 1],
    ]);
    expect(activity?.overview).toEqual({ totalWishlistedItems: 2, activeShoppers: 2, wishlistToCartRate: 0 });
    expect(activity?.before).toMatchObject({ until: undefined, overview: { totalWishlistedItems: 1 } });
    expect(await csv("table=daily&from=2026-11-03&to=2026-11-04")).toHaveLength(3);
  });

  test("of 400 days show and export each day once", async ({ fresh }) => {
    const { save, look, csv } = fresh;
    await save("a", "2025-10-17T08:00:00Z");
    await save("b", `${TODAY}T08:00:00Z`);
    const { activity, problem } = await look(`from=2025-10-17&to=${TODAY}`);
    expect(problem).toBeUndefined();
    const days = activity?.days ?? [];
    expect(new Set(days.map(({ date }) => date)).size).toBe(400);
    expect(days.flatMap(({ date, itemsAdded }) => (itemsAdded > 0 ? [[date, itemsAdded]] : []))).toEqual([
      ["2025-10-17", 1],
      [TODAY, 1],
    ]);
    expect(await csv(`table=daily&from=2025-10-17&to=${TODAY}`)).toHaveLength(401);
  });

  test("that end today are compared with the same hour, and know their active shoppers", async ({ fresh }) => {
    const { save, look } = fresh;
    await save("old", "2026-10-01T00:00:00Z", "q");
    await save("a", `${TODAY}T08:00:00Z`);
    const { activity } = await look(`from=${TODAY}&to=${TODAY}&compare=1`);
    expect(activity).toMatchObject({ overview: { activeShoppers: 1 }, before: { until: "15:00" } });
  });

  test("limit what a product and its revenue are counted for", async ({ fresh }) => {
    const { save, order, look, shop } = fresh;
    await save("c", "2026-10-01T00:00:00Z");
    await save("d", "2026-11-04T00:00:00Z");
    await look("");
    await order("2026-11-04T09:00:00Z", 7);
    await order("2026-11-10T09:00:00Z", 9);
    const span = spanOf(new URLSearchParams("from=2026-11-03&to=2026-11-09"));
    const found = await productFindings(shop.id, "p", await rangeOf(shop.id, span));
    expect(found).toMatchObject({ revenue: { orders: 1, revenue: "7.00" }, since: undefined });
    expect(found?.days.map(({ itemsAdded }) => itemsAdded)).toEqual([0, 1, 0, 0, 0, 0, 0]);
    const { revenue } = await look("from=2026-11-03&to=2026-11-09");
    expect(revenue?.products).toMatchObject([{ productId: "p", revenue: "7.00" }]);
  });

  test("that are wrong are named, and the last 30 days are shown", async ({ fresh }) => {
    const { look, csv } = fresh;
    for (const [query, problem] of [
      ["from=2026-11-03", "The last day is missing."],
      ["from=&to=2026-11-03", "The first day is missing."],
      ["from=2026-13-03&to=2026-11-03", "The first day isn't a date such as 2026-11-20."],
      ["from=2026-11-03&to=yesterday", "The last day isn't a date such as 2026-11-20."],
      ["from=2026-11-05&to=2026-11-03", "The first day is after the last day."],
      ["from=2026-11-05&to=2026-11-21", "The last day is in the future."],
      ["from=2024-11-19&to=2026-11-20", "A period has at most 731 days."],
    ] as const) {
      expect(await look(query)).toMatchObject({ problem, activity: { days: expect.any(Array) } });
      expect(await csv(`table=daily&${query}`)).toEqual(["invalid_request", problem]);
    }
    expect((await look("from=2024-11-20&to=2026-11-20")).problem).toBeUndefined();
  });
});

test("a product of which 2,048 variants are saved shows the first ones, and that there are more", async ({
  app,
  fresh,
}) => {
  const { shop } = fresh;
  await app.database.rows(
    "SELECT wishlist_add($1, 'customer', 'c', 'p', 'v' || n, 'api', $2) FROM generate_series(1, 2048) n",
    [shop.id, NOW],
  );
  const found = await productFindings(shop.id, "p", await rangeOf(shop.id, spanOf(new URLSearchParams())));
  expect(found).toMatchObject({ moreVariants: true });
  expect(new Set(found?.variants.map(({ variantId }) => variantId)).size).toBe(250);
});

describe("days before counting began", () => {
  test("are left out of the activity and of its CSV", async ({ fresh }) => {
    const { save, look, csv, shop } = fresh;
    await save("a", "2026-11-18T08:00:00Z");
    const { activity } = await look("period=7");
    expect(activity?.since).toBe("2026-11-18");
    expect(activity?.days.map(({ date }) => date)).toEqual(["2026-11-18", "2026-11-19", TODAY]);
    expect(await csv("table=daily&period=7")).toHaveLength(4);
    const found = await productFindings(shop.id, "p", await rangeOf(shop.id, { period: 7, compare: false }));
    expect(found).toMatchObject({ since: "2026-11-18" });
    expect(found?.days).toHaveLength(3);
    expect((await look("from=2026-11-01&to=2026-11-02")).activity).toMatchObject({ since: "2026-11-18", days: [] });
  });

  test("are left out of the revenue", async ({ fresh }) => {
    const { save, order, look } = fresh;
    await save("c", "2026-10-01T00:00:00Z");
    await look("");
    await order("2026-11-19T09:00:00Z", 7);
    const { revenue } = await look("period=7");
    expect(revenue?.since).toBe("2026-11-19");
    expect(revenue?.days.map(({ date }) => date)).toEqual(["2026-11-19", TODAY]);
  });
});

describe("the usage of a period", () => {
  test("tells customers from guests, the store from the API, and shares from views", async ({ app, fresh }) => {
    const { save, cart, look, csv, shop } = fresh;
    await save("a", "2026-11-19T08:00:00Z");
    await save("b", "2026-11-19T08:00:00Z");
    await save("c", "2026-11-01T08:00:00Z");
    // The cart event counts for the day of the save.
    await cart("a", "2026-11-20T08:00:00Z");
    await app.database.rows("SELECT wishlist_add($1, 'guest', 'g', 'p', 'v', 'storefront', $2)", [shop.id, NOW]);
    await app.database.rows("SELECT wishlist_share($1, 'customer', 'b', 'x', 'x', 'api', $2)", [shop.id, NOW]);
    const [link] = await app.database.rows<{ id: string }>("SELECT id FROM share_link WHERE shop_id = $1", [shop.id]);
    for (const at of [NOW, "2026-11-01T08:00:00Z"])
      await app.database.rows("SELECT wishlist_record_view($1, $2, $3)", [shop.id, link?.id, at]);
    const { usage } = await look("from=2026-11-14&to=2026-11-20");
    expect(usage).toMatchObject({ cohort: { saved: 3, addedToCart: 1 }, views: 1, since: undefined });
    expect(usage?.groups).toMatchObject([
      { ownerKind: "customer", source: "api", itemsAdded: 2, addToCartFromWishlist: 1, shared: 1 },
      { ownerKind: "guest", source: "storefront", itemsAdded: 1, addToCartFromWishlist: 0, shared: 0 },
    ]);
    expect(await csv("table=usage&period=7")).toContain("guest,storefront,1,0,0,0");
    expect(await app.database.rows("SELECT views FROM share_link WHERE shop_id = $1", [shop.id])).toEqual([
      { views: 2 },
    ]);
  });

  test("is counted since the first day whose hours were", async ({ app, fresh }) => {
    const { save, look, shop } = fresh;
    await save("c", "2026-11-01T08:00:00Z");
    await save("a", "2026-11-19T08:00:00Z");
    await look("");
    await app.database.rows("DELETE FROM activity_hourly WHERE shop_id = $1 AND day < '2026-11-10'", [shop.id]);
    expect((await look("period=30")).usage).toMatchObject({ since: "2026-11-19", cohort: { saved: 2 } });
    expect((await look("from=2026-11-20&to=2026-11-20")).usage?.since).toBeUndefined();
  });
});
