import { createClient, type ApiErrorCode, type Client, type Input, type Output } from "@wishlist-headless/sdk";
import { serverCredentials } from "@wishlist-headless/sdk/server";
import { describe, expect, expectTypeOf, onTestFinished } from "vitest";
import { z } from "zod";
import { test } from "../../support/app/fixtures.ts";
import { newGuestId, ORIGIN, publishKey, type TestShop } from "../../support/app/shop.ts";
import { startReceiver } from "../../support/webhooks/receiver.ts";

const PRODUCTS = { lamp: "lamp-1", kettle: "kettle-1", rug: "rug-1" };
const openapiShape = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.object({ "x-sdk-method": z.string() }))),
});
/** the methods that the tests have called */
const called = new Set<string>();

test.override({
  appOptions: { env: { NODE_ENV: "test", WEBHOOKS_ALLOW_LOOPBACK: "1" } },
  shopOptions: { plan: "growth", products: PRODUCTS },
});

let url: string;
let shop: TestShop;
let api: Client;

test.beforeAll(async ({ app, shop: made }) => {
  shop = made;
  url = await app.listen();
  api = recorded(createClient({ url, credentials: serverCredentials({ apiKey: shop.keyId, apiSecret: shop.secret }) }));
});

/** Records the methods that are called. @param path of the client's group, with a dot at its end */
function recorded<T extends object>(client: T, path = ""): T {
  return new Proxy(client, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof name === "symbol") return member;
      if (typeof member === "function") called.add(`${path}${name}`);
      return typeof member === "object" && member !== null ? recorded(member, `${path}${name}.`) : member;
    },
  });
}

describe("the client", () => {
  test("exchanges keys for tokens", async () => {
    const key = { api_key: shop.keyId, api_secret: shop.secret };
    const { token, expiresIn } = await api.tokens.exchangeApiKey({ ...key, customer_id: "7000" });
    expect(expiresIn).toBe(3600);
    const bound = recorded(createClient({ url, credentials: token }));
    expect(await bound.wishlists.get()).toMatchObject({ total: 0 });
    const storefront = recorded(createClient({ url, origin: ORIGIN }));
    const exchanged = await storefront.tokens.exchangePublishableKey({
      publishable_key: await publishKey(shop),
      guest_id: newGuestId(),
    });
    expect(exchanged).toMatchObject({ owner: "guest", expiresIn: 3600 });
    // Only Shopify makes session tokens; tests/api/customer-account-tokens.test.ts exchanges them.
    await expect(storefront.tokens.exchangeSessionToken({ session_token: "a.b.c" })).rejects.toMatchObject({
      code: "invalid_session_token",
    });
  });

  test("adds, reads, finds, records in the cart and removes items of a customer", async () => {
    const customerId = "7001";
    expect(await api.wishlists.items.add({ customerId, product_id: "lamp" })).toEqual({ added: true, itemCount: 1 });
    await api.wishlists.items.add({ customerId, product_id: "kettle", note: "for Ann" });
    const page = await api.wishlists.get({ customerId, limit: 1, expand: "product" });
    expect(page).toMatchObject({ count: 1, total: 2, items: [{ productId: "kettle", note: "for Ann" }] });
    expect(await api.lists.containing({ customerId, product_id: ["lamp", "rug"] })).toEqual({
      products: [{ productId: "lamp", variants: [{ variantId: "lamp-1", listIds: ["default"] }] }],
      has_more: false,
    });
    const cart = { customerId, event_id: "press-1", items: [{ product_id: "lamp", variant_id: "lamp-1" }] };
    expect([await api.wishlists.recordCart(cart), await api.wishlists.recordCart(cart)]).toEqual([
      { recorded: 1 },
      { recorded: 0 },
    ]);
    const removed = await api.wishlists.items.remove({ customerId, productId: "lamp", variant_id: "lamp-1" });
    expect(removed).toEqual({ removed: true, itemCount: 1 });
  });

  test("merges a guest's items", async () => {
    const items = [{ productId: "rug", addedAt: "2026-11-01T10:00:00Z" }];
    expect(await api.wishlists.merge({ customerId: "7002", items })).toMatchObject({ merged: true, addedCount: 1 });
  });

  test("creates, changes, restores and deletes lists", async () => {
    const customerId = "7003";
    const { listId } = await api.lists.create({ customerId, name: "Birthday" });
    const list = { customerId, listId };
    await api.lists.items.add({ ...list, product_id: "lamp" });
    await api.lists.items.batch({
      ...list,
      operations: [{ op: "add", productId: "rug", variantId: "rug-1", quantity: 2 }],
    });
    await api.lists.items.update({ ...list, productId: "rug", variant_id: "rug-1", note: "blue", position: 1 });
    expect(await api.lists.items.list({ ...list, sort: "position" })).toMatchObject({
      items: [{ productId: "rug", quantity: 2, note: "blue", position: 1 }, { productId: "lamp" }],
    });
    await api.lists.items.remove({ ...list, productId: "lamp" });
    const moved = [{ productId: "rug", variantId: "rug-1" }];
    await api.lists.items.move({ ...list, items: moved, to: "default" });
    expect(await api.lists.get(list)).toMatchObject({ name: "Birthday", itemCount: 0 });
    const { versions } = await api.lists.history(list);
    expect(await api.lists.restore({ ...list, version: versions.at(-2)?.version ?? 0 })).toMatchObject({
      itemCount: 1,
    });
    await api.lists.update({ ...list, name: "Party" });
    const { lists } = await api.lists.list({ customerId });
    expect(lists.map(({ name }) => name)).toContain("Party");
    expect(await api.lists.delete(list)).toMatchObject({ deleted: true });
  });

  test("shares a wishlist and a list, reads them without a token and revokes the links", async () => {
    const customerId = "7004";
    await api.wishlists.items.add({ customerId, product_id: "lamp" });
    const open = recorded(createClient({ url }));
    const { shareToken } = await api.wishlists.share({ customerId });
    expect(await api.wishlists.updateShareLink({ customerId, shared_by: "Ana" })).toMatchObject({ shareToken });
    expect(await open.wishlists.getShared({ shareToken })).toMatchObject({ total: 1, sharedBy: "Ana" });
    await api.wishlists.revokeShareLink({ customerId });
    const choices = await api.alerts.update({ customerId, alerts: { low_stock: true } });
    expect(await api.alerts.get({ customerId })).toEqual(choices);
    const wanted = { customerId, kind: "back_in_stock", product_id: "lamp", variant_id: "lamp-1" } as const;
    await expect(api.alerts.requests.create(wanted)).rejects.toMatchObject({ code: "alerts_unavailable" });
    expect(await api.alerts.requests.list({ customerId })).toEqual({ offered: [], requests: [] });
    expect(await api.alerts.requests.remove({ customerId, productId: "lamp" })).toEqual({ withdrawn: 0 });
    await expect(open.wishlists.getShared({ shareToken })).rejects.toMatchObject({
      code: "share_expired",
      status: 410,
    });
    const list = { customerId, listId: "default" };
    const link = await api.lists.share(list);
    await api.lists.updateShareLink({ ...list, shared_by: null });
    expect(await open.wishlists.getShared({ shareToken: link.shareToken, expand: "product" })).toMatchObject({
      count: 1,
    });
    await api.lists.revokeShareLink(list);
  });

  test("reads changes and reports", async () => {
    const { changes } = await api.changes.list({ limit: 5, types: ["wishlist.item.added"] });
    expect(changes).toContainEqual(expect.objectContaining({ type: "wishlist.item.added" }));
    expect(await api.analytics.overview({ days: 7 })).toHaveProperty("totalWishlistedItems");
    expect(await api.analytics.topProducts({ limit: 1 })).toHaveProperty("products");
    expect(await api.analytics.product({ productId: "lamp" })).toHaveProperty("wishlistCount");
    expect(await api.analytics.daily()).toHaveProperty("days");
    expect(await api.analytics.revenue({ days: 7 })).toMatchObject({ orders: 0, countedSince: null });
  });

  test("follows the stream of changes", async () => {
    const { nextCursor } = await api.changes.list({ since: "now" });
    await api.wishlists.items.add({ customerId: "7005", product_id: "lamp" });
    for await (const { change, cursor } of api.changes.stream({ since: nextCursor })) {
      expect(change).toMatchObject({ type: "wishlist.item.added", customerId: "7005" });
      expect(cursor).not.toBe(nextCursor);
      break;
    }
  });

  test("manages webhooks and their deliveries", async () => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    const { webhookId } = await api.webhooks.create({ url: receiver.url, events: ["wishlist.item.added"] });
    await api.webhooks.test({ webhookId, event: "wishlist.item.added" });
    await receiver.until(1);
    const { deliveries } = await api.webhooks.deliveries.list({ webhookId });
    await api.webhooks.deliveries.redeliver({ webhookId, deliveryId: deliveries[0]?.deliveryId ?? "" });
    await receiver.until(2);
    expect(await api.webhooks.rotateSecret({ webhookId })).toHaveProperty("secret");
    await api.webhooks.update({ webhookId, enabled: false });
    expect(await api.webhooks.get({ webhookId })).toMatchObject({ enabled: false });
    expect((await api.webhooks.list()).webhooks).toHaveLength(1);
    await api.webhooks.delete({ webhookId });
  });

  test("reads the documentation", async () => {
    expect(await api.docs.openapi()).toHaveProperty("openapi", "3.1.0");
    expect(await api.docs.page()).toContain("<html");
  });
});

test("the types of input and output are those of the OpenAPI document", () => {
  expectTypeOf<Input<"wishlists.items.add">>().toExtend<{ product_id: string; variant_id?: string | undefined }>();
  expectTypeOf<{ productId: string }>().not.toExtend<Input<"wishlists.items.add">>();
  expectTypeOf<Input<"wishlists.get">["available"]>().toEqualTypeOf<boolean | "true" | "false" | undefined>();
  expectTypeOf<Input<"wishlists.get">["sort"]>().toEqualTypeOf<
    "added_at" | "price" | "title" | "position" | undefined
  >();
  expectTypeOf<Input<"lists.items.move">>().not.toHaveProperty("offset");
  expectTypeOf<Output<"wishlists.items.add">>().toEqualTypeOf<{ added: boolean; itemCount: number }>();
  expectTypeOf<Output<"docs.page">>().toEqualTypeOf<string>();
  expectTypeOf<Input<"lists.items.add">>().toExtend<{ listId: string; customerId?: string | undefined }>();
  expectTypeOf<ApiErrorCode>().extract<"wishlist_full">().toEqualTypeOf<"wishlist_full">();
});

test("the compiler refuses unknown methods and inputs", () => {
  expectTypeOf<Client>().not.toHaveProperty("addItem");
  expectTypeOf<Client["lists"]>().not.toHaveProperty("change");
  expectTypeOf<Client["lists"]["items"]>().not.toHaveProperty("create");
  expectTypeOf<Client["lists"]["items"]["add"]>().parameter(0).toEqualTypeOf<Input<"lists.items.add">>();
  expectTypeOf(api.lists.items.add).toBeCallableWith({ listId: "default", product_id: "lamp" });
  type Given = Parameters<Client["lists"]["items"]["add"]>[0];
  expectTypeOf<{ product_id: string }>().not.toExtend<Given>();
  expectTypeOf<{ listId: string; productId: string }>().not.toExtend<Given>();
  expectTypeOf<{ listId: string; product_id: number }>().not.toExtend<Given>();
});

test("a method works apart from its client", async () => {
  const { add } = api.wishlists.items;
  expect(await add({ customerId: "7006", product_id: "lamp" })).toEqual({ added: true, itemCount: 1 });
});

test("every operation of the API is called by these tests", async () => {
  const document = openapiShape.parse(await api.docs.openapi());
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  expect(operations.map((operation) => operation["x-sdk-method"]).filter((name) => !called.has(name))).toEqual([]);
});
