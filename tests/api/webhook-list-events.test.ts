import { describe, expect } from "vitest";
import { EVENTS } from "../../app/webhooks/events/events.ts";
import type { ApiResponse, Call } from "../support/app/client.ts";
import type { InProcessApp } from "../support/app/in-process.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import { startReceiver, type Received, type Receiver } from "../support/webhooks/receiver.ts";
import { ADDED, REMOVED, subscribe } from "../support/webhooks/webhooks.ts";
import { test } from "../support/app/fixtures.ts";

const UPDATED = "wishlist.item.updated";
const CREATED = "wishlist.list.created";
const RENAMED = "wishlist.list.renamed";
const DELETED = "wishlist.list.deleted";

let app: InProcessApp;
let call: Call;

test.override("appOptions", { env: { NODE_ENV: "test", WEBHOOKS_ALLOW_LOOPBACK: "1" } });
test.beforeAll(({ app: started, call: apiCall }) => {
  app = started;
  call = apiCall;
});

/** A customer of a new shop with a webhook for every event of wishlists. */
class Customer {
  readonly #receiver: Receiver;
  readonly #shop: TestShop;
  #seen = 0;

  constructor(shop: TestShop, receiver: Receiver) {
    this.#shop = shop;
    this.#receiver = receiver;
  }

  static async arrive(onCleanup: (close: () => Promise<void>) => void): Promise<Customer> {
    const receiver = await startReceiver();
    onCleanup(() => receiver.close());
    const shop = await makeShop(app, call, { plan: "growth" });
    await subscribe(
      call,
      shop,
      receiver.url,
      EVENTS.filter((event) => event.startsWith("wishlist.")),
    );
    return new Customer(shop, receiver);
  }

  async send(method: string, path: string, json?: unknown): Promise<ApiResponse> {
    const response = await call(method, `/v1/wishlists/c1${path}`, {
      token: this.#shop.token,
      ...(json === undefined ? {} : { json }),
    });
    response.data();
    return response;
  }

  async create(name: string): Promise<string> {
    return (await this.send("POST", "/lists", { name })).data<{ listId: string }>().listId;
  }

  async add(listId: string, ...products: string[]): Promise<void> {
    for (const product of products) {
      await this.send("POST", `/lists/${listId}/items`, { product_id: product, variant_id: `${product}-1` });
    }
  }

  /** Returns the events since the last call, once there are `count`, in the order that the documentation gives. */
  async events(count: number): Promise<Received[]> {
    const all = await this.#receiver.until(this.#seen + count);
    const fresh = all.slice(this.#seen);
    this.#seen = all.length;
    return fresh.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  }

  /** Returns the same as event and product. */
  async sequence(count: number): Promise<string[]> {
    return (await this.events(count)).map(({ body: { event, data } }) =>
      typeof data["productId"] === "string" ? `${event} ${data["productId"]}` : event,
    );
  }
}

const sortKey = ({ id, body }: Received): string => `${body.timestamp} ${id}`;

describe("sorted by timestamp and webhook-id", () => {
  test("the events of a deletion remove each item before the list", async ({ onTestFinished }) => {
    const customer = await Customer.arrive(onTestFinished);
    const listId = await customer.create("Birthday");
    await customer.add(listId, "a", "b", "c");
    await customer.events(4);
    await customer.send("DELETE", `/lists/${listId}`);
    const events = await customer.events(4);
    expect(events.map(({ body }) => [body.event, body.data])).toEqual([
      [REMOVED, { customerId: "c1", productId: "a", variantId: "a-1", listId }],
      [REMOVED, { customerId: "c1", productId: "b", variantId: "b-1", listId }],
      [REMOVED, { customerId: "c1", productId: "c", variantId: "c-1", listId }],
      [DELETED, { customerId: "c1", listId, name: "Birthday" }],
    ]);
    expect(new Set(events.map(({ body }) => body.timestamp)).size).toBe(1);
  });

  test("the events of a large deletion end with the list", async ({ onTestFinished }) => {
    const customer = await Customer.arrive(onTestFinished);
    const listId = await customer.create("Large");
    const products = Array.from({ length: 200 }, (_, n) => `p${String(n).padStart(3, "0")}`);
    const operations = products.map((productId) => ({ op: "add", productId, variantId: "v" }));
    await customer.send("POST", `/lists/${listId}/items/batch`, { operations });
    expect(await customer.sequence(201)).toEqual([CREATED, ...products.map((product) => `${ADDED} ${product}`)]);
    await customer.send("DELETE", `/lists/${listId}`);
    expect(await customer.sequence(201)).toEqual([...products.map((product) => `${REMOVED} ${product}`), DELETED]);
  });

  test("the events of a deleted list's restore create the list before its items", async ({ onTestFinished }) => {
    const customer = await Customer.arrive(onTestFinished);
    const listId = await customer.create("Birthday");
    await customer.add(listId, "a", "b");
    const { version } = (await customer.send("DELETE", `/lists/${listId}`)).data<{ version: number }>();
    await customer.events(6);
    await customer.send("POST", `/lists/${listId}/restore`, { version: version - 1 });
    expect((await customer.events(3)).map(({ body }) => [body.event, body.data])).toEqual([
      [CREATED, { customerId: "c1", listId, name: "Birthday" }],
      [ADDED, { customerId: "c1", productId: "a", variantId: "a-1", listId }],
      [ADDED, { customerId: "c1", productId: "b", variantId: "b-1", listId }],
    ]);
  });

  test("the events of a restore change, remove and add items, in this order", async ({ onTestFinished }) => {
    const customer = await Customer.arrive(onTestFinished);
    await customer.add("default", "a", "b");
    await customer.send("PATCH", "/lists/default/items/a", { quantity: 2 });
    await customer.send("DELETE", "/items/b");
    await customer.add("default", "c");
    await customer.events(5);
    await customer.send("POST", "/lists/default/restore", { version: 2 });
    expect(await customer.sequence(3)).toEqual([`${UPDATED} a`, `${REMOVED} c`, `${ADDED} b`]);
  });

  test("the events of a batch have the order of its operations", async ({ onTestFinished }) => {
    const customer = await Customer.arrive(onTestFinished);
    await customer.add("default", "a");
    await customer.events(1);
    const operations = [
      { op: "add", productId: "b", variantId: "b-1" },
      { op: "update", productId: "a", quantity: 3 },
      { op: "remove", productId: "a" },
      { op: "add", productId: "c", variantId: "c-1" },
    ];
    await customer.send("POST", "/lists/default/items/batch", { operations });
    expect(await customer.sequence(4)).toEqual([`${ADDED} b`, `${UPDATED} a`, `${REMOVED} a`, `${ADDED} c`]);
  });
});

describe("the payload", () => {
  test("of a move is one updated item with both lists", async ({ onTestFinished }) => {
    const customer = await Customer.arrive(onTestFinished);
    const listId = await customer.create("Birthday");
    await customer.add("default", "a", "b");
    await customer.events(3);
    await customer.send("POST", "/lists/default/items/move", {
      items: [{ productId: "b" }, { productId: "a" }],
      to: listId,
    });
    await customer.send("POST", `/lists/${listId}/items/move`, { items: [{ productId: "b" }], to: "default" });
    const moved = (product: string, to: string, previousListId: string) => [
      UPDATED,
      { customerId: "c1", productId: product, variantId: `${product}-1`, listId: to, previousListId },
    ];
    expect((await customer.events(3)).map(({ body }) => [body.event, body.data])).toEqual([
      moved("a", listId, "default"),
      moved("b", listId, "default"),
      moved("b", "default", listId),
    ]);
  });

  test("of a copy is an item that was added to the other list", async ({ onTestFinished }) => {
    const customer = await Customer.arrive(onTestFinished);
    const listId = await customer.create("Birthday");
    await customer.add("default", "a");
    await customer.events(2);
    await customer.send("POST", "/lists/default/items/move", { items: [{ productId: "a" }], to: listId, copy: true });
    expect((await customer.events(1)).map(({ body }) => [body.event, body.data])).toEqual([
      [ADDED, { customerId: "c1", productId: "a", variantId: "a-1", listId }],
    ]);
  });

  test("of changed details has those that are set", async ({ onTestFinished }) => {
    const customer = await Customer.arrive(onTestFinished);
    await customer.add("default", "a");
    const details = { quantity: 2, note: "Green", properties: { Engraving: "A. L." }, position: 1.5 };
    await customer.send("PATCH", "/lists/default/items/a", details);
    await customer.send("PATCH", "/lists/default/items/a", { quantity: null, note: null });
    const item = { customerId: "c1", productId: "a", variantId: "a-1", listId: "default" };
    expect((await customer.events(3)).map(({ body }) => [body.event, body.data])).toEqual([
      [ADDED, item],
      [UPDATED, { ...item, ...details }],
      [UPDATED, { ...item, properties: { Engraving: "A. L." }, position: 1.5 }],
    ]);
  });

  test("of a renamed list has both names, and a new position sends nothing", async ({ onTestFinished }) => {
    const customer = await Customer.arrive(onTestFinished);
    const listId = await customer.create("Birthday");
    await customer.send("PATCH", `/lists/${listId}`, { position: 7 });
    await customer.send("PATCH", `/lists/${listId}`, { name: "Party" });
    expect((await customer.events(2)).map(({ body }) => [body.event, body.data])).toEqual([
      [CREATED, { customerId: "c1", listId, name: "Birthday" }],
      [RENAMED, { customerId: "c1", listId, name: "Party", previousName: "Birthday" }],
    ]);
  });
});
