import { describe, expect } from "vitest";
import type { Scope } from "../../app/access/index.server.ts";
import { resources } from "../../app/surfaces/v1/index.server.ts";
import type { ApiResponse, Call, CallOptions } from "../support/app/client.ts";
import { expectFailure } from "../support/app/failure.ts";
import type { InProcessApp } from "../support/app/in-process.ts";
import { exchange, guestToken, makeShop, publishKey, type TestShop } from "../support/app/shop.ts";
import { accountToken, customerSessionToken } from "../support/app/session-token.ts";
import { SHOPIFY_ENV } from "../support/app/storefront.ts";
import { everythingStored, storedWishlist } from "../support/app/stored-rows.ts";
import { test } from "../support/app/fixtures.ts";

/** A product that only the victim has: a response with it is a leak. */
const TREASURE = "treasure-of-the-victim";

interface Route {
  name: string;
  scope: Scope;
  request: (customerId: string) => [method: string, path: string, options?: CallOptions];
  /** of a permitted response; 200 by default */
  status?: number;
  /** data of permitted responses, or the code of a refusal: for a customer without a wishlist, and for one with the product */
  allowed: {
    nothingSaved: unknown;
    treasureSaved: unknown;
    /** for a guest without a list, where it differs from a customer without one */
    newGuest?: string;
  };
}

const treasure = { productId: TREASURE, variantId: "v", addedAt: expect.any(String) as unknown };
const link = {
  shareToken: expect.any(String) as unknown,
  shareUrl: expect.any(String) as unknown,
  expiresAt: expect.any(String) as unknown,
  sharedBy: null,
};
const merged = { merged: true, addedCount: 1, skipped: [] };

const time = expect.any(String) as unknown;
/** The default list. */
const listed = (itemCount: number): Record<string, unknown> => ({
  listId: "default",
  name: null,
  itemCount,
  isDefault: true,
  position: 0,
  shared: itemCount > 0,
  version: expect.any(Number) as unknown,
  createdAt: itemCount > 0 ? time : null,
  updatedAt: itemCount > 0 ? time : null,
});
const createdList = {
  ...listed(1),
  listId: expect.any(String) as unknown,
  name: "New",
  itemCount: 0,
  isDefault: false,
  position: 1,
  shared: false,
};

const addedNew = { op: "add", productId: "new", variantId: "v", changed: true };

const noAlerts = {
  offered: [],
  alerts: ["price_dropped", "back_in_stock", "low_stock", "reminder_due"].map((kind) => ({
    kind,
    on: false,
    since: null,
  })),
};

const ROUTES: Route[] = [
  {
    name: "GET /v1/wishlists/{customerId}",
    scope: "read_wishlists",
    request: (customer) => ["GET", `/v1/wishlists/${customer}`],
    allowed: {
      nothingSaved: { items: [], count: 0, total: 0, has_more: false },
      treasureSaved: { items: [treasure], count: 1, total: 1, has_more: false },
    },
  },
  {
    name: "POST /v1/wishlists/{customerId}/items",
    scope: "write_wishlists",
    request: (customer) => [
      "POST",
      `/v1/wishlists/${customer}/items`,
      { json: { product_id: "new", variant_id: "v" } },
    ],
    allowed: { nothingSaved: { added: true, itemCount: 1 }, treasureSaved: { added: true, itemCount: 2 } },
  },
  {
    name: "DELETE /v1/wishlists/{customerId}/items/{productId}",
    scope: "write_wishlists",
    request: (customer) => ["DELETE", `/v1/wishlists/${customer}/items/${TREASURE}`],
    allowed: { nothingSaved: { removed: false, itemCount: 0 }, treasureSaved: { removed: true, itemCount: 0 } },
  },
  {
    name: "POST /v1/wishlists/{customerId}/merge",
    scope: "write_wishlists",
    request: (customer) => [
      "POST",
      `/v1/wishlists/${customer}/merge`,
      { json: { items: [{ productId: "new", variantId: "v", addedAt: "2026-01-01T00:00:00.000Z" }] } },
    ],
    allowed: { nothingSaved: { ...merged, itemCount: 1 }, treasureSaved: { ...merged, itemCount: 2 } },
  },
  {
    name: "GET /v1/wishlists/{customerId}/share",
    scope: "write_wishlists",
    request: (customer) => ["GET", `/v1/wishlists/${customer}/share`],
    allowed: { nothingSaved: link, treasureSaved: link },
  },
  {
    name: "PATCH /v1/wishlists/{customerId}/share",
    scope: "write_wishlists",
    request: (customer) => ["PATCH", `/v1/wishlists/${customer}/share`, { json: { shared_by: null } }],
    allowed: { nothingSaved: link, treasureSaved: link },
  },
  {
    name: "DELETE /v1/wishlists/{customerId}/share",
    scope: "write_wishlists",
    request: (customer) => ["DELETE", `/v1/wishlists/${customer}/share`],
    allowed: { nothingSaved: { revoked: false }, treasureSaved: { revoked: true } },
  },
  {
    name: "GET /v1/wishlists/{customerId}/alerts",
    scope: "read_wishlists",
    request: (customer) => ["GET", `/v1/wishlists/${customer}/alerts`],
    allowed: { nothingSaved: noAlerts, treasureSaved: noAlerts },
  },
  {
    name: "PATCH /v1/wishlists/{customerId}/alerts",
    scope: "write_wishlists",
    request: (customer) => ["PATCH", `/v1/wishlists/${customer}/alerts`, { json: { alerts: { low_stock: false } } }],
    allowed: { nothingSaved: noAlerts, treasureSaved: noAlerts },
  },
  {
    name: "GET /v1/wishlists/{customerId}/alert-requests",
    scope: "read_wishlists",
    request: (customer) => ["GET", `/v1/wishlists/${customer}/alert-requests`],
    allowed: { nothingSaved: { offered: [], requests: [] }, treasureSaved: { offered: [], requests: [] } },
  },
  {
    name: "POST /v1/wishlists/{customerId}/alert-requests",
    scope: "write_wishlists",
    request: (customer) => [
      "POST",
      `/v1/wishlists/${customer}/alert-requests`,
      { json: { kind: "back_in_stock", product_id: TREASURE, variant_id: "v" } },
    ],
    // No shop here has alerts on, and a guest needs an address.
    allowed: { nothingSaved: "alerts_unavailable", treasureSaved: "alerts_unavailable", newGuest: "invalid_request" },
  },
  {
    name: "DELETE /v1/wishlists/{customerId}/alert-requests/{productId}",
    scope: "write_wishlists",
    request: (customer) => ["DELETE", `/v1/wishlists/${customer}/alert-requests/${TREASURE}`],
    allowed: { nothingSaved: { withdrawn: 0 }, treasureSaved: { withdrawn: 0 } },
  },
  {
    name: "GET /v1/wishlists/{customerId}/contains",
    scope: "read_wishlists",
    request: (customer) => ["GET", `/v1/wishlists/${customer}/contains?product_id=${TREASURE}`],
    allowed: {
      nothingSaved: { products: [], has_more: false },
      treasureSaved: {
        products: [{ productId: TREASURE, variants: [{ variantId: "v", listIds: ["default"] }] }],
        has_more: false,
      },
    },
  },
  {
    name: "GET /v1/wishlists/{customerId}/lists",
    scope: "read_wishlists",
    request: (customer) => ["GET", `/v1/wishlists/${customer}/lists`],
    allowed: {
      nothingSaved: { lists: [listed(0)], savedCount: 0, nextCursor: null },
      treasureSaved: { lists: [listed(1)], savedCount: 1, nextCursor: null },
    },
  },
  {
    name: "POST /v1/wishlists/{customerId}/cart",
    scope: "write_wishlists",
    request: (customer) => [
      "POST",
      `/v1/wishlists/${customer}/cart`,
      { json: { event_id: "e1", items: [{ product_id: TREASURE, variant_id: "v" }] } },
    ],
    allowed: { nothingSaved: { recorded: 0 }, treasureSaved: { recorded: 1 } },
  },
  {
    name: "POST /v1/wishlists/{customerId}/lists",
    scope: "write_wishlists",
    request: (customer) => ["POST", `/v1/wishlists/${customer}/lists`, { json: { name: "New" } }],
    status: 201,
    allowed: { nothingSaved: createdList, treasureSaved: createdList },
  },
  {
    name: "GET /v1/wishlists/{customerId}/lists/{listId}",
    scope: "read_wishlists",
    request: (customer) => ["GET", `/v1/wishlists/${customer}/lists/default`],
    allowed: { nothingSaved: listed(0), treasureSaved: listed(1) },
  },
  {
    name: "PATCH /v1/wishlists/{customerId}/lists/{listId}",
    scope: "write_wishlists",
    request: (customer) => ["PATCH", `/v1/wishlists/${customer}/lists/default`, { json: { name: "Mine" } }],
    allowed: {
      nothingSaved: { ...listed(1), name: "Mine", itemCount: 0, shared: false },
      treasureSaved: { ...listed(1), name: "Mine" },
      newGuest: "list_not_found",
    },
  },
  {
    name: "DELETE /v1/wishlists/{customerId}/lists/{listId}",
    scope: "write_wishlists",
    request: (customer) => ["DELETE", `/v1/wishlists/${customer}/lists/unknown`],
    allowed: { nothingSaved: "list_not_found", treasureSaved: "list_not_found" },
  },
  {
    name: "GET /v1/wishlists/{customerId}/lists/{listId}/items",
    scope: "read_wishlists",
    request: (customer) => ["GET", `/v1/wishlists/${customer}/lists/default/items`],
    allowed: {
      nothingSaved: { items: [], count: 0, total: 0, has_more: false },
      treasureSaved: { items: [treasure], count: 1, total: 1, has_more: false },
    },
  },
  {
    name: "POST /v1/wishlists/{customerId}/lists/{listId}/items",
    scope: "write_wishlists",
    request: (customer) => [
      "POST",
      `/v1/wishlists/${customer}/lists/default/items`,
      { json: { product_id: "new", variant_id: "v" } },
    ],
    allowed: { nothingSaved: { added: true, itemCount: 1 }, treasureSaved: { added: true, itemCount: 2 } },
  },
  {
    name: "PATCH /v1/wishlists/{customerId}/lists/{listId}/items/{productId}",
    scope: "write_wishlists",
    request: (customer) => [
      "PATCH",
      `/v1/wishlists/${customer}/lists/default/items/${TREASURE}`,
      { json: { quantity: 2 } },
    ],
    allowed: { nothingSaved: "item_not_found", treasureSaved: { ...treasure, updated: true, quantity: 2 } },
  },
  {
    name: "DELETE /v1/wishlists/{customerId}/lists/{listId}/items/{productId}",
    scope: "write_wishlists",
    request: (customer) => ["DELETE", `/v1/wishlists/${customer}/lists/default/items/${TREASURE}`],
    allowed: { nothingSaved: { removed: false, itemCount: 0 }, treasureSaved: { removed: true, itemCount: 0 } },
  },
  {
    name: "POST /v1/wishlists/{customerId}/lists/{listId}/items/move",
    scope: "write_wishlists",
    request: (customer) => [
      "POST",
      `/v1/wishlists/${customer}/lists/default/items/move`,
      { json: { items: [{ productId: TREASURE }], to: "unknown" } },
    ],
    allowed: { nothingSaved: "list_not_found", treasureSaved: "list_not_found" },
  },
  {
    name: "POST /v1/wishlists/{customerId}/lists/{listId}/items/batch",
    scope: "write_wishlists",
    request: (customer) => [
      "POST",
      `/v1/wishlists/${customer}/lists/default/items/batch`,
      { json: { operations: [{ op: "add", productId: "new", variantId: "v" }] } },
    ],
    allowed: {
      nothingSaved: { results: [addedNew], itemCount: 1 },
      treasureSaved: { results: [addedNew], itemCount: 2 },
    },
  },
  {
    name: "GET /v1/wishlists/{customerId}/lists/{listId}/history",
    scope: "read_wishlists",
    request: (customer) => ["GET", `/v1/wishlists/${customer}/lists/default/history`],
    allowed: {
      nothingSaved: { versions: [], nextCursor: null },
      treasureSaved: {
        versions: [expect.objectContaining({ version: 1, source: "api", addedCount: 1, itemCount: 1 }) as unknown],
        nextCursor: null,
      },
    },
  },
  {
    name: "POST /v1/wishlists/{customerId}/lists/{listId}/restore",
    scope: "write_wishlists",
    request: (customer) => ["POST", `/v1/wishlists/${customer}/lists/default/restore`, { json: { version: 0 } }],
    allowed: {
      nothingSaved: { addedCount: 0, removedCount: 0, updatedCount: 0, itemCount: 0, version: 0 },
      treasureSaved: { addedCount: 0, removedCount: 1, updatedCount: 0, itemCount: 0, version: 2 },
    },
  },
  {
    name: "GET /v1/wishlists/{customerId}/lists/{listId}/share",
    scope: "write_wishlists",
    request: (customer) => ["GET", `/v1/wishlists/${customer}/lists/default/share`],
    allowed: { nothingSaved: link, treasureSaved: link },
  },
  {
    name: "PATCH /v1/wishlists/{customerId}/lists/{listId}/share",
    scope: "write_wishlists",
    request: (customer) => ["PATCH", `/v1/wishlists/${customer}/lists/default/share`, { json: { shared_by: null } }],
    allowed: { nothingSaved: link, treasureSaved: link },
  },
  {
    name: "DELETE /v1/wishlists/{customerId}/lists/{listId}/share",
    scope: "write_wishlists",
    request: (customer) => ["DELETE", `/v1/wishlists/${customer}/lists/default/share`],
    allowed: { nothingSaved: { revoked: false }, treasureSaved: { revoked: true } },
  },
];

/** Returns what a permitted response holds: its data, or the code of a refusal. */
function outcomeOf(response: ApiResponse, { status = 200 }: Route): unknown {
  if (response.status >= 400) return response.error().code;
  expect(response.status).toBe(status);
  return response.data();
}

test.override({ appOptions: { env: SHOPIFY_ENV }, shopOptions: { plan: "growth" } });

let service: InProcessApp;
let call: Call;
/** the shop whose customer `victim` saved the treasure and shared it */
let shop: TestShop;
let stranger: TestShop;
let shareToken: string;
let publishableKey: string;
let owners = 0;

async function saveTreasure(customerId: string): Promise<string> {
  const json = { product_id: TREASURE, variant_id: "v" };
  (await call("POST", `/v1/wishlists/${customerId}/items`, { token: shop.token, json })).data();
  const shared = await call("GET", `/v1/wishlists/${customerId}/share`, { token: shop.token });
  return shared.data<{ shareToken: string }>().shareToken;
}

test.beforeAll(async ({ app, call: apiCall, shop: madeShop }) => {
  service = app;
  call = apiCall;
  shop = madeShop;
  stranger = await makeShop(service, call);
  shareToken = await saveTreasure("victim");
  publishableKey = await publishKey(shop);
});

test("this file's table lists every wishlist route that needs a token, with its scope", () => {
  const declared = resources
    .filter(({ path }) => path.startsWith("/v1/wishlists/"))
    .flatMap(({ path, endpoints }) =>
      endpoints.flatMap(({ method, access }) =>
        access.kind === "public" ? [] : [`${method} ${path} ${String(access.scope)}`],
      ),
    );
  expect(declared.sort()).toEqual(ROUTES.map(({ name, scope }) => `${name} ${scope}`).sort());
});

interface Refused {
  identity: string;
  headers: (route: Route) => Promise<Record<string, string>> | Record<string, string>;
  status: number;
  code: string;
  details?: (route: Route) => unknown;
  challenge: string | null;
}

const INVALID = 'Bearer realm="wishlist", error="invalid_token", error_description="not valid"';

async function bearer(token: string | Promise<string>): Promise<Record<string, string>> {
  return { authorization: `Bearer ${await token}` };
}

function withoutSignature(token: string): string {
  return token.slice(0, token.lastIndexOf(".") + 1);
}

function otherScope(scope: Scope): Scope {
  return scope === "read_wishlists" ? "write_wishlists" : "read_wishlists";
}

const REFUSED: Refused[] = [
  {
    identity: "no token",
    headers: () => ({}),
    status: 401,
    code: "missing_token",
    challenge: 'Bearer realm="wishlist"',
  },
  {
    identity: "an empty Authorization",
    headers: () => ({ authorization: "" }),
    status: 401,
    code: "missing_token",
    challenge: 'Bearer realm="wishlist"',
  },
  ...(
    [
      ["garbage", () => bearer("garbage")],
      ["no token behind the scheme", () => ({ authorization: "Bearer" })],
      ["another scheme", () => ({ authorization: `Basic ${Buffer.from("a:b").toString("base64")}` })],
      ["the token without its scheme", () => ({ authorization: shop.token })],
      ["the token without its signature", () => bearer(withoutSignature(shop.token))],
      [
        "the token with another shop's signature",
        () => bearer(withoutSignature(shop.token) + String(stranger.token.split(".")[2])),
      ],
      ["two tokens", () => bearer(`${shop.token}, Bearer ${shop.token}`)],
      ["the API key and secret", () => bearer(`${shop.keyId}.${shop.secret}`)],
      ["the share token", () => bearer(shareToken)],
      ["Shopify's session token of a customer", () => bearer(customerSessionToken(shop.domain))],
    ] satisfies [string, Refused["headers"]][]
  ).map(([identity, headers]) => ({ identity, headers, status: 401, code: "invalid_token", challenge: INVALID })),
  ...(
    [
      ["a token without the scope", (route: Route) => bearer(exchange(call, shop, { scope: otherScope(route.scope) }))],
      [
        "a token with admin scopes alone",
        () => bearer(exchange(call, shop, { scope: "read_analytics read_webhooks write_webhooks" })),
      ],
      [
        "the customer's own token without the scope",
        (route: Route) => bearer(exchange(call, shop, { scope: otherScope(route.scope), customer_id: "victim" })),
      ],
    ] satisfies [string, Refused["headers"]][]
  ).map(([identity, headers]) => ({
    identity,
    headers,
    status: 403,
    code: "insufficient_scope",
    details: ({ scope }: Route) => ({ requiredScope: scope }),
    challenge: 'Bearer realm="wishlist", error="insufficient_scope"',
  })),
  {
    identity: "another customer's token",
    headers: () => bearer(exchange(call, shop, { customer_id: "thief" })),
    status: 403,
    code: "customer_mismatch",
    challenge: null,
  },
  {
    identity: "the token of another customer's account",
    headers: () => bearer(accountToken(call, shop, "7009")),
    status: 403,
    code: "customer_mismatch",
    challenge: null,
  },
  {
    identity: "a guest's token",
    headers: () => bearer(guestToken(call, shop, { key: publishableKey })),
    status: 403,
    code: "customer_mismatch",
    challenge: null,
  },
];

function send(route: Route, customerId: string, headers: Record<string, string>): Promise<ApiResponse> {
  const [method, path, options] = route.request(customerId);
  return call(method, path, { ...options, headers });
}

// First, while little is stored: each of these tests compares all of it.
describe.each(ROUTES)("$name", (route) => {
  test.each(REFUSED)(
    "refuses $identity with $status $code and changes nothing",
    async ({ headers, status, code, details, challenge }) => {
      const sent = await headers(route);
      const before = await everythingStored(service.database);
      for (const customer of ["victim", "gid:%2F%2Fshopify%2FCustomer%2Fvictim", "%76ictim"]) {
        const response = await send(route, customer, sent);
        expectFailure(response, status, code, details?.(route));
        expect(response.headers.get("www-authenticate")).toBe(challenge);
        expect(response.text).not.toContain(TREASURE);
      }
      expect(await everythingStored(service.database)).toEqual(before);
    },
  );
});

describe.each(ROUTES)("$name", (route) => {
  test.each([
    ["all of its scopes", {}],
    ["a customer of the same id", { customer_id: "victim" }],
  ])("another shop's token for %s gets the response for an unknown id", async (_for, more) => {
    const at = await makeShop(service, call, { plan: "growth" });
    const token = await exchange(call, at, more);
    const before = await everythingStored(service.database, shop.id);
    const response = await send(route, "victim", await bearer(token));
    expect(outcomeOf(response, route)).toEqual(route.allowed.nothingSaved);
    expect(response.text).not.toContain(TREASURE);
    expect(response.text).not.toContain(shareToken);
    expect(await everythingStored(service.database, shop.id)).toEqual(before);
  });

  test("with `me`, accepts a guest's token and affects this guest only", async () => {
    const victim = await storedWishlist(service.database, shop.id, "victim");
    const response = await send(route, "me", await bearer(guestToken(call, shop, { key: publishableKey })));
    expect(outcomeOf(response, route)).toEqual(
      route.allowed.newGuest ??
        (/\/(share|alerts|alert-requests(\/\{productId\})?)$/.test(route.name)
          ? "customer_required"
          : route.allowed.nothingSaved),
    );
    expect(response.text).not.toContain(shareToken);
    expect(await storedWishlist(service.database, shop.id, "victim")).toEqual(victim);
  });

  test("with `me`, accepts the customer's own token and affects this customer only", async () => {
    const owner = `owner-${++owners}`;
    await saveTreasure(owner);
    const victim = await storedWishlist(service.database, shop.id, "victim");
    const response = await send(route, "me", await bearer(exchange(call, shop, { customer_id: owner })));
    expect(outcomeOf(response, route)).toEqual(route.allowed.treasureSaved);
    expect(await storedWishlist(service.database, shop.id, "victim")).toEqual(victim);
  });

  test("with `me`, refuses a token that is bound to nobody", async () => {
    const response = await send(route, "me", await bearer(exchange(call, shop)));
    expectFailure(response, 400, "not_bound", undefined);
  });

  test("with `me`, accepts the token of a customer account and affects this customer only", async () => {
    const owner = String(8_000 + ++owners);
    await saveTreasure(owner);
    const victim = await storedWishlist(service.database, shop.id, "victim");
    const response = await send(route, "me", await bearer(accountToken(call, shop, owner)));
    expect(outcomeOf(response, route)).toEqual(route.allowed.treasureSaved);
    expect(await storedWishlist(service.database, shop.id, "victim")).toEqual(victim);
  });

  test.each([
    ["the shop's token", {}],
    ["a token with this scope alone", { scope: route.scope }],
    ["the customer's own token", { customer_id: "owner" }],
    ["the customer's own token with this scope alone", { customer_id: "owner", scope: route.scope }],
  ])("accepts %s and affects this customer only", async (_whose, more) => {
    const owner = `owner-${++owners}`;
    await saveTreasure(owner);
    const victim = await storedWishlist(service.database, shop.id, "victim");
    const bound = "customer_id" in more ? { ...more, customer_id: owner } : more;
    const response = await send(route, owner, await bearer(exchange(call, shop, bound)));
    expect(outcomeOf(response, route)).toEqual(route.allowed.treasureSaved);
    expect(await storedWishlist(service.database, shop.id, "victim")).toEqual(victim);
  });
});

test("a customer-bound token does not reveal whether another customer exists", async () => {
  const headers = await bearer(exchange(call, shop, { customer_id: "thief" }));
  for (const route of ROUTES) {
    const responses = await Promise.all(["victim", "nobody"].map((customer) => send(route, customer, headers)));
    const [known, unknown] = responses.map((response) => ({ ...response.error(), requestId: "" }));
    expect(known).toEqual(unknown);
  }
});

test("a shared list is readable without a token and with an invalid one", async () => {
  const tokens = [stranger.token, await exchange(call, stranger, { customer_id: "victim" }), "garbage"];
  const headers = [{}, ...(await Promise.all(tokens.map((token) => bearer(token))))];
  for (const sent of headers) {
    const response = await call("GET", `/v1/wishlists/shared/${shareToken}`, { headers: sent });
    expect([response.status, response.data<{ items: unknown[] }>().items]).toEqual([200, [treasure]]);
  }
});
