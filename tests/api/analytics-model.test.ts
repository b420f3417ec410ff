import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeDatabase } from "../../app/platform/database.server.ts";
import { provideSettings } from "../../app/platform/env.server.ts";
import { History, START, type Happening, type Step } from "../support/analytics/analytics-history.ts";
import type { Act, Item, Owner } from "../support/analytics/analytics-model.ts";
import { createDatabase, type TestDatabase } from "../support/database/database.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
  provideSettings({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: "5" });
});
afterAll(async () => {
  await closeDatabase();
  await database.drop();
});

// From UTC+14 to UTC-12, with two zones whose clocks change during the histories.
const ZONES = ["UTC", "Pacific/Kiritimati", "Europe/Berlin", "America/New_York", "Etc/GMT+12"];

// Few values, so that changes meet. A guest with a customer's id is another shopper.
const guest = fc.constantFrom("g1", "c1");
const customer = fc.constantFrom("c1", "c1", "c2");
const owner: fc.Arbitrary<Owner> = fc.oneof(
  customer.map((id) => ({ kind: "customer" as const, id })),
  guest.map((id) => ({ kind: "guest" as const, id })),
);
const product = fc.constantFrom("p0", "p0", "p1");
const item = fc.record({ product, variant: fc.constantFrom("v0", "v0", "v1") });
const source = fc.constantFrom("api" as const, "storefront" as const);

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ act: fc.constant("add" as const), owner, item, source }) },
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant("remove" as const),
      owner,
      product,
      variant: fc.constantFrom(null, "v0", "v1"),
      source: fc.constantFrom("api" as const, "storefront" as const, "staff" as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant("merge" as const),
      owner,
      items: fc.array(item, { maxLength: 4 }),
      source: fc.constantFrom("merge" as const, "import" as const),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      act: fc.constant("cart" as const),
      owner,
      item,
      event: fc.constantFrom("e1", "e2"),
      source,
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("share" as const), owner, source }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant("login" as const), guest, customer }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant("forget" as const), guest }) },
  { weight: 1, arbitrary: fc.constant({ act: "purge" as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constant("clear" as const),
      owner,
      source: fc.constantFrom("purge" as const, "erasure" as const),
    }),
  },
);

// Minutes: immediately, within the day, over days.
const ahead = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 400 }), fc.integer({ min: 400, max: 5_000 }));
const late = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 6_000 }) },
);
const days = fc.constantFrom(1, 2, 7, 30, 365);

const step: fc.Arbitrary<Step> = fc
  .tuple(
    fc.record({ shop: fc.nat(1), ahead }),
    fc.oneof(
      {
        weight: 24,
        arbitrary: fc.record({
          what: fc.constant("act" as const),
          act,
          late,
          held: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
        }),
      },
      { weight: 2, arbitrary: fc.record({ what: fc.constant("commit" as const) }) },
      {
        weight: 5,
        arbitrary: fc.record({
          what: fc.constant("process" as const),
          limit: fc.constantFrom(1, 2, 5, 2_000),
          times: fc.constantFrom(1, 2),
          undone: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
        }),
      },
      { weight: 1, arbitrary: fc.record({ what: fc.constant("move" as const), zone: fc.constantFrom(...ZONES) }) },
      { weight: 2, arbitrary: fc.record({ what: fc.constant("night" as const) }) },
      { weight: 2, arbitrary: fc.record({ what: fc.constant("look" as const), days }) },
    ),
  )
  .map(([when, what]) => ({ ...when, ...what }));

test("reports equal a full recount, in whatever order events are processed", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(fc.constantFrom(...ZONES), fc.constantFrom(...ZONES)),
      fc.array(step, { minLength: 40, maxLength: 80, size: "max" }),
      async (zones, steps) => {
        const history = await History.begin(database, zones);
        await history.run(steps);
      },
    ),
    { numRuns: 50 },
  );
});

/** Runs changes of one shop at the given times. */
function moments(...given: (readonly [at: string, ...what: (Act | Exclude<Happening, { what: "act" }>)[]])[]): Step[] {
  let before = START;
  return given.flatMap(([at, ...whats]) =>
    whats.map((what) => {
      const minutes = (Date.parse(at) - before) / 60_000;
      before += minutes * 60_000;
      const happening = "act" in what ? { what: "act" as const, act: what, late: 0, held: false } : what;
      return { shop: 0, ahead: minutes, ...happening };
    }),
  );
}

const ann = { kind: "customer", id: "ann" } as const;
const ben = { kind: "customer", id: "ben" } as const;
const visitor = { kind: "guest", id: "visitor" } as const;
const tee = { product: "p0", variant: "v0" };

function add(owner: Owner, item: Item = tee): Act {
  return { act: "add", owner, item, source: "api" };
}

function cart(owner: Owner, event: string): Act {
  return { act: "cart", owner, item: tee, event, source: "storefront" };
}

const processed = { what: "process", limit: 2_000, times: 1, undone: false } as const;

async function runHistory(zone: string, ...given: Parameters<typeof moments>): Promise<History> {
  const history = await History.begin(database, [zone]);
  await history.run(moments(...given));
  return history;
}

describe("reports", () => {
  test("count an item once in the cart rate, on the day of its save", async () => {
    const history = await runHistory(
      "UTC",
      ["2026-10-20T10:00Z", add(ann), add(ben)],
      ["2026-10-21T10:00Z", cart(ann, "e1"), cart(ann, "e1"), processed, cart(ann, "e2")],
    );
    const { overview, daily } = history.reports(30);
    expect(overview).toMatchObject({ wishlistToCartRate: 50 });
    expect(daily.at(-1)).toMatchObject({ itemsAdded: 0, addToCartFromWishlist: 2 });
    expect(history.reports(1).overview).toMatchObject({ wishlistToCartRate: 0 });
  });

  test("count a guest and their customer account as one shopper", async () => {
    const history = await runHistory(
      "UTC",
      ["2026-10-20T10:00Z", add(visitor), add(ann)],
      ["2026-10-21T10:00Z", add(visitor, { product: "p1", variant: "v0" }), processed],
      ["2026-10-22T10:00Z", { act: "login", guest: "visitor", customer: "ann" }],
      // The first change is refused. When the merge is no longer remembered, the id belongs to the same customer.
      ["2026-10-23T10:00Z", add(visitor), { act: "forget", guest: "visitor" }, add(visitor)],
    );
    const { overview, daily, counts } = history.reports(30);
    // The login is not activity, but one of the merged items was added by ann.
    expect(overview).toEqual({ totalWishlistedItems: 4, activeShoppers: 1, wishlistToCartRate: 0 });
    expect(daily.slice(-4).map(({ itemsAdded, uniqueShoppers }) => [itemsAdded, uniqueShoppers])).toEqual([
      [2, 1],
      [1, 1],
      [0, 0],
      [1, 1],
    ]);
    expect([counts.get("p0"), counts.get("p1")]).toEqual([2, 1]);
  });

  test("keep the day of a change that is processed late", async () => {
    const history = await History.begin(database, ["UTC"]);
    const late = { what: "act", late: 2 * 24 * 60, held: false } as const;
    await history.run([
      ...moments(["2026-10-20T10:00Z", add(ann), processed], ["2026-10-22T10:00Z", cart(ann, "e1"), processed]),
      { shop: 0, ahead: 0, ...late, act: add(ann, { product: "p1", variant: "v0" }) },
    ]);
    const { overview, daily } = history.reports(30);
    expect(overview).toMatchObject({ totalWishlistedItems: 2, activeShoppers: 1 });
    expect(daily.slice(-3).map(({ itemsAdded, uniqueShoppers }) => [itemsAdded, uniqueShoppers])).toEqual([
      [2, 1],
      [0, 0],
      [0, 1],
    ]);
  });

  test("cover 25 hours on the day when clocks are set back", async () => {
    // In Berlin October 25 lasts from 22:00 UTC to 23:00 UTC.
    const history = await runHistory(
      "Europe/Berlin",
      ["2026-10-24T21:59Z", add(ann)],
      ["2026-10-24T22:00Z", add(ben)],
      ["2026-10-25T22:59Z", add(visitor)],
      ["2026-10-25T23:00Z", add(ann, { product: "p1", variant: "v0" })],
    );
    expect(history.reports(30).daily.slice(-3)).toMatchObject([
      { date: "2026-10-24", itemsAdded: 1, uniqueShoppers: 1 },
      { date: "2026-10-25", itemsAdded: 2, uniqueShoppers: 2 },
      { date: "2026-10-26", itemsAdded: 1, uniqueShoppers: 1 },
    ]);
  });

  test("end at the shop's latest day after it moved to a western time zone", async () => {
    const history = await runHistory(
      "Pacific/Kiritimati",
      ["2026-10-20T10:30Z", add(ann)],
      ["2026-10-20T10:40Z", { what: "move", zone: "Etc/GMT+12" }, add(ben)],
    );
    // At the same time it was the 21st there and the 19th here.
    expect(history.reports(30).daily.slice(-3)).toMatchObject([
      { date: "2026-10-19", itemsAdded: 1, uniqueShoppers: 1 },
      { date: "2026-10-20", itemsAdded: 0, uniqueShoppers: 0 },
      { date: "2026-10-21", itemsAdded: 1, uniqueShoppers: 1 },
    ]);
    expect(history.reports(1).overview).toMatchObject({ totalWishlistedItems: 1, activeShoppers: 1 });
    expect(history.reports(30).overview).toMatchObject({ totalWishlistedItems: 2, activeShoppers: 2 });
  });

  test("ignore days that a wrong clock put further ahead", async () => {
    const history = await History.begin(database, ["UTC"]);
    const early = { what: "act", late: -3 * 24 * 60, held: false } as const;
    await history.run([...moments(["2026-10-20T10:00Z", add(ann)]), { shop: 0, ahead: 0, ...early, act: add(ben) }]);
    expect(history.reports(1).daily).toMatchObject([{ date: "2026-10-20", itemsAdded: 1, uniqueShoppers: 1 }]);
  });
});

describe("the nightly period statistics", () => {
  const night = { what: "night" } as const;

  test("count active shoppers up to yesterday, for 7, 30, 90 and 365 days", async () => {
    const history = await runHistory(
      "UTC",
      ["2026-10-14T10:00Z", add(ann)],
      ["2026-11-10T10:00Z", add(ben)],
      ["2026-11-19T23:00Z", add(visitor)],
      ["2026-11-20T08:00Z", processed, cart(ann, "e1"), cart(ben, "e1"), add({ kind: "customer", id: "new" }), night],
    );
    expect(history.kept).toEqual(["2026-11-19 7 1", "2026-11-19 30 2", "2026-11-19 90 3", "2026-11-19 365 3"]);
  });

  test("are stored once a day, for yesterday only", async () => {
    const history = await runHistory(
      "UTC",
      ["2026-10-20T10:00Z", add(ann), processed],
      ["2026-10-21T00:00Z", night, night],
      ["2026-10-24T12:00Z", night],
    );
    expect(history.kept.map((line) => line.slice(0, 10))).toEqual([
      ...Array.from({ length: 4 }, () => "2026-10-20"),
      ...Array.from({ length: 4 }, () => "2026-10-23"),
    ]);
  });

  test("are not stored for a shop without activity or that is uninstalled", async () => {
    expect((await runHistory("UTC", ["2026-10-20T10:00Z", night])).kept).toEqual([]);
    const gone = await runHistory("UTC", ["2026-10-20T10:00Z", add(ann), processed]);
    await runHistory("UTC", ["2026-10-30T10:00Z", night]);
    expect(await database.rows("SELECT * FROM period_stats WHERE shop_id = $1", [gone.id])).toEqual([]);
  });
});
