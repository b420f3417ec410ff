import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Devstore } from "../../packages/devstore/devstore.ts";
import { csvCells, unescapeCell } from "../../app/platform/text/csv.ts";
import { addItem, createList, type ListRef } from "../../app/wishlists/index.server.ts";
import { unwrap } from "../support/app/imports.ts";
import { connectShop, merchant, type ConnectedShop } from "../support/app/merchant.ts";
import type { Service } from "../support/app/service.ts";
import { startConnected, type Connected } from "../support/shopify/connected-shop.ts";

const PRODUCTS = [1, 2].map((id) => ({ id, handle: `lamp-${id}`, title: `=Lamp ${id}`, variants: [{ id: 10 * id }] }));

let connected: Connected;
let shopify: Devstore;
let service: Service;
let shop: ConnectedShop;

beforeAll(async () => {
  connected = await startConnected();
  ({ shopify, service } = connected);
});
afterAll(() => connected.close());

beforeEach(async () => {
  shop = await connectShop(service, shopify, { products: PRODUCTS });
  shop.store.customers.add({ id: "701", firstName: "Anna", lastName: "Berg", email: "anna.berg@example.com" });
});

async function save(of: ConnectedShop, list: Omit<ListRef, "shopId">, ...products: number[]): Promise<void> {
  for (const id of products) {
    unwrap(
      await addItem({ shopId: of.id, ...list }, { productId: String(id), variantId: String(10 * id) }, "storefront"),
    );
  }
}

/** Anna has a default and a named list, a guest one list. */
async function fill(of: ConnectedShop): Promise<void> {
  const anna = { kind: "customer", id: "701" } as const;
  await save(of, anna, 1);
  const { listId } = unwrap(await createList({ shopId: of.id, ...anna }, { name: "Birthday" }, "storefront"));
  await save(of, { ...anna, listId }, 1, 2);
  await save(of, { kind: "guest", id: "a-guests-hash" }, 2);
  // The page brings the summaries up to date.
  expect((await merchant(service, of).page("/app/wishlists")).status).toBe(200);
}

/** Submits the form of the index. @returns the token of its response, or its text */
async function request(fields: Record<string, string>, of = shop): Promise<string> {
  const response = await merchant(service, of).send("/app/wishlists", { intent: "export", ...fields });
  return /"(\d+\.\w{43})"/.exec(response)?.[1] ?? response;
}

const follow = (token: string, path = "/app/wishlists/export") => fetch(`${service.url}${path}?token=${token}`);

/** Returns the lines of an export as objects. */
async function exported(fields: Record<string, string>, of = shop): Promise<Record<string, string>[]> {
  const response = await follow(await request(fields, of));
  expect(response.status).toBe(200);
  const [head = "", ...lines] = (await response.text()).trimEnd().split("\r\n");
  const names = csvCells(head, ",") ?? [];
  return lines.map((line) => {
    const cells = csvCells(line, ",") ?? [];
    return Object.fromEntries(names.map((name, index) => [name, unescapeCell(cells[index] ?? "")]));
  });
}

async function numberOf(handle: string, of = shop): Promise<string> {
  const [row] = await service.database.rows<{ id: string }>(
    "SELECT id::text FROM wishlist WHERE shop_id = $1 AND owner_kind = 'customer' AND (handle = 'default') = $2",
    [of.id, handle === "default"],
  );
  return row?.id ?? "";
}

test("an export of the index has the items of the lists that match, with titles and present prices", async () => {
  await fill(shop);
  await service.database.rows(
    "UPDATE variant SET price = 42, available = false WHERE shop_id = $1 AND product_id = '2'",
    [shop.id],
  );
  expect(await exported({ query: "", lists: "" })).toHaveLength(4);
  const named = await exported({ query: "kind=named", lists: "" });
  expect(named.map(({ product_title: title, list_name: list }) => [title, list])).toEqual([
    ["=Lamp 2", "Birthday"],
    ["=Lamp 1", "Birthday"],
  ]);
  expect(named[0]).toMatchObject({ price: "42.00", stock: "out", quantity: "1", customer_name: "" });
});

test("an export has no id of a guest", async () => {
  await fill(shop);
  const text = await (await follow(await request({ query: "owner=guest", lists: "" }))).text();
  expect(text).toContain(",guest,");
  expect(text).not.toContain("a-guests-hash");
});

test("an export has customers' names only where the shop lets the app read them", async () => {
  await fill(shop);
  const nameOf = async () => (await exported({ query: "kind=named", lists: "" }))[0]?.["customer_name"];
  expect(await nameOf()).toBe("");
  shop.store.installation.scopes.push("read_customers");
  await merchant(service, shop).send("/app/wishlists", { intent: "permission" });
  await merchant(service, shop).page("/app/wishlists");
  expect(await nameOf()).toBe("Anna Berg");
  await merchant(service, shop).send("/app/wishlists", { intent: "hide-names" });
  expect(await nameOf()).toBe("");
});

test("an export of selected lists has those alone, and none of another shop", async () => {
  await fill(shop);
  const other = await connectShop(service, shopify, { products: PRODUCTS });
  await fill(other);
  const lists = [await numberOf("default"), await numberOf("default", other)].join(",");
  const lines = await exported({ query: "kind=named", lists });
  expect(lines.map(({ list }) => list)).toEqual([await numberOf("default")]);
});

test.each([
  ["10,000 lists", Array.from({ length: 10_000 }, (_, n) => n + 1).join(","), "payload_too_large"],
  ["51 lists", Array.from({ length: 51 }, (_, n) => n + 1).join(","), "Choose at most 50."],
  ["what is no number", "1,x", "Choose from the list."],
])("a selection of %s is refused", async (_, lists, message) => {
  expect(await request({ query: "", lists })).toContain(message);
});

test("an export of the index works once, at its own address, and is an entry of the staff activity", async () => {
  await fill(shop);
  const token = await request({ query: "kind=named", lists: "" });
  expect((await follow(token, "/app/settings/data/export")).status).toBe(404);
  expect(await (await follow(token)).text()).toContain("Birthday");
  expect((await follow(token)).status).toBe(404);
  expect(
    await service.database.rows("SELECT action, details FROM audit WHERE shop_id = $1 AND area = 'data'", [shop.id]),
  ).toEqual([{ action: "data.lists_exported", details: {} }]);
});
