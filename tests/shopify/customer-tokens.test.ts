import { once } from "node:events";
import { createServer } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { revokeKey } from "../../app/access/index.server.ts";
import { transaction } from "../../app/platform/database/transaction.server.ts";
import { client, type ApiResponse, type Call } from "../support/app/client.ts";
import { expectFailure } from "../support/app/failure.ts";
import { connectShop, type ConnectedShop } from "../support/app/merchant.ts";
import { newGuestId, ORIGIN, publishKey } from "../support/app/shop.ts";
import { startConnected, type Connected } from "../support/shopify/connected-shop.ts";

const ANNA = { id: "701", firstName: "Anna", lastName: "Berg", email: "anna@example.com" };
const PIET = { id: "702", firstName: "Piet", lastName: "O'Hara", email: "piet@example.com" };

/** Failed authentications that an address may have in a minute. */
const FAILURES = 10;

interface TestShop extends ConnectedShop {
  key: string;
}

let connected: Connected;
let call: Call;
let shop: TestShop;
/** the shopper's address; every test has its own, because limits count by address */
let address: string;
let addresses = 0;

beforeAll(async () => {
  connected = await startConnected({ RATE_LIMIT_STOREFRONT_PER_MINUTE: String(FAILURES), TRUSTED_PROXY_HOPS: "1" });
  call = client(connected.service.url);
});
afterAll(() => connected.close());

async function makeShop(): Promise<TestShop> {
  const made = await connectShop(connected.service, connected.shopify, {
    products: [{ id: 1, handle: "lamp", title: "Lamp", variants: [{ id: 10 }] }],
  });
  made.store.customers.add(ANNA, PIET);
  return { ...made, key: await publishKey(made) };
}

beforeEach(async () => {
  address = `198.51.100.${++addresses}`;
  shop = await makeShop();
});

/** Logs a customer in. @returns the access token of the Customer Account API */
function login(customer: { id: string }, at = shop): string {
  return at.store.customerTokens.issue(customer.id).accessToken;
}

function exchange(body: object, at = shop): Promise<ApiResponse> {
  return call("POST", "/v1/auth/storefront-token", {
    json: { publishable_key: at.key, ...body },
    headers: { origin: ORIGIN, "x-forwarded-for": address },
  });
}

async function tokenFor(body: object): Promise<string> {
  return (await exchange(body)).data<{ token: string }>().token;
}

async function add(token: string, productId: string): Promise<void> {
  const json = { product_id: productId, variant_id: "v" };
  (await call("POST", "/v1/wishlists/me/items", { token, json })).data();
}

async function saved(token: string): Promise<string[]> {
  const response = await call("GET", "/v1/wishlists/me", { token });
  return response.data<{ items: { productId: string }[] }>().items.map(({ productId }) => productId);
}

describe("a customer's access token", () => {
  test("gives a token of 15 minutes for the customer whom Shopify names", async () => {
    const response = await exchange({ customer_access_token: login(ANNA) });
    expect(response.data()).toEqual({ token: expect.any(String) as unknown, expiresIn: 900, owner: "customer" });
    const { token } = response.data<{ token: string }>();
    await add(token, "lamp");
    expect((await call("GET", "/v1/wishlists/701", { token })).data()).toMatchObject({ total: 1 });
  });

  test("gives no access to another customer", async () => {
    const token = await tokenFor({ customer_access_token: login(ANNA) });
    expectFailure(await call("GET", "/v1/wishlists/702", { token }), 403, "customer_mismatch", undefined);
  });

  test("limits the change feed to the customer's changes", async () => {
    await add(await tokenFor({ customer_access_token: login(PIET) }), "boot");
    const token = await tokenFor({ customer_access_token: login(ANNA) });
    await add(token, "lamp");
    const products = async () => {
      const { changes } = (await call("GET", "/v1/changes", { token })).data<{ changes: { item: object }[] }>();
      return changes.map(({ item }) => item);
    };
    await expect.poll(products).toMatchObject([{ productId: "lamp" }]);
  });

  test.each([
    ["an invented token", () => `shcat_${"x".repeat(40)}`],
    [
      "a token of another shop",
      async () => {
        const other = await makeShop();
        return login(ANNA, other);
      },
    ],
  ])("is refused when it is %s", async (_what, make) => {
    const response = await exchange({ customer_access_token: await make() });
    expectFailure(response, 401, "invalid_customer_token", undefined);
  });

  test("is checked at most once a minute, also when many requests use it at once", async () => {
    const accessToken = login(ANNA);
    const together = await Promise.all(
      Array.from({ length: 8 }, () => exchange({ customer_access_token: accessToken })),
    );
    expect(together.map(({ status }) => status)).toEqual(Array(8).fill(200));
    await exchange({ customer_access_token: accessToken });
    expect(shop.store.customerApiRequests).toHaveLength(1);
  });

  test("is checked at most once a minute when Shopify refuses it", async () => {
    for (let attempt = 0; attempt < 3; attempt++) await exchange({ customer_access_token: `shcat_${"y".repeat(40)}` });
    expect(shop.store.customerApiRequests).toHaveLength(1);
  });

  test("counts as a failed authentication of the address when Shopify refuses it", async () => {
    const accessToken = `shcat_${"z".repeat(40)}`;
    const statuses: number[] = [];
    for (let attempt = 0; attempt <= FAILURES; attempt++) {
      statuses.push((await exchange({ customer_access_token: accessToken })).status);
    }
    expect(statuses).toEqual([...Array<number>(FAILURES).fill(401), 429]);
    address = "198.51.100.250";
    expect((await exchange({ customer_access_token: login(ANNA) })).status).toBe(200);
  });

  test("is not sent to an address of a private network that the shop's domain names", async () => {
    let connections = 0;
    const internal = createServer((socket) => {
      connections++;
      socket.destroy();
    }).listen(0, "127.0.0.1");
    await once(internal, "listening");
    const bound = internal.address();
    const port = typeof bound === "object" && bound !== null ? bound.port : 0;
    shop.store.faults.inject({
      on: "discovery",
      behaviour: { status: 302, location: `https://127.0.0.1:${port}/.well-known/customer-account-api` },
    });
    const refused = await exchange({ customer_access_token: login(ANNA) });
    expectFailure(refused, 503, "customer_accounts_unavailable", undefined);
    expect(connections).toBe(0);
    internal.close();
  });

  test("gives no token and merges nothing when the key is revoked during the check", async () => {
    const guest = newGuestId();
    const guestToken = await tokenFor({ guest_id: guest });
    await add(guestToken, "lamp");
    const released = Promise.withResolvers<undefined>();
    shop.store.faults.inject({ on: "customer account", behaviour: { until: released.promise } });
    const exchanged = exchange({ customer_access_token: login(ANNA), guest_id: guest });
    await expect.poll(() => shop.store.customerApiRequests.length).toBe(1);
    await transaction(shop.id, (tx) => revokeKey(tx, shop.id, shop.key));
    await expect.poll(async () => (await exchange({ guest_id: newGuestId() })).status).toBe(401);
    released.resolve(undefined);
    expectFailure(await exchanged, 401, "invalid_publishable_key", undefined);
    expect(await connected.service.database.rows("SELECT FROM merged_guest WHERE shop_id = $1", [shop.id])).toEqual([]);
  });

  test.each([
    ["fails", "customer account", { status: 500 }],
    ["is throttled", "customer account", "throttled"],
    ["has no address", "discovery", { status: 404 }],
  ] as const)("gets 503 when the API %s, and guests are not affected", async (_what, on, behaviour) => {
    shop.store.faults.inject({ on, behaviour });
    const refused = await exchange({ customer_access_token: login(ANNA) });
    expectFailure(refused, 503, "customer_accounts_unavailable", undefined);
    expect(refused.headers.get("retry-after")).toBe("2");
    expect((await exchange({ guest_id: newGuestId() })).status).toBe(200);
  });

  test("that is throttled gets 503, and other customers are not affected", async () => {
    const throttled = login(ANNA);
    shop.store.faults.inject({ on: "customer account", behaviour: "throttled", times: 1 });
    expect((await exchange({ customer_access_token: throttled })).status).toBe(503);
    expect((await exchange({ customer_access_token: login(PIET) })).status).toBe(200);
    // Within the back-off, the API is not asked about this token again.
    expect((await exchange({ customer_access_token: throttled })).status).toBe(503);
  });

  test("never appears in the log", async () => {
    const accepted = login(ANNA);
    await exchange({ customer_access_token: accepted });
    shop.store.faults.inject({ on: "customer account", behaviour: { status: 500 } });
    const failed = login(PIET);
    await exchange({ customer_access_token: failed });
    const logged = JSON.stringify(connected.service.log());
    expect(logged).toContain("customer's access token");
    expect(logged).not.toContain(accepted);
    expect(logged).not.toContain(failed);
  });
});

test("guests of one address share a budget of look-ups in the store", async () => {
  const statuses: number[] = [];
  for (let n = 0; n < 30; n++) {
    const token = await tokenFor({ guest_id: newGuestId() });
    const json = { product_id: String(5_000_000 + n) };
    const headers = { "x-forwarded-for": address };
    statuses.push((await call("POST", "/v1/wishlists/me/items", { token, json, headers })).status);
  }
  expect(statuses[0]).toBe(404);
  expect(statuses).toContain(429);
});

describe("a merge at login", () => {
  test("moves the guest's items into the customer's list, once", async () => {
    const guest = newGuestId();
    await add(await tokenFor({ guest_id: guest }), "lamp");
    const body = { guest_id: guest, customer_access_token: login(ANNA) };
    const first = await exchange(body);
    expect(first.data()).toMatchObject({ owner: "customer", merge: { merged: true, addedCount: 1, itemCount: 1 } });
    expect((await exchange(body)).data()).toMatchObject({ merge: { merged: true, addedCount: 0, itemCount: 1 } });
    expect(await saved(first.data<{ token: string }>().token)).toEqual(["lamp"]);
  });

  test("that two tabs request at the same moment happens once", async () => {
    const guest = newGuestId();
    const guestToken = await tokenFor({ guest_id: guest });
    for (const product of ["a", "b", "c"]) await add(guestToken, product);
    const body = { guest_id: guest, customer_access_token: login(ANNA) };
    const added = await Promise.all(
      [exchange(body), exchange(body)].map(
        async (response) => (await response).data<{ merge: { addedCount: number } }>().merge.addedCount,
      ),
    );
    expect(added.sort()).toEqual([0, 3]);
  });

  test("ends the guest: a token from before is refused for changes", async () => {
    const guest = newGuestId();
    const guestToken = await tokenFor({ guest_id: guest });
    await add(guestToken, "lamp");
    await exchange({ guest_id: guest, customer_access_token: login(ANNA) });
    const json = { product_id: "boot", variant_id: "v" };
    const refused = await call("POST", "/v1/wishlists/me/items", { token: guestToken, json });
    expectFailure(refused, 410, "guest_merged", undefined);
  });

  test("beyond the cap changes nothing, and the customer is logged in all the same", async () => {
    await connected.service.database.rows("UPDATE shop SET item_cap = 1 WHERE id = $1", [shop.id]);
    const guest = newGuestId();
    const guestToken = await tokenFor({ guest_id: guest });
    await add(guestToken, "lamp");
    const customer = await tokenFor({ customer_access_token: login(ANNA) });
    await add(customer, "boot");
    const response = await exchange({ guest_id: guest, customer_access_token: login(ANNA) });
    expect(response.data()).toMatchObject({ owner: "customer", merge: { merged: false, code: "wishlist_full" } });
    expect(await saved(customer)).toEqual(["boot"]);
    expect(await saved(guestToken)).toEqual(["lamp"]);
  });

  test("does not happen with a token that Shopify refuses", async () => {
    const guest = newGuestId();
    const guestToken = await tokenFor({ guest_id: guest });
    await add(guestToken, "lamp");
    await exchange({ guest_id: guest, customer_access_token: "shcat_forged" });
    expect(await saved(guestToken)).toEqual(["lamp"]);
  });
});
