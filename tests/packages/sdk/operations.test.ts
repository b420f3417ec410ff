import { createClient, type ApiErrorCode, type Client, type Input, type Output } from "@wishlist-headless/sdk";
import { serverCredentials } from "@wishlist-headless/sdk/server";
import { describe, expect, expectTypeOf, onTestFinished } from "vitest";
import { z } from "zod";
import { test } from "../../support/app/fixtures.ts";
import { newGuestId, ORIGIN, publishKey, type TestShop } from "../../support/app/shop.ts";
import { startReceiver } from "../../support/webhooks/receiver.ts";

const PRODUCTS = { lamp: "lamp-1", kettle: "kettle-1", rug: "rug-1" };
const openapiShape = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.object({ operationId: z.string() }))),
});
/** the operations that the tests have called */
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

/** Records the operations that are called. */
function recorded<T extends object>(client: T): T {
  return new Proxy(client, {
    get(target, name, receiver) {
      if (typeof name === "string") called.add(name);
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
}

describe("the client", () => {
  test("exchanges keys for tokens", async () => {
    const key = { api_key: shop.keyId, api_secret: shop.secret };
    const { token, expiresIn } = await api.exchangeToken({ ...key, customer_id: "7000" });
    expect(expiresIn).toBe(3600);
    const bound = recorded(createClient({ url, credentials: token }));
    expect(await bound.getWishlist()).toMatchObject({ total: 0 });
    const storefront = recorded(createClient({ url, origin: ORIGIN }));
    const exchanged = await storefront.exchangePublishableKey({
      publishable_key: await publishKey(shop),
      guest_id: newGuestId(),
    });
    expect(exchanged).toMatchObject({ owner: "guest", expiresIn: 3600 });
    // Only Shopify makes session tokens; tests/api/customer-account-tokens.test.ts exchanges them.
    await expect(storefront.exchangeSessionToken({ session_token: "a.b.c" })).rejects.toMatchObject({
      code: "invalid_session_token",
    });
  });

  test("adds, reads, finds, records in the cart and removes items of a customer", async () => {
    const customerId = "7001";
    expect(await api.addItem({ customerId, product_id: "lamp" })).toEqual({ added: true, itemCount: 1 });
    await api.addItem({ customerId, product_id: "kettle", note: "for Ann" });
    const page = await api.getWishlist({ customerId, limit: 1, expand: "product" });
    expect(page).toMatchObject({ count: 1, total: 2, items: [{ productId: "kettle", note: "for Ann" }] });
    expect(await api.getListsContaining({ customerId, product_id: ["lamp", "rug"] })).toEqual({
      products: [{ productId: "lamp", variants: [{ variantId: "lamp-1", listIds: ["default"] }] }],
      has_more: false,
    });
    const cart = { customerId, event_id: "press-1", items: [{ product_id: "lamp", variant_id: "lamp-1" }] };
    expect([await api.recordCart(cart), await api.recordCart(cart)]).toEqual([{ recorded: 1 }, { recorded: 0 }]);
    const removed = await api.removeItem({ customerId, productId: "lamp", variant_id: "lamp-1" });
    expect(removed).toEqual({ removed: true, itemCount: 1 });
  });

  test("merges a guest's items", async () => {
    const items = [{ productId: "rug", addedAt: "2026-11-01T10:00:00Z" }];
    expect(await api.mergeWishlist({ customerId: "7002", items })).toMatchObject({ merged: true, addedCount: 1 });
  });

  test("creates, changes, restores and deletes lists", async () => {
    const customerId = "7003";
    const { listId } = await api.createList({ customerId, name: "Birthday" });
    const list = { customerId, listId };
    await api.addListItem({ ...list, product_id: "lamp" });
    await api.changeListItems({
      ...list,
      operations: [{ op: "add", productId: "rug", variantId: "rug-1", quantity: 2 }],
    });
    await api.updateListItem({ ...list, productId: "rug", variant_id: "rug-1", note: "blue", position: 1 });
    expect(await api.getListItems({ ...list, sort: "position" })).toMatchObject({
      items: [{ productId: "rug", quantity: 2, note: "blue", position: 1 }, { productId: "lamp" }],
    });
    await api.removeListItem({ ...list, productId: "lamp" });
    const moved = [{ productId: "rug", variantId: "rug-1" }];
    await api.moveListItems({ ...list, items: moved, to: "default" });
    expect(await api.getList(list)).toMatchObject({ name: "Birthday", itemCount: 0 });
    const { versions } = await api.getListHistory(list);
    expect(await api.restoreList({ ...list, version: versions.at(-2)?.version ?? 0 })).toMatchObject({ itemCount: 1 });
    await api.updateList({ ...list, name: "Party" });
    const { lists } = await api.getLists({ customerId });
    expect(lists.map(({ name }) => name)).toContain("Party");
    expect(await api.deleteList(list)).toMatchObject({ deleted: true });
  });

  test("shares a wishlist and a list, reads them without a token and revokes the links", async () => {
    const customerId = "7004";
    await api.addItem({ customerId, product_id: "lamp" });
    const open = recorded(createClient({ url }));
    const { shareToken } = await api.shareWishlist({ customerId });
    expect(await open.getSharedWishlist({ shareToken })).toMatchObject({ total: 1 });
    await api.revokeShareLink({ customerId });
    const choices = await api.updateAlertChoices({ customerId, alerts: { low_stock: true } });
    expect(await api.getAlertChoices({ customerId })).toEqual(choices);
    await expect(open.getSharedWishlist({ shareToken })).rejects.toMatchObject({
      code: "share_expired",
      status: 410,
    });
    const list = { customerId, listId: "default" };
    const link = await api.shareList(list);
    expect(await open.getSharedWishlist({ shareToken: link.shareToken, expand: "product" })).toMatchObject({
      count: 1,
    });
    await api.revokeListShareLink(list);
  });

  test("reads changes and reports", async () => {
    const { changes } = await api.getChanges({ limit: 5, types: ["wishlist.item.added"] });
    expect(changes).toContainEqual(expect.objectContaining({ type: "wishlist.item.added" }));
    expect(await api.getAnalyticsOverview({ days: 7 })).toHaveProperty("totalWishlistedItems");
    expect(await api.getTopProducts({ limit: 1 })).toHaveProperty("products");
    expect(await api.getProductStats({ productId: "lamp" })).toHaveProperty("wishlistCount");
    expect(await api.getDailyBreakdown()).toHaveProperty("days");
    expect(await api.getRevenue({ days: 7 })).toMatchObject({ orders: 0, countedSince: null });
  });

  test("follows the stream of changes", async () => {
    const { nextCursor } = await api.getChanges({ since: "now" });
    await api.addItem({ customerId: "7005", product_id: "lamp" });
    for await (const { change, cursor } of api.streamChanges({ since: nextCursor })) {
      expect(change).toMatchObject({ type: "wishlist.item.added", customerId: "7005" });
      expect(cursor).not.toBe(nextCursor);
      break;
    }
  });

  test("manages webhooks and their deliveries", async () => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    const { webhookId } = await api.createWebhook({ url: receiver.url, events: ["wishlist.item.added"] });
    await api.testWebhook({ webhookId, event: "wishlist.item.added" });
    await receiver.until(1);
    const { deliveries } = await api.listWebhookDeliveries({ webhookId });
    await api.redeliverWebhook({ webhookId, deliveryId: deliveries[0]?.deliveryId ?? "" });
    await receiver.until(2);
    expect(await api.rotateWebhookSecret({ webhookId })).toHaveProperty("secret");
    await api.updateWebhook({ webhookId, enabled: false });
    expect(await api.getWebhook({ webhookId })).toMatchObject({ enabled: false });
    expect((await api.listWebhooks()).webhooks).toHaveLength(1);
    await api.deleteWebhook({ webhookId });
  });

  test("reads the documentation", async () => {
    expect(await api.getOpenapi()).toHaveProperty("openapi", "3.1.0");
    expect(await api.getDocs()).toContain("<html");
  });
});

test("the types of input and output are those of the OpenAPI document", () => {
  expectTypeOf<Input<"addItem">>().toExtend<{ product_id: string; variant_id?: string | undefined }>();
  expectTypeOf<{ productId: string }>().not.toExtend<Input<"addItem">>();
  expectTypeOf<Input<"getWishlist">["available"]>().toEqualTypeOf<boolean | "true" | "false" | undefined>();
  expectTypeOf<Input<"getWishlist">["sort"]>().toEqualTypeOf<"added_at" | "price" | "title" | "position" | undefined>();
  expectTypeOf<Input<"moveListItems">>().not.toHaveProperty("offset");
  expectTypeOf<Output<"addItem">>().toEqualTypeOf<{ added: boolean; itemCount: number }>();
  expectTypeOf<Output<"getDocs">>().toEqualTypeOf<string>();
  expectTypeOf<ApiErrorCode>().extract<"wishlist_full">().toEqualTypeOf<"wishlist_full">();
});

test("every operation of the API is called by these tests", async () => {
  const document = openapiShape.parse(await api.getOpenapi());
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  expect(operations.map(({ operationId }) => operationId).filter((id) => !called.has(id))).toEqual([]);
});
