import { beforeEach, describe, expect } from "vitest";
import type { Call } from "../support/app/client.ts";
import { test } from "../support/app/fixtures.ts";
import type { InProcessApp } from "../support/app/in-process.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import { newGuest, type ProxyCall, SHOPIFY_ENV, visitor } from "../support/app/storefront.ts";
import { until } from "../support/until.ts";

let service: InProcessApp;
let call: Call;
let shop: TestShop;

test.override("appOptions", { env: SHOPIFY_ENV });
test.beforeAll(({ app, call: apiCall }) => {
  service = app;
  call = apiCall;
});
beforeEach(async () => {
  shop = await makeShop(service, call, {
    plan: "growth",
    products: { "101": "1101", "102": "1102", "103": "1103" },
  });
});

interface ShownList {
  listId: string;
  name: string | null;
  itemCount: number;
  contains?: boolean;
}

/** A shopper who posts to endpoints: `path`, body. */
type Post = (path: string, json?: Record<string, unknown>) => ReturnType<ProxyCall>;

function customer(id = "77"): Post {
  const ask = visitor(service, { shop: shop.domain, customer: id });
  return (path, json = {}) => ask("POST", `/api/${path}`, { json });
}

function guest(guestId = newGuest()): Post {
  const ask = visitor(service, { shop: shop.domain });
  return (path, json = {}) => ask("POST", `/api/${path}`, { json: { guestId, ...json } });
}

async function create(post: Post, name: string): Promise<string> {
  return (await post("createList", { name })).data<ShownList>().listId;
}

async function listsOf(post: Post, product: Record<string, unknown> = {}): Promise<ShownList[]> {
  return (await post("lists", product)).data<{ lists: ShownList[] }>().lists;
}

async function itemsOf(
  post: Post,
  listId?: string,
): Promise<{ productId: string; quantity?: number; note?: string }[]> {
  const body = listId === undefined ? {} : { listId };
  return (await post("list", body)).data<{ items: { productId: string }[] }>().items;
}

async function idsOf(post: Post, listId?: string): Promise<string[]> {
  return (await itemsOf(post, listId)).map(({ productId }) => productId);
}

describe.each([
  ["a customer", () => customer()],
  ["a guest", () => guest()],
] as const)("%s", (_, shopper) => {
  test("creates, renames, deletes and restores a list with its items", async () => {
    const post = shopper();
    const listId = await create(post, "Birthday");
    await post("add", { listId, productId: "101" });
    expect((await post("updateList", { listId, name: "Party" })).data()).toMatchObject({
      name: "Party",
      listCount: 1,
    });
    const deleted = (await post("deleteList", { listId })).data<{ version: number }>();
    expect(deleted).toMatchObject({ deleted: true, removedCount: 1, itemCount: 0 });
    expect(await listsOf(post)).toMatchObject([{ listId: "default" }]);
    expect((await post("restoreList", { listId, version: deleted.version - 1 })).data()).toMatchObject({
      addedCount: 1,
      listCount: 1,
      itemCount: 1,
    });
    expect((await listsOf(post))[1]).toMatchObject({ listId, name: "Party", itemCount: 1 });
    expect(await idsOf(post, listId)).toEqual(["101"]);
  });

  test("moves and copies items between lists", async () => {
    const post = shopper();
    for (const productId of ["101", "102"]) await post("add", { productId });
    const to = await create(post, "Birthday");
    const moved = await post("moveListItems", { to, items: [{ productId: "101", variantId: "1101" }] });
    expect(moved.data()).toMatchObject({ movedCount: 1, itemCount: 2 });
    const copied = await post("moveListItems", { to, items: [{ productId: "102" }], copy: true });
    expect(copied.data()).toMatchObject({ movedCount: 1, itemCount: 2 });
    expect(await idsOf(post)).toEqual(["102"]);
    expect((await idsOf(post, to)).sort()).toEqual(["101", "102"]);
  });

  test("keeps quantity and note of an item of one list", async () => {
    const post = shopper();
    const item = { productId: "101", variantId: "1101" };
    const named = { productId: "101", variant_id: "1101" };
    await post("add", item);
    const listId = await create(post, "Birthday");
    await post("add", { ...item, listId });
    const updated = await post("updateListItem", { ...named, listId, quantity: 3, note: " For Anna " });
    expect(updated.data()).toMatchObject({ updated: true, ...item, quantity: 3, note: "For Anna" });
    expect(await itemsOf(post, listId)).toMatchObject([{ quantity: 3, note: "For Anna" }]);
    expect((await itemsOf(post))[0]).not.toHaveProperty("quantity");
    const cleared = await post("updateListItem", { ...named, listId, quantity: null, note: null });
    expect(cleared.data()).not.toHaveProperty("note");
  });

  test("reads which lists contain a product, in any variant or in the given one", async () => {
    const post = shopper();
    const listId = await create(post, "Birthday");
    await post("add", { listId, productId: "101", variantId: "1101" });
    const contained = async (product: Record<string, unknown>): Promise<unknown[]> =>
      (await listsOf(post, product)).map(({ contains }) => contains);
    expect(await contained({ productId: "101" })).toEqual([false, true]);
    expect(await contained({ productId: "101", variantId: "1101" })).toEqual([false, true]);
    expect(await contained({ productId: "101", variantId: "9" })).toEqual([false, false]);
    expect(await contained({})).toEqual([undefined, undefined]);
  });
});

test("every response counts a variant once, however many lists have it", async () => {
  const post = customer();
  const listId = await create(post, "Birthday");
  const item = { productId: "101", variantId: "1101" };
  const counts = [
    await post("add", item),
    await post("add", { ...item, listId }),
    await post("add", { productId: "102", listId }),
    await post("list"),
    await post("list", { listId }),
    await post("saved", { productIds: ["101"] }),
    await post("lists"),
    await post("updateList", { listId, name: "Party" }),
    await post("moveListItems", { listId, to: "default", items: [item], copy: true }),
    await post("remove", item),
    await post("remove", { ...item, listId }),
  ].map((response) => response.data<{ itemCount: number }>().itemCount);
  expect(counts).toEqual([1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 1]);
});

test("a product of a named list is saved, with the lists that have it", async () => {
  const post = customer();
  const listId = await create(post, "Birthday");
  await post("add", { productId: "101" });
  await post("add", { productId: "102", listId });
  const { saved } = (await post("saved", { productIds: ["101", "102", "103"] })).data<{ saved: object[] }>();
  expect(saved).toHaveLength(2);
  expect(saved).toContainEqual({ productId: "101", variantIds: ["1101"] });
  expect(saved).toContainEqual({ productId: "102", variantIds: ["1102"], listIds: [listId] });
});

test("a guest's lists go to the customer at login", async () => {
  const guestId = newGuest();
  const listId = await create(guest(guestId), "Birthday");
  await guest(guestId)("add", { productId: "101", listId });
  const post = customer();
  expect((await post("merge", { guestId })).data()).toMatchObject({ addedCount: 1, itemCount: 1 });
  expect(await listsOf(post)).toMatchObject([{ listId: "default" }, { name: "Birthday", itemCount: 1 }]);
});

test("a guest's list gets another id at login when the customer has a list with its id", async () => {
  const guestId = newGuest();
  const listId = await create(guest(guestId), "Birthday");
  await guest(guestId)("add", { productId: "101", listId });
  const post = customer();
  const taken = await create(post, "Holiday");
  // An import gives lists the ids that the file has.
  await service.database.rows(
    "UPDATE wishlist SET handle = $2 WHERE shop_id = $1 AND owner_kind = 'guest' AND handle = $3",
    [shop.id, taken, listId],
  );
  expect((await post("merge", { guestId })).data()).toMatchObject({ addedCount: 1 });
  expect(await listsOf(post)).toMatchObject([
    { listId: "default" },
    { listId: taken, name: "Holiday", itemCount: 0 },
    { name: "Birthday", itemCount: 1 },
  ]);
});

test("shoppers reach no list of another shopper", async () => {
  const listId = await create(customer("77"), "Birthday");
  await customer("77")("add", { productId: "101", listId });
  for (const [path, body] of [
    ["list", {}],
    ["add", { productId: "101" }],
    ["remove", { productId: "101" }],
    ["updateList", { name: "Mine" }],
    ["deleteList", {}],
    ["restoreList", { version: 1 }],
    ["updateListItem", { productId: "101", variant_id: "1101", quantity: 2 }],
    ["moveListItems", { to: "default", items: [{ productId: "101" }] }],
    ["shareList", {}],
    ["updateListShareLink", { shared_by: "Ana" }],
    ["revokeListShareLink", {}],
  ] as const) {
    const response = await customer("78")(path, { listId, ...body });
    expect([path, response.status, response.error().code]).toEqual([path, 404, "list_not_found"]);
  }
  expect(await idsOf(customer("77"), listId)).toEqual(["101"]);
});

test("the share link of a list shows its name, its sharer and quantities, and no notes", async () => {
  const post = customer();
  const listId = await create(post, "Anna & <b>Ben</b> {{ shop }}");
  const item = { productId: "101", variantId: "1101", listId };
  await post("add", item);
  await post("updateListItem", { productId: "101", variant_id: "1101", listId, quantity: 4, note: "a secret" });
  const { shareUrl } = (await post("shareList", { listId })).data<{ shareUrl: string }>();
  expect((await post("shareList")).data<{ shareUrl: string }>().shareUrl).not.toBe(shareUrl);
  const stranger = visitor(service, { shop: shop.domain });
  const { text } = await stranger("GET", new URL(shareUrl).pathname.replace("/apps/wishlist", ""));
  expect(text).toContain('wl_list_name = "Anna &amp; &lt;b&gt;Ben&lt;/b&gt; &#123;&#123; shop &#125;&#125;"');
  expect(text).toContain('wl_quantities = "4"');
  expect(text).not.toContain("a secret");
  expect(text).toContain('wl_shared_by = ""');
  (await post("updateListShareLink", { listId, shared_by: "<b>Ana</b> {{ shop }}" })).data();
  const named = await stranger("GET", new URL(shareUrl).pathname.replace("/apps/wishlist", ""));
  expect(named.text).toContain('wl_shared_by = "&lt;b&gt;Ana&lt;/b&gt; &#123;&#123; shop &#125;&#125;"');
  expect(named.text).toContain('wl_title_sharer = "‹b›Ana‹/b› (( shop ))"');
  expect((await post("revokeListShareLink", { listId })).data()).toMatchObject({ revoked: true });
});

describe("named lists can't be created", () => {
  test("below the Growth plan, where existing lists still work", async () => {
    const post = customer();
    const listId = await create(post, "Birthday");
    await post("add", { productId: "101", listId });
    await service.database.rows("UPDATE shop SET plan = 'starter' WHERE id = $1", [shop.id]);
    await until("the new plan", async () => (await post("createList", { name: "More" })).status === 403);
    expect((await post("createList", { name: "More" })).error()).toMatchObject({
      code: "plan_required",
      details: { requiredPlan: "growth" },
    });
    expect((await post("lists")).data()).toMatchObject({ canCreate: false });
    expect((await post("add", { productId: "102" })).data()).toMatchObject({ choosesLists: true });
    expect((await post("shareList", { listId })).data()).toHaveProperty("shareUrl");
    const { version } = (await post("deleteList", { listId })).data<{ version: number }>();
    expect((await post("restoreList", { listId, version: version - 1 })).data()).toMatchObject({ listCount: 1 });
  });

  test("where the shop's setting is off, which also ends the choice of lists", async () => {
    const post = customer();
    const listId = await create(post, "Birthday");
    await service.database.rows("UPDATE shop SET named_lists = false WHERE id = $1", [shop.id]);
    await until("the new setting", async () => (await post("createList", { name: "More" })).status === 403);
    expect((await post("add", { productId: "101" })).data()).toMatchObject({ choosesLists: false });
    expect((await listsOf(post)).map((list) => list.listId)).toContain(listId);
  });
});

test.for([
  ["createList", {}],
  ["createList", { name: "  " }],
  ["createList", { name: "x".repeat(101) }],
  ["createList", { name: "a\u202Eb" }],
  ["createList", { name: "a\u0000b" }],
  ["createList", { name: "\u200B" }],
  ["updateList", { listId: "lst_1", name: "  " }],
  ["updateList", { listId: "lst_1", name: "x".repeat(101) }],
  ["updateList", { listId: "lst_1", name: "a\u2066b" }],
  ["createList", { name: "Birthday", more: 1 }],
  ["updateList", { listId: "lst_1" }],
  ["restoreList", { listId: "lst_1" }],
  ["restoreList", { listId: "lst_1", version: -1 }],
  ["lists", { variantId: "1101" }],
  ["lists", { handle: "x" }],
  ["moveListItems", { to: "default", items: [] }],
  ["moveListItems", { to: "default", items: [{ productId: "101" }] }],
  ["moveListItems", { items: [{ productId: "101" }] }],
  ["moveListItems", { to: "lst_1", items: Array.from({ length: 251 }, () => ({ productId: "101" })) }],
  ["updateListItem", { productId: "101", variant_id: "1101" }],
  ["updateListItem", { productId: "101", variantId: "1101", quantity: 1 }],
  ["updateListItem", { productId: "101", variant_id: "1101", quantity: 0 }],
  ["updateListItem", { productId: "101", variant_id: "1101", quantity: 1000 }],
  ["updateListItem", { productId: "101", variant_id: "1101", note: "x".repeat(501) }],
  ["list", { listId: "a list" }],
  ["add", { productId: "101", listId: "" }],
] as const)("an invalid body is rejected: %s %o", async ([path, body]) => {
  expect((await customer()(path, body)).error()).toMatchObject({ code: "invalid_request" });
});

test.for(["lists", "createList", "updateList", "deleteList", "restoreList", "moveListItems", "updateListItem"])(
  "%s asks a shopper without an id to log in",
  async (path) => {
    const bodies: Record<string, object> = {
      createList: { name: "Birthday" },
      updateList: { listId: "lst_1", name: "Birthday" },
      deleteList: { listId: "lst_1" },
      restoreList: { listId: "lst_1", version: 2 },
      moveListItems: { to: "lst_1", items: [{ productId: "101" }] },
      updateListItem: { productId: "101", variant_id: "1101", quantity: 2 },
    };
    const ask = visitor(service, { shop: shop.domain });
    expect((await ask("POST", `/api/${path}`, { json: bodies[path] ?? {} })).error().code).toBe("login_required");
  },
);

test.for(["birthday cafe\u0301", "BIRTHDAY CAF\u00c9", "Birth\u200Dday caf\u00e9", "\uff22irthday  caf\u00e9"])(
  "a second list named %j is refused with 409, and so is renaming to it",
  async (name) => {
    const post = customer();
    await create(post, "Birthday caf\u00e9");
    const other = await create(post, "Other");
    for (const [path, body] of [
      ["createList", {}],
      ["updateList", { listId: other }],
    ] as const) {
      const response = await post(path, { ...body, name });
      expect([response.status, response.error().code]).toEqual([409, "list_name_taken"]);
    }
  },
);

test.for(["<script>alert(1)</script>", "🎁👨‍👩‍👧", "🎁".repeat(100), "مفضلة"])(
  "the name %j is kept as text",
  async (name) => {
    const post = customer();
    const listId = await create(post, name);
    expect((await listsOf(post)).find((list) => list.listId === listId)?.name).toBe(name);
  },
);

test("a move into the same list is refused and changes nothing", async () => {
  const post = customer();
  await post("add", { productId: "101" });
  const response = await post("moveListItems", { to: "default", items: [{ productId: "101" }] });
  expect([response.status, response.error().code]).toEqual([400, "invalid_request"]);
  expect(await idsOf(post)).toEqual(["101"]);
});

test("a move to another shopper's list is refused and changes nothing", async () => {
  const to = await create(customer("77"), "Birthday");
  const post = customer("78");
  await post("add", { productId: "101" });
  for (const copy of [false, true]) {
    const response = await post("moveListItems", { to, items: [{ productId: "101" }], copy });
    expect([response.status, response.error().code]).toEqual([404, "list_not_found"]);
  }
  expect([await idsOf(post), await idsOf(customer("77"), to)]).toEqual([["101"], []]);
});

test("a move into a list at its cap is refused and changes nothing", async () => {
  const post = customer();
  const to = await create(post, "Full");
  await post("add", { productId: "101", listId: to });
  await post("add", { productId: "102" });
  await service.database.rows("UPDATE shop SET item_cap = 1 WHERE id = $1", [shop.id]);
  const response = await post("moveListItems", { to, items: [{ productId: "102" }] });
  expect([response.status, response.error().code]).toEqual([409, "wishlist_full"]);
  expect([await idsOf(post), await idsOf(post, to)]).toEqual([["102"], ["101"]]);
});

test("a restore to a version that the list never had is refused", async () => {
  const post = customer();
  const listId = await create(post, "Birthday");
  await post("deleteList", { listId });
  const response = await post("restoreList", { listId, version: 99 });
  expect([response.status, response.error().code]).toEqual([404, "version_not_found"]);
});

test("an add to a list that another tab has deleted is refused, and the list comes back without it", async () => {
  const post = customer();
  const listId = await create(post, "Birthday");
  await post("add", { productId: "101", listId });
  const { version } = (await post("deleteList", { listId })).data<{ version: number }>();
  const response = await post("add", { productId: "102", listId });
  expect([response.status, response.error().code]).toEqual([404, "list_not_found"]);
  await post("restoreList", { listId, version: version - 1 });
  expect(await idsOf(post, listId)).toEqual(["101"]);
});
