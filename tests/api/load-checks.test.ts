import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { check, type Verdict } from "../faults/load/check.ts";
import { Ledger, type Customer } from "../faults/load/ledger.ts";
import type { Arrival } from "../faults/rig/receivers.ts";
import { wrongRollups } from "../support/app/audit.ts";
import { client, type Call } from "../support/app/client.ts";
import { startApp, type InProcessApp } from "../support/app/in-process.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import { newGuest, SHOPIFY_ENV, visitor } from "../support/app/storefront.ts";
import type { Received } from "../support/webhooks/receiver.ts";
import { compareEvents, compareItems } from "../update/compare.ts";
import type { Account } from "../update/load.ts";

let app: InProcessApp;
let call: Call;

beforeAll(async () => {
  // Without the outbox processor, so that the tests decide when it runs.
  app = await startApp({ env: { ...SHOPIFY_ENV, WISHLIST_ROLE: "web" } });
  // All changes are of one day.
  app.holdClock(new Date());
  call = client(app);
});
afterAll(() => app.dispose());

function rows(sql: string, values?: unknown[]): Promise<Record<string, unknown>[]> {
  return app.database.rows(sql, values);
}

function newShop(): Promise<TestShop> {
  return makeShop(app, call, { products: { p: "v", q: "v" } });
}

async function add({ token }: TestShop, customer: string, product: string): Promise<void> {
  const json = { product_id: product, variant_id: "v" };
  (await call("POST", `/v1/wishlists/${customer}/items`, { token, json })).data();
}

async function remove({ token }: TestShop, customer: string, product: string): Promise<void> {
  (await call("DELETE", `/v1/wishlists/${customer}/items/${product}`, { token })).data();
}

function processOutbox({ id }: TestShop): Promise<unknown> {
  return rows("SELECT outbox_process($1, 1000, true)", [id]);
}

describe("the recount of rollups", () => {
  let shop: TestShop;

  beforeAll(async () => {
    shop = await newShop();
    await add(shop, "7", "p");
    await add(shop, "7", "q");
    await remove(shop, "7", "q");
    const guestId = newGuest();
    const guest = visitor(app, { shop: shop.domain });
    const item = { productId: "p", variantId: "v" };
    (await guest("POST", "/api/add", { json: { guestId, ...item } })).data();
    (
      await guest("POST", "/api/recordCart", {
        json: { guestId, event_id: crypto.randomUUID(), items: [{ product_id: "p", variant_id: "v" }] },
      })
    ).data();
    (await visitor(app, { shop: shop.domain, customer: "8" })("POST", "/api/merge", { json: { guestId } })).data();
    await processOutbox(shop);
  });

  test("finds nothing in what the outbox processor has counted", async () => {
    expect(await wrongRollups(rows, shop.id)).toEqual([]);
    expect(await rows("SELECT carted, cohort_carted FROM daily_stats WHERE shop_id = $1", [shop.id])).toEqual([
      { carted: 1, cohort_carted: 1 },
    ]);
  });

  test.each([
    ["wishlist", "item_count", ["items of a wishlist (2)"]],
    ["product_stats", "wishlist_count", ["saved items of a product (1)"]],
    ["variant_stats", "wishlist_count", ["saved items of a variant (1)"]],
    ["daily_stats", "items_added", ["changes of a day (1)"]],
    ["daily_stats", "items_removed", ["changes of a day (1)"]],
    ["daily_stats", "carted", ["changes of a day (1)"]],
    ["daily_stats", "cohort_carted", ["carted items by the day of their save (1)"]],
    ["daily_stats", "unique_shoppers", ["active shoppers of a day (1)"]],
    ["daily_stats", "last_seen", ["shoppers by their last active day (1)"]],
    ["activity_hourly", "items_added", ["changes of a day's hours (2)"]],
    ["activity_hourly", "items_removed", ["changes of a day's hours (2)"]],
    ["activity_hourly", "carted", ["changes of a day's hours (2)"]],
    ["activity_hourly", "shared", ["changes of a day's hours (2)"]],
    ["product_daily", "items_added", ["changes of a product and day (2)"]],
    ["product_daily", "items_removed", ["changes of a product and day (2)"]],
    ["product_daily", "carted", ["changes of a product and day (2)"]],
    ["shopper_count", "shoppers", ["shoppers by two days (5)"]],
  ])("finds rows of %s whose %s is one too low or too high", async (table, column, found) => {
    const change = (by: number) =>
      rows(`UPDATE ${table} SET ${column} = ${column} + $2::integer WHERE shop_id = $1`, [shop.id, by]);
    for (const by of [1, -1]) {
      await change(by);
      const wrong = await wrongRollups(rows, shop.id);
      await change(-by);
      expect(wrong).toEqual(found);
    }
  });

  test("finds an active day of a shopper that was counted for another day", async () => {
    const move = (days: number) =>
      rows("UPDATE shopper_day SET day = day + $2::integer WHERE shop_id = $1", [shop.id, days]);
    await move(1);
    const wrong = await wrongRollups(rows, shop.id);
    await move(-1);
    // Each of the two shoppers has a day too few and a day too many.
    expect(wrong).toEqual(["active days of a shopper (4)"]);
  });
});

describe("the check of the fault script", () => {
  let shop: TestShop;
  const arrivals = new Map<string, Arrival>();

  function arrive(id: string, event: string, customerId: string, productId: string): void {
    const sequence = arrivals.size;
    arrivals.set(id, { id, event, customerId, productId, sequence, changedAt: sequence, lagMs: 0, repeats: 0 });
  }

  /** Returns a ledger of one customer, and the check of it. */
  function ledgerOf(prefix: string): { ledger: Ledger; customer: Customer; verdict: () => Promise<Verdict> } {
    const ofFaults = { ...shop, name: "shop", receiver: { url: "", setSecret: () => undefined, arrivals, refused: 0 } };
    const ledger = new Ledger(prefix);
    const customer = ledger.newCustomer(ofFaults);
    return { ledger, customer, verdict: () => check(ledger, { target: app, rows, shops: [ofFaults] }) };
  }

  beforeAll(async () => {
    shop = await newShop();
  });

  test("finds nothing when every acknowledged write has one row and one event", async () => {
    const { ledger, customer, verdict } = ledgerOf("sound");
    for (const product of ["p", "q"]) {
      await add(shop, customer.id, product);
      arrive(`sound ${product}`, "wishlist.item.added", customer.id, product);
    }
    await remove(shop, customer.id, "q");
    arrive("sound removal", "wishlist.item.removed", customer.id, "q");
    await processOutbox(shop);
    ledger.recordAdded(customer, ["p", "q"], true);
    ledger.recordRemoved(customer, "q");
    const none = { lost: [], miscounted: [], missing: [], doubled: [], rollups: [], staleReads: [] };
    expect(await verdict()).toMatchObject({ acknowledged: 2, events: 3, ...none });
  });

  test("reports an acknowledged write that was not stored", async () => {
    const { ledger, customer, verdict } = ledgerOf("phantom");
    await add(shop, customer.id, "q");
    ledger.recordAdded(customer, ["p", "q"], true);
    ledger.recordRemoved(customer, "q");
    expect(await verdict()).toMatchObject({
      lost: ["phantom-1 p", "phantom-1 q"],
      miscounted: ["added phantom-1 p: 0", "removed phantom-1 q: 0"],
      missing: [
        "wishlist.item.added phantom-1 p",
        "wishlist.item.added phantom-1 q",
        "wishlist.item.removed phantom-1 q",
      ],
    });
  });

  test("reports an event that was created twice", async () => {
    const { ledger, customer, verdict } = ledgerOf("doubled");
    await add(shop, customer.id, "p");
    ledger.recordAdded(customer, ["p"], true);
    for (const id of ["one", "another"]) arrive(id, "wishlist.item.added", customer.id, "p");
    expect(await verdict()).toMatchObject({ missing: [], doubled: ["wishlist.item.added doubled-1 p"] });
  });

  test("reports a wrong rollup with its shop", async () => {
    const { verdict } = ledgerOf("rollup");
    await processOutbox(shop);
    await rows("UPDATE daily_stats SET items_added = items_added + 1 WHERE shop_id = $1", [shop.id]);
    expect((await verdict()).rollups).toEqual(["shop: changes of a day (1)"]);
  });
});

describe("the comparison after an update", () => {
  const secret = `whsec_${Buffer.from("0123456789abcdefghijklmnopqrstuv").toString("base64")}`;

  function accountOf(stored: string[], events: string[] = []): Account {
    return { requests: 0, failures: [], stored: new Set(stored), events, isOver: true };
  }

  function arrived(id: string, productId: string, signedWith = secret): Received {
    const body = { event: "wishlist.item.added", timestamp: "", shop: "", data: { customerId: "7", productId } };
    const [text, timestamp] = [JSON.stringify(body), 1_790_000_000];
    const signature = new Webhook(signedWith).sign(id, new Date(timestamp * 1_000), text);
    return { id, timestamp, signature, headers: {}, text, body, batch: undefined, at: 0 };
  }

  test("reports a lost addition and a lost removal", () => {
    expect(compareItems(new Set(["7 removed", "7 kept"]), accountOf(["7 lost", "7 kept"]))).toEqual({
      "acknowledged items lost": ["7 lost"],
      "items stored without an acknowledgement": ["7 removed"],
    });
  });

  test("reports missing, unexpected, doubled and wrongly signed events, but no repeated delivery", () => {
    const expected = ["p", "q", "r", "s"].map((product) => `wishlist.item.added 7 ${product}`);
    const other = `whsec_${Buffer.from("another secret of the receiver's").toString("base64")}`;
    const received = [
      arrived("1", "p"),
      arrived("1", "p"),
      arrived("2", "q"),
      arrived("3", "q"),
      arrived("4", "r", other),
      arrived("5", "unexpected"),
    ];
    expect(compareEvents(received, accountOf([], expected), secret)).toEqual({
      "events missing": ["wishlist.item.added 7 s"],
      "events without an acknowledged change": ["wishlist.item.added 7 unexpected"],
      "changes with several events": ["wishlist.item.added 7 q"],
      "events wrongly signed": ["wishlist.item.added 7 r"],
    });
  });
});
