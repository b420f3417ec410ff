import { describe, expect } from "vitest";
import type { Scope } from "../../app/access/index.server.ts";
import { resources } from "../../app/surfaces/v1/index.server.ts";
import type { ApiResponse, Call } from "../support/app/client.ts";
import { ADDED, type Delivery, RECEIVER, subscribe, webhooksStored } from "../support/webhooks/webhooks.ts";
import { expectFailure } from "../support/app/failure.ts";
import { put, takeApart } from "../support/access/jwt.ts";
import type { InProcessApp } from "../support/app/in-process.ts";
import { TOKEN_SECRET } from "../support/app/service.ts";
import { exchange, makeShop, type TestShop } from "../support/app/shop.ts";
import { everythingStored } from "../support/app/stored-rows.ts";
import { test } from "../support/app/fixtures.ts";

/** A product that only the victim's lists and reports contain: a response with it is a leak. */
const TREASURE = "treasure-of-the-victim";

interface Target {
  webhookId: string;
  deliveryId: string;
}

interface Route {
  name: string;
  scope: Scope;
  json?: unknown;
  /** the response for a shop without data; left out where the path names another shop's id */
  ofNothing?: { status: number; data: unknown };
}

const ROUTES: Route[] = [
  {
    name: "GET /v1/analytics/overview",
    scope: "read_analytics",
    ofNothing: { status: 200, data: { totalWishlistedItems: 0, activeShoppers: 0, wishlistToCartRate: 0 } },
  },
  {
    name: "GET /v1/analytics/daily",
    scope: "read_analytics",
    ofNothing: {
      status: 200,
      data: {
        days: Array.from({ length: 30 }, () => ({
          date: expect.any(String) as unknown,
          itemsAdded: 0,
          itemsRemoved: 0,
          uniqueShoppers: 0,
          addToCartFromWishlist: 0,
        })),
      },
    },
  },
  {
    name: "GET /v1/analytics/revenue",
    scope: "read_analytics",
    ofNothing: {
      status: 200,
      data: {
        currency: null,
        countedSince: null,
        orders: 0,
        savedOrders: 0,
        savedOrderRate: 0,
        units: 0,
        revenue: "0.00",
        days: expect.any(Array) as unknown,
        products: [],
      },
    },
  },
  {
    name: "GET /v1/analytics/top-products",
    scope: "read_analytics",
    ofNothing: { status: 200, data: { products: [] } },
  },
  {
    name: "GET /v1/analytics/product/{productId}",
    scope: "read_analytics",
    ofNothing: { status: 200, data: { wishlistCount: 0 } },
  },
  { name: "GET /v1/webhooks", scope: "read_webhooks", ofNothing: { status: 200, data: { webhooks: [] } } },
  {
    name: "POST /v1/webhooks",
    scope: "write_webhooks",
    json: { url: RECEIVER, events: [ADDED] },
    ofNothing: { status: 201, data: expect.objectContaining({ url: RECEIVER }) as unknown },
  },
  { name: "GET /v1/webhooks/{webhookId}", scope: "read_webhooks" },
  { name: "PATCH /v1/webhooks/{webhookId}", scope: "write_webhooks", json: { enabled: false } },
  { name: "DELETE /v1/webhooks/{webhookId}", scope: "write_webhooks" },
  { name: "POST /v1/webhooks/{webhookId}/rotate-secret", scope: "write_webhooks" },
  { name: "POST /v1/webhooks/{webhookId}/test", scope: "write_webhooks" },
  { name: "GET /v1/webhooks/{webhookId}/deliveries", scope: "read_webhooks" },
  { name: "POST /v1/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver", scope: "write_webhooks" },
];

let service: InProcessApp;
let call: Call;
let shop: TestShop;
let stranger: TestShop;
/** the shop's */
let target: Target;

// Without a worker only the requests change stored rows.
test.override("appOptions", { env: { WISHLIST_ROLE: "web" } });
test.beforeAll(async ({ app, call: apiCall, shop: madeShop }) => {
  service = app;
  call = apiCall;
  shop = madeShop;
  stranger = await makeShop(service, call);
  target = await newTarget(shop);
  const json = { product_id: TREASURE, variant_id: "v" };
  (await call("POST", "/v1/wishlists/c1/items", { token: shop.token, json })).data();
  const top = await call("GET", "/v1/analytics/top-products", { token: shop.token });
  expect(top.data()).toEqual({ products: [{ productId: TREASURE, wishlistCount: 1 }] });
});

/** Creates a webhook with a delivery. */
async function newTarget(of: TestShop): Promise<Target> {
  const { webhookId } = await subscribe(call, of, RECEIVER);
  const tested = await call("POST", `/v1/webhooks/${webhookId}/test`, { token: of.token });
  return { webhookId, deliveryId: tested.data<Delivery>().deliveryId };
}

function send({ name, json }: Route, headers: Record<string, string>, of: Target): Promise<ApiResponse> {
  const [method = "", path = ""] = name.split(" ");
  const filled = path
    .replace("{productId}", TREASURE)
    .replace("{webhookId}", of.webhookId)
    .replace("{deliveryId}", of.deliveryId);
  return call(method, filled, { json, headers });
}

async function stored(): Promise<unknown> {
  return [await everythingStored(service.database), await webhooksStored(service.database)];
}

test("this file's table lists every analytics and webhook route with its scope", () => {
  const declared = resources
    .filter(({ path }) => /^\/v1\/(?:analytics|webhooks)\b/.test(path))
    .flatMap(({ path, endpoints }) =>
      endpoints.map(({ method, access }) => `${method} ${path} ${access.kind} ${access.scope ?? ""}`),
    );
  expect(declared.sort()).toEqual(ROUTES.map(({ name, scope }) => `${name} bearer ${scope}`).sort());
});

interface Refused {
  identity: string;
  headers: (route: Route) => Promise<Record<string, string>> | Record<string, string>;
  code: "missing_token" | "invalid_token" | "token_expired" | "insufficient_scope";
}

async function bearer(token: string | Promise<string>): Promise<Record<string, string>> {
  return { authorization: `Bearer ${await token}` };
}

function withoutSignature(token: string): string {
  return token.slice(0, token.lastIndexOf(".") + 1);
}

/** Every scope except the route's. */
function otherScopes(scope: Scope): string {
  const all: Scope[] = ["read_wishlists", "write_wishlists", "read_analytics", "read_webhooks", "write_webhooks"];
  return all.filter((one) => one !== scope).join(" ");
}

function expired(): string {
  const parts = takeApart(shop.token);
  const hoursAgo = (hours: number): number => Math.floor(Date.now() / 1000) - hours * 3_600;
  return put(
    { ...parts, payload: { ...parts.payload, iat: hoursAgo(3), nbf: hoursAgo(3), exp: hoursAgo(2) } },
    TOKEN_SECRET,
  );
}

const REFUSED: Refused[] = [
  { identity: "no token", code: "missing_token", headers: () => ({}) },
  { identity: "garbage", code: "invalid_token", headers: () => bearer("garbage") },
  { identity: "the token without its scheme", code: "invalid_token", headers: () => ({ authorization: shop.token }) },
  {
    identity: "the token without its signature",
    code: "invalid_token",
    headers: () => bearer(withoutSignature(shop.token)),
  },
  {
    identity: "the token with another shop's signature",
    code: "invalid_token",
    headers: () => bearer(withoutSignature(shop.token) + String(stranger.token.split(".")[2])),
  },
  {
    identity: "a token of another issuer",
    code: "invalid_token",
    headers: () => bearer(put(takeApart(shop.token), TOKEN_SECRET.split("").reverse().join(""))),
  },
  { identity: "an expired token", code: "token_expired", headers: () => bearer(expired()) },
  { identity: "the API key and secret", code: "invalid_token", headers: () => bearer(`${shop.keyId}.${shop.secret}`) },
  {
    identity: "a token with every scope but this",
    code: "insufficient_scope",
    headers: ({ scope }) => bearer(exchange(call, shop, { scope: otherScopes(scope) })),
  },
  {
    identity: "a customer's token",
    code: "insufficient_scope",
    headers: () => bearer(exchange(call, shop, { customer_id: "c1" })),
  },
];

describe.each(ROUTES)("$name", (route) => {
  test.each(REFUSED)("refuses $identity with $code and changes nothing", async ({ headers, code }) => {
    const sent = await headers(route);
    const before = await stored();
    const forbidden = code === "insufficient_scope";
    const response = await send(route, sent, target);
    expectFailure(response, forbidden ? 403 : 401, code, forbidden ? { requiredScope: route.scope } : undefined);
    expect(response.text).not.toContain(target.webhookId);
    expect(response.text).not.toContain(TREASURE);
    expect(await stored()).toEqual(before);
  });

  test("accepts a token with this scope alone", async () => {
    const own = await newTarget(shop);
    const response = await send(route, await bearer(exchange(call, shop, { scope: route.scope })), own);
    expect([200, 201]).toContain(response.status);
  });
});

const OF_THE_SHOP = ROUTES.flatMap(({ ofNothing, ...route }) => (ofNothing ? [{ ...route, ofNothing }] : []));
const OF_ONE_WEBHOOK = ROUTES.filter(({ ofNothing }) => !ofNothing);

test.each(OF_THE_SHOP)("$name with another shop's token reads that shop only", async (route) => {
  const at = await makeShop(service, call);
  const before = await everythingStored(service.database, shop.id);
  const response = await send(route, await bearer(at.token), target);
  expect([response.status, response.data()]).toEqual([route.ofNothing.status, route.ofNothing.data]);
  expect(response.text).not.toContain(target.webhookId);
  expect(response.text).not.toContain(TREASURE);
  expect(await everythingStored(service.database, shop.id)).toEqual(before);
});

/** Values in place of an id that a lenient look-up might accept. */
function misspelt(id: string): string[] {
  return [id.slice(0, -1), id.toLowerCase(), `${id} `, `${id}%00`, "whk_", "%27", "*", "a".repeat(5_000)];
}

describe.each(OF_ONE_WEBHOOK)("$name with another shop's token", (route) => {
  test("responds to another shop's ids like to unknown ids and changes nothing", async () => {
    const own = await newTarget(stranger);
    const unknown = {
      webhookId: "whk_4kTz9QmXr2LbYw7NcVd1Hs0cQ3aZ",
      deliveryId: "dlv_01a2b3c4d5e6f708192a3b4c5d6e7f80",
    };
    const token = await bearer(stranger.token);
    const before = await stored();
    const of = async (ids: Target): Promise<unknown> => {
      const response = await send(route, token, ids);
      expectFailure(response, 404, "webhook_not_found");
      expect(response.text).not.toContain(target.webhookId);
      return { ...response.error(), requestId: "" };
    };
    expect(await of(target)).toEqual(await of(unknown));
    expect(await of({ ...target, deliveryId: own.deliveryId })).toEqual(
      await of({ ...unknown, deliveryId: own.deliveryId }),
    );
    const nobodys = await of(unknown);
    for (const webhookId of misspelt(target.webhookId)) expect(await of({ ...target, webhookId })).toEqual(nobodys);
    // Another shop's delivery is unknown below an own webhook as well.
    if (route.name.includes("{deliveryId}"))
      expect(await of({ ...own, deliveryId: target.deliveryId })).toEqual(
        await of({ ...own, deliveryId: unknown.deliveryId }),
      );
    expect(await stored()).toEqual(before);
  });
});
