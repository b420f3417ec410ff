import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { closeDatabase } from "../../app/platform/database.server.ts";
import { client, type ApiResponse } from "../support/app/client.ts";
import { startApp, type InProcessApp } from "../support/app/in-process.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import { type ProxyCall, newGuest, SHOPIFY_ENV, visitor } from "../support/app/storefront.ts";

const CEILING = 4;

let services: [InProcessApp, InProcessApp];
let shop: TestShop;

beforeAll(async () => {
  const env = { RATE_LIMIT_NEW_GUESTS_PER_HOUR: String(CEILING), RATE_LIMIT_STOREFRONT_PER_MINUTE: "1000" };
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

const callTo = (of: 0 | 1, customer?: string): ProxyCall => visitor(services[of], { shop: shop.domain, customer });
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
  const responses = await Promise.all(Array.from({ length: 5 * CEILING }, (_, n) => add(n % 2 ? 1 : 0, newGuest())));
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
  const item = { productId: "1", variantId: "10" };
  await callTo(0)("POST", "/api/list", { json: { guestId } });
  await callTo(0)("POST", "/api/remove", { json: { guestId, productId: "1" } });
  await callTo(0)("POST", "/api/cart", { json: { guestId, eventId: "e", items: [item] } });
  (await callTo(0, "7000000000001")("POST", "/api/merge", { json: { guestId } })).data();
  expect([await rowsOf("wishlist"), await rowsOf("activity")]).toEqual([CEILING, CEILING]);
});
