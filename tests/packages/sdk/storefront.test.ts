import {
  createClient,
  createStorefrontClient,
  isWishlistError,
  type CustomerLogin,
  type ShopperStorage,
  type StorefrontClient,
} from "@wishlist-headless/sdk";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { revokeKey } from "../../../app/access/index.server.ts";
import { transaction } from "../../../app/platform/database/transaction.server.ts";
import { connectShop, type ConnectedShop } from "../../support/app/merchant.ts";
import { ORIGIN, publishKey } from "../../support/app/shop.ts";
import { respond, startFaultyProxy, type FaultyProxy } from "../../support/http/faulty-proxy.ts";
import { startConnected, type Connected } from "../../support/shopify/connected-shop.ts";

const ANNA = { id: "701", firstName: "Anna", lastName: "Berg", email: "anna@example.com" };
const PIET = { id: "702", firstName: "Piet", lastName: "O'Hara", email: "piet@example.com" };

let connected: Connected;
let proxy: FaultyProxy;
let shop: ConnectedShop;
let key: string;
let storage: ReturnType<typeof browserStorage>;

beforeAll(async () => {
  connected = await startConnected();
  proxy = await startFaultyProxy(connected.service.url);
});
afterAll(async () => {
  await proxy.close();
  await connected.close();
});

beforeEach(async () => {
  shop = await connectShop(connected.service, connected.shopify, {
    products: [
      { id: 1, handle: "lamp", title: "Lamp", variants: [{ id: 10 }] },
      { id: 2, handle: "rug", title: "Rug", variants: [{ id: 20 }] },
    ],
  });
  shop.store.customers.add(ANNA, PIET);
  key = await publishKey(shop);
  storage = browserStorage();
  proxy.received.length = 0;
});

/** A storage as a browser shares it between tabs. */
function browserStorage(): ShopperStorage & { values: Map<string, string> } {
  const values = new Map<string, string>();
  return {
    values,
    getItem: (name) => values.get(name) ?? null,
    setItem: (name, value) => void values.set(name, value),
    removeItem: (name) => void values.delete(name),
  };
}

/** Opens a tab of the shop front. */
function open(options: { storage?: ShopperStorage; customer?: CustomerLogin } = {}): StorefrontClient {
  return createStorefrontClient({ url: proxy.url, publishableKey: key, origin: ORIGIN, storage, ...options });
}

function login(customer: { id: string }): string {
  return shop.store.customerTokens.issue(customer.id).accessToken;
}

async function saved(client: StorefrontClient): Promise<string[]> {
  return (await client.wishlists.get()).items.map(({ productId }) => productId);
}

const exchanges = () => proxy.received.filter(({ path }) => path === "/v1/auth/storefront-token");

describe("a guest", () => {
  test("is stored nowhere before the first request", async () => {
    const client = open();
    expect(await client.isNewGuest()).toBe(true);
    expect(client.owner).toBe("guest");
    expect(storage.values.size).toBe(0);
    expect(proxy.received).toEqual([]);
  });

  test("keeps the list after a reload, and in a second tab", async () => {
    await open().wishlists.items.add({ product_id: "1" });
    expect(await saved(open())).toEqual(["1"]);
    expect(await open().isNewGuest()).toBe(false);
    expect([...storage.values.values()]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
  });

  test("whose browser forbids storage has a list until the page is left", async () => {
    const forbidden: ShopperStorage = {
      getItem: () => null,
      setItem: () => {
        throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
      },
      removeItem: () => undefined,
    };
    const client = open({ storage: forbidden });
    await client.wishlists.items.add({ product_id: "1" });
    expect(await saved(client)).toEqual(["1"]);
    expect(await client.isNewGuest()).toBe(false);
  });

  test("of an app has an id from its asynchronous storage", async () => {
    const asynchronous: ShopperStorage = {
      getItem: async (name) => storage.getItem(name),
      setItem: async (name, value) => storage.setItem(name, value),
      removeItem: async (name) => storage.removeItem(name),
    };
    await open({ storage: asynchronous }).wishlists.items.add({ product_id: "1" });
    expect(await saved(open({ storage: asynchronous }))).toEqual(["1"]);
  });

  test("keeps the list when the merchant replaces the publishable key", async () => {
    await open().wishlists.items.add({ product_id: "1" });
    key = await publishKey(shop);
    expect(await saved(open())).toEqual(["1"]);
  });

  test("never sends the id after the exchange", async () => {
    await open().wishlists.items.add({ product_id: "1" });
    const [id = ""] = storage.values.values();
    const [exchange, ...others] = proxy.received;
    expect(exchange?.body).toContain(id);
    expect(JSON.stringify(others)).not.toContain(id);
  });
});

describe("a login", () => {
  test("merges the guest's list into the customer's and removes the guest's id", async () => {
    const client = open();
    await client.wishlists.items.add({ product_id: "1" });
    expect(await client.login(login(ANNA))).toEqual({ merged: true, addedCount: 1, itemCount: 1 });
    expect(client.owner).toBe("customer");
    expect(await saved(client)).toEqual(["1"]);
    expect(storage.values.size).toBe(0);
  });

  test("of a guest who saved nothing merges nothing", async () => {
    expect(await open().login(login(ANNA))).toBeUndefined();
    expect(exchanges().map(({ body }) => body)).toEqual([expect.not.stringContaining("guest_id")]);
  });

  test("with a token that Shopify does not accept leaves the guest as it was", async () => {
    const client = open();
    await client.wishlists.items.add({ product_id: "1" });
    await expect(client.login("shcat_unknown")).rejects.toMatchObject({ code: "invalid_customer_token", status: 401 });
    expect(client.owner).toBe("guest");
    expect(await saved(client)).toEqual(["1"]);
  });

  test("while Shopify is out of reach fails with 503 and disturbs no request of the guest", async () => {
    const client = open();
    await client.wishlists.items.add({ product_id: "1" });
    const unavailable = { code: "customer_accounts_unavailable", message: "Try again shortly.", requestId: "req_1" };
    const body = JSON.stringify({ ok: false, error: unavailable });
    const failing = respond(503, { "content-type": "application/json", "retry-after": "60" }, body);
    proxy.next(failing);
    await expect(client.login(login(ANNA))).rejects.toMatchObject({
      code: "customer_accounts_unavailable",
      retryAfter: 60,
    });
    expect(await saved(client)).toEqual(["1"]);
    expect(client.owner).toBe("guest");
  });

  test("tells listeners after it has happened, and a logout, too", async () => {
    const client = open();
    const owners: string[] = [];
    const stop = client.onOwnerChange(() => owners.push(client.owner));
    await client.login(login(ANNA));
    client.logout();
    stop();
    await client.login(login(PIET));
    expect(owners).toEqual(["customer", "guest"]);
  });

  test("asks for another access token when the service's has ended", async () => {
    const client = open();
    const accessToken = vi.fn(() => login(ANNA));
    await client.login(accessToken);
    await client.wishlists.items.add({ product_id: "1" });
    // The service does not accept the token any more, as after its expiry.
    const error = { code: "token_expired", message: "The token has expired.", requestId: "req_1" };
    proxy.next(respond(401, { "content-type": "application/json" }, JSON.stringify({ ok: false, error })));
    expect(await saved(client)).toEqual(["1"]);
    expect(accessToken).toHaveBeenCalledTimes(2);
  });

  test("in two tabs at the same moment merges the list once", async () => {
    await open().wishlists.items.add({ product_id: "1" });
    const [one, other] = [open(), open()];
    const merges = await Promise.all([one.login(login(ANNA)), other.login(login(ANNA))]);
    expect(merges.map((merge) => (merge?.merged ? merge.addedCount : 0)).sort()).toEqual([0, 1]);
    expect(await saved(one)).toEqual(["1"]);
  });

  test("in one tab lets the other go on as a new guest", async () => {
    const [one, other] = [open(), open()];
    await other.wishlists.items.add({ product_id: "1" });
    await one.login(login(ANNA));
    expect(await other.wishlists.items.add({ product_id: "2" })).toEqual({ added: true, itemCount: 1 });
    expect(await saved(other)).toEqual(["2"]);
    expect(await saved(one)).toEqual(["1"]);
  });

  test("through a server of the shop keeps the access token from the page, and merges", async () => {
    const client = open();
    await client.wishlists.items.add({ product_id: "1" });
    const server = createClient({ url: connected.service.url, origin: ORIGIN });
    const merge = await client.login(({ guestId }) =>
      server.tokens.exchangePublishableKey({
        publishable_key: key,
        guest_id: guestId,
        customer_access_token: login(ANNA),
      }),
    );
    expect(merge).toMatchObject({ merged: true, addedCount: 1 });
    expect(await saved(client)).toEqual(["1"]);
    expect(storage.values.size).toBe(0);
    expect(proxy.received.map(({ body }) => body).join()).not.toContain("customer_access_token");
  });

  test("that a logout overtakes leaves a guest", async () => {
    const client = open();
    const pending = client.login(login(ANNA));
    client.logout();
    await pending;
    expect(client.owner).toBe("guest");
    await client.wishlists.items.add({ product_id: "1" });
    expect(exchanges().at(-1)?.body).not.toContain("customer_access_token");
  });
});

describe("a client that begins as a customer", () => {
  test("makes no request as a guest, and merges the guest's list", async () => {
    await open().wishlists.items.add({ product_id: "1" });
    proxy.received.length = 0;
    const client = open({ customer: () => login(ANNA) });
    expect(client.owner).toBe("customer");
    expect(await client.isNewGuest()).toBe(false);
    expect(await saved(client)).toEqual(["1"]);
    expect(exchanges().map(({ body }) => body)).toEqual([expect.stringContaining("customer_access_token")]);
    expect(storage.values.size).toBe(0);
  });

  test("fails with a token that Shopify does not accept, until the logout makes it a guest", async () => {
    const client = open({ customer: "shcat_unknown" });
    const added = client.wishlists.items.add({ product_id: "1" });
    await expect(added).rejects.toMatchObject({ code: "invalid_customer_token", status: 401 });
    expect(client.owner).toBe("customer");
    client.logout();
    expect(await saved(client)).toEqual([]);
  });
});

describe("a logout", () => {
  test("shows the next shopper of the browser nothing of the customer's list", async () => {
    const client = open();
    await client.login(login(ANNA));
    await client.wishlists.items.add({ product_id: "1" });
    expect(await saved(client)).toEqual(["1"]);
    client.logout();
    expect(await client.isNewGuest()).toBe(true);
    expect(await saved(client)).toEqual([]);
    await client.login(login(PIET));
    expect(await saved(client)).toEqual([]);
  });
});

describe("a publishable key", () => {
  test.each(["wlk_secretKey", "wls_secret", ""])("is required: %j is refused at once", (publishableKey) => {
    expect(() => createStorefrontClient({ url: proxy.url, publishableKey })).toThrow("publishable key (wlp_…)");
  });

  test("is required: none among the options is refused at once", () => {
    const options = [{ url: "http://127.0.0.1:9" }];
    expect(() => void Reflect.apply(createStorefrontClient, undefined, options)).toThrow("publishable key (wlp_…)");
  });

  test("of another origin is refused with what to do", async () => {
    const client = createStorefrontClient({
      url: proxy.url,
      publishableKey: key,
      origin: "https://evil.example",
      storage,
    });
    await expect(client.wishlists.items.add({ product_id: "1" })).rejects.toMatchObject({
      code: "origin_not_allowed",
      status: 403,
    });
  });

  test("that was revoked ends its guests' tokens and gives no other", async () => {
    const client = open();
    await client.wishlists.items.add({ product_id: "1" });
    await transaction(shop.id, (tx) => revokeKey(tx, shop.id, key));
    // Within a second, by a notification to all processes.
    await expect
      .poll(() =>
        client.wishlists.get().then(
          () => "accepted",
          (error: unknown) => isWishlistError(error) && error.code,
        ),
      )
      .toBe("invalid_publishable_key");
  });
});
