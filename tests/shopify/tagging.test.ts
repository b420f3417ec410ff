import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Devstore } from "../../packages/devstore/devstore.ts";
import { addItem, createList, type ListRef } from "../../app/wishlists/index.server.ts";
import { unwrap } from "../support/app/imports.ts";
import { connectShop, merchant, type ConnectedShop } from "../support/app/merchant.ts";
import type { Service } from "../support/app/service.ts";
import { startConnected, type Connected } from "../support/shopify/connected-shop.ts";
import { until } from "../support/until.ts";

const PRODUCTS = [1, 2].map((id) => ({ id, handle: `lamp-${id}`, title: `Lamp ${id}`, variants: [{ id: 10 * id }] }));
const SCOPE = "write_customers";

let connected: Connected;
let shopify: Devstore;
let service: Service;
let shop: ConnectedShop;

beforeAll(async () => {
  // Hundreds of customers at Shopify's rate would take most of a minute.
  connected = await startConnected({}, { restoreRate: 100_000 });
  ({ shopify, service } = connected);
});
afterAll(() => connected.close());

beforeEach(async () => {
  shop = await connectShop(service, shopify, { products: PRODUCTS });
  shop.store.customers.add(...["701", "702"].map(customer));
  shop.store.installation.scopes.push(SCOPE);
  await send({ intent: "permission" });
  await page();
});

const customer = (id: string) => ({ id, firstName: `First ${id}`, lastName: "Berg", email: `c${id}@example.com` });
const send = (fields: Record<string, string>): Promise<string> =>
  merchant(service, shop).send("/app/wishlists", fields);
/** The page brings the summaries up to date. */
const page = async (): Promise<string> => (await merchant(service, shop).page("/app/wishlists")).text();
const tagsOf = (id: string): readonly string[] => shop.store.customers.byId(id)?.tags ?? [];

async function save(list: Omit<ListRef, "shopId">, product = 1): Promise<void> {
  const item = { productId: String(product), variantId: String(10 * product) };
  unwrap(await addItem({ shopId: shop.id, ...list }, item, "storefront"));
}

/** 701 has a default and a named list, 702 one list, a guest one list. */
async function fill(): Promise<void> {
  for (const id of ["701", "702"]) await save({ kind: "customer", id });
  const { listId } = unwrap(
    await createList({ shopId: shop.id, kind: "customer", id: "701" }, { name: "Birthday" }, "storefront"),
  );
  await save({ kind: "customer", id: "701", listId }, 2);
  await save({ kind: "guest", id: "a-guests-hash" }, 2);
  await page();
}

function tag(fields: Record<string, string> = {}): Promise<string> {
  return send({ intent: "tag", query: "", lists: "", tag: "vip", ...fields });
}

interface Row {
  id: string;
  status: string;
  total: number;
  tagged: number;
  refused: number;
  problem: string | null;
  customer_ids: string[];
}

const taggings = (): Promise<Row[]> =>
  service.database.rows<Row>(
    "SELECT id, status, total, tagged, refused, problem, customer_ids FROM customer_tagging WHERE shop_id = $1 ORDER BY id",
    [shop.id],
  );

/** Waits until no tagging of the shop runs. */
function ended(): Promise<Row[]> {
  return until("the end of the taggings", async () => {
    const rows = await taggings();
    return rows.length > 0 && rows.every(({ status }) => status !== "running") ? rows : undefined;
  });
}

async function numberOf(owner: string): Promise<string> {
  const [row] = await service.database.rows<{ id: string }>(
    "SELECT id::text FROM wishlist WHERE shop_id = $1 AND owner_id = $2 AND handle = 'default'",
    [shop.id, owner],
  );
  return row?.id ?? "";
}

test("a tag is added once to each customer whose lists match, not to guests, and is recorded as the staff member's", async () => {
  await fill();
  shop.store.customers.add({ ...customer("703"), tags: ["b2b"] });
  await save({ kind: "customer", id: "703" });
  await page();
  const before = shop.store.adminApiRequests.length;
  expect(await tag({ tag: " Wishlist: VIP " })).toContain('"begun"');
  expect(await ended()).toMatchObject([{ status: "done", total: 3, tagged: 3, refused: 0, customer_ids: [] }]);
  expect([tagsOf("701"), tagsOf("702"), tagsOf("703")]).toEqual([
    ["Wishlist: VIP"],
    ["Wishlist: VIP"],
    ["b2b", "Wishlist: VIP"],
  ]);
  const sent = shop.store.adminApiRequests.slice(before).filter(({ operation }) => operation === "TagsAdd");
  expect(sent).toHaveLength(3);
  expect(
    await service.database.rows(
      "SELECT action, staff_id, customer_id, details FROM audit WHERE shop_id = $1 AND area = 'data'",
      [shop.id],
    ),
  ).toEqual([
    {
      action: "data.customers_tagged",
      staff_id: "4711",
      customer_id: null,
      details: { name: "Wishlist: VIP", count: 3 },
    },
  ]);
});

test("a tag goes to the customers of selected lists, or of those that match the filters, and to no others", async () => {
  await fill();
  await tag({ lists: await numberOf("702") });
  await ended();
  expect([tagsOf("701"), tagsOf("702")]).toEqual([[], ["vip"]]);
  await tag({ query: "kind=named", tag: "named" });
  await ended();
  expect([tagsOf("701"), tagsOf("702")]).toEqual([["named"], ["vip"]]);
});

test("a list of another shop is none of the selection", async () => {
  await fill();
  const others = await numberOf("701");
  const first = shop;
  shop = await connectShop(service, shopify, { products: PRODUCTS });
  shop.store.customers.add(customer("701"));
  shop.store.installation.scopes.push(SCOPE);
  await send({ intent: "permission" });
  await page();
  expect(await tag({ lists: others })).toContain("These wishlists are of no customer with an account.");
  expect(tagsOf("701")).toEqual([]);
  expect(first.store.customers.byId("701")?.tags).toBeUndefined();
});

test("a selection of guests, and of customers with ids of other systems, is refused", async () => {
  await save({ kind: "guest", id: "a-guests-hash" });
  await save({ kind: "customer", id: "crm-17" });
  await page();
  expect(await tag()).toContain("These wishlists are of no customer with an account.");
  expect(await taggings()).toEqual([]);
});

test.each([
  ["empty", "  ", "Enter a tag."],
  ["two tags", "vip, b2b", "Enter one tag, without a comma."],
  ["too long", "x".repeat(256), "Enter at most 255 characters."],
  ["a control character", "v\u0007ip", "Enter a tag without control characters."],
])("a tag that is %s is refused", async (_, text, message) => {
  await fill();
  expect(await tag({ tag: text })).toContain(message);
  expect(await taggings()).toEqual([]);
});

test("a customer whom Shopify no longer has is counted with its explanation, and the others are tagged", async () => {
  await fill();
  await save({ kind: "customer", id: "999" });
  await page();
  await tag();
  expect(await ended()).toMatchObject([
    { status: "done", total: 3, tagged: 2, refused: 1, problem: "Customer does not exist" },
  ]);
  expect(await page()).toContain("Customer does not exist");
  const [first] = await taggings();
  await send({ intent: "dismiss-tagging", id: first?.id ?? "" });
  expect(await taggings()).toEqual([]);
});

test("a customer for whom Shopify refuses the request itself does not keep the others waiting", async () => {
  await fill();
  shop.store.faults.inject({ on: "graphql", operation: "TagsAdd", behaviour: "query too expensive", times: 1 });
  await tag();
  expect(await ended()).toMatchObject([{ status: "done", total: 2, tagged: 1, refused: 1 }]);
});

test("all are tagged when Shopify throttles, and when it does not respond for a while", async () => {
  await fill();
  shop.store.faults.inject({ on: "graphql", operation: "TagsAdd", behaviour: "throttled", times: 1 });
  shop.store.faults.inject({ on: "graphql", operation: "TagsAdd", behaviour: { status: 502 }, times: 1 });
  await tag();
  expect(await ended()).toMatchObject([{ status: "done", total: 2, tagged: 2, refused: 0 }]);
  expect([tagsOf("701"), tagsOf("702")]).toEqual([["vip"], ["vip"]]);
});

test("needs the permission", async () => {
  await fill();
  shop.store.installation.scopes = shop.store.installation.scopes.filter((scope) => scope !== SCOPE);
  await send({ intent: "permission" });
  await page();
  expect(await tag()).toContain('"not_permitted"');
  expect(await taggings()).toEqual([]);
});

test("a permission that is withdrawn meanwhile ends it, and the page says so", async () => {
  await fill();
  shop.store.faults.inject({ on: "graphql", operation: "TagsAdd", behaviour: "access denied" });
  await tag();
  expect(await ended()).toMatchObject([{ status: "not_permitted", tagged: 0, customer_ids: [] }]);
  expect(await page()).toContain('"not_permitted"');
});

test("more customers than a turn of the task has are all tagged, those of two staff members one after the other", async () => {
  const ids = Array.from({ length: 230 }, (_, index) => String(10_000 + index));
  shop.store.customers.add(...ids.map(customer));
  for (const id of ids) await save({ kind: "customer", id });
  await until("the summaries of all lists", async () => {
    await page();
    const [row] = await service.database.rows<{ n: number }>(
      "SELECT count(*)::int AS n FROM wishlist_summary WHERE shop_id = $1",
      [shop.id],
    );
    return row?.n === ids.length;
  });
  await Promise.all([tag(), tag({ tag: "b2b" })]);
  expect(await ended()).toMatchObject([
    { status: "done", total: 230, tagged: 230 },
    { status: "done", total: 230, tagged: 230 },
  ]);
  expect(ids.filter((id) => tagsOf(id).length !== 2)).toEqual([]);
});

test("staff stop it: nobody is tagged afterwards, and a sixth at a time is refused", async () => {
  await fill();
  let respond = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    respond = resolve;
  });
  shop.store.faults.inject({ on: "graphql", operation: "TagsAdd", behaviour: { until: held } });
  for (const name of ["1", "2", "3", "4", "5"]) expect(await tag({ tag: name })).toContain('"begun"');
  expect(await tag({ tag: "6" })).toContain("Wait until one of the tags has been added.");
  const [first, ...waiting] = await taggings();
  for (const { id } of waiting) await send({ intent: "stop-tagging", id });
  respond();
  expect(await ended()).toMatchObject([
    { id: first?.id, status: "done" },
    ...waiting.map(() => ({ status: "stopped" })),
  ]);
  expect([tagsOf("701"), tagsOf("702")]).toEqual([["1"], ["1"]]);
});

test("the newest outcomes are kept, and what is under way", async () => {
  await fill();
  await service.database.rows(
    `INSERT INTO customer_tagging (shop_id, id, tag, customer_ids, total, status)
     SELECT $1, uuid_v7(), 'tag ' || n, '{}', 1, 'done' FROM generate_series(1, 9) AS n`,
    [shop.id],
  );
  const before = await taggings();
  expect(await tag()).toContain('"begun"');
  await ended();
  const kept = (await taggings()).map(({ id }) => id);
  expect(kept.slice(0, -1)).toEqual(before.slice(-5).map(({ id }) => id));
  expect(kept).toHaveLength(6);
});

test("a customer who is erased meanwhile is not tagged", async () => {
  await fill();
  await service.database.rows(
    `INSERT INTO customer_tagging (shop_id, id, tag, customer_ids, total, status)
     VALUES ($1, uuid_v7(), 'vip', '{701,702}', 2, 'running')`,
    [shop.id],
  );
  await service.database.rows("SELECT customer_erase($1, '701', now())", [shop.id]);
  expect(await taggings()).toMatchObject([{ customer_ids: ["702"] }]);
});
