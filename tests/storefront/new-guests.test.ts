import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { closeDatabase } from "../../app/platform/database/database.server.ts";
import { client, untilServed, type ApiResponse } from "../support/app/client.ts";
import { startApp, type InProcessApp } from "../support/app/in-process.ts";
import { guestToken, makeShop, publishKey, type TestShop } from "../support/app/shop.ts";
import { type ProxyCall, newGuest, SHOPIFY_ENV, visitor } from "../support/app/storefront.ts";

const CEILING = 12;
/** a tenth and a quarter of it */
const OF_ADDRESS = 2;
const OF_NETWORK = 3;

let services: [InProcessApp, InProcessApp];
let shop: TestShop;

beforeAll(async () => {
  const env = {
    RATE_LIMIT_NEW_GUESTS_PER_HOUR: String(CEILING),
    RATE_LIMIT_STOREFRONT_PER_MINUTE: "1000",
    TRUSTED_PROXY_HOPS: "1",
  };
  const first = await startApp({ env: { ...SHOPIFY_ENV, ...env } });
  services = [first, await startApp({ database: first.database, env: { ...SHOPIFY_ENV, ...env } })];
});
afterAll(async () => {
  await closeDatabase();
  await services[1].dispose();
  await services[0].dispose();
});
beforeEach(async () => {
  const [first] = services;
  shop = await makeShop(first, client(first), { products: { "1": "10" } });
});

let networks = 0;

/** Returns an address in a network that no other test uses. */
function newAddress(): string {
  networks++;
  return `10.${networks >> 8}.${networks & 255}.7`;
}

const callTo = (of: 0 | 1, customer?: string, address = newAddress()): ProxyCall =>
  visitor(services[of], { shop: shop.domain, customer, address });
const add = (of: 0 | 1, guestId: string): Promise<ApiResponse> =>
  callTo(of)("POST", "/api/add", { json: { guestId, productId: "1" } });
const fill = async (): Promise<string[]> => {
  const guests = Array.from({ length: CEILING }, newGuest);
  for (const guest of guests) (await add(0, guest)).data();
  return guests;
};
const rowsOf = async (table: string): Promise<number> => {
  const [row] = await services[0].database.rows<{ n: number }>(
    `SELECT count(*)::int AS n FROM ${table} WHERE shop_id = $1 AND owner_kind = 'guest'`,
    [shop.id],
  );
  return row?.n ?? NaN;
};

test("several processes admit as many new guests as the limit allows", async () => {
  const guests = Array.from({ length: 5 * CEILING }, newGuest);
  const responses = await Promise.all(guests.map((guest, n) => untilServed(() => add(n % 2 ? 1 : 0, guest))));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(CEILING);
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(4 * CEILING);
  expect([await rowsOf("wishlist"), await rowsOf("activity")]).toEqual([CEILING, CEILING]);
});

test("new guests beyond the limit get 429 until the next hour, and leave no activity", async () => {
  await fill();
  const refused = await add(1, newGuest());
  expect([refused.status, refused.error().code]).toEqual([429, "rate_limited"]);
  const wait = Number(refused.headers.get("retry-after"));
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(3_600);
  expect([await rowsOf("wishlist"), await rowsOf("activity")]).toEqual([CEILING, CEILING]);
});

test("new guests beyond the limit do not affect known guests, customers and other shops", async () => {
  const [guest = ""] = await fill();
  expect((await add(0, newGuest())).status).toBe(429);
  await callTo(0)("POST", "/api/remove", { json: { guestId: guest, productId: "1" } });
  expect((await add(0, guest)).data()).toMatchObject({ added: true });
  const customer = await callTo(0, "7000000000001")("POST", "/api/add", { json: { productId: "1" } });
  expect(customer.data()).toMatchObject({ added: true });
  shop = await makeShop(services[0], client(services[0]), { products: { "1": "10" } });
  expect((await add(0, newGuest())).data()).toMatchObject({ added: true });
});

test("new guests are admitted again in the next hour", async () => {
  await fill();
  await services[0].database.rows(
    "UPDATE guest_hour SET hour = date_trunc('hour', now()) - interval '1 hour' WHERE shop_id = $1",
    [shop.id],
  );
  await fill();
  expect((await add(0, newGuest())).status).toBe(429);
});

test("a guest is created by the first add, and by no other request", async () => {
  await fill();
  const guestId = newGuest();
  await callTo(0)("POST", "/api/list", { json: { guestId } });
  await callTo(0)("POST", "/api/remove", { json: { guestId, productId: "1" } });
  await callTo(0)("POST", "/api/recordCart", {
    json: { guestId, event_id: "e", items: [{ product_id: "1", variant_id: "10" }] },
  });
  (await callTo(0, "7000000000001")("POST", "/api/merge", { json: { guestId } })).data();
  expect([await rowsOf("wishlist"), await rowsOf("activity")]).toEqual([CEILING, CEILING]);
});

describe("from one address", () => {
  /** The requests that create a guest's list. */
  const WAYS: Record<string, (address: string) => Promise<ApiResponse>> = {
    "a saved item in the store": (address) =>
      callTo(0, undefined, address)("POST", "/api/add", { json: { guestId: newGuest(), productId: "1" } }),
    "a saved item that the catalog cache lacks": (address) =>
      callTo(0, undefined, address)("POST", "/api/add", {
        json: { guestId: newGuest(), productId: "unknown", variantId: "2" },
      }),
    "a list in the store": (address) =>
      callTo(0, undefined, address)("POST", "/api/createList", { json: { guestId: newGuest(), name: "Mine" } }),
    "a saved item": (address) => byToken(address, "/items", { product_id: "1" }),
    "a list": (address) => byToken(address, "/lists", { name: "Mine" }),
    "a batch": (address) =>
      byToken(address, "/lists/default/items/batch", { operations: [{ op: "add", productId: "1" }] }),
    "a merge": (address) =>
      byToken(address, "/merge", { items: [{ productId: "1", addedAt: "2026-01-01T00:00:00Z" }] }),
  };

  async function byToken(address: string, path: string, json: unknown): Promise<ApiResponse> {
    const call = client(services[0]);
    const token = await guestToken(call, shop, { key });
    return call("POST", `/v1/wishlists/me${path}`, { token, json, headers: { "x-forwarded-for": address } });
  }

  let key: string;
  beforeEach(async () => {
    await services[0].database.rows("UPDATE shop SET plan = 'growth', catalog = 'none' WHERE id = $1", [shop.id]);
    key = await publishKey(shop);
  });

  test.each(Object.entries(WAYS))("%s counts, and is refused beyond a tenth of the limit", async (_what, send) => {
    const address = newAddress();
    for (let n = 0; n < OF_ADDRESS; n++) expect((await send(address)).status).toBeOneOf([200, 201]);
    const before = await rowsOf("wishlist");
    const refused = await send(address);
    expect([refused.status, refused.error().code]).toEqual([429, "rate_limited"]);
    expect(refused.error().message).toContain("from your network");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await rowsOf("wishlist")).toBe(before);
    expect((await send(newAddress())).status).toBeOneOf([200, 201]);
  });
});

test.each([
  ["an IPv4 network", (n: number) => `198.51.100.${n}`],
  ["a subscriber's IPv6 addresses", (n: number) => `2001:db8:7:${n}::1`],
])("new guests from %s are refused beyond a quarter of the limit", async (_what, address) => {
  const from = async (n: number): Promise<number> => {
    const json = { guestId: newGuest(), productId: "1" };
    return (await callTo(0, undefined, address(n))("POST", "/api/add", { json })).status;
  };
  for (let n = 1; n <= OF_NETWORK; n++) expect(await from(n)).toBe(200);
  expect(await from(OF_NETWORK + 1)).toBe(429);
  expect(await rowsOf("wishlist")).toBe(OF_NETWORK);
});

test("new guests of one IPv6 network of 64 bits are refused beyond a tenth of the limit", async () => {
  const statuses: number[] = [];
  for (let n = 0; n <= OF_ADDRESS; n++) {
    const json = { guestId: newGuest(), productId: "1" };
    statuses.push((await callTo(0, undefined, `2001:db8:8:1::${n}`)("POST", "/api/add", { json })).status);
  }
  expect(statuses).toEqual([200, 200, 429]);
});

test("a refused new guest counts neither for the address nor for the shop", async () => {
  const address = newAddress();
  const json = () => ({ guestId: newGuest(), productId: "1" });
  for (let n = 0; n < 2 * CEILING; n++) await callTo(0, undefined, address)("POST", "/api/add", { json: json() });
  for (let n = OF_ADDRESS; n < CEILING; n++) (await add(0, newGuest())).data();
  expect((await add(0, newGuest())).error().message).toContain("This shop has too many new guests");
});

test("a request that a limit of new guests refused succeeds with its Idempotency-Key later", async () => {
  await fill();
  const call = client(services[0]);
  await services[0].database.rows("UPDATE shop SET plan = 'growth' WHERE id = $1", [shop.id]);
  const token = await guestToken(call, shop);
  const send = () =>
    call("POST", "/v1/wishlists/me/lists", { token, json: { name: "Mine" }, headers: { "idempotency-key": "later" } });
  expect((await send()).status).toBe(429);
  await services[0].database.rows("DELETE FROM guest_hour WHERE shop_id = $1", [shop.id]);
  expect((await send()).status).toBe(201);
});
