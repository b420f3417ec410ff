import { expect } from "vitest";
import type { Call } from "../support/app/client.ts";
import { expectFailure, problemsAt } from "../support/app/failure.ts";
import { test } from "../support/app/fixtures.ts";
import { exchange, makeShop, type TestShop } from "../support/app/shop.ts";

interface Change {
  type: string;
  at: string;
  customerId: string;
  listId: string;
  version: number;
  itemCount: number;
  source: string;
  item?: {
    productId: string;
    variantId: string;
    addedAt?: string;
    sequence?: number;
    quantity?: number;
    note?: string;
  };
  list?: { name?: string; position: number };
  movedTo?: string;
}
interface Page {
  changes: Change[];
  nextCursor: string;
  hasMore: boolean;
}

// Without an outbox processor in the background, so that a read has to number the changes before it.
test.override("appOptions", { env: { WISHLIST_ROLE: "web" } });
test.override("shopOptions", { plan: "growth" });

async function read(call: Call, token: string, query = ""): Promise<Page> {
  return (await call("GET", `/v1/changes${query}`, { token })).data<Page>();
}

async function add(call: Call, { token }: { token: string }, customer: string, product: string, more = {}) {
  const json = { product_id: product, variant_id: `${product}-v`, ...more };
  (await call("POST", `/v1/wishlists/${customer}/items`, { token, json })).data();
}

/** A shop with three changes of two customers. */
async function usedShop(app: Parameters<typeof makeShop>[0], call: Call): Promise<TestShop> {
  const shop = await makeShop(app, call, { plan: "growth" });
  await add(call, shop, "c1", "p1");
  await add(call, shop, "c2", "p2");
  await call("DELETE", "/v1/wishlists/c1/items/p1", { token: shop.token });
  return shop;
}

const types = ({ changes }: Page): string[] => changes.map(({ type }) => type.replace("wishlist.", ""));

test("the feed has an item that was added before the request", async ({ app, call }) => {
  const shop = await makeShop(app, call);
  await add(call, shop, "c1", "p1");
  const page = await read(call, shop.token);
  expect(page).toEqual({
    changes: [
      {
        type: "wishlist.item.added",
        at: expect.any(String),
        customerId: "c1",
        listId: "default",
        version: 1,
        itemCount: 1,
        source: "api",
        item: {
          productId: "p1",
          variantId: "p1-v",
          addedAt: page.changes[0]?.at,
          sequence: expect.any(Number),
        },
      },
    ],
    nextCursor: expect.any(String),
    hasMore: false,
  });
});

test("the feed includes every change whose request completed before the read", async ({ app, call }) => {
  const shop = await usedShop(app, call);
  const first = await read(call, shop.token);
  expect(first.changes).toHaveLength(3);
  await add(call, shop, "c3", "p3");
  const next = await read(call, shop.token, `?since=${first.nextCursor}`);
  expect(next.changes.map(({ customerId }) => customerId)).toEqual(["c3"]);
});

test("an item's change has its details and the time of a merged item", async ({ app, call }) => {
  const { token } = await makeShop(app, call);
  const addedAt = "2026-01-02T03:04:05.678Z";
  const details = { quantity: 3, note: 'A "note"\twith\nlines \\ ü', properties: { Engraving: "J & M" } };
  const items = [{ productId: 'p"\\1', variantId: "v1", addedAt, ...details }];
  (await call("POST", "/v1/wishlists/c1/merge", { token, json: { items } })).data();
  const path = `/v1/wishlists/c1/lists/default/items/${encodeURIComponent('p"\\1')}`;
  (await call("PATCH", path, { token, json: { note: null, position: 1.5 } })).data();
  const { changes } = await read(call, token);
  const item = { productId: 'p"\\1', variantId: "v1", addedAt, sequence: changes[0]?.item?.sequence };
  expect(changes.map((change) => change.item)).toEqual([
    { ...item, ...details },
    { ...item, quantity: 3, properties: details.properties, position: 1.5 },
  ]);
});

test("each change of a batch has the number of items after it", async ({ app, call }) => {
  const { token } = await makeShop(app, call, { plan: "growth" });
  const operations = [
    { op: "add", productId: "p1", variantId: "v1" },
    { op: "add", productId: "p1", variantId: "v2" },
    { op: "update", productId: "p1", variantId: "v1", quantity: 2 },
    { op: "remove", productId: "p1" },
    { op: "add", productId: "p2", variantId: "v1" },
  ];
  (await call("POST", "/v1/wishlists/c1/lists/default/items/batch", { token, json: { operations } })).data();
  const { changes } = await read(call, token);
  expect(changes.map(({ type, itemCount }) => [type.replace("wishlist.item.", ""), itemCount])).toEqual([
    ["added", 1],
    ["added", 2],
    ["updated", 2],
    ["removed", 0],
    ["removed", 0],
    ["added", 1],
  ]);
});

test("the feed has the changes of named lists with names and positions", async ({ app, call }) => {
  const { token } = await makeShop(app, call, { plan: "growth" });
  const created = await call("POST", "/v1/wishlists/c1/lists", { token, json: { name: "Birthday" } });
  const { listId } = created.data<{ listId: string }>();
  const list = `/v1/wishlists/c1/lists/${listId}`;
  await call("POST", `${list}/items`, { token, json: { product_id: "p1", variant_id: "v1" } });
  await call("PATCH", list, { token, json: { name: "Party" } });
  await call("PATCH", list, { token, json: { position: 7.5 } });
  await call("GET", `/v1/wishlists/c1/share`, { token });
  await call("DELETE", list, { token });
  const page = await read(call, token);
  expect(types(page)).toEqual([
    "list.created",
    "item.added",
    "list.renamed",
    "list.moved",
    "shared",
    "item.removed",
    "list.deleted",
  ]);
  expect(page.changes.map((change) => change.list)).toEqual([
    { name: "Birthday", position: 1 },
    undefined,
    { name: "Party", position: 1 },
    { name: "Party", position: 7.5 },
    undefined,
    undefined,
    { name: "Party", position: 7.5 },
  ]);
  expect(page.changes.map((change) => change.listId)).toEqual([
    ...[listId, listId, listId, listId],
    "default",
    ...[listId, listId],
  ]);
});

test("an item that was moved names the list that has it now", async ({ app, call }) => {
  const shop = await makeShop(app, call, { plan: "growth" });
  const { token } = shop;
  await add(call, shop, "c1", "p1");
  const { listId } = (await call("POST", "/v1/wishlists/c1/lists", { token, json: { name: "Other" } })).data<{
    listId: string;
  }>();
  const json = { to: listId, items: [{ productId: "p1" }] };
  (await call("POST", "/v1/wishlists/c1/lists/default/items/move", { token, json })).data();
  const { changes } = await read(call, token);
  expect(changes.slice(2).map(({ type, listId: list, movedTo, source }) => [type, list, movedTo, source])).toEqual([
    ["wishlist.item.added", listId, undefined, "move"],
    ["wishlist.item.removed", "default", listId, "move"],
  ]);
  // The item keeps its time.
  expect(changes[2]?.item?.addedAt).toBe(changes[0]?.item?.addedAt);
});

test("items with the same time come by sequence, also an item that a move puts between others", async ({
  app,
  call,
}) => {
  const { token } = await makeShop(app, call, { plan: "growth" });
  const { listId } = (await call("POST", "/v1/wishlists/c1/lists", { token, json: { name: "Other" } })).data<{
    listId: string;
  }>();
  const addedAt = "2026-01-02T03:04:05.678Z";
  const merge = async (productId: string, list: string): Promise<void> => {
    const json = { list_id: list, items: [{ productId, variantId: "v1", addedAt }] };
    (await call("POST", "/v1/wishlists/c1/merge", { token, json })).data();
  };
  await merge("p1", "default");
  await merge("p2", listId);
  await merge("p3", "default");
  const json = { to: "default", items: [{ productId: "p2" }] };
  (await call("POST", `/v1/wishlists/c1/lists/${listId}/items/move`, { token, json })).data();
  const { items } = (await call("GET", "/v1/wishlists/c1", { token })).data<{ items: { productId: string }[] }>();
  expect(items.map(({ productId }) => productId)).toEqual(["p3", "p2", "p1"]);
  const added = (await read(call, token, "?types=wishlist.item.added")).changes.filter((c) => c.listId === "default");
  expect(added.map(({ item }) => item?.productId)).toEqual(["p1", "p3", "p2"]);
  const bySequence = added.toSorted((a, b) => (b.item?.sequence ?? 0) - (a.item?.sequence ?? 0));
  expect(bySequence.map(({ item }) => item?.productId)).toEqual(["p3", "p2", "p1"]);
});

test("pages continue where the one before ended, without a gap or a duplicate", async ({ app, call }) => {
  const shop = await makeShop(app, call);
  for (let n = 0; n < 7; n++) await add(call, shop, "c1", `p${n}`);
  const seen: (string | undefined)[] = [];
  let since = "";
  for (let more = true; more;) {
    const page = await read(call, shop.token, `?limit=3${since}`);
    seen.push(...page.changes.map(({ item }) => item?.productId));
    since = `&since=${page.nextCursor}`;
    more = page.hasMore;
  }
  expect(seen).toEqual(["p0", "p1", "p2", "p3", "p4", "p5", "p6"]);
  await add(call, shop, "c1", "p7");
  const later = await read(call, shop.token, `?limit=3${since}`);
  expect(later.changes.map(({ item }) => item?.productId)).toEqual(["p7"]);
});

test("since=now is an empty page at the end of the feed", async ({ app, call }) => {
  const shop = await usedShop(app, call);
  const now = await read(call, shop.token, "?since=now");
  expect(now).toEqual({ changes: [], nextCursor: expect.any(String), hasMore: false });
  await add(call, shop, "c9", "p9");
  const next = await read(call, shop.token, `?since=${now.nextCursor}`);
  expect(next.changes.map(({ customerId }) => customerId)).toEqual(["c9"]);
});

test("a shop without changes has an empty feed that can be continued", async ({ app, call }) => {
  const shop = await makeShop(app, call);
  const { nextCursor } = await read(call, shop.token);
  await add(call, shop, "c1", "p1");
  expect((await read(call, shop.token, `?since=${nextCursor}`)).changes).toHaveLength(1);
});

test.for([
  ["types=wishlist.item.added", ["item.added", "item.added"]],
  ["types=wishlist.item.removed,wishlist.shared", ["item.removed"]],
  ["types=wishlist.shared&types=wishlist.item.removed", ["item.removed"]],
  ["types=wishlist.list.moved", []],
] as const)("the query %s selects changes by type", async ([query, expected], { app, call }) => {
  const shop = await usedShop(app, call);
  expect(types(await read(call, shop.token, `?${query}`))).toEqual(expected);
});

test.for([
  "types=wishlist.item.addedd",
  "types=",
  "types=wishlist.shared,",
  "limit=0",
  "limit=1001",
  "since=",
  "until=now",
])("the query %s is refused with 400", async (query, { call, shop }) => {
  const [name = ""] = query.split("=");
  expectFailure(
    await call("GET", `/v1/changes?${query}`, { token: shop.token }),
    400,
    "invalid_request",
    expect.arrayContaining([expect.objectContaining({ path: expect.stringContaining(`query.${name}`) })]),
  );
});

test("a page that the filter leaves empty still ends later than it began", async ({ app, call }) => {
  const shop = await makeShop(app, call);
  await add(call, shop, "c1", "p1");
  const first = await read(call, shop.token);
  // More activity than a request reads, none of it of a customer.
  await app.database.rows(
    `INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, version, item_count, product_id, variant_id, at, day, processed_at, change_number)
     SELECT $1, 'added', 'storefront', 'guest', 'g', 1, 1, 1, 'p', 'v', now(), current_date, now(), n FROM generate_series(2, 120000) AS n`,
    [shop.id],
  );
  await app.database.rows("UPDATE shop_change SET last_number = 120000 WHERE shop_id = $1", [shop.id]);
  await add(call, shop, "c1", "p2");
  const second = await read(call, shop.token, `?since=${first.nextCursor}`);
  expect(second).toMatchObject({ changes: [], hasMore: true });
  const third = await read(call, shop.token, `?since=${second.nextCursor}`);
  expect(third.changes.map(({ item }) => item?.productId)).toEqual(["p2"]);
});

test("guests' changes, puts into the cart and logins are not in the feed", async ({ app, call }) => {
  const shop = await makeShop(app, call);
  const sql = (text: string): Promise<unknown> => app.database.rows(text, [shop.id]);
  await sql("SELECT wishlist_add($1, 'guest', 'g1', 'p1', 'v1', 'storefront', now())");
  await sql("SELECT wishlist_merge_guest($1, 'g1', 'c1', now())");
  await sql(
    `INSERT INTO activity (shop_id, kind, source, owner_kind, owner_id, wishlist_id, version, item_count, product_id, variant_id, at, day)
     SELECT $1, 'carted', 'storefront', 'customer', 'c1', 1, 2, 1, 'p1', 'v1', now(), current_date`,
  );
  const { changes } = await read(call, shop.token);
  expect(changes.map(({ type, customerId, source }) => [type, customerId, source])).toEqual([
    ["wishlist.item.added", "c1", "guest_merge"],
  ]);
});

test("a token of a customer reads that customer's changes only", async ({ app, call }) => {
  const shop = await usedShop(app, call);
  const token = await exchange(call, shop, { customer_id: "c1" });
  const page = await read(call, token);
  expect(types(page)).toEqual(["item.added", "item.removed"]);
  await add(call, shop, "c2", "p9");
  await add(call, shop, "c1", "p9");
  const next = await read(call, token, `?since=${page.nextCursor}`);
  expect(next.changes.map(({ customerId }) => customerId)).toEqual(["c1"]);
});

test("a token without read_wishlists gets 403", async ({ call, shop }) => {
  const token = await exchange(call, shop, { scope: "write_wishlists" });
  expectFailure(await call("GET", "/v1/changes", { token }), 403, "insufficient_scope", {
    requiredScope: "read_wishlists",
  });
});

test.for([
  ["another shop", {}],
  ["another customer", { customer_id: "c2" }],
  ["all customers", { customer_id: "c1" }],
] as const)("a cursor of %s is refused with 400", async ([name, more], { app, call }) => {
  const shop = await usedShop(app, call);
  const bound = await exchange(call, shop, { customer_id: "c1" });
  const given = name === "all customers" ? shop.token : bound;
  const { nextCursor } = await read(call, given);
  const token = name === "another shop" ? (await usedShop(app, call)).token : await exchange(call, shop, more);
  const response = await call("GET", `/v1/changes?since=${nextCursor}`, { token });
  expectFailure(response, 400, "invalid_request", problemsAt("query.since"));
});

test("a cursor of other types is refused with 400, but the types' order is free", async ({ app, call }) => {
  const shop = await usedShop(app, call);
  const { nextCursor } = await read(call, shop.token, "?types=wishlist.shared,wishlist.item.added");
  const same = `?types=wishlist.item.added&types=wishlist.shared&since=${nextCursor}`;
  expect((await read(call, shop.token, same)).changes).toEqual([]);
  const other = await call("GET", `/v1/changes?types=wishlist.shared&since=${nextCursor}`, { token: shop.token });
  expectFailure(other, 400, "invalid_request", problemsAt("query.since"));
});

test("a forged cursor is refused with 400", async ({ app, call }) => {
  const shop = await usedShop(app, call);
  const { nextCursor } = await read(call, shop.token, "?limit=1");
  const [, signature = ""] = nextCursor.split(".");
  const forged = `${Buffer.from("2").toString("base64url")}.${signature}`;
  const response = await call("GET", `/v1/changes?since=${forged}`, { token: shop.token });
  expectFailure(response, 400, "invalid_request", problemsAt("query.since"));
});

test("a cursor before purged changes gets 410, and later ones and the beginning go on", async ({ app, call }) => {
  const shop = await usedShop(app, call);
  const first = await read(call, shop.token, "?limit=1");
  const second = await read(call, shop.token, `?limit=1&since=${first.nextCursor}`);
  await app.database.rows("UPDATE shop_change SET purged_to = 2 WHERE shop_id = $1", [shop.id]);
  await app.database.rows("DELETE FROM activity WHERE shop_id = $1 AND change_number <= 2", [shop.id]);
  const expired = await call("GET", `/v1/changes?since=${first.nextCursor}`, { token: shop.token });
  expectFailure(expired, 410, "cursor_expired");
  expect(types(await read(call, shop.token, `?since=${second.nextCursor}`))).toEqual(["item.removed"]);
  expect(types(await read(call, shop.token))).toEqual(["item.removed"]);
});

test("a cursor from before the restore of a backup gets 410", async ({ app, call }) => {
  const shop = await usedShop(app, call);
  const { nextCursor } = await read(call, shop.token);
  await app.database.rows("DELETE FROM activity WHERE shop_id = $1 AND change_number > 1", [shop.id]);
  await app.database.rows("UPDATE shop_change SET last_number = 1 WHERE shop_id = $1", [shop.id]);
  const response = await call("GET", `/v1/changes?since=${nextCursor}`, { token: shop.token });
  expectFailure(response, 410, "cursor_expired");
});

test("the erasure of a customer removes the customer's changes and expires no cursor", async ({ app, call }) => {
  const shop = await usedShop(app, call);
  const { nextCursor } = await read(call, shop.token, "?limit=1");
  await app.database.rows("SELECT customer_erase($1, 'c1', now())", [shop.id]);
  const { changes } = await read(call, shop.token, `?since=${nextCursor}`);
  expect(changes.map(({ customerId }) => customerId)).toEqual(["c2"]);
  expect(JSON.stringify(await read(call, shop.token))).not.toContain('"c1"');
});

test("concurrent changes of a shop are numbered without a gap", async ({ app, call }) => {
  const shop = await makeShop(app, call);
  await Promise.all(Array.from({ length: 30 }, (_, n) => add(call, shop, `c${n % 5}`, `p${n}`)));
  expect((await read(call, shop.token)).changes).toHaveLength(30);
  const [numbers] = await app.database.rows<{ from: number; to: number; count: number }>(
    `SELECT min(change_number)::int AS from, max(change_number)::int AS to, count(DISTINCT change_number)::int AS count
       FROM activity WHERE shop_id = $1`,
    [shop.id],
  );
  expect(numbers).toEqual({ from: 1, to: 30, count: 30 });
});
