import fc from "fast-check";
import { afterEach, describe, expect } from "vitest";
import { holdClock, now } from "../../app/platform/clock.server.ts";
import { transaction } from "../../app/platform/database/transaction.server.ts";
import {
  ACTIVITY,
  DIRECTIONS,
  KINDS,
  OWNERS,
  parseCursor,
  SORTS,
  type ListFilters,
  type ListQuery,
} from "../../app/wishlists/staff/list-filters.ts";
import type { IndexedList } from "../../app/wishlists/staff/view.ts";
import { followChanges, listIndex, summarizeLists, unshareByStaff } from "../../app/wishlists/index.server.ts";
import { storeVariant } from "../support/app/alerts.ts";
import type { Call } from "../support/app/client.ts";
import { test as base } from "../support/app/fixtures.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import type { TestDatabase } from "../support/database/database.ts";
import { randomRuns } from "../support/matrix.ts";

const test = base.extend("seller", ({ app, call }) => makeShop(app, call, { plan: "growth" }));

const DAY_MS = 24 * 3_600_000;
const ALL: ListQuery = { filters: {}, sort: "activity", direction: "desc" };
const STAFF = { id: "1", name: undefined, email: undefined };

afterEach(() => holdClock(undefined));

/** Walks through all pages of the index. @param between runs after each page */
async function walk(shopId: number, query: ListQuery, between?: () => Promise<void>): Promise<IndexedList[]> {
  const found: IndexedList[] = [];
  for (let after = ""; ;) {
    const page = await listIndex(shopId, query, parseCursor(new URLSearchParams({ after }), query.sort));
    found.push(...page.lists);
    if (page.next === undefined) return found;
    after = page.next;
    await between?.();
  }
}

/** Brings the summaries up to date, as the background does after the page. */
async function summarized(shopId: number): Promise<void> {
  while ((await followChanges(shopId)).isBehind);
}

interface Saved {
  variant: number;
  quantity: number | null;
  savedPrice: number | null;
}

interface Spec {
  guest: boolean;
  named: boolean;
  items: Saved[];
  daysAgo: number;
  consent: "given" | "withdrawn" | null;
  linkDays: number | null;
}

/** Variants that lists can contain: their price and stock; null: not in the catalog. */
const VARIANTS = [
  { price: 10, available: true },
  { price: 25.5, available: false },
  { price: 100, available: true },
  { price: 0, available: true },
  null,
  { price: 40, available: false, gone: true },
] as const;

const specs = fc.array(
  fc.record<Spec>({
    guest: fc.boolean(),
    named: fc.boolean(),
    items: fc.uniqueArray(
      fc.record({
        variant: fc.nat({ max: VARIANTS.length - 1 }),
        quantity: fc.constantFrom(null, 1, 3),
        savedPrice: fc.constantFrom(null, 5, 25.5, 200),
      }),
      { maxLength: 4, selector: ({ variant }) => variant },
    ),
    daysAgo: fc.constantFrom(0.5, 5, 20, 60, 100),
    consent: fc.constantFrom(null, null, "given", "withdrawn"),
    linkDays: fc.constantFrom(null, null, 10, -1),
  }),
  { minLength: 30, maxLength: 130, size: "max" },
);

const queries = fc.record<ListQuery>({
  filters: fc.record<ListFilters>(
    {
      owner: fc.constantFrom(...OWNERS),
      kind: fc.constantFrom(...KINDS),
      stock: fc.constant("out"),
      price: fc.constant("dropped"),
      alerts: fc.constant("on"),
      shared: fc.constant("on"),
      activity: fc.constantFrom(...ACTIVITY),
      min: fc.constantFrom("0", "10", "25.5"),
      max: fc.constantFrom("0", "76.50", "1000"),
    },
    { requiredKeys: [] },
  ),
  sort: fc.constantFrom(...SORTS),
  direction: fc.constantFrom(...DIRECTIONS),
});

async function store(database: TestDatabase, shopId: number, lists: readonly Spec[], at: Date): Promise<void> {
  for (const [index, variant] of VARIANTS.entries()) {
    if (!variant) continue;
    const { price, available } = variant;
    await storeVariant(shopId, {
      productId: String(index),
      variantId: `${index}1`,
      price: price.toFixed(2),
      available,
    });
    if ("gone" in variant) {
      await database.rows("UPDATE variant SET deleted_at = now() WHERE shop_id = $1 AND product_id = $2", [
        shopId,
        String(index),
      ]);
    }
  }
  const rows = lists.map((list, n) => ({
    ...list,
    n,
    at: new Date(at.getTime() - list.daysAgo * DAY_MS).toISOString(),
  }));
  await database.rows(
    `WITH given AS (
       SELECT * FROM jsonb_to_recordset($2::jsonb) AS g (n integer, guest boolean, named boolean, items jsonb, at timestamptz, consent text, "linkDays" integer)
     ), lists AS (
       INSERT INTO wishlist (shop_id, owner_kind, owner_id, handle, name, name_key, item_count, created_at, updated_at)
       SELECT $1::bigint, CASE WHEN guest THEN 'guest' ELSE 'customer' END, 'o' || n, CASE WHEN named THEN 'l' || n ELSE 'default' END,
              CASE WHEN named THEN 'List ' || n END, CASE WHEN named THEN 'list ' || n END, jsonb_array_length(items), at, at FROM given
       RETURNING id, owner_id
     ), saved AS (
       INSERT INTO wishlist_item (shop_id, wishlist_id, product_id, variant_id, added_at, quantity, saved_price)
       SELECT $1::bigint, l.id, i.variant::text, i.variant || '1', g.at, i.quantity, i."savedPrice"
         FROM given g JOIN lists l ON l.owner_id = 'o' || g.n
        CROSS JOIN LATERAL jsonb_to_recordset(g.items) AS i (variant integer, quantity integer, "savedPrice" numeric)
     ), consents AS (
       INSERT INTO alert_consent (shop_id, customer_id, kind, given, at, source)
       SELECT $1::bigint, 'o' || n, 'price_dropped', k.given, now(), 'api'
         FROM given g CROSS JOIN LATERAL (SELECT true AS given UNION ALL SELECT false WHERE g.consent = 'withdrawn' ORDER BY given DESC) AS k
        WHERE g.consent IS NOT NULL
     )
     INSERT INTO share_link (shop_id, wishlist_id, token_hash, token_sealed, created_at, expires_at)
     SELECT $1::bigint, l.id, decode(md5(l.id::text), 'hex'), 'x', now(), now() + g."linkDays" * interval '1 day'
       FROM given g JOIN lists l ON l.owner_id = 'o' || g.n WHERE g."linkDays" IS NOT NULL`,
    [shopId, JSON.stringify(rows)],
  );
}

/** What the index says of a list, computed from what was stored. */
function expectedOf({ guest, named, items, consent, linkDays, daysAgo }: Spec, at: Date) {
  const known = items.flatMap((item) => {
    const variant = VARIANTS[item.variant] ?? undefined;
    return variant && !("gone" in variant) ? [{ ...item, ...variant }] : [];
  });
  return {
    ...{ guest, named, itemCount: items.length },
    value: known.reduce((sum, { price, quantity }) => sum + price * (quantity ?? 1), 0),
    outOfStock: known.filter(({ available }) => !available).length,
    priceDropped: known.filter(({ price, savedPrice }) => savedPrice !== null && price < savedPrice).length,
    hasAlerts: !guest && consent === "given",
    isShared: linkDays !== null && linkDays > 0,
    activeAt: at.getTime() - daysAgo * DAY_MS,
  };
}

type Expected = ReturnType<typeof expectedOf>;

function matches(list: Expected, filters: ListFilters, at: Date): boolean {
  const { owner, kind, stock, price, alerts, shared, activity, min, max } = filters;
  const days = (at.getTime() - list.activeAt) / DAY_MS;
  const isActive = { "7d": days <= 7, "30d": days <= 30, "90d": days <= 90, "before-90d": days > 90 };
  return (
    (owner === undefined || list.guest === (owner === "guest")) &&
    (kind === undefined || list.named === (kind === "named")) &&
    (stock === undefined || list.outOfStock > 0) &&
    (price === undefined || list.priceDropped > 0) &&
    (alerts === undefined || list.hasAlerts) &&
    (shared === undefined || list.isShared) &&
    (activity === undefined || isActive[activity]) &&
    (min === undefined || list.value >= Number(min)) &&
    (max === undefined || list.value <= Number(max))
  );
}

const KEYS = { activity: "activeAt", value: "value", items: "itemCount", stock: "outOfStock" } as const;

/** The values of a list that a model knows. */
const toModel = (list: IndexedList): Expected => ({
  guest: list.owner.kind === "guest",
  named: !list.name.isDefault,
  itemCount: list.itemCount,
  value: Number(list.value),
  outOfStock: list.outOfStock,
  priceDropped: list.priceDropped,
  hasAlerts: list.hasAlerts,
  isShared: list.isShared,
  activeAt: list.activeAt.getTime(),
});

const asText = (lists: readonly Expected[]): string[] =>
  lists.map((list) => JSON.stringify(Object.entries(list).toSorted())).toSorted();

for (const { numRuns, options } of randomRuns(2, 6)) {
  test(
    `pages of each filter and order have the lists that a full computation finds, ${numRuns} times`,
    options,
    async ({ app, call }) => {
      const other = await makeShop(app, call);
      await store(
        app.database,
        other.id,
        [{ guest: false, named: false, items: [], daysAgo: 1, consent: null, linkDays: null }],
        now(),
      );
      await summarized(other.id);
      await fc.assert(
        fc.asyncProperty(specs, fc.array(queries, { minLength: 12, maxLength: 12 }), async (lists, chosen) => {
          const shop = await makeShop(app, call);
          const at = now();
          await store(app.database, shop.id, lists, at);
          await summarized(shop.id);
          const all = lists.map((list) => expectedOf(list, at));
          for (const query of chosen) {
            const found = (await walk(shop.id, query)).map(toModel);
            const wanted = all.filter((list) => matches(list, query.filters, at));
            expect(asText(found), JSON.stringify(query)).toEqual(asText(wanted));
            const keys = found.map((list) => list[KEYS[query.sort]]);
            expect(keys).toEqual(keys.toSorted((a, b) => (query.direction === "desc" ? b - a : a - b)));
          }
        }),
        { numRuns },
      );
    },
  );
}

/** A list of Anna's, which the index has. */
async function annasList(call: Call, shop: TestShop): Promise<() => Promise<IndexedList | undefined>> {
  await storeVariant(shop.id, { productId: "1", price: "100.00" });
  await storeVariant(shop.id, { productId: "2", price: "30.00", available: false });
  (await call("POST", "/v1/wishlists/anna/items", { token: shop.token, json: { product_id: "1" } })).data();
  await summarized(shop.id);
  const of = async (): Promise<IndexedList | undefined> => {
    await summarized(shop.id);
    return (await walk(shop.id, ALL)).find(({ owner }) => owner.kind === "customer" && owner.customerId === "anna");
  };
  expect(await of()).toMatchObject({ itemCount: 1, value: "100.00", outOfStock: 0, isShared: false, hasAlerts: false });
  return of;
}

describe("the index of lists follows", () => {
  test("added and removed items", async ({ call, seller: shop }) => {
    const list = await annasList(call, shop);
    const { token } = shop;
    (await call("POST", "/v1/wishlists/anna/items", { token, json: { product_id: "2" } })).data();
    expect(await list()).toMatchObject({ itemCount: 2, value: "130.00", outOfStock: 1 });
    (await call("DELETE", "/v1/wishlists/anna/items/1", { token })).data();
    expect(await list()).toMatchObject({ itemCount: 1, value: "30.00", outOfStock: 1 });
  });

  test("a share link that is created and revoked", async ({ call, seller: shop }) => {
    const list = await annasList(call, shop);
    const { token } = shop;
    (await call("GET", "/v1/wishlists/anna/share", { token })).data();
    expect(await list()).toMatchObject({ isShared: true });
    const shared: ListQuery = { ...ALL, filters: { shared: "on" } };
    expect(await walk(shop.id, shared)).toHaveLength(1);
    const wishlistId = (await list())?.wishlistId ?? "";
    await transaction(shop.id, (tx) => unshareByStaff(tx, { shopId: shop.id, wishlistId, staff: STAFF }));
    expect(await list()).toMatchObject({ isShared: false });
    expect(await walk(shop.id, shared)).toEqual([]);
  });

  test("a share link that has expired, without a further summary", async ({ call, seller: shop }) => {
    await annasList(call, shop);
    (await call("GET", "/v1/wishlists/anna/share", { token: shop.token })).data();
    await summarized(shop.id);
    holdClock(new Date(Date.now() + 40 * DAY_MS));
    expect(await walk(shop.id, { ...ALL, filters: { shared: "on" } })).toEqual([]);
    expect(await walk(shop.id, ALL)).toMatchObject([{ isShared: false }]);
  });

  test("alerts that a customer asks for and withdraws", async ({ app, call, seller: shop }) => {
    const list = await annasList(call, shop);
    const choose = (given: boolean): Promise<unknown> =>
      app.database.rows("SELECT alert_consent_record($1, 'anna', '{price_dropped}', $2, now(), 'api')", [
        shop.id,
        given,
      ]);
    await choose(true);
    expect(await list()).toMatchObject({ hasAlerts: true });
    await choose(false);
    expect(await list()).toMatchObject({ hasAlerts: false });
  });

  test("prices and stock by a pass over all lists", async ({ call, seller: shop }) => {
    const list = await annasList(call, shop);
    await storeVariant(shop.id, { productId: "1", price: "79.90", available: false });
    await summarizeLists(shop.id);
    expect(await list()).toMatchObject({ value: "79.90", outOfStock: 1, priceDropped: 1 });
  });

  test("a deleted list, an erased customer and a merged guest, which have no row any more", async ({
    app,
    call,
    seller: shop,
  }) => {
    const list = await annasList(call, shop);
    const { token } = shop;
    const json = { name: "Birthday" };
    const { listId } = (await call("POST", "/v1/wishlists/anna/lists", { token, json })).data<{ listId: string }>();
    await summarized(shop.id);
    expect(await walk(shop.id, ALL)).toHaveLength(2);
    (await call("DELETE", `/v1/wishlists/anna/lists/${listId}`, { token })).data();
    await summarized(shop.id);
    expect(await walk(shop.id, ALL)).toHaveLength(1);
    await app.database.rows("SELECT customer_erase($1, 'anna', now())", [shop.id]);
    expect(await list()).toBeUndefined();
    expect(await app.database.rows("SELECT 1 FROM wishlist_summary WHERE shop_id = $1", [shop.id])).toEqual([]);
  });
});

test("a page has no list of another shop, also with its cursor", async ({ app, call, seller: shop }) => {
  await annasList(call, shop);
  const other = await makeShop(app, call);
  await annasList(call, other);
  const [list] = await walk(shop.id, ALL);
  const [others] = await walk(other.id, ALL);
  const page = await listIndex(shop.id, ALL, { key: "99999999999999", id: others?.wishlistId ?? "", back: false });
  expect(page.lists.map(({ wishlistId }) => wishlistId)).toEqual([list?.wishlistId]);
});

test("paging shows each unchanged list once while others move to the front", async ({ app, call, seller: shop }) => {
  const empty: Spec = { guest: false, named: false, items: [], daysAgo: 5, consent: null, linkDays: null };
  await store(
    app.database,
    shop.id,
    Array.from({ length: 160 }, () => empty),
    now(),
  );
  await summarized(shop.id);
  await app.database.rows("UPDATE variant SET available = true WHERE shop_id = $1", [shop.id]);
  let changed = 0;
  const { token } = shop;
  const found = await walk(shop.id, ALL, async () => {
    for (const customer of [`o${changed++}`, `o${159 - changed}`]) {
      (
        await call("POST", `/v1/wishlists/${customer}/items`, { token, json: { product_id: "0", variant_id: "01" } })
      ).data();
    }
    await summarized(shop.id);
  });
  const ids = found.map(({ wishlistId }) => wishlistId);
  expect(new Set(ids).size).toBe(ids.length);
  const unchanged = await app.database.rows<{ id: string }>(
    "SELECT id::text FROM wishlist WHERE shop_id = $1 AND item_count = 0",
    [shop.id],
  );
  expect(unchanged.length).toBeGreaterThan(150);
  expect(unchanged.filter(({ id }) => !ids.includes(id))).toEqual([]);
});

test("the page before a page is the one from which staff came", async ({ app, seller: shop }) => {
  const empty: Spec = { guest: false, named: false, items: [], daysAgo: 5, consent: null, linkDays: null };
  await store(
    app.database,
    shop.id,
    Array.from({ length: 120 }, () => empty),
    now(),
  );
  await summarized(shop.id);
  for (const sort of SORTS) {
    const query: ListQuery = { ...ALL, sort };
    const read = (cursor: Record<string, string>) =>
      listIndex(shop.id, query, parseCursor(new URLSearchParams(cursor), sort));
    const first = await read({});
    const second = await read({ after: first.next ?? "" });
    const third = await read({ after: second.next ?? "" });
    expect([first, second, third].map(({ lists }) => lists.length)).toEqual([50, 50, 20]);
    expect(first.previous).toBeUndefined();
    expect(third.next).toBeUndefined();
    expect(await read({ before: third.previous ?? "" })).toEqual(second);
    expect((await read({ before: second.previous ?? "" })).lists).toEqual(first.lists);
  }
});

test("a pass that was interrupted goes on where it ended", async ({ app, seller: shop }) => {
  const empty: Spec = { guest: false, named: false, items: [], daysAgo: 5, consent: null, linkDays: null };
  await store(
    app.database,
    shop.id,
    Array.from({ length: 30 }, () => empty),
    now(),
  );
  const step = () =>
    app.database.rows<{ remaining: boolean }>("SELECT remaining FROM wishlist_summary_step($1, 10, false, now())", [
      shop.id,
    ]);
  const count = async () =>
    (
      await app.database.rows<{ n: number }>("SELECT count(*)::integer AS n FROM wishlist_summary WHERE shop_id = $1", [
        shop.id,
      ])
    )[0]?.n;
  await step();
  expect(await count()).toBe(10);
  await step();
  expect(await count()).toBe(20);
  await step();
  expect(await step()).toEqual([{ remaining: false }]);
  expect(await count()).toBe(30);
  expect(await followChanges(shop.id)).toMatchObject({ isBehind: false, completeAt: expect.any(Date) });
});

test("a change of the catalog makes the index request a pass, at most one an hour", async ({
  app,
  call,
  seller: shop,
}) => {
  await annasList(call, shop);
  const tasks = () =>
    app.database.rows(
      "SELECT 1 FROM pgboss.job WHERE name = 'wishlist-summaries' AND (data->>'shopId')::integer = $1",
      [shop.id],
    );
  await storeVariant(shop.id, { productId: "1", price: "79.90" });
  holdClock(new Date(Date.now() + 3_700_000));
  await followChanges(shop.id);
  expect(await tasks()).toHaveLength(1);
  await followChanges(shop.id);
  expect(await tasks()).toHaveLength(1);
});
