import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { connectShopify } from "../../app/shopify.server.ts";
import { queryAdminApi } from "../../app/admin-api/index.server.ts";
import { INSTALLATION, installationSchema } from "../../app/installation/queries.ts";
import { provideEnv } from "../../app/platform/process/env.server.ts";
import { validSession } from "../../app/shopify-sessions/index.server.ts";
import type { Devstore } from "../../packages/devstore/devstore.ts";
import type { Store } from "../../packages/devstore/store/store.ts";
import { client, type ApiResponse } from "../support/app/client.ts";
import { serviceEnv, type Service } from "../support/app/service.ts";
import { issueToken } from "../support/app/shop.ts";
import { lockWaiters } from "../support/database/locks.ts";
import { startConnected, type Connected } from "../support/shopify/connected-shop.ts";
import { until } from "../support/until.ts";
import { MATRIX } from "../support/matrix.ts";

// Two processes with one database use a shop's tokens: the service, whose look-ups end after two seconds, and the test's own.

let connected: Connected;
let shopify: Devstore;
let service: Service;
let shop: string;
let store: Store;
let token: string;

beforeAll(async () => {
  connected = await startConnected();
  ({ shopify, service } = connected);
  provideEnv({ ...serviceEnv(service.database.url), ...shopify.env, DATABASE_POOL_SIZE: "3" });
  connectShopify();
});
afterAll(() => connected.close());
beforeEach(async () => {
  shop = `store-${randomBytes(4).toString("hex")}.myshopify.com`;
  store = shopify.store(shop);
  expect((await shopify.openApp({ app: service.url, shop })).status).toBe(200);
  const { id } = await until("the catalog", async () => {
    const [row] = await service.database.rows<{ id: number }>(
      "SELECT id FROM shop WHERE domain = $1 AND catalog = 'ready' AND store_id IS NOT NULL",
      [shop],
    );
    return row;
  });
  for (const product of [1, 2, 3]) {
    store.catalog.put({ id: product, handle: `p-${product}`, title: "Lamp", variants: [{ id: product * 10 }] });
  }
  token = await issueToken(client(service.url), id, ["write_wishlists"]);
});

/** Saves a product that is not in the catalog cache, which needs a request to the store. */
const add = (product: number): Promise<ApiResponse> =>
  client(service.url)("POST", "/v1/wishlists/c1/items", { token, json: { product_id: String(product) } });

/** Sends a request to the store from the test's process. */
const query = (): Promise<unknown> =>
  queryAdminApi(shop, INSTALLATION, { variables: {}, schema: installationSchema, within: 60_000 });

const expire = (): Promise<unknown> =>
  service.database.rows("UPDATE session SET expires = now() WHERE shop = $1", [shop]);

/** What the token endpoint has done, oldest first. */
const oauth = (): string[] =>
  [...store.journal.entries()]
    .reverse()
    .filter(({ kind }) => kind === "oauth")
    .map(({ summary }) => summary);

interface Failing {
  failing: boolean;
  error: string | null;
}

async function failing(): Promise<Failing | undefined> {
  const [row] = await service.database.rows<Failing>(
    "SELECT refresh_failed_since IS NOT NULL AS failing, refresh_error AS error FROM session WHERE shop = $1",
    [shop],
  );
  return row;
}

test("two processes that need a new token refresh it once", async () => {
  await expire();
  const before = oauth().length;
  const holder = await service.database.pool.connect();
  try {
    await holder.query("BEGIN");
    await holder.query("SELECT 1 FROM session WHERE shop = $1 FOR UPDATE", [shop]);
    const own = query();
    const other = add(1);
    await lockWaiters(service.database, 2, "%session%");
    await holder.query("COMMIT");
    expect(await own).toMatchObject({ data: {} });
    await other;
  } finally {
    holder.release(true);
  }
  expect((await add(1)).status).toBe(200);
  expect(oauth().slice(before)).toEqual(["refreshed an offline token"]);
});

test("a process whose refresh is refused uses the tokens that were stored meanwhile", async () => {
  await expire();
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const remove = store.faults.inject({ on: "token", behaviour: { until: held }, times: 1 });
  const own = query();
  // The merchant opens the app, and uses up the refresh token that the process has sent.
  await until("the lease", async () => {
    const rows = await service.database.rows("SELECT 1 FROM session WHERE shop = $1 AND refresh_lease_until > now()", [
      shop,
    ]);
    return rows.length > 0;
  });
  remove();
  expect((await shopify.openApp({ app: service.url, shop })).status).toBe(200);
  store.tokens.endRefreshTokens({ exceptLast: true });
  release();
  expect(await own).toMatchObject({ data: {} });
  expect(await failing()).toEqual({ failing: false, error: null });
});

test("a killed process delays the next refresh until its lease ends", MATRIX, async () => {
  await service.database.rows(
    "UPDATE session SET expires = now(), refresh_lease_until = now() + interval '1 hour' WHERE shop = $1",
    [shop],
  );
  const before = oauth().length;
  const own = query();
  expect((await add(1)).error().code).toBe("catalog_unavailable");
  expect(oauth().slice(before)).toEqual([]);
  await service.database.rows("UPDATE session SET refresh_lease_until = now() WHERE shop = $1", [shop]);
  expect(await own).toMatchObject({ data: {} });
  expect((await add(1)).status).toBe(200);
});

test("a response that breaks off delays no later refresh", async () => {
  await expire();
  const broken = new ReadableStream({
    pull(controller) {
      controller.error(new Error("the connection was closed"));
    },
  });
  await expect(validSession(shop, async () => new Response(broken))).rejects.toThrow("the connection was closed");
  // Look-ups end before a lease does.
  expect((await add(1)).status).toBe(200);
});

test("a token that another process has replaced during a request is no reason to fail", async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  store.faults.inject({ on: "graphql", behaviour: { until: held }, times: 1 });
  const requests = store.adminApiRequests.length;
  const own = query();
  await until("the request", () => store.adminApiRequests.length > requests);
  await expire();
  expect((await add(1)).status).toBe(200);
  release();
  expect(await own).toMatchObject({ data: {} });
});

test("a refused refresh is recorded until the merchant opens the app", async () => {
  store.tokens.endRefreshTokens();
  await expire();
  expect((await add(1)).status).toBe(503);
  expect(await failing()).toEqual({
    failing: true,
    error: expect.stringMatching(/^Shopify does not refresh the access token: 400 invalid_grant/),
  });
  expect((await shopify.openApp({ app: service.url, shop })).status).toBe(200);
  expect(await failing()).toEqual({ failing: false, error: null });
  expect((await add(1)).status).toBe(200);
});

test("tokens that expire within minutes are an error, and are not requested without end", async () => {
  await expire();
  let requests = 0;
  const refreshing = validSession(shop, async () => {
    if (++requests > 5) throw new Error("requested without end");
    const tokens = { access_token: `a${requests}`, refresh_token: `r${requests}`, scope: "read_products" };
    return Response.json({ ...tokens, expires_in: 60, refresh_token_expires_in: 3_600 });
  });
  await expect(refreshing).rejects.toThrow("expire within minutes");
  expect(requests).toBe(2);
});
