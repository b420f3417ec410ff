import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeDatabase } from "../../app/platform/database/database.server.ts";
import { provideEnv } from "../../app/platform/process/env.server.ts";
import { History, START, type Happening, type Step } from "../support/analytics/analytics-history.ts";
import type { Act, Item, Operation, Owner } from "../support/analytics/analytics-model.ts";
import { serviceEnv } from "../support/app/service.ts";
import { createDatabase, type TestDatabase } from "../support/database/database.ts";
import { randomRuns } from "../support/matrix.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
  provideEnv({ ...serviceEnv(database.url), DATABASE_POOL_SIZE: "5" });
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

const variant = fc.constantFrom(null, "v0", "v1");
const list = fc.constantFrom(0, 0, 0, 1, 1, 2, 3);
const quantity = fc.constantFrom(null, null, 2);
const position = fc.constantFrom(-1, 0.5, 3);
const changes = fc.oneof(
  fc.record({ quantity: fc.constantFrom(null, 2, 3) }),
  fc.record({ position: fc.constantFrom(null, 1, 2) }),
);
// A name without regard to case.
const name = fc.constantFrom("Gifts", "gifts", "Home");

const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ op: fc.constant("add" as const), item, quantity }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant("remove" as const), product, variant }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant("update" as const), product, variant, changes }) },
);

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ act: fc.constant("add" as const), owner, list, item, quantity, source }) },
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant("remove" as const),
      ...{ owner, list, product, variant },
      source: fc.constantFrom("api" as const, "storefront" as const, "staff" as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant("merge" as const),
      ...{ owner, list },
      items: fc.array(item, { maxLength: 4 }),
      source: fc.constantFrom("merge" as const, "import" as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constant("update" as const), owner, list, product, variant, changes, source }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant("batch" as const),
      ...{ owner, list, source },
      operations: fc.array(operation, { minLength: 1, maxLength: 5 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc
      .record({
        act: fc.constant("move" as const),
        ...{ owner, list, to: list, source },
        items: fc.array(fc.record({ product, variant }), { minLength: 1, maxLength: 2 }),
        copy: fc.constantFrom(false, false, true),
      })
      .filter(({ list: from, to }) => from !== to),
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
  { weight: 1, arbitrary: fc.record({ act: fc.constant("share" as const), owner, list, source }) },
  { weight: 4, arbitrary: fc.record({ act: fc.constant("createList" as const), owner, name, source }) },
  {
    weight: 2,
    arbitrary: fc
      .record({
        act: fc.constant("updateList" as const),
        ...{ owner, list, source },
        name: fc.option(name),
        position: fc.option(position),
      })
      .filter((given) => given.name !== null || given.position !== null),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant("deleteList" as const),
      ...{ owner, source },
      list: fc.constantFrom(1, 1, 2, 3),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      act: fc.constant("restore" as const),
      ...{ owner, list },
      back: fc.constantFrom(1, 1, 2, 2, 3, 4, 6, 0, -1),
      source: fc.constantFrom("restore" as const, "restore" as const, "staff" as const),
    }),
  },
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

for (const { numRuns, options } of randomRuns(8, 50)) {
  test(`reports equal a full recount, in whatever order events are processed, ${numRuns} times`, options, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(fc.constantFrom(...ZONES), fc.constantFrom(...ZONES)),
        fc.array(step, { minLength: 40, maxLength: 80, size: "max" }),
        async (zones, steps) => {
          const history = await History.begin(database, zones);
          await history.run(steps);
        },
      ),
      { numRuns },
    );
  });
}

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
  return { act: "add", owner, list: 0, item, quantity: null, source: "api" };
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

// Histories of named lists that meet every rule about them. List 1 is the first named list of its owner.
const api = { owner: ann, source: "api" } as const;
const hat = { product: "p1", variant: "v0" };

function create(name: string, owner: Owner = ann): Act {
  return { act: "createList", owner, name, source: "api" };
}

function addTo(list: number, item: Item = tee, owner: Owner = ann): Act {
  return { act: "add", owner, list, item, quantity: null, source: "api" };
}

function move(list: number, to: number, { copy = false, items = [tee] as Item[] } = {}): Act {
  return { act: "move", ...api, list, to, items, copy };
}

function restore(list: number, back: number, source: "restore" | "staff" = "restore"): Act {
  return { act: "restore", owner: ann, list, back, source };
}

function remove(list: number, { product, variant }: Item = tee): Act {
  return { act: "remove", ...api, list, product, variant };
}

const login: Act = { act: "login", guest: "visitor", customer: "ann" };

type Moments = Parameters<typeof moments>;

const HISTORIES = {
  moves: [
    ["2026-10-20T10:00Z", add(ann), create("Gifts"), cart(ann, "e1")],
    ["2026-10-21T10:00Z", move(0, 1)],
    ["2026-10-22T10:00Z", add(ann, hat), cart(ann, "e2"), move(1, 0), addTo(1)],
    // The target has the item.
    ["2026-10-23T10:00Z", move(0, 1)],
  ],
  "a move before the first cart event": [
    ["2026-10-20T10:00Z", add(ann), create("Gifts")],
    ["2026-10-21T10:00Z", move(0, 1), add(ann, hat), cart(ann, "e1")],
  ],
  copies: [
    ["2026-10-20T10:00Z", add(ann), create("Gifts"), cart(ann, "e1")],
    ["2026-10-21T10:00Z", move(0, 1, { copy: true }), remove(0), cart(ann, "e2")],
  ],
  restores: [
    ["2026-10-20T10:00Z", add(ann), add(ann, hat)],
    ["2026-10-21T10:00Z", remove(0)],
    ["2026-10-22T10:00Z", restore(0, 1)],
    ["2026-10-23T10:00Z", restore(0, 1, "staff")],
    ["2026-10-24T10:00Z", { act: "update", ...api, list: 0, ...hat, changes: { quantity: 2 } }, restore(0, 1, "staff")],
    ["2026-10-25T10:00Z", restore(0, 6)],
  ],
  "a restore before the first cart event": [
    ["2026-10-20T10:00Z", add(ann), remove(0)],
    ["2026-10-21T10:00Z", restore(0, 1), add(ann, hat), cart(ann, "e1")],
  ],
  "restores after cart events": [
    ["2026-10-20T10:00Z", add(ann), add(ben), remove(0), restore(0, 1)],
    ["2026-10-21T10:00Z", cart(ann, "e1"), remove(0), restore(0, 3), cart(ann, "e2")],
  ],
  "one save in two lists": [
    ["2026-10-20T10:00Z", add(ann), add(ben), create("Gifts"), move(0, 1), restore(0, 1)],
    ["2026-10-21T10:00Z", cart(ann, "e1"), remove(0), cart(ann, "e2")],
  ],
  lists: [
    ["2026-10-20T10:00Z", create("Gifts"), addTo(1), addTo(1, hat)],
    ["2026-10-21T10:00Z", { act: "updateList", ...api, list: 1, name: "Home", position: null }],
    ["2026-10-22T10:00Z", { act: "updateList", ...api, list: 1, name: null, position: 5 }],
    ["2026-10-23T10:00Z", { act: "share", ...api, list: 1 }],
    ["2026-10-24T10:00Z", { act: "deleteList", ...api, list: 1 }],
    ["2026-10-25T10:00Z", restore(1, 1)],
  ],
  details: [
    ["2026-10-20T10:00Z", add(ann)],
    ["2026-10-21T10:00Z", { act: "update", ...api, list: 0, ...tee, changes: { quantity: 2, position: 1 } }],
    [
      "2026-10-22T10:00Z",
      {
        act: "batch",
        ...{ ...api, list: 0 },
        operations: [
          { op: "add", item: hat, quantity: 3 },
          { op: "remove", ...tee },
          { op: "add", item: tee, quantity: null },
        ],
      },
    ],
  ],
  logins: [
    ["2026-10-20T10:00Z", create("Gifts"), addTo(1, hat), create("Gifts", visitor), create("Home", visitor)],
    ["2026-10-21T10:00Z", addTo(1, tee, visitor), addTo(2, tee, visitor), addTo(1, hat, visitor)],
    ["2026-10-22T10:00Z", login],
    ["2026-10-23T10:00Z", add(ben)],
  ],
  "a login of a customer with all lists": [
    ["2026-10-20T10:00Z", create("Gifts"), create("Home"), create("Work", visitor), addTo(1, tee, visitor), login],
  ],
  "cart events": [
    ["2026-10-20T10:00Z", add(ann), create("Gifts"), create("Home")],
    ["2026-10-21T10:00Z", addTo(1), cart(ann, "e1"), remove(0), cart(ann, "e1")],
    [
      "2026-10-22T10:00Z",
      addTo(2),
      { act: "updateList", ...api, list: 2, name: null, position: -1 },
      cart(ann, "e2"),
      { what: "look", days: 1 },
    ],
    ["2026-10-23T10:00Z", add(ann), cart(ann, "e3")],
  ],
} satisfies Record<string, Moments>;

type HistoryName = keyof typeof HISTORIES;

/** Runs a function while a text of an SQL function is replaced by another. */
async function whileBroken(
  { name, text, replacement }: { name: string; text: string; replacement: string },
  run: () => Promise<void>,
): Promise<void> {
  const [found] = await database.rows<{ definition: string }>(
    "SELECT pg_get_functiondef(oid) AS definition FROM pg_proc WHERE proname = $1",
    [name],
  );
  if (found?.definition.includes(text) !== true) throw new Error(`${name} does not contain ${text}`);
  await database.rows(found.definition.replaceAll(text, replacement));
  try {
    await run();
  } finally {
    await database.rows(found.definition);
  }
}

describe("named lists", () => {
  test.each(Object.entries(HISTORIES))("agree with the model: %s", async (_, given) => {
    await runHistory("UTC", ...given);
  });

  const rollups = "outbox_update_rollups";
  const deliveries = "outbox_create_deliveries";
  const shopping = "ARRAY['api', 'storefront', 'cart', 'merge']";
  const active = "ARRAY['move', 'restore']";
  const saved = "WHERE b.kind IN ('added', 'removed')\n";

  test.each<[what: string, HistoryName, name: string, text: string, replacement: string]>([
    ["moves as saves", "moves", rollups, shopping, "ARRAY['api', 'storefront', 'cart', 'merge', 'move']"],
    ["restores as saves", "restores", rollups, shopping, "ARRAY['api', 'storefront', 'cart', 'merge', 'restore']"],
    ["moves without a shopper", "moves", rollups, active, "ARRAY['restore']"],
    ["restores without a shopper", "restores", rollups, active, "ARRAY['move']"],
    ["restores by staff as shoppers", "restores", rollups, active, "ARRAY['move', 'restore', 'staff']"],
    [
      "counts that ignore moves",
      "moves",
      rollups,
      saved,
      "WHERE b.kind IN ('added', 'removed') AND b.source <> 'move'\n",
    ],
    ["counts that ignore restores", "restores", rollups, saved, "WHERE b.kind = 'added' AND b.source <> 'restore'\n"],
    ["updates in the products' days", "details", rollups, "AND b.kind IN ('added', 'removed', 'carted')", ""],

    ["an added event of a move", "moves", deliveries, "NOT IN ('import', 'move')", "<> 'import'"],
    ["a removed event of a move", "moves", deliveries, "'staff', 'restore')", "'staff', 'restore', 'move')"],
    ["a move from another list", "moves", deliveries, "coalesce(b.list_id, 'default')", "'default'"],
    ["a move to another list", "moves", deliveries, "b.data ->> 'movedTo'", "b.list_id"],
    ["no removed event of a restore", "restores", deliveries, "'staff', 'restore')", "'staff')"],
    ["no event of an update", "details", deliveries, "b.kind = 'updated' OR ", ""],
    ["an updated event without details", "details", deliveries, "coalesce(b.data, '{}')", "jsonb '{}'"],
    ["a renamed event without the old name", "lists", deliveries, "b.before -> 'name'", "b.data -> 'name'"],
    ["an event of a new place", "lists", deliveries, "b.kind = 'list_renamed' THEN 'w", "b.kind ~ 'list_[rm]' THEN 'w"],
    [
      "no event of a new list",
      "lists",
      deliveries,
      "'list_created' AND b.source <> 'import' THEN 'w",
      "'none' THEN 'w",
    ],
    [
      "no event of a deleted list",
      "lists",
      deliveries,
      "'list_deleted' AND b.source <> 'import' THEN 'w",
      "'none' THEN 'w",
    ],
    ["an event with another list", "lists", deliveries, "ELSE b.list_id END", "END"],

    [
      "a moved item that was never carted",
      "moves",
      "wishlist_move_items",
      "ELSE ARRAY['position']",
      "ELSE ARRAY['position', 'cartedAt']",
    ],
    [
      "a moved item saved today",
      "a move before the first cart event",
      "list_insert_items",
      "date '1970-01-01' + (item ->> 'savedOn')::integer",
      "p_today",
    ],
    ["a copy that was carted", "copies", "wishlist_move_items", "'savedOn', 'cartedAt'", "'savedOn'"],
    ["a copy as a move", "copies", "wishlist_move_items", "THEN p_source ELSE 'move'", "THEN 'move' ELSE 'move'"],
    [
      "a restored item saved today",
      "a restore before the first cart event",
      "list_insert_items",
      "date '1970-01-01' + (item ->> 'savedOn')::integer",
      "p_at::date",
    ],
    [
      "a restored item that was never carted",
      "restores after cart events",
      "wishlist_restore",
      "(date_part('epoch', c.carted_at) * 1000)::bigint",
      "NULL::bigint",
    ],
    [
      "a restored list without an event",
      "lists",
      "wishlist_restore",
      "changes := ROW('list_created', NULL, NULL, NULL, NULL, NULL, NULL)::item_change || changes",
      "NULL",
    ],
    [
      "removals of a deleted list as a purge",
      "lists",
      "wishlist_delete_list",
      "item_change, p_source",
      "item_change, 'purge'",
    ],
    [
      "changes of lists without a shopper",
      "lists",
      "wishlist_update_list",
      "item_change], p_source",
      "item_change], 'staff'",
    ],
    ["updates without a shopper", "details", "wishlist_update_item", "changes, p_source", "changes, 'staff'"],
    ["a batch of two versions", "details", "list_apply", "version = version + 1", "version = version + 2"],

    [
      "a guest's list beside that of its name",
      "logins",
      "wishlist_merge_guest",
      "AND name_key = g.name_key",
      "AND name_key = 'x'",
    ],
    ["a guest's list in the default list", "logins", "wishlist_merge_guest", "THEN target", "THEN 'default'"],
    ["a guest's list as the shopper's", "logins", "wishlist_merge_guest", "p_limit, 'guest_merge'", "p_limit, 'api'"],
    [
      "a list beyond the limit",
      "a login of a customer with all lists",
      "wishlist_merge_guest",
      "p_limit, 'guest_merge'",
      "50, 'guest_merge'",
    ],

    ["a cart event in a later list", "cart events", "wishlist_record_cart", "l.handle <> 'default', ", ""],
    ["a cart event by the list's age", "cart events", "wishlist_record_cart", "l.position, l.id", "l.id"],
    [
      "an event in two lists",
      "cart events",
      "wishlist_record_cart",
      "wishlist_id = ANY (lists) AND event_id",
      "wishlist_id = w.id AND event_id",
    ],
    [
      "one save in two lists",
      "one save in two lists",
      "wishlist_record_cart",
      "wishlist_id = ANY (lists) AND product_id",
      "wishlist_id = w.id AND product_id",
    ],
  ])("the model notices %s", async (_, history, name, text, replacement) => {
    await whileBroken({ name, text, replacement }, async () => {
      await expect(runHistory("UTC", ...HISTORIES[history])).rejects.toThrow("expected");
    });
  });
});
