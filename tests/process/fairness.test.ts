import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, afterEach, expect, test } from "vitest";
import { closeDatabase, connectionShares } from "../../app/platform/database/database.server.ts";
import { client, type ApiResponse, type Call } from "../support/app/client.ts";
import { startService, type Service } from "../support/app/service.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import { until } from "../support/until.ts";
import { MATRIX } from "../support/matrix.ts";

const POOL = 10;
const SHARE = connectionShares(POOL).request.perShop;
const IN_FLIGHT = 30;
/** Pages of the change feed that a shop reads at a time. */
const FEED_PAGES = 2;

let service: Service;
let call: Call;
let busy: TestShop;
let other: TestShop;
/** holds the busy shop's locks */
let holder: pg.Client;

beforeAll(async () => {
  // The background's outbox processor would take the rows that the tests need to find unprocessed.
  service = await startService({ env: { DATABASE_POOL_SIZE: String(POOL), WISHLIST_ROLE: "web" } });
  call = client(service.url);
});
afterAll(async () => {
  await closeDatabase();
  await service.dispose();
});
beforeEach(async () => {
  busy = await makeShop(service, call);
  other = await makeShop(service, call);
  await add(busy, "c1");
  await add(other, "c1");
  holder = new pg.Client({ connectionString: service.database.url });
  await holder.connect();
  await holder.query("BEGIN");
});
afterEach(() => holder.end());

function add({ token }: TestShop, customer: string): Promise<ApiResponse> {
  return call("POST", `/v1/wishlists/${customer}/items`, {
    token,
    json: { product_id: randomUUID(), variant_id: "v" },
  });
}

function merge({ token }: TestShop, customer: string): Promise<ApiResponse> {
  const items = [{ productId: randomUUID(), variantId: "v", addedAt: "2026-01-01T00:00:00.000Z" }];
  return call("POST", `/v1/wishlists/${customer}/merge`, { token, json: { items } });
}

function report({ token }: TestShop): Promise<ApiResponse> {
  return call("GET", "/v1/analytics/overview", { token });
}

function read({ token }: TestShop, customer: string): Promise<ApiResponse> {
  return call("GET", `/v1/wishlists/${customer}`, { token });
}

function holdReports({ id }: TestShop) {
  return holder.query("SELECT pg_advisory_xact_lock(advisory_lock_key('outbox', $1::text))", [id]);
}

function holdWishlist({ id }: TestShop, customer: string) {
  return holder.query("SELECT 1 FROM wishlist WHERE shop_id = $1 AND owner_id = $2 FOR UPDATE", [id, customer]);
}

/** Connections of the service that wait for a lock. */
async function waiting(): Promise<number> {
  const [row] = await service.database.rows<{ n: number }>(
    `SELECT count(*)::int AS n FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'wishlist' AND wait_event_type = 'Lock'`,
  );
  return row?.n ?? 0;
}

function times<Result>(count: number, work: () => Promise<Result>): Promise<Result>[] {
  return Array.from({ length: count }, work);
}

async function useFreely(shop: TestShop): Promise<void> {
  const responses = await Promise.all([
    ...times(10, () => read(shop, "c1")),
    ...times(5, () => add(shop, "c1")),
    ...times(5, () => merge(shop, "c2")),
    ...times(5, () => report(shop)),
    call("GET", `/v1/wishlists/c1/share`, { token: shop.token }),
  ]);
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
}

test("reports that wait for a shop's lock share a connection and include earlier changes", async () => {
  await holdReports(busy);
  const early = report(busy);
  await until("the first report at the lock", async () => (await waiting()) === 1);
  (await add(busy, "c2")).data();
  const late = times(IN_FLIGHT, () => report(busy));
  await useFreely(other);
  expect(await waiting()).toBe(1);
  await holder.query("COMMIT");
  expect((await early).status).toBe(200);
  for (const response of await Promise.all(late))
    expect(response.data<{ totalWishlistedItems: number }>().totalWishlistedItems).toBe(2);
});

test("a shop whose requests wait for locks leaves connections to other shops", async () => {
  await holdReports(busy);
  await holdWishlist(busy, "c1");
  const stuck = [
    ...times(IN_FLIGHT, () => add(busy, "c1")),
    ...times(IN_FLIGHT, () => merge(busy, "c1")),
    ...times(IN_FLIGHT, () => report(busy)),
  ];
  await until("the shop's share at the locks", async () => (await waiting()) === SHARE);
  await useFreely(other);
  // Pages of the shop itself are read past its locks.
  (await read(busy, "c1")).data();
  expect(await waiting()).toBeLessThanOrEqual(SHARE);
  await holder.query("COMMIT");
  await Promise.all(stuck);
});

test("a request that waits too long for a lock gets 503 and changes nothing", MATRIX, async () => {
  await holdWishlist(busy, "c1");
  const responses = await Promise.all([...times(3, () => add(busy, "c1")), merge(busy, "c1")]);
  for (const response of responses) {
    expect([response.status, response.error().code]).toEqual([503, "service_unavailable"]);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  }
  await holder.query("COMMIT");
  expect((await read(busy, "c1")).data<{ total: number }>().total).toBe(1);
});

test("a shop whose changes many callers read leaves connections to other shops", async () => {
  await holder.query("LOCK TABLE shop_change IN ACCESS EXCLUSIVE MODE");
  const stuck = times(IN_FLIGHT, () => call("GET", "/v1/changes", { token: busy.token }));
  await until("the pages at the lock", async () => (await waiting()) === FEED_PAGES);
  for (const response of await Promise.all(times(10, () => read(other, "c1")))) response.data();
  expect(await waiting()).toBe(FEED_PAGES);
  await holder.query("COMMIT");
  expect((await Promise.all(stuck)).map(({ status }) => status)).toEqual(stuck.map(() => 200));
});
