import { afterAll, beforeAll, describe, expect } from "vitest";
import { dashboard, exportTable, spanOf } from "../../app/analytics/index.server.ts";
import type { Cohort } from "../../app/analytics/findings.ts";
import { holdClock } from "../../app/platform/clock.server.ts";
import { Failure } from "../../app/platform/failure.ts";
import type { InProcessApp } from "../support/app/in-process.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import { test as base } from "../support/app/fixtures.ts";

// A Friday, so that the week began on the 16th.
const NOW = new Date("2026-11-20T14:30:00Z");

beforeAll(() => holdClock(NOW));
afterAll(() => holdClock(undefined));

const test = base.extend("fresh", async ({ app, call }) => {
  const shop = await makeShop(app, call, { timeZone: "UTC" });
  return { shop, ...changesOf(app, shop) };
});

function changesOf({ database }: InProcessApp, shop: TestShop) {
  const look = (query: string) => dashboard(shop, spanOf(new URLSearchParams(query)), 10);
  const add = (kind: "customer" | "guest", owner: string, day: string, source: string, variant = "v") =>
    database.rows("SELECT wishlist_add($1, $2, $3, 'p', $4, $5, $6::timestamptz)", [
      ...[shop.id, kind, owner, variant, source, `${day}T10:00:00Z`],
    ]);
  return {
    look,
    save: (customer: string, day: string, variant?: string) => add("customer", customer, day, "api", variant),
    guest: (guest: string, day: string, variant?: string) => add("guest", guest, day, "storefront", variant),
    addByStaff: (customer: string, day: string) => add("customer", customer, day, "staff"),
    remove: (customer: string, day: string) =>
      database.rows("SELECT wishlist_remove($1, 'customer', $2, 'p', 'v', 'api', $3::timestamptz)", [
        ...[shop.id, customer, `${day}T11:00:00Z`],
      ]),
    logIn: (guest: string, customer: string, day: string) =>
      database.rows("SELECT wishlist_merge_guest($1, $2, $3, $4::timestamptz)", [
        ...[shop.id, guest, customer, `${day}T12:00:00Z`],
      ]),
    /** Records an order of the variant, or changes it. */
    order: async (id: string, customer: string, day: string, { units = 1 } = {}) => {
      const at = `${day}T13:00:00Z`;
      await database.rows("UPDATE shop SET currency = 'EUR' WHERE id = $1", [shop.id]);
      await database.rows(
        `INSERT INTO store_order (shop_id, order_id, customer_id, reported_at) VALUES ($1, $2, $3, now())
             ON CONFLICT DO NOTHING`,
        [shop.id, id, customer],
      );
      const lines = [{ lineId: id, productId: "p", variantId: "v", units, revenue: 10 * units }];
      await database.rows("SELECT order_record($1, $2, 1, now(), $3::timestamptz, 'EUR', true, $4)", [
        ...[shop.id, id, at, JSON.stringify(lines)],
      ]);
    },
    cohorts: async (query: string): Promise<readonly Cohort[]> => (await look(query)).cohorts?.cohorts ?? [],
    csv: async (query: string): Promise<string[]> => {
      const of = { ...shop, timeZone: "UTC", currency: "EUR" };
      const file = await exportTable(of, new URLSearchParams(query));
      return file instanceof Failure ? [file.code, file.message] : file.text.trimEnd().split("\r\n");
    },
  };
}

const LATEST = "from=2026-11-01&to=2026-11-20";

/** The cohorts of a period in short: first day, shoppers, those who came back, and the active ones of each later week. */
const brief = (cohorts: readonly Cohort[]): (string | number)[][] =>
  cohorts.map(({ first, shoppers, returned, later }) => [first, shoppers, returned, ...later]);

describe("cohorts by the first save", () => {
  test("have each shopper once, in the week of the first save, with the later weeks of activity", async ({ fresh }) => {
    const { save, guest, cohorts, look } = fresh;
    await save("a", "2026-11-01");
    await save("a", "2026-11-10", "w");
    await save("a", "2026-11-11", "x");
    await save("a", "2026-11-17", "y");
    await save("b", "2026-11-03");
    await guest("g", "2026-11-04");
    await save("b", "2026-11-05", "w");
    await save("c", "2026-11-20");
    // The first days are those of the period: the 1st is a Sunday.
    expect(brief(await cohorts(LATEST))).toEqual([
      ["2026-11-01", 1, 1, 0, 1, 1],
      ["2026-11-02", 2, 1, 0, 0],
      ["2026-11-09", 0, 0, 0],
      ["2026-11-16", 1, 0],
    ]);
    const { cohorts: found, activity } = await look(LATEST);
    expect(found).toMatchObject({ unit: "week", since: undefined });
    expect(found?.cohorts.map(({ last, customers }) => [last, customers])).toEqual([
      ["2026-11-01", 1],
      ["2026-11-08", 1],
      ["2026-11-15", 0],
      ["2026-11-20", 1],
    ]);
    expect(found?.cohorts.map(({ isLastPartial }) => isLastPartial)).toEqual([true, true, true, true]);
    // Nobody was there before the period: everybody who was active is new.
    const people = found?.cohorts.reduce((sum, { shoppers }) => sum + shoppers, 0);
    expect(people).toBe(activity?.overview.activeShoppers);
  });

  test("add up to the new shoppers of any part of a period", async ({ fresh }) => {
    const { save, cohorts } = fresh;
    for (let day = 1; day <= 20; day++) await save(`s${day % 7}`, `2026-11-${String(day).padStart(2, "0")}`, `v${day}`);
    const people = async (query: string) => (await cohorts(query)).reduce((sum, { shoppers }) => sum + shoppers, 0);
    expect(await people(LATEST)).toBe(7);
    expect((await people("from=2026-11-01&to=2026-11-04")) + (await people("from=2026-11-05&to=2026-11-20"))).toBe(7);
    expect(await people("from=2026-11-08&to=2026-11-20")).toBe(0);
  });

  test("are months in a period of more than 92 days", async ({ fresh }) => {
    const { save, look } = fresh;
    await save("a", "2026-08-31");
    await save("a", "2026-09-30", "w");
    await save("a", "2026-11-20", "x");
    const { cohorts } = await look("from=2026-08-15&to=2026-11-20");
    expect(cohorts).toMatchObject({ unit: "month", since: "2026-08-31" });
    expect(brief(cohorts?.cohorts ?? [])).toEqual([
      ["2026-08-31", 1, 1, 1, 0, 1],
      ["2026-09-01", 0, 0, 0, 0],
      ["2026-10-01", 0, 0, 0],
      ["2026-11-01", 0, 0],
    ]);
    expect((await look("from=2026-08-20&to=2026-11-20")).cohorts?.unit).toBe("month");
    expect((await look("from=2026-08-21&to=2026-11-20")).cohorts?.unit).toBe("week");
  });

  test("have no shopper for whom only staff have saved, until the shopper saves", async ({ fresh }) => {
    const { addByStaff, remove, save, cohorts } = fresh;
    await addByStaff("a", "2026-11-02");
    await remove("a", "2026-11-03");
    await save("b", "2026-11-02");
    expect((await cohorts(LATEST)).map(({ shoppers }) => shoppers)).toEqual([1, 0, 0]);
    await save("a", "2026-11-18", "w");
    expect((await cohorts(LATEST)).map(({ shoppers }) => shoppers)).toEqual([1, 0, 1]);
  });

  test("have a guest who logs in and the customer as one, at the earlier of their first saves", async ({ fresh }) => {
    const { save, guest, logIn, cohorts } = fresh;
    await save("a", "2026-11-10");
    await guest("g", "2026-11-03", "w");
    await guest("g", "2026-11-11", "x");
    expect(brief(await cohorts(LATEST))).toEqual([
      ["2026-11-03", 1, 1, 1, 0],
      ["2026-11-09", 1, 0, 0],
      ["2026-11-16", 0, 0],
    ]);
    await logIn("g", "a", "2026-11-12");
    await save("a", "2026-11-19", "y");
    const merged = await cohorts(LATEST);
    expect(brief(merged)).toEqual([
      ["2026-11-03", 1, 1, 1, 1],
      ["2026-11-09", 0, 0, 0],
      ["2026-11-16", 0, 0],
    ]);
    expect(merged[0]?.customers).toBe(1);
  });

  test("follow a save that is reported late", async ({ fresh }) => {
    const { save, cohorts } = fresh;
    await save("a", "2026-11-17");
    expect((await cohorts(LATEST)).map(({ first, shoppers }) => [first, shoppers])).toEqual([["2026-11-17", 1]]);
    await save("a", "2026-11-03", "w");
    expect(brief(await cohorts(LATEST))).toEqual([
      ["2026-11-03", 1, 1, 0, 1],
      ["2026-11-09", 0, 0, 0],
      ["2026-11-16", 0, 0],
    ]);
  });

  test("have nobody of another shop", async ({ app, call, fresh }) => {
    const other = changesOf(app, await makeShop(app, call, { timeZone: "UTC" }));
    await other.save("a", "2026-11-17");
    await other.cohorts(LATEST);
    expect(await fresh.cohorts(LATEST)).toEqual([]);
    await fresh.save("a", "2026-11-18");
    expect(brief(await fresh.cohorts(LATEST))).toEqual([["2026-11-18", 1, 0]]);
  });

  test("are exported with the same numbers", async ({ fresh }) => {
    const { save, guest, order, csv, look } = fresh;
    await save("a", "2026-11-03");
    await save("b", "2026-11-04");
    await guest("g", "2026-11-04");
    await save("a", "2026-11-17", "w");
    await look("");
    await order("1", "a", "2026-11-18");
    await order("2", "b", "2026-11-18");
    expect(await csv(`table=cohorts&${LATEST}`)).toEqual([
      `\u{FEFF}First day,Last day,Shoppers,Customers,Came back,Bought,${Array.from({ length: 12 }, (_, index) => `Active week ${index + 1}`).join(",")}`,
      `2026-11-03,2026-11-08,3,2,1,2,0,1${",".repeat(10)}`,
      `2026-11-09,2026-11-15,0,0,0,0,0${",".repeat(11)}`,
      `2026-11-16,2026-11-20,0,0,0,0${",".repeat(12)}`,
    ]);
  });
});

describe("the buyers of a cohort", () => {
  const bought = async (cohorts: Promise<readonly Cohort[]>): Promise<number> =>
    (await cohorts).reduce((sum, cohort) => sum + cohort.bought, 0);

  test("are customers who ordered something that they had saved, each once", async ({ fresh }) => {
    const { save, order, cohorts } = fresh;
    await save("a", "2026-11-03");
    await save("b", "2026-11-03");
    await cohorts(LATEST);
    await order("1", "a", "2026-11-04");
    await order("2", "a", "2026-11-05");
    await order("3", "nobody", "2026-11-05");
    expect(await bought(cohorts(LATEST))).toBe(1);
  });

  test("are no longer those whose last such order was refunded", async ({ fresh }) => {
    const { save, order, cohorts } = fresh;
    await save("a", "2026-11-03");
    await cohorts(LATEST);
    await order("1", "a", "2026-11-04");
    await order("2", "a", "2026-11-05");
    await order("1", "a", "2026-11-04", { units: 0 });
    expect(await bought(cohorts(LATEST))).toBe(1);
    await order("2", "a", "2026-11-05", { units: 0 });
    expect(await bought(cohorts(LATEST))).toBe(0);
    await order("2", "a", "2026-11-05");
    expect(await bought(cohorts(LATEST))).toBe(1);
  });

  test("stay when a newer order is refunded after the first one was purged", async ({ app, fresh }) => {
    const { save, order, cohorts, shop } = fresh;
    await save("a", "2026-11-03");
    await cohorts(LATEST);
    await order("1", "a", "2026-11-04");
    await app.database.rows("DELETE FROM order_line WHERE shop_id = $1", [shop.id]);
    await order("2", "a", "2026-11-05");
    await order("2", "a", "2026-11-05", { units: 0 });
    expect(await bought(cohorts(LATEST))).toBe(1);
  });

  test("include one whose order is recorded before the save is processed", async ({ fresh }) => {
    const { save, order, cohorts } = fresh;
    await save("a", "2026-11-03");
    await order("1", "a", "2026-11-04");
    expect(await bought(cohorts(LATEST))).toBe(1);
  });

  test("move with a guest's earlier save", async ({ fresh }) => {
    const { save, guest, logIn, order, cohorts } = fresh;
    await guest("g", "2026-11-02", "w");
    await save("a", "2026-11-10");
    await cohorts(LATEST);
    await order("1", "a", "2026-11-11");
    await logIn("g", "a", "2026-11-12");
    expect((await cohorts(LATEST)).map((cohort) => cohort.bought)).toEqual([1, 0, 0]);
  });
});

describe("the active shoppers of past dates", () => {
  test("are each counted once, also those who came back within the period or after it", async ({ fresh }) => {
    const { save, look } = fresh;
    const active = async (query: string) => (await look(query)).activity?.overview.activeShoppers;
    await save("a", "2026-11-02");
    await save("a", "2026-11-05", "w");
    await save("a", "2026-11-19", "x");
    await save("b", "2026-11-04");
    await save("c", "2026-10-20");
    await save("c", "2026-11-05", "w");
    expect(await active("from=2026-11-02&to=2026-11-05")).toBe(3);
    expect(await active("from=2026-11-03&to=2026-11-04")).toBe(1);
    expect(await active("from=2026-11-06&to=2026-11-18")).toBe(0);
    expect(await active("from=2026-10-20&to=2026-11-19")).toBe(3);
  });

  test("count a shopper once who saved as guest and customer on the day of the login", async ({ fresh }) => {
    const { save, guest, logIn, look, cohorts } = fresh;
    const active = async (query: string) => (await look(query)).activity?.overview.activeShoppers;
    await save("a", "2026-11-03");
    await look("");
    await guest("g", "2026-11-10", "w");
    await save("a", "2026-11-10", "x");
    await logIn("g", "a", "2026-11-10");
    expect(await active("from=2026-11-10&to=2026-11-10")).toBe(1);
    expect(await active("from=2026-11-03&to=2026-11-10")).toBe(1);
    expect(brief(await cohorts(LATEST))).toEqual([
      ["2026-11-03", 1, 1, 1, 0],
      ["2026-11-09", 0, 0, 0],
      ["2026-11-16", 0, 0],
    ]);
  });

  test("follow a day that is reported together with a later one", async ({ fresh }) => {
    const { save, look, cohorts } = fresh;
    const active = async (query: string) => (await look(query)).activity?.overview.activeShoppers;
    await save("a", "2026-11-03");
    await save("a", "2026-11-17", "w");
    await look("");
    await save("a", "2026-11-10", "x");
    await save("a", "2026-11-19", "y");
    expect(await active("from=2026-11-10&to=2026-11-10")).toBe(1);
    expect(await active("from=2026-11-10&to=2026-11-19")).toBe(1);
    expect(brief(await cohorts(LATEST))).toEqual([
      ["2026-11-03", 1, 1, 1, 1],
      ["2026-11-09", 0, 0, 0],
      ["2026-11-16", 0, 0],
    ]);
  });

  test("are those of the days when they add up to a period that ends today", async ({ fresh }) => {
    const { save, look } = fresh;
    await save("a", "2026-11-02");
    await save("a", "2026-11-20", "w");
    await save("b", "2026-11-19");
    const { activity } = await look("period=30&compare=1");
    expect(activity?.overview.activeShoppers).toBe(2);
    expect((await look("from=2026-11-19&to=2026-11-19")).activity?.overview.activeShoppers).toBe(1);
  });

  test("stay when a customer is erased or days are purged", async ({ app, fresh }) => {
    const { save, look, cohorts, shop } = fresh;
    await save("a", "2026-11-02");
    await save("b", "2026-11-03");
    await cohorts(LATEST);
    await app.database.rows("SELECT customer_erase($1, 'a', now())", [shop.id]);
    await app.database.rows("DELETE FROM shopper_day WHERE shop_id = $1", [shop.id]);
    await save("b", "2026-11-19", "w");
    const { activity, cohorts: found } = await look("from=2026-11-02&to=2026-11-03");
    expect(activity?.overview.activeShoppers).toBe(2);
    expect(brief(found?.cohorts ?? [])).toEqual([["2026-11-02", 2, 1, 0, 1]]);
  });

  test("are unknown where the period began before they were counted", async ({ app, fresh }) => {
    const { save, look, shop } = fresh;
    await save("a", "2026-11-02");
    await save("b", "2026-11-05");
    await look("");
    await app.database.rows("DELETE FROM shopper_count WHERE shop_id = $1 AND day < '2026-11-04'", [shop.id]);
    const active = async (query: string) => (await look(query)).activity?.overview.activeShoppers;
    expect(await active("from=2026-11-02&to=2026-11-06")).toBeNull();
    expect(await active("from=2026-11-03&to=2026-11-06")).toBe(1);
  });
});
