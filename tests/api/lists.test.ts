import { randomUUID } from "node:crypto";
import { randomBytes } from "node:crypto";
import { describe, expect, onTestFinished } from "vitest";
import { z } from "zod";
import { storeDeleted, storeProducts } from "../../app/catalog/cache.server.ts";
import type { StoreProduct } from "../../app/catalog/queries.ts";
import { provideSettings } from "../../app/platform/process/env.server.ts";
import { Failure } from "../../app/platform/failure.ts";
import { addItem, createList, guestOwner, moveItems } from "../../app/wishlists/index.server.ts";
import type { ApiResponse, Call } from "../support/app/client.ts";
import { expectFailure } from "../support/app/failure.ts";
import type { InProcessApp } from "../support/app/in-process.ts";
import { exchange, makeShop, type TestShop } from "../support/app/shop.ts";
import { everythingStored } from "../support/app/stored-rows.ts";
import { test } from "../support/app/fixtures.ts";
import { lockWaiters } from "../support/database/locks.ts";
import { until } from "../support/until.ts";

interface List {
  listId: string;
  name: string | null;
  itemCount: number;
  isDefault: boolean;
  position: number;
  shared: boolean;
  version: number;
}

interface Item {
  productId: string;
  variantId: string;
  addedAt: string;
}

test.override({ shopOptions: { plan: "growth", products: { known: "known-1", other: "other-1" } } });

/** A product of the store with one variant. */
function productOf(id: string, { price, publishedAt }: { price: string; publishedAt: Date | null }): StoreProduct {
  return {
    id,
    handle: id,
    title: id,
    featuredMedia: null,
    updatedAt: new Date().toISOString(),
    status: "ACTIVE",
    publishedAt: publishedAt?.toISOString() ?? null,
    variants: {
      nodes: [
        {
          id: `${id}-1`,
          title: "Default Title",
          price,
          compareAtPrice: null,
          availableForSale: true,
          inventoryQuantity: 0,
          inventoryItem: { id: `${id}-i`, tracked: false },
          position: 1,
        },
      ],
      pageInfo: { hasNextPage: false, endCursor: null },
    },
  };
}

let service: InProcessApp;
let call: Call;
let shop: TestShop;
let customers = 0;

test.beforeAll(({ app, call: apiCall, shop: madeShop }) => {
  provideSettings({ DATABASE_URL: app.database.url, DATABASE_POOL_SIZE: "10" });
  service = app;
  call = apiCall;
  shop = madeShop;
});

/** A customer of the shop who has saved nothing yet. */
function newCustomer(at = shop) {
  const path = `/v1/wishlists/customer-${++customers}`;
  const send = (method: string, rest: string, json?: unknown, headers?: Record<string, string>): Promise<ApiResponse> =>
    call(method, path + rest, {
      token: at.token,
      ...(json === undefined ? {} : { json }),
      ...(headers ? { headers } : {}),
    });
  return {
    path,
    send,
    create: async (name: string): Promise<string> => (await send("POST", "/lists", { name })).data<List>().listId,
    lists: async (): Promise<List[]> => (await send("GET", "/lists")).data<{ lists: List[] }>().lists,
    add: (listId: string, product: string, more = {}): Promise<ApiResponse> =>
      send("POST", `/lists/${listId}/items`, { product_id: product, variant_id: `${product}-1`, ...more }),
    items: async (listId: string, query = ""): Promise<Item[]> =>
      (await send("GET", `/lists/${listId}/items${query}`)).data<{ items: Item[] }>().items,
    products: async (listId: string, query = ""): Promise<string[]> =>
      (await send("GET", `/lists/${listId}/items${query}`))
        .data<{ items: Item[] }>()
        .items.map((item) => item.productId),
    move: (from: string, to: string, products: string[], more = {}): Promise<ApiResponse> =>
      send("POST", `/lists/${from}/items/move`, { items: products.map((productId) => ({ productId })), to, ...more }),
    batch: (listId: string, operations: unknown[], headers?: Record<string, string>): Promise<ApiResponse> =>
      send("POST", `/lists/${listId}/items/batch`, { operations }, headers),
    restore: (listId: string, version: number): Promise<ApiResponse> =>
      send("POST", `/lists/${listId}/restore`, { version }),
  };
}

/** Sends requests that begin their changes while the default list is locked, so that all of them go on at the same moment. */
async function atOnce(
  { path }: ReturnType<typeof newCustomer>,
  requests: readonly (() => Promise<ApiResponse>)[],
): Promise<ApiResponse[]> {
  const holder = await service.database.pool.connect();
  try {
    await holder.query("BEGIN");
    await holder.query(
      "SELECT 1 FROM wishlist WHERE shop_id = $1 AND owner_id = $2 AND handle = 'default' FOR NO KEY UPDATE",
      [shop.id, path.split("/").at(-1)],
    );
    const responses = requests.map((request) => request());
    await lockWaiters(service.database, requests.length);
    await holder.query("COMMIT");
    return await Promise.all(responses);
  } finally {
    holder.release(true);
  }
}

describe("lists", () => {
  test("a customer without anything has an empty default list", async () => {
    expect(await newCustomer().lists()).toEqual([
      {
        listId: "default",
        name: null,
        itemCount: 0,
        isDefault: true,
        position: 0,
        shared: false,
        version: 0,
        createdAt: null,
        updatedAt: null,
      },
    ]);
  });

  test("named lists follow the default list in the order of their positions", async () => {
    const customer = newCustomer();
    const [a, b, c] = [await customer.create("A"), await customer.create("B"), await customer.create("C")];
    await customer.send("PATCH", `/lists/${c}`, { position: 1.5 });
    await customer.send("PATCH", `/lists/${a}`, { position: 9 });
    expect((await customer.lists()).map(({ listId }) => listId)).toEqual(["default", c, b, a]);
  });

  test("the number of saved variants counts one that several lists have once", async () => {
    const customer = newCustomer();
    const count = async (): Promise<number> =>
      (await customer.send("GET", "/lists?limit=1")).data<{ savedCount: number }>().savedCount;
    expect(await count()).toBe(0);
    const [first, second] = [await customer.create("First"), await customer.create("Second")];
    await customer.add(first, "known");
    expect(await count()).toBe(1);
    await customer.add(second, "known");
    await customer.add("default", "other");
    expect(await count()).toBe(2);
    await customer.send("DELETE", `/lists/${second}`);
    expect(await count()).toBe(2);
  });

  test("a page of lists continues behind its cursor, for the same customer only", async () => {
    const customer = newCustomer();
    const ids = ["default"];
    for (const name of ["A", "B", "C"]) ids.push(await customer.create(name));
    const found: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const page = await customer.send("GET", `/lists?limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`);
      const { lists, nextCursor } = page.data<{ lists: List[]; nextCursor: string | null }>();
      found.push(...lists.map(({ listId }) => listId));
      if (nextCursor !== null) {
        for (const foreign of [`${nextCursor.slice(0, -2)}${nextCursor.endsWith("xx") ? "yy" : "xx"}`, "x", "eA.x"]) {
          expect((await customer.send("GET", `/lists?cursor=${foreign}`)).error().code).toBe("invalid_request");
        }
        expect((await newCustomer().send("GET", `/lists?cursor=${nextCursor}`)).status).toBe(400);
      }
      cursor = nextCursor;
    }
    expect(found).toEqual(ids);
  });

  test.each([
    ["<script>alert(1)</script>", "<script>alert(1)</script>"],
    ["  Birthday  ", "Birthday"],
    ["🎁👨‍👩‍👧", "🎁👨‍👩‍👧"],
    ["x".repeat(100), "x".repeat(100)],
    ["🎁".repeat(100), "🎁".repeat(100)],
    ["Cafe\u0301", "Café"],
    ["مفضلة", "مفضلة"],
  ])("the name %j is kept as text", async (given, kept) => {
    const customer = newCustomer();
    const created = await customer.send("POST", "/lists", { name: given });
    expect([created.status, created.data<List>().name]).toEqual([201, kept]);
    expect((await customer.lists())[1]?.name).toBe(kept);
  });

  test.each([
    ["x".repeat(101)],
    [""],
    ["   "],
    ["\u200B\u2060"],
    ["a\u0000b"],
    ["a\nb"],
    ["a\u202Eb"],
    ["a\u2066b"],
    ["\uD800"],
    [7],
    [null],
  ])("the name %j is refused", async (name) => {
    const customer = newCustomer();
    const list = await customer.create("Before");
    for (const response of [
      await customer.send("POST", "/lists", { name }),
      await customer.send("PATCH", `/lists/${list}`, { name }),
    ]) {
      expectFailure(response, 400, "invalid_request", [
        { path: "body.name", problem: expect.any(String) as unknown as string },
      ]);
    }
    expect((await customer.lists()).map((one) => one.name)).toEqual([null, "Before"]);
  });

  test.each([
    ["BIRTHDAY", "in another case"],
    ["Ｂirthday", "in a compatible form"],
    ["Birth\u200Dday", "with an invisible character"],
    ["𝐁irthday", "in a compatible form without lower case"],
    [" birthday", "with space"],
  ])("a second list named %j (%s) is refused, and so is renaming to it", async (name) => {
    const customer = newCustomer();
    await customer.create("Birthday");
    const other = await customer.create("Other");
    expectFailure(await customer.send("POST", "/lists", { name }), 409, "list_name_taken", undefined);
    expectFailure(await customer.send("PATCH", `/lists/${other}`, { name }), 409, "list_name_taken", undefined);
    expect((await newCustomer().send("POST", "/lists", { name })).status).toBe(201);
  });

  test("a name in a decomposed Unicode form is the same name", async () => {
    const customer = newCustomer();
    await customer.create("Cr\u00e8me br\u00fbl\u00e9e");
    const other = await customer.create("Other");
    const name = "CRE\u0300ME BRU\u0302LE\u0301E";
    expectFailure(await customer.send("POST", "/lists", { name }), 409, "list_name_taken", undefined);
    expectFailure(await customer.send("PATCH", `/lists/${other}`, { name }), 409, "list_name_taken", undefined);
  });

  test("a list can change the case of its name", async () => {
    const customer = newCustomer();
    const list = await customer.create("birthday");
    expect((await customer.send("PATCH", `/lists/${list}`, { name: "Birthday" })).data<List>().name).toBe("Birthday");
  });

  test("the 51st list is refused, and a deleted one makes room", async () => {
    const customer = newCustomer();
    const first = await customer.create("0");
    for (let n = 1; n < 49; n++) await customer.create(String(n));
    const refused = await customer.send("POST", "/lists", { name: "one more" });
    expectFailure(refused, 409, "list_limit_reached", { limit: 50 });
    await customer.send("DELETE", `/lists/${first}`);
    expect((await customer.send("POST", "/lists", { name: "one more" })).status).toBe(201);
    expectFailure(await customer.restore(first, 1), 409, "list_limit_reached", { limit: 50 });
  });

  test("concurrent creations of one name make one list", async () => {
    const customer = newCustomer();
    await customer.add("default", "a");
    const made = await atOnce(
      customer,
      [1, 2].map(() => () => customer.send("POST", "/lists", { name: "Same" })),
    );
    expect(made.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(await customer.lists()).toHaveLength(2);
  });

  test("concurrent creations make no more than 50 lists", async () => {
    const customer = newCustomer();
    for (let n = 0; n < 48; n++) await customer.create(String(n));
    const made = await atOnce(
      customer,
      ["A", "B"].map((name) => () => customer.send("POST", "/lists", { name })),
    );
    expect(made.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(await customer.lists()).toHaveLength(50);
  });

  test("a repeated creation with an Idempotency-Key returns the first list", async () => {
    const customer = newCustomer();
    const key = { "idempotency-key": "create-once" };
    const first = await customer.send("POST", "/lists", { name: "Once" }, key);
    const again = await customer.send("POST", "/lists", { name: "Once" }, key);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.data()).toEqual(first.data());
    expectFailure(
      await customer.send("POST", "/lists", { name: "Twice" }, key),
      422,
      "idempotency_mismatch",
      undefined,
    );
    expect(await customer.lists()).toHaveLength(2);
  });

  test("customers' tokens of one key share no Idempotency-Key", async ({ call, shop }) => {
    const json = { name: "Birthday" };
    const headers = { "idempotency-key": "the-same" };
    const made = new Map<string, string>();
    for (const customer_id of ["idem-a", "idem-b"]) {
      const token = await exchange(call, shop, { customer_id });
      const created = await call("POST", "/v1/wishlists/me/lists", { token, json, headers });
      expect(created.status).toBe(201);
      made.set(customer_id, created.data<List>().listId);
      const { lists } = (await call("GET", `/v1/wishlists/${customer_id}/lists`, shop)).data<{ lists: List[] }>();
      expect(lists.map(({ listId }) => listId)).toContain(made.get(customer_id));
    }
    expect(new Set(made.values()).size).toBe(2);
  });

  test("a repetition with `me` in place of the customer's id returns the first list", async ({ call, shop }) => {
    const token = await exchange(call, shop, { customer_id: "idem-c" });
    const send = (path: string): Promise<ApiResponse> =>
      call("POST", path, { token, json: { name: "Once" }, headers: { "idempotency-key": "me-once" } });
    const first = await send("/v1/wishlists/me/lists");
    const again = await send("/v1/wishlists/idem-c/lists");
    expect([again.status, again.text]).toEqual([201, first.text]);
  });

  test("a refused creation with an Idempotency-Key stays refused when the name is free", async () => {
    const customer = newCustomer();
    const list = await customer.create("Taken");
    const key = { "idempotency-key": "refused-once" };
    const create = (): Promise<ApiResponse> => customer.send("POST", "/lists", { name: "taken" }, key);
    expectFailure(await create(), 409, "list_name_taken", undefined);
    await customer.send("DELETE", `/lists/${list}`);
    expectFailure(await create(), 409, "list_name_taken", undefined);
  });

  test("the default list can be renamed, but neither moved nor deleted", async () => {
    const customer = newCustomer();
    await customer.add("default", "a");
    expect((await customer.send("PATCH", "/lists/default", { name: "Mine" })).data<List>().name).toBe("Mine");
    expectFailure(await customer.send("PATCH", "/lists/default", { position: 3 }), 409, "default_list", undefined);
    expectFailure(await customer.send("DELETE", "/lists/default"), 409, "default_list", undefined);
    expect(await customer.products("default")).toEqual(["a"]);
  });

  test("named lists need the growth plan, and existing ones work after a downgrade", async () => {
    const at = await makeShop(service, call, { plan: "growth" });
    const customer = newCustomer(at);
    const list = await customer.create("Before");
    await service.database.rows("UPDATE shop SET plan = 'starter' WHERE id = $1", [at.id]);
    const token = await exchange(call, at);
    // The process hears of the new plan a moment later.
    const refused = await until("the new plan", async () => {
      const json = { name: `After ${randomUUID()}` };
      const response = await call("POST", `${customer.path}/lists`, { token, json });
      return response.status === 201 ? undefined : response;
    });
    expectFailure(refused, 403, "plan_required", { requiredPlan: "growth" });
    expect((await customer.add(list, "a")).status).toBe(200);
    expect(await customer.products(list)).toEqual(["a"]);
    expect((await customer.send("GET", `/lists/${list}/share`)).status).toBe(200);
    expect((await customer.send("DELETE", `/lists/${list}`)).status).toBe(200);
  });

  test("another owner's list does not exist, whatever the operation", async () => {
    const owner = newCustomer();
    const list = await owner.create("Private");
    await owner.add(list, "secret");
    const foreign = await makeShop(service, call, { plan: "growth" });
    for (const customer of [newCustomer(), newCustomer(foreign)]) {
      await customer.add("default", "a");
      const before = await everythingStored(service.database, shop.id);
      const responses = [
        await customer.send("GET", `/lists/${list}`),
        await customer.send("PATCH", `/lists/${list}`, { name: "Mine" }),
        await customer.send("DELETE", `/lists/${list}`),
        await customer.send("GET", `/lists/${list}/items`),
        await customer.send("GET", `/lists/${list}/items?expand=product`),
        await customer.send("GET", `/lists/${list}/items?sort=price`),
        await customer.add(list, "b"),
        await customer.send("PATCH", `/lists/${list}/items/secret`, { quantity: 2 }),
        await customer.send("DELETE", `/lists/${list}/items/secret`),
        await customer.move(list, "default", ["secret"]),
        await customer.move("default", list, ["a"]),
        await customer.move("default", list, ["a"], { copy: true }),
        await customer.batch(list, [{ op: "remove", productId: "secret" }]),
        await customer.send("GET", `/lists/${list}/history`),
        await customer.restore(list, 1),
        await customer.send("GET", `/lists/${list}/share`),
        await customer.send("DELETE", `/lists/${list}/share`),
        await customer.send("POST", "/merge", {
          items: [{ productId: "m", variantId: "m-1", addedAt: "2026-01-01T00:00:00Z" }],
          list_id: list,
        }),
      ];
      const unknown = await customer.send("GET", "/lists/lst_unknown");
      for (const response of responses) {
        expectFailure(response, 404, "list_not_found", undefined);
        expect({ ...response.error(), requestId: "" }).toEqual({ ...unknown.error(), requestId: "" });
      }
      expect(await everythingStored(service.database, shop.id)).toEqual(before);
    }
  });

  test("unchanged lists and items get 304", async () => {
    const customer = newCustomer();
    const list = await customer.create("Tagged");
    await customer.add(list, "known");
    for (const rest of [
      "/lists",
      `/lists/${list}`,
      `/lists/${list}/items`,
      `/lists/${list}/items?expand=product&sort=title`,
    ]) {
      const first = await customer.send("GET", rest);
      const tag = first.headers.get("etag") ?? "";
      const read = (): Promise<ApiResponse> => customer.send("GET", rest, undefined, { "if-none-match": tag });
      const again = await read();
      expect([again.status, again.text]).toEqual([304, ""]);
      await customer.add(list, `more${customers++}`);
      expect((await read()).status).toBe(200);
    }
  });

  test("a page is another one when an item of another page is gone", async () => {
    const customer = newCustomer();
    for (const product of ["older", "newer"]) await customer.add("default", product);
    const page = "/lists/default/items?limit=1";
    const rests = [page, `${page}&expand=product`, `${page}&sort=title`];
    const tags = await Promise.all(
      rests.map(async (rest) => (await customer.send("GET", rest)).headers.get("etag") ?? ""),
    );
    (await customer.send("DELETE", "/lists/default/items/older")).data();
    for (const [index, rest] of rests.entries()) {
      const response = await customer.send("GET", rest, undefined, { "if-none-match": tags[index] ?? "" });
      expect([rest, response.data()]).toMatchObject([rest, { total: 1, has_more: false }]);
    }
  });
});

describe("items of lists", () => {
  test("a list has its own items, and the default list is the customer's wishlist", async () => {
    const customer = newCustomer();
    const list = await customer.create("Named");
    await customer.add(list, "a");
    await customer.add("default", "b");
    expect(await customer.products(list)).toEqual(["a"]);
    expect((await customer.send("GET", "")).data()).toEqual(
      (await customer.send("GET", "/lists/default/items")).data(),
    );
    expect(await customer.products("default")).toEqual(["b"]);
    expect((await customer.lists()).map(({ itemCount }) => itemCount)).toEqual([1, 1]);
  });

  test("details are returned where they are set, and null clears them", async () => {
    const customer = newCustomer();
    const details = { quantity: 2, note: 'Size "M"\nplease ', properties: { Engraving: "A & B", Größe: "☃" } };
    await customer.add("default", "a", details);
    await customer.add("default", "b");
    const [b, a] = await customer.items("default");
    expect(a).toEqual({
      productId: "a",
      variantId: "a-1",
      addedAt: expect.any(String) as unknown,
      ...details,
      note: 'Size "M"\nplease',
    });
    expect(b).toEqual({ productId: "b", variantId: "b-1", addedAt: expect.any(String) as unknown });
    const changed = await customer.send("PATCH", "/lists/default/items/a", { quantity: null, note: "", position: 3.5 });
    expect(changed.data()).toMatchObject({ updated: true, properties: details.properties, position: 3.5 });
    expect(changed.data()).not.toHaveProperty("quantity");
    await customer.send("PATCH", "/lists/default/items/a", { properties: {}, position: null });
    expect((await customer.items("default"))[1]).toEqual({ productId: "a", variantId: "a-1", addedAt: a?.addedAt });
    const same = await customer.send("PATCH", "/lists/default/items/a", { note: null });
    expect(same.data()).toMatchObject({ updated: false });
  });

  test.each([
    [{ quantity: 0 }, "body.quantity", "must be at least 1"],
    [{ quantity: 1000 }, "body.quantity", "must be at most 999"],
    [{ quantity: 1.5 }, "body.quantity", "must be an integer"],
    [{ note: "x".repeat(501) }, "body.note", "must have at most 500 characters"],
    [{ note: "a\u0007" }, "body.note", "has control characters or is not valid Unicode"],
    [
      { properties: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [n, "v"])) },
      "body.properties",
      "must have at most 20 entries",
    ],
    [{ properties: { k: "x".repeat(256) } }, "body.properties.k", "must have at most 255 characters"],
    [
      { properties: Object.fromEntries(Array.from({ length: 8 }, (_, n) => [n, "é".repeat(125)])) },
      "body.properties",
      "must have at most 2000 bytes as JSON in UTF-8",
    ],
    [{ properties: { k: 1 } }, "body.properties.k", "must be a string"],
    [{ properties: { "": "v" } }, "body.properties", "has an invalid name, which must not be empty"],
    [{ properties: [] }, "body.properties", "must be an object"],
    [{ position: 1e10 }, "body.position", "must be at most 1000000000"],
    [{}, "body", "needs at least one detail"],
  ])("a change to %j is refused", async (json, path, problem) => {
    const customer = newCustomer();
    await customer.add("default", "a");
    const response = await customer.send("PATCH", "/lists/default/items/a", json);
    expectFailure(response, 400, "invalid_request", [{ path, problem }]);
    expect(await customer.items("default")).toEqual([
      { productId: "a", variantId: "a-1", addedAt: expect.any(String) as unknown },
    ]);
  });

  test.each([
    ["q=%00", "query.q", "has control characters or is not valid Unicode"],
    ["q=%20", "query.q", "must not be empty"],
    [`q=${"x".repeat(101)}`, "query.q", "must have at most 100 characters"],
    ["sort=size", "query.sort", "must be `added_at`, `price`, `title`, or `position`"],
    ["expand=all", "query.expand", "must be `product`"],
  ])("a read with %s is refused", async (query, path, problem) => {
    const response = await newCustomer().send("GET", `/lists/default/items?${query}`);
    expectFailure(response, 400, "invalid_request", [{ path, problem }]);
  });

  test("properties can have any name but `__proto__`, which is refused", async () => {
    const customer = newCustomer();
    const add = (properties: string): Promise<ApiResponse> =>
      call("POST", `${customer.path}/items`, {
        token: shop.token,
        body: `{"product_id":"a","variant_id":"1","properties":${properties}}`,
        headers: { "content-type": "application/json" },
      });
    expectFailure(await add('{"__proto__":"x"}'), 400, "invalid_request", [
      { path: "body.properties.__proto__", problem: "is not a name that a field can have" },
    ]);
    expect((await add('{"constructor":"x","":"y"}')).status).toBe(400);
    expect((await add('{"constructor":"x"}')).status).toBe(200);
    expect(await customer.items("default")).toMatchObject([{ properties: { constructor: "x" } }]);
  });

  test("a change of a product in several variants needs the variant", async () => {
    const customer = newCustomer();
    await customer.add("default", "a");
    await customer.send("POST", "/items", { product_id: "a", variant_id: "a-2" });
    expectFailure(await customer.send("PATCH", "/lists/default/items/a", { quantity: 2 }), 400, "invalid_request", [
      { path: "query.variant_id", problem: "is needed, because the product is saved in several variants" },
    ]);
    const changed = await customer.send("PATCH", "/lists/default/items/a?variant_id=a-2", { quantity: 2 });
    expect(changed.data()).toMatchObject({ variantId: "a-2", quantity: 2 });
    expectFailure(
      await customer.send("PATCH", "/lists/default/items/zzz", { quantity: 2 }),
      404,
      "item_not_found",
      undefined,
    );
  });

  test("expanded items have the data of their products as shoppers may see it", async () => {
    const at = await makeShop(service, call, {
      plan: "growth",
      products: { known: "known-1", draft: "draft-1", gone: "gone-1" },
    });
    const customer = newCustomer(at);
    await service.database.rows(
      `INSERT INTO variant (shop_id, variant_id, product_id, title, price, available, position)
       SELECT $1, p || '-1', p, CASE p WHEN 'known' THEN 'M / "Pine"' ELSE 'Default Title' END, 19.9, true, 1 FROM unnest(ARRAY['known', 'draft', 'gone']) AS p`,
      [at.id],
    );
    await service.database.rows("UPDATE shop SET currency = 'EUR' WHERE id = $1", [at.id]);
    await service.database.rows(
      "UPDATE product SET handle = 'zelt-größe', title = 'Zelt', image_url = 'https://cdn.example/z.jpg' WHERE shop_id = $1 AND product_id = 'known'",
      [at.id],
    );
    for (const product of ["known", "draft", "gone", "unknown"])
      await customer.add("default", product, { quantity: 3 });
    await service.database.rows("UPDATE variant SET price = 25 WHERE shop_id = $1 AND variant_id = 'known-1'", [at.id]);
    await service.database.rows(
      "UPDATE product SET status = 'DRAFT', ever_published = false WHERE shop_id = $1 AND product_id = 'draft'",
      [at.id],
    );
    await service.database.rows("UPDATE product SET deleted_at = now() WHERE shop_id = $1 AND product_id = 'gone'", [
      at.id,
    ]);
    const shared = (await customer.send("GET", "/share")).data<{ shareToken: string }>();
    const expected = {
      known: {
        title: "Zelt",
        handle: "zelt-größe",
        imageUrl: "https://cdn.example/z.jpg",
        url: `https://${at.domain}/products/zelt-gr%C3%B6%C3%9Fe?variant=known-1`,
        variantTitle: 'M / "Pine"',
        price: "25.00",
        currency: "EUR",
        available: true,
        savedPrice: "19.90",
        deleted: false,
      },
      draft: null,
      gone: expect.objectContaining({
        title: "gone",
        price: null,
        available: false,
        savedPrice: "19.90",
        deleted: true,
      }) as unknown,
      unknown: null,
    };
    for (const path of [
      `${customer.path}?expand=product`,
      `${customer.path}/lists/default/items?expand=product&sort=title`,
      `/v1/wishlists/shared/${shared.shareToken}?expand=product`,
    ]) {
      const { items } = (await call("GET", path, { token: at.token })).data<{
        items: (Item & { product: unknown; quantity: number })[];
      }>();
      expect(Object.fromEntries(items.map(({ productId, product }) => [productId, product]))).toEqual(expected);
      expect(items.map(({ quantity }) => quantity)).toEqual([3, 3, 3, 3]);
    }
  });

  test("a kept page of expanded items shows a later change of the catalog, the shop and the time", async () => {
    provideSettings({ DATABASE_URL: service.database.url, DATABASE_POOL_SIZE: "5" });
    const at = await makeShop(service, call, { plan: "growth" });
    const customer = newCustomer(at);
    await customer.add("default", "p");
    const store = (price: string, publishedAt: Date | null): Promise<void> =>
      storeProducts(at.id, [productOf("p", { price, publishedAt })], new Date());
    const read = async (): Promise<unknown> => {
      const items = await customer.items("default", "?expand=product");
      const [first] = z.array(z.object({ product: z.record(z.string(), z.unknown()) })).parse(items);
      return [first?.product["price"], first?.product["currency"]];
    };
    const before = new Date(Date.now() - 60_000);
    await store("10.00", before);
    expect(await read()).toEqual(["10.00", null]);
    expect(await read()).toEqual(["10.00", null]);
    await store("12.00", before);
    expect(await read()).toEqual(["12.00", null]);
    await service.database.rows("UPDATE shop SET currency = 'EUR' WHERE id = $1", [at.id]);
    expect(await read()).toEqual(["12.00", "EUR"]);
    const soon = new Date(Date.now() + 600_000);
    await store("12.00", soon);
    expect(await read()).toEqual([null, "EUR"]);
    // The time of the database passes without a change that its triggers notice.
    await service.database.pool.query(
      `BEGIN; SET LOCAL session_replication_role = replica;
       UPDATE product SET published_at = now() WHERE shop_id = ${at.id}; COMMIT`,
    );
    expect(await read()).toEqual([null, "EUR"]);
    onTestFinished(() => service.holdClock(undefined));
    service.holdClock(soon);
    expect(await read()).toEqual(["12.00", "EUR"]);
    await storeDeleted(at.id, "p", new Date());
    expect(await read()).toEqual([null, "EUR"]);
  });

  test("items are sorted, filtered and searched by the catalog, over all pages", async () => {
    const products = { axe: "axe-1", boot: "boot-1", Coat: "Coat-1", none: "none-1" };
    const at = await makeShop(service, call, { plan: "growth", products });
    const customer = newCustomer(at);
    await service.database.rows(
      `INSERT INTO variant (shop_id, variant_id, product_id, title, price, available, position)
       SELECT $1, p || '-1', p, 'Default Title', price, p <> 'boot', 1 FROM (VALUES ('axe', 30), ('boot', 10), ('Coat', 20)) AS t (p, price)`,
      [at.id],
    );
    for (const product of ["Coat", "axe", "nocat", "boot"]) await customer.add("default", product);
    const sorted = (query: string): Promise<string[]> => customer.products("default", `?${query}`);
    expect(await sorted("sort=title")).toEqual(["axe", "boot", "Coat", "nocat"]);
    expect(await sorted("sort=title&direction=desc")).toEqual(["Coat", "boot", "axe", "nocat"]);
    expect(await sorted("sort=price")).toEqual(["boot", "Coat", "axe", "nocat"]);
    expect(await sorted("sort=price&direction=desc&limit=2")).toEqual(["axe", "Coat"]);
    expect(await sorted("sort=price&direction=desc&limit=2&offset=2")).toEqual(["boot", "nocat"]);
    expect(await sorted("direction=asc")).toEqual(["Coat", "axe", "nocat", "boot"]);
    expect(await sorted("available=true&sort=title")).toEqual(["axe", "Coat"]);
    expect(await sorted("q=O&sort=title")).toEqual(["boot", "Coat"]);
    expect(await sorted("q=%25")).toEqual([]);
    await customer.send("PATCH", "/lists/default/items/boot", { position: 1 });
    await customer.send("PATCH", "/lists/default/items/Coat", { position: 0.5 });
    expect(await sorted("sort=position")).toEqual(["Coat", "boot", "nocat", "axe"]);
    const page = await customer.send("GET", "/lists/default/items?q=o&limit=1");
    expect(page.data()).toMatchObject({ count: 1, total: 2, has_more: true });
    expect((await customer.send("GET", "/lists/default/items?q=o&offset=5")).data()).toMatchObject({
      items: [],
      total: 2,
    });
  });

  test("a look-up names the lists that have each variant", async () => {
    const customer = newCustomer();
    const list = await customer.create("Named");
    await customer.add(list, "a");
    await customer.add("default", "a");
    await customer.add("default", "b");
    await customer.send("POST", "/items", { product_id: "a", variant_id: "a-2" });
    const found = await customer.send("GET", "/contains?product_id=a&product_id=zzz&product_id=a&product_id=b");
    expect(found.data()).toEqual({
      has_more: false,
      products: [
        {
          productId: "a",
          variants: [
            { variantId: "a-1", listIds: ["default", list] },
            { variantId: "a-2", listIds: ["default"] },
          ],
        },
        { productId: "b", variants: [{ variantId: "b-1", listIds: ["default"] }] },
      ],
    });
    const many = Array.from({ length: 251 }, (_, n) => `product_id=p${n}`).join("&");
    expect((await customer.send("GET", `/contains?${many}`)).status).toBe(400);
    expect((await customer.send("GET", "/contains")).status).toBe(400);
  });

  test("a merge goes into the named list, with details", async () => {
    const customer = newCustomer();
    const list = await customer.create("Named");
    await customer.add(list, "kept", { note: "mine" });
    const addedAt = "2026-01-02T03:04:05.000Z";
    const merged = await customer.send("POST", "/merge", {
      list_id: list,
      items: [
        { productId: "a", variantId: "a-1", addedAt, quantity: 4 },
        { productId: "kept", variantId: "kept-1", addedAt, note: "theirs" },
      ],
    });
    expect(merged.data()).toEqual({ merged: true, itemCount: 2, addedCount: 1, skipped: [] });
    expect(await customer.items(list)).toMatchObject([
      { productId: "kept", note: "mine" },
      { productId: "a", addedAt, quantity: 4 },
    ]);
  });

  test("each list has its own share link, which names the list and no note", async () => {
    const customer = newCustomer();
    const list = await customer.create("Birthday");
    await customer.add(list, "a", { quantity: 2, note: "secret wish", properties: { Size: "M" } });
    await customer.add("default", "b");
    const link = (await customer.send("GET", `/lists/${list}/share`)).data<{ shareToken: string }>();
    const other = (await customer.send("GET", "/share")).data<{ shareToken: string }>();
    const read = await call("GET", `/v1/wishlists/shared/${link.shareToken}`);
    expect(read.data()).toMatchObject({
      name: "Birthday",
      items: [{ productId: "a", quantity: 2, properties: { Size: "M" } }],
    });
    expect(read.text).not.toContain("secret wish");
    expect((await call("GET", `/v1/wishlists/shared/${other.shareToken}`)).data()).not.toHaveProperty("name");
    expect((await customer.lists()).map(({ shared }) => shared)).toEqual([true, true]);
    await customer.send("DELETE", `/lists/${list}`);
    expectFailure(await call("GET", `/v1/wishlists/shared/${link.shareToken}`), 410, "share_expired", undefined);
    expect((await call("GET", `/v1/wishlists/shared/${other.shareToken}`)).status).toBe(200);
  });
});

describe("moves", () => {
  test("a move keeps time and details, and a repeated move changes nothing", async () => {
    const customer = newCustomer();
    const list = await customer.create("Named");
    await customer.add("default", "a", { quantity: 2, note: "n" });
    const [before] = await customer.items("default");
    expect((await customer.move("default", list, ["a"])).data()).toEqual({
      movedCount: 1,
      addedCount: 1,
      itemCount: 0,
      targetItemCount: 1,
    });
    expect(await customer.items(list)).toEqual([before]);
    expect((await customer.move("default", list, ["a"])).data()).toEqual({
      movedCount: 0,
      addedCount: 0,
      itemCount: 0,
      targetItemCount: 1,
    });
    expect((await customer.move(list, "default", ["a"])).data()).toMatchObject({ movedCount: 1 });
    expect(await customer.items("default")).toEqual([before]);
  });

  test("an item that the target has is there once, as it was there", async () => {
    const customer = newCustomer();
    const list = await customer.create("Named");
    await customer.add(list, "a", { note: "there" });
    await customer.add("default", "a", { note: "here" });
    expect((await customer.move("default", list, ["a"])).data()).toEqual({
      movedCount: 1,
      addedCount: 0,
      itemCount: 0,
      targetItemCount: 1,
    });
    expect(await customer.items(list)).toMatchObject([{ productId: "a", note: "there" }]);
  });

  test("a copy stays, and takes every variant of a product without one", async () => {
    const customer = newCustomer();
    const list = await customer.create("Named");
    await customer.add("default", "a", { quantity: 5 });
    await customer.send("POST", "/items", { product_id: "a", variant_id: "a-2" });
    expect((await customer.move("default", list, ["a"], { copy: true })).data()).toEqual({
      movedCount: 2,
      addedCount: 2,
      itemCount: 2,
      targetItemCount: 2,
    });
    expect(await customer.items(list)).toMatchObject([{ variantId: "a-2" }, { variantId: "a-1", quantity: 5 }]);
  });

  test("copies are in the order in which the items were saved, whatever the plan of the query", async () => {
    const customer = newCustomer();
    const to = await customer.create("Birthday");
    const saved = ["c", "a", "b"];
    for (const product of saved) await customer.add("default", product);
    const connection = await service.database.pool.connect();
    try {
      await connection.query("BEGIN");
      // Leaves the merge join, which reads the items in the order of their ids.
      await connection.query("SET LOCAL enable_nestloop = off; SET LOCAL enable_hashjoin = off");
      await connection.query(
        "SELECT wishlist_move_items($1, 'customer', $2, 'default', $3, $4, $5, true, 'api', now())",
        [shop.id, customer.path.split("/").at(-1), to, saved, saved.map(() => null)],
      );
      await connection.query("COMMIT");
    } finally {
      connection.release(true);
    }
    expect(await customer.products(to)).toEqual(saved.toReversed());
  });

  test("a move is in the log of both lists, with their new counts, in the order in which the items were saved", async () => {
    const customer = newCustomer();
    const list = await customer.create("Named");
    await customer.add(list, "z");
    for (const product of ["c", "a", "b", "d"]) await customer.add("default", product);
    const logged = async (): Promise<string[]> => {
      const rows = await service.database.rows<{ line: string }>(
        `SELECT concat_ws(' ', kind, product_id, 'in', coalesce(list_id, 'default'), 'of', item_count, 'version', version) AS line
           FROM activity WHERE shop_id = $1 AND owner_id = $2 AND kind IN ('added', 'removed') ORDER BY id`,
        [shop.id, customer.path.split("/").at(-1)],
      );
      return rows.map(({ line }) => line);
    };
    const before = await logged();
    (await customer.move("default", list, ["b", "c", "a"])).data();
    (await customer.move(list, "default", ["z"], { copy: true })).data();
    expect((await logged()).slice(before.length)).toEqual([
      ...["c", "a", "b"].map((product) => `added ${product} in ${list} of 4 version 3`),
      ...["c", "a", "b"].map((product) => `removed ${product} in default of 1 version 5`),
      "added z in default of 2 version 6",
    ]);
  });

  test("a move with one unknown item moves nothing and names it", async () => {
    const customer = newCustomer();
    const list = await customer.create("Named");
    await customer.add("default", "a");
    expectFailure(await customer.move("default", list, ["a", "zzz"]), 404, "item_not_found", [
      { path: "body.items[1]", problem: "names an item that the list does not have" },
    ]);
    expect(await customer.products("default")).toEqual(["a"]);
  });

  test("a move into the same list is refused", async () => {
    const customer = newCustomer();
    await customer.add("default", "a");
    expectFailure(await customer.move("default", "default", ["a"]), 400, "invalid_request", [
      { path: "body.to", problem: "is the list that has the items; name another one" },
    ]);
  });

  test("a move into a list at its cap moves nothing", async () => {
    const at = await makeShop(service, call, { plan: "growth" });
    await service.database.rows("UPDATE shop SET item_cap = 2 WHERE id = $1", [at.id]);
    const customer = newCustomer(at);
    const list = await customer.create("Full");
    for (const product of ["a", "b"]) await customer.add(list, product);
    await customer.add("default", "c");
    expectFailure(await customer.move("default", list, ["c"]), 409, "wishlist_full", undefined);
    expect((await customer.move(list, "default", ["a"])).status).toBe(200);
    expect((await customer.move("default", list, ["c"])).status).toBe(200);
  });

  test("a move of what the target has succeeds although the target is above its cap", async () => {
    const at = await makeShop(service, call, { plan: "growth" });
    const customer = newCustomer(at);
    const list = await customer.create("Full");
    for (const product of ["a", "b"]) await customer.add(list, product);
    await customer.add("default", "a");
    await service.database.rows("UPDATE shop SET item_cap = 1 WHERE id = $1", [at.id]);
    expect((await customer.move("default", list, ["a"])).data()).toEqual({
      movedCount: 1,
      addedCount: 0,
      itemCount: 0,
      targetItemCount: 2,
    });
  });

  test("a guest's move locks the guest before the lists, as a login does", async () => {
    const guest = guestOwner(shop.id, "a-guest-who-moves-an-item");
    const ids: string[] = [];
    for (const name of ["One", "Two"]) {
      const made = await createList(guest, { name }, "storefront");
      if (made instanceof Failure) throw new Error(made.message);
      ids.push(made.listId);
    }
    const [from = "", to = ""] = ids;
    await addItem({ ...guest, listId: from }, { productId: "g", variantId: "1" }, "storefront");
    const login = await service.database.pool.connect();
    try {
      await login.query("BEGIN");
      await login.query("SELECT guest_lock($1, $2)", [shop.id, guest.id]);
      const moving = moveItems(
        { ...guest, listId: from },
        { items: [{ productId: "g" }], to, copy: false },
        "storefront",
      );
      await lockWaiters(service.database);
      await login.query("SELECT id FROM wishlist WHERE shop_id = $1 AND owner_id = $2 FOR UPDATE NOWAIT", [
        shop.id,
        guest.id,
      ]);
      await login.query("COMMIT");
      expect(await moving).toMatchObject({ movedCount: 1 });
    } finally {
      login.release(true);
    }
  });

  test("crossing moves neither deadlock nor lose an item", async () => {
    const customer = newCustomer();
    const list = await customer.create("Named");
    for (let n = 0; n < 10; n++) await customer.add(n % 2 === 0 ? "default" : list, `p${n}`);
    const moves = Array.from({ length: 30 }, (_, n) =>
      n % 2 === 0 ? customer.move("default", list, ["p0"]) : customer.move(list, "default", ["p0"]),
    );
    expect((await Promise.all(moves)).map(({ status }) => status)).toEqual(moves.map(() => 200));
    expect([...(await customer.products("default")), ...(await customer.products(list))].sort()).toEqual(
      Array.from({ length: 10 }, (_, n) => `p${n}`),
    );
  });

  test("moves and a cart event with items of both lists do not deadlock", async () => {
    const customer = newCustomer();
    const list = await customer.create("Named");
    await customer.add("default", "p0");
    await customer.add(list, "p1");
    await customer.add(list, "p2");
    const changes = Array.from({ length: 30 }, async (_, n) => {
      if (n % 3 === 0) return customer.move("default", list, ["p2"]);
      if (n % 3 === 1) return customer.move(list, "default", ["p2"]);
      return service.database.rows(
        `SELECT wishlist_record_cart_items($1, 'customer', $2, ARRAY['p1', 'p0'], ARRAY['p1-1', 'p0-1'], $3, 'storefront', now())`,
        [shop.id, customer.path.replace("/v1/wishlists/", ""), `event-${n}`],
      );
    });
    const outcomes = await Promise.all(changes);
    expect(outcomes.map((outcome) => ("status" in outcome ? outcome.status : 200))).toEqual(changes.map(() => 200));
  });
});

describe("batches", () => {
  test("operations are applied in their order, as one version, with one result each", async () => {
    const customer = newCustomer();
    await customer.add("default", "old");
    const done = await customer.batch("default", [
      { op: "add", productId: "a", variantId: "a-1", quantity: 2 },
      { op: "add", productId: "old", variantId: "old-1" },
      { op: "update", productId: "a", note: "later" },
      { op: "remove", productId: "old" },
      { op: "add", productId: "old", variantId: "old-1" },
      { op: "remove", productId: "zzz" },
    ]);
    expect(done.data<{ results: { changed: boolean }[] }>().results.map(({ changed }) => changed)).toEqual([
      true,
      false,
      true,
      true,
      true,
      false,
    ]);
    expect(done.data()).toMatchObject({ itemCount: 2 });
    expect(await customer.items("default")).toMatchObject([
      { productId: "old" },
      { productId: "a", quantity: 2, note: "later" },
    ]);
    expect((await customer.lists())[0]).toMatchObject({ version: 2, itemCount: 2 });
  });

  test("an item that is added twice counts once", async () => {
    const customer = newCustomer();
    const add = { op: "add", productId: "a", variantId: "a-1" };
    const done = await customer.batch("default", [add, add]);
    expect(done.data()).toMatchObject({ results: [{ changed: true }, { changed: false }], itemCount: 1 });
  });

  test("an added item without a variant gets the product's default variant", async () => {
    const customer = newCustomer();
    const done = await customer.batch("default", [{ op: "add", productId: "known" }]);
    expect(done.data()).toMatchObject({ results: [{ variantId: "known-1", changed: true }] });
  });

  test("one bad operation undoes all, and is named", async () => {
    const customer = newCustomer();
    await customer.add("default", "a");
    const before = await everythingStored(service.database, shop.id);
    const response = await customer.batch("default", [
      { op: "add", productId: "b", variantId: "b-1" },
      { op: "remove", productId: "a" },
      { op: "update", productId: "zzz", quantity: 2 },
    ]);
    expectFailure(response, 404, "item_not_found", [
      { path: "body.operations[2]", problem: "names an item that the list does not have" },
    ]);
    expect(await everythingStored(service.database, shop.id)).toEqual(before);
  });

  test.each([
    [[], "body.operations", "must not be empty"],
    [
      Array.from({ length: 251 }, (_, n) => ({ op: "remove", productId: `p${n}` })),
      "body.operations",
      "holds more than 250 operations; send them in several calls",
    ],
    [[{ op: "add", productId: "a", quantity: 0 }], "body.operations[0].quantity", "must be at least 1"],
    [[{ op: "add", productId: "a", quantity: 1000 }], "body.operations[0].quantity", "must be at most 999"],
    [[{ op: "add", productId: "a", quantity: 1.5 }], "body.operations[0].quantity", "must be an integer"],
    [[{ op: "update", productId: "a" }], "body.operations[0]", "needs at least one detail"],
    [[{ op: "swap", productId: "a" }], "body.operations[0].op", "must be `add`, `remove`, or `update`"],
    [[{ productId: "a" }], "body.operations[0].op", "is missing"],
  ])("the operations %j are refused", async (operations, path, problem) => {
    expectFailure(await newCustomer().batch("default", operations), 400, "invalid_request", [{ path, problem }]);
  });

  test("an added product that the shop does not have is named", async () => {
    const customer = newCustomer();
    const response = await customer.batch("default", [
      { op: "add", productId: "zzz", variantId: "1" },
      { op: "add", productId: "zzz" },
    ]);
    expectFailure(response, 404, "product_not_found", [
      {
        path: "body.operations[1].productId",
        problem: "is no product of the shop; check the id, or send `variantId` to save it unchecked",
      },
    ]);
    expect(await customer.products("default")).toEqual([]);
  });

  test("a batch that only removes changes nothing for a customer without a wishlist", async () => {
    const done = await newCustomer().batch("default", [{ op: "remove", productId: "a" }]);
    expect(done.data()).toMatchObject({ results: [{ changed: false }], itemCount: 0 });
  });

  test("a batch beyond the cap changes nothing", async () => {
    const at = await makeShop(service, call, { plan: "growth" });
    await service.database.rows("UPDATE shop SET item_cap = 2 WHERE id = $1", [at.id]);
    const customer = newCustomer(at);
    const adds = ["a", "b", "c"].map((productId) => ({ op: "add", productId, variantId: "1" }));
    expectFailure(await customer.batch("default", adds), 409, "wishlist_full", undefined);
    expect(await customer.products("default")).toEqual([]);
    expect((await customer.batch("default", [...adds, { op: "remove", productId: "b" }])).status).toBe(200);
  });

  test("a repeated batch with an Idempotency-Key returns the first response and changes nothing", async () => {
    const customer = newCustomer();
    const key = { "idempotency-key": "batch-once" };
    const operations = [{ op: "add", productId: "a", variantId: "a-1" }];
    const first = await customer.batch("default", operations, key);
    await customer.send("DELETE", "/items/a");
    expect((await customer.batch("default", operations, key)).data()).toEqual(first.data());
    expect(await customer.products("default")).toEqual([]);
  });

  test("a refused batch with an Idempotency-Key stays refused when the item is there", async () => {
    const customer = newCustomer();
    const key = { "idempotency-key": "batch-refused" };
    const update = (): Promise<ApiResponse> =>
      customer.batch("default", [{ op: "update", productId: "a", quantity: 1 }], key);
    expect((await update()).error().code).toBe("item_not_found");
    await customer.add("default", "a");
    expect((await update()).error().code).toBe("item_not_found");
  });
});

describe("history", () => {
  interface Version {
    version: number;
    source: string;
    addedCount: number;
    removedCount: number;
    updatedCount: number;
    listEvent: string | null;
    itemCount: number;
    restorable: boolean;
  }

  test("names each version, newest first, over pages", async () => {
    const customer = newCustomer();
    const list = await customer.create("Named");
    await customer.add(list, "a");
    await customer.send("PATCH", `/lists/${list}/items/a`, { quantity: 2 });
    await customer.send("PATCH", `/lists/${list}`, { name: "Renamed" });
    await customer.send("DELETE", `/lists/${list}/items/a`);
    const seen: Version[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const page: ApiResponse = await customer.send(
        "GET",
        `/lists/${list}/history?limit=2${cursor && `&cursor=${cursor}`}`,
      );
      const { versions, nextCursor }: { versions: Version[]; nextCursor: string | null } = page.data();
      seen.push(...versions);
      cursor = nextCursor;
    }
    expect(
      seen.map(({ version, listEvent, addedCount, removedCount, updatedCount, itemCount }) => [
        version,
        listEvent,
        addedCount,
        removedCount,
        updatedCount,
        itemCount,
      ]),
    ).toEqual([
      [5, null, 0, 1, 0, 0],
      [4, "renamed", 0, 0, 0, 1],
      [3, null, 0, 0, 1, 1],
      [2, null, 1, 0, 0, 1],
      [1, "created", 0, 0, 0, 0],
    ]);
    expect(seen.every(({ restorable, source }) => restorable && source === "api")).toBe(true);
  });

  test("every version can be restored exactly, and each restore taken back", async () => {
    const customer = newCustomer();
    const list = await customer.create("Named");
    const states = new Map<number, Item[]>();
    const remember = async (): Promise<void> => {
      const version = (await customer.lists())[1]?.version ?? 0;
      states.set(version, await customer.items(list));
    };
    const steps = [
      () => customer.add(list, "a", { quantity: 1, note: "first" }),
      () => customer.add(list, "b"),
      () => customer.send("PATCH", `/lists/${list}/items/a`, { quantity: 9, note: null, position: 2 }),
      () => customer.send("DELETE", `/lists/${list}/items/a`),
      () => customer.add(list, "a", { properties: { x: "y" } }),
      () => customer.move(list, "default", ["b"]),
      () => customer.move("default", list, ["b"]),
      () =>
        customer.batch(list, [
          { op: "remove", productId: "a" },
          { op: "add", productId: "c", variantId: "c-1" },
          { op: "add", productId: "a", variantId: "a-1", quantity: 3 },
          { op: "update", productId: "b", note: "batch" },
        ]),
      () => customer.send("PATCH", `/lists/${list}`, { name: "Renamed" }),
    ];
    await remember();
    for (const step of steps) {
      expect((await step()).status).toBe(200);
      await remember();
    }
    for (const [version, items] of [...states, ...[...states].reverse()]) {
      const restored = await customer.restore(list, version);
      expect(restored.status).toBe(200);
      expect(await customer.items(list)).toEqual(items);
      expect((await customer.lists())[1]).toMatchObject({ itemCount: items.length });
    }
    const versions = (await customer.lists())[1]?.version ?? 0;
    expect((await customer.restore(list, versions)).data()).toMatchObject({
      addedCount: 0,
      removedCount: 0,
      updatedCount: 0,
    });
    expect((await customer.lists())[1]?.version).toBe(versions);
  });

  test("a deleted list comes back with its items, and frees its name meanwhile", async () => {
    const customer = newCustomer();
    const list = await customer.create("Named");
    await customer.add(list, "a", { note: "kept" });
    const deleted = (await customer.send("DELETE", `/lists/${list}`)).data<{ removedCount: number; version: number }>();
    expect(deleted).toMatchObject({ removedCount: 1, version: 3 });
    expect(await customer.lists()).toHaveLength(1);
    expectFailure(await customer.send("GET", `/lists/${list}/items`), 404, "list_not_found", undefined);
    expectFailure(await customer.send("DELETE", `/lists/${list}`), 404, "list_not_found", undefined);
    const namesake = await customer.create("NAMED");
    expectFailure(await customer.restore(list, deleted.version - 1), 409, "list_name_taken", undefined);
    await customer.send("DELETE", `/lists/${namesake}`);
    expect((await customer.restore(list, deleted.version - 1)).status).toBe(200);
    expect(await customer.items(list)).toMatchObject([{ productId: "a", note: "kept" }]);
    expect((await customer.lists())[1]).toMatchObject({ listId: list, name: "Named", itemCount: 1, version: 4 });
  });

  test("versions that never were or are no longer kept are refused", async () => {
    const customer = newCustomer();
    await customer.add("default", "a");
    await customer.add("default", "b");
    expectFailure(await customer.restore("default", 3), 404, "version_not_found", undefined);
    expect((await customer.restore("default", -1)).status).toBe(400);
    await service.database.rows("DELETE FROM activity WHERE shop_id = $1 AND owner_id = $2 AND version = 1", [
      shop.id,
      customer.path.split("/").at(-1),
    ]);
    expectFailure(await customer.restore("default", 0), 410, "version_expired", undefined);
    expect((await customer.restore("default", 1)).status).toBe(200);
    expect(await customer.products("default")).toEqual(["a"]);
  });

  test("a version is refused when only a later event of its first change is kept", async () => {
    const customer = newCustomer();
    await customer.add("default", "a");
    await customer.send("GET", "/share");
    await service.database.rows("DELETE FROM activity WHERE shop_id = $1 AND owner_id = $2 AND kind = 'added'", [
      shop.id,
      customer.path.split("/").at(-1),
    ]);
    expectFailure(await customer.restore("default", 0), 410, "version_expired", undefined);
    expect(await customer.products("default")).toEqual(["a"]);
  });

  test("keeps a megabyte of old texts for a list, restores what it keeps and refuses the rest", async () => {
    const customer = newCustomer();
    const id = customer.path.split("/").at(-1);
    const products = Array.from({ length: 60 }, (_, n) => `p${n}`);
    const change = async (op: "add" | "update", round: number): Promise<void> => {
      const operations = products.map((productId) => ({
        op,
        productId,
        variantId: "v",
        properties: Object.fromEntries(Array.from({ length: 8 }, (_, n) => [n, randomBytes(115).toString("hex")])),
        quantity: round,
      }));
      (await customer.batch("default", operations)).data();
      // Changes that are not processed are kept as they are.
      await call("GET", "/v1/changes?since=now", { token: shop.token });
    };
    await change("add", 1);
    for (let round = 2; round <= 16; round++) await change("update", round);
    // The lock of the next change trims the list.
    await customer.send("PATCH", "/lists/default/items/p0", { quantity: 99 });
    const [row] = await service.database.rows<{ size: number }>(
      `SELECT sum(coalesce(pg_column_size(before), 0) + coalesce(pg_column_size(data), 0))::integer AS size
         FROM activity WHERE shop_id = $1 AND owner_id = $2`,
      [shop.id, id],
    );
    expect(row?.size).toBeLessThan(1_700_000);
    const { versions } = (await customer.send("GET", "/lists/default/history")).data<{ versions: Version[] }>();
    const oldest = versions.findLast(({ restorable }) => restorable)?.version ?? 0;
    expect(oldest).toBeGreaterThan(2);
    expectFailure(await customer.restore("default", oldest - 1), 410, "version_expired", undefined);
    (await customer.restore("default", oldest)).data();
    const items = (await customer.send("GET", "/lists/default/items?limit=200")).data<{
      items: { quantity: number; properties: Record<string, string> }[];
    }>();
    expect(items.items.map(({ quantity }) => quantity)).toEqual(products.map(() => oldest));
    expect(items.items.every(({ properties }) => Object.keys(properties).length === 8)).toBe(true);
  });

  test("a restored list is marked as one with details only when an item has some", async () => {
    const customer = newCustomer();
    const isDetailed = async (): Promise<unknown> => {
      const rows = await service.database.rows(
        "SELECT has_details FROM wishlist WHERE shop_id = $1 AND owner_id = $2",
        [shop.id, customer.path.split("/").at(-1)],
      );
      return rows[0]?.["has_details"];
    };
    await customer.add("default", "a");
    await customer.send("DELETE", "/items/a");
    await customer.restore("default", 1);
    expect(await isDetailed()).toBe(false);
    await customer.add("default", "b", { note: "kept" });
    await customer.send("DELETE", "/items/b");
    await service.database.rows("UPDATE wishlist SET has_details = false WHERE shop_id = $1", [shop.id]);
    await customer.restore("default", 4);
    expect(await isDetailed()).toBe(true);
  });

  test("a default list in which nothing was ever saved has version 0 only", async () => {
    const customer = newCustomer();
    expect((await customer.restore("default", 0)).data()).toMatchObject({ itemCount: 0, version: 0 });
    expectFailure(await customer.restore("default", 1), 404, "version_not_found", undefined);
  });

  test("a restore beyond the cap changes nothing", async () => {
    const at = await makeShop(service, call, { plan: "growth" });
    const customer = newCustomer(at);
    for (const product of ["a", "b"]) await customer.add("default", product);
    await customer.batch("default", [
      { op: "remove", productId: "a" },
      { op: "remove", productId: "b" },
    ]);
    await service.database.rows("UPDATE shop SET item_cap = 1 WHERE id = $1", [at.id]);
    expectFailure(await customer.restore("default", 2), 409, "wishlist_full", undefined);
    expect((await customer.restore("default", 1)).status).toBe(200);
  });

  test("a restore that makes a list above its cap smaller succeeds", async () => {
    const at = await makeShop(service, call, { plan: "growth" });
    const customer = newCustomer(at);
    for (const product of ["a", "b"]) await customer.add("default", product);
    await customer.batch("default", [
      { op: "remove", productId: "a" },
      { op: "add", productId: "c", variantId: "v" },
      { op: "add", productId: "d", variantId: "v" },
    ]);
    await service.database.rows("UPDATE shop SET item_cap = 1 WHERE id = $1", [at.id]);
    expect((await customer.restore("default", 2)).data()).toMatchObject({
      addedCount: 1,
      removedCount: 2,
      itemCount: 2,
    });
  });

  test("two restores at once leave one of both states", async () => {
    const customer = newCustomer();
    for (const product of ["a", "b", "c"]) await customer.add("default", product);
    const both = await atOnce(customer, [() => customer.restore("default", 1), () => customer.restore("default", 2)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    const products = await customer.products("default");
    expect([["a"], ["b", "a"]]).toContainEqual(products);
    expect((await customer.lists())[0]).toMatchObject({ itemCount: products.length });
  });

  test("two restores of a deleted list at once bring it back once", async () => {
    const customer = newCustomer();
    const list = await customer.create("Named");
    await customer.add(list, "a");
    const { version } = (await customer.send("DELETE", `/lists/${list}`)).data<{ version: number }>();
    const both = await Promise.all([1, 2].map(() => customer.restore(list, version - 1)));
    expect(both.map((response) => response.data<{ addedCount: number }>().addedCount).sort()).toEqual([0, 1]);
    expect((await customer.lists()).map(({ name, itemCount }) => [name, itemCount])).toEqual([
      [null, 0],
      ["Named", 1],
    ]);
  });

  test("a cursor of another list's history, of another customer or forged is refused", async () => {
    const [customer, other] = [newCustomer(), newCustomer()];
    const foreign = newCustomer(await makeShop(service, call, { plan: "growth" }));
    const list = await customer.create("Named");
    for (const product of ["a", "b"]) {
      await customer.add("default", product);
      await customer.add(list, product);
      await other.add("default", product);
      await foreign.add("default", product);
    }
    const first = await customer.send("GET", "/lists/default/history?limit=1");
    const cursor = first.data<{ nextCursor: string }>().nextCursor;
    const read = (of: typeof customer, id: string, given = cursor) =>
      of.send("GET", `/lists/${id}/history?limit=1&cursor=${given}`);
    expect((await read(customer, "default")).status).toBe(200);
    const [value = "", signature = ""] = cursor.split(".");
    for (const response of [
      await read(customer, list),
      await read(other, "default"),
      await read(foreign, "default"),
      await read(customer, "default", `${Buffer.from("1").toString("base64url")}.${signature}`),
      await read(customer, "default", `${value}.${"A".repeat(signature.length)}`),
      await read(customer, "default", "%00"),
    ]) {
      expect([response.status, response.error().code]).toEqual([400, "invalid_request"]);
    }
  });

  test("an add to a list that is deleted meanwhile is in the list or refused", async () => {
    for (let round = 0; round < 5; round++) {
      const customer = newCustomer();
      const list = await customer.create("Named");
      const [added, deleted] = await Promise.all([customer.add(list, "a"), customer.send("DELETE", `/lists/${list}`)]);
      const { removedCount, version } = deleted.data<{ removedCount: number; version: number }>();
      expect(added.status === 200 ? removedCount : "refused").toBe(added.status === 404 ? "refused" : 1);
      await customer.restore(list, version - 1);
      expect(await customer.products(list)).toEqual(added.status === 200 ? ["a"] : []);
    }
  });

  test("an add that waits for a list's deletion is refused", async () => {
    const customer = newCustomer();
    const list = await customer.create("Named");
    const deleting = await service.database.pool.connect();
    try {
      await deleting.query("BEGIN");
      await deleting.query("SELECT wishlist_delete_list($1, 'customer', $2, $3, 'api', now())", [
        shop.id,
        customer.path.split("/").at(-1),
        list,
      ]);
      const adding = customer.add(list, "a");
      await lockWaiters(service.database);
      await deleting.query("COMMIT");
      expectFailure(await adding, 404, "list_not_found", undefined);
    } finally {
      deleting.release(true);
    }
  });
});
