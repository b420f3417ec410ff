import { decodeJwt, decodeProtectedHeader, jwtVerify } from "jose";
import { expect } from "vitest";
import { ALL_SCOPES, createKey, revokeKey, type IssuedKey, type Scope } from "../../app/access/index.server.ts";
import { transaction } from "../../app/platform/database/transaction.server.ts";
import { Failure } from "../../app/platform/failure.ts";
import { checkedId } from "../../app/platform/ids.server.ts";
import type { ApiResponse, Call } from "../support/app/client.ts";
import { expectFailure, problemsAt } from "../support/app/failure.ts";
import { forgedKeyId } from "../support/access/forged-key.ts";
import type { InProcessApp } from "../support/app/in-process.ts";
import { TOKEN_SECRET } from "../support/app/service.ts";
import { exchange, makeShop, type TestShop } from "../support/app/shop.ts";
import { everythingStored } from "../support/app/stored-rows.ts";
import { test } from "../support/app/fixtures.ts";

let service: InProcessApp;
let call: Call;
let shop: TestShop;

test.override("shopOptions", { products: { p1: "v1" } });
test.beforeAll(({ app, call: apiCall, shop: madeShop }) => {
  service = app;
  call = apiCall;
  shop = madeShop;
});

function post(json: unknown): Promise<ApiResponse> {
  return call("POST", "/v1/auth/token", { json });
}

/** Creates a key that no instance has cached. */
async function makeKey(shopId: number, more: { scopes?: readonly Scope[]; expiresAt?: Date } = {}): Promise<IssuedKey> {
  const key = await transaction(shopId, (tx) => createKey(tx, { shopId, name: "test", scopes: ALL_SCOPES, ...more }));
  if (key instanceof Failure) throw new Error(key.message);
  return key;
}

/** Replaces one character of a text by another of the same kind. */
function mistyped(text: string): string {
  const index = 10;
  return text.slice(0, index) + (text.charAt(index) === "a" ? "b" : "a") + text.slice(index + 1);
}

async function lastUsed(keyId: string): Promise<Date | null | undefined> {
  const rows = await service.database.rows<{ last_used_at: Date | null }>(
    "SELECT last_used_at FROM api_key WHERE key_id = $1",
    [keyId],
  );
  return rows[0]?.last_used_at;
}

test("a key and its secret are exchanged for a token of 3600 seconds", async () => {
  const response = await post({ api_key: shop.keyId, api_secret: shop.secret });
  const { token } = response.data<{ token: string }>();
  expect(response.status).toBe(200);
  expect(response.body).toEqual({ ok: true, data: { token, expiresIn: 3600 } });
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect((await call("GET", "/v1/wishlists/c1", { token })).status).toBe(200);
});

test("a token names key, shop, scopes and expiry, signed with the first secret", async () => {
  const token = await exchange(call, shop);
  const { payload, protectedHeader } = await jwtVerify(token, new TextEncoder().encode(TOKEN_SECRET), {
    algorithms: ["HS256"],
    typ: "at+jwt",
  });
  expect(Object.keys(protectedHeader).sort()).toEqual(["alg", "kid", "typ"]);
  expect(protectedHeader.kid).toMatch(/\S/);
  expect(Object.keys(payload).sort()).toEqual(["aud", "exp", "iat", "iss", "jti", "scope", "shop", "sub"]);
  expect(payload).toMatchObject({ sub: shop.keyId, shop: shop.domain });
  expect(payload.iss).toMatch(/\S/);
  expect(payload.aud).toMatch(/\S/);
  expect(Number(payload.exp) - Number(payload.iat)).toBe(3600);
  expect(String(payload["scope"]).split(" ").sort()).toEqual([...ALL_SCOPES].sort());
});

test("each token has a unique id", async () => {
  const [first, second] = await Promise.all([exchange(call, shop), exchange(call, shop)]);
  expect(decodeJwt(first).jti).not.toBe(decodeJwt(second).jti);
});

test("neither token nor response reveals the API secret or the signing secret", async () => {
  const { text } = await post({ api_key: shop.keyId, api_secret: shop.secret });
  const token = (JSON.parse(text) as { data: { token: string } }).data.token;
  const readable = text + JSON.stringify(decodeJwt(token)) + JSON.stringify(decodeProtectedHeader(token));
  expect(readable).not.toContain(shop.secret);
  expect(readable).not.toContain(TOKEN_SECRET);
});

test("every refused key gets the same response", async () => {
  const other = await makeShop(service, call);
  const gone = await makeShop(service, call);
  await service.database.rows("UPDATE shop SET uninstalled_at = now() WHERE id = $1", [gone.id]);
  const revoked = await makeKey(shop.id);
  await transaction(shop.id, (tx) => revokeKey(tx, shop.id, revoked.keyId));
  const expired = await makeKey(shop.id, { expiresAt: new Date(0) });
  const uninstalled = await makeKey(gone.id);
  const fresh = await makeKey(shop.id);

  const refused = {
    "secret of another key": [fresh.keyId, other.secret],
    "well-formed secret of no key": [fresh.keyId, checkedId("wls_", 43)],
    "mistyped secret": [fresh.keyId, mistyped(fresh.secret)],
    "secret in another case": [fresh.keyId, fresh.secret.toUpperCase()],
    "key id as secret": [fresh.keyId, fresh.keyId],
    "empty-looking secret": [fresh.keyId, " "],
    "well-formed id of no key": [checkedId("wlk_", 22), fresh.secret],
    "mistyped key id": [mistyped(fresh.keyId), fresh.secret],
    "key id with a space": [` ${fresh.keyId}`, fresh.secret],
    "secret as key id": [fresh.secret, fresh.keyId],
    "forged key id of NUL bytes": [forgedKeyId("\0"), fresh.secret],
    "forged key id of quotes": [forgedKeyId("'"), fresh.secret],
    "forged key id of lone surrogates": [forgedKeyId("\ud800"), fresh.secret],
    "revoked key": [revoked.keyId, revoked.secret],
    "expired key": [expired.keyId, expired.secret],
    "key of an uninstalled shop": [uninstalled.keyId, uninstalled.secret],
  };
  const bodies = new Map<string, string>();
  for (const [reason, [api_key, api_secret]] of Object.entries(refused)) {
    const response = await post({ api_key, api_secret });
    expectFailure(response, 401, "invalid_credentials");
    expect(response.headers.get("www-authenticate")).toBe('Bearer realm="wishlist"');
    bodies.set(reason, response.text.replace(response.error().requestId, ""));
  }
  expect(new Set(bodies.values()).size).toBe(1);
  for (const key of [fresh, revoked, expired, uninstalled]) expect(await lastUsed(key.keyId)).toBeNull();
});

test("a successful exchange records the time on the key", async () => {
  const key = await makeKey(shop.id);
  expect(await lastUsed(key.keyId)).toBeNull();
  await exchange(call, key);
  expect(await lastUsed(key.keyId)).toBeInstanceOf(Date);
});

const key = { api_key: "wlk_x", api_secret: "wls_x" };

test.each<[why: string, body: unknown, ...places: string[]]>([
  ["no fields", {}, "body.api_key", "body.api_secret"],
  ["no secret", { api_key: "wlk_x" }, "body.api_secret"],
  ["an empty key", { ...key, api_key: "" }, "body.api_key"],
  ["an empty secret", { ...key, api_secret: "" }, "body.api_secret"],
  ["a number for a key", { ...key, api_key: 1 }, "body.api_key"],
  ["null for a secret", { ...key, api_secret: null }, "body.api_secret"],
  ["a list for a secret", { ...key, api_secret: ["wls_x"] }, "body.api_secret"],
  ["a key beyond all keys", { ...key, api_key: "x".repeat(256) }, "body.api_key"],
  ["an unknown field", { ...key, grant_type: "client_credentials" }, "body.grant_type"],
  ["a list for a body", [key], "body"],
  ["null for a body", null, "body"],
  ["an unknown scope", { ...key, scope: "read_everything" }, "body.scope"],
  ["a scope in capitals", { ...key, scope: "READ_WISHLISTS" }, "body.scope"],
  ["scopes parted by commas", { ...key, scope: "read_wishlists,write_wishlists" }, "body.scope"],
  ["an empty scope", { ...key, scope: "" }, "body.scope"],
  ["null for a scope", { ...key, scope: null }, "body.scope"],
  ["a list for a scope", { ...key, scope: ["read_wishlists"] }, "body.scope"],
  ["the customer `shared`", { ...key, customer_id: "shared" }, "body.customer_id"],
  ["the customer `shared` as a GID", { ...key, customer_id: "gid://shopify/Customer/shared" }, "body.customer_id"],
  ["a product's GID for a customer", { ...key, customer_id: "gid://shopify/Product/1" }, "body.customer_id"],
  ["a number for a customer", { ...key, customer_id: 7 }, "body.customer_id"],
  ["null for a customer", { ...key, customer_id: null }, "body.customer_id"],
  ["a customer of 256 characters", { ...key, customer_id: "c".repeat(256) }, "body.customer_id"],
  ["a customer with a NUL byte", { ...key, customer_id: "c\0" }, "body.customer_id"],
])("an exchange with %s is refused with the place of the mistake", async (_why, body, ...places) => {
  expectFailure(await post(body), 400, "invalid_request", problemsAt(...places));
});

test("an exchange with camelCase fields gets the right names", async () => {
  const response = await post({ apiKey: shop.keyId, apiSecret: shop.secret });
  expectFailure(response, 400, "invalid_request", [
    { path: "body.apiKey", problem: "is not a known field; did you mean `api_key`?" },
    { path: "body.apiSecret", problem: "is not a known field; did you mean `api_secret`?" },
  ]);
});

test("credentials in the URL are refused", async () => {
  const { keyId, secret } = shop;
  const response = await call("POST", `/v1/auth/token?api_key=${keyId}&api_secret=${secret}`, {
    json: { api_key: keyId, api_secret: secret },
  });
  expectFailure(response, 400, "invalid_request", problemsAt("query.api_key", "query.api_secret"));
});

test("`scope` restricts a token to the requested scopes, in any order", async () => {
  const token = await exchange(call, shop, { scope: "write_wishlists read_wishlists write_wishlists" });
  expect(String(decodeJwt(token)["scope"]).split(" ").sort()).toEqual(["read_wishlists", "write_wishlists"]);
});

test("a token restricted to reading cannot write", async () => {
  const token = await exchange(call, shop, { scope: "read_wishlists" });
  expect((await call("GET", "/v1/wishlists/c1", { token })).status).toBe(200);
  const before = await everythingStored(service.database);
  const refused = await call("POST", "/v1/wishlists/c1/items", { token, json: { product_id: "p1" } });
  expectFailure(refused, 403, "insufficient_scope", { requiredScope: "write_wishlists" });
  expect(refused.headers.get("www-authenticate")).toBe('Bearer realm="wishlist", error="insufficient_scope"');
  expect(await everythingStored(service.database)).toEqual(before);
});

test("a key cannot give a token a scope that it lacks", async () => {
  const reader = await makeKey(shop.id, { scopes: ["read_wishlists"] });
  const response = await post({
    api_key: reader.keyId,
    api_secret: reader.secret,
    scope: "read_wishlists write_wishlists",
  });
  expectFailure(response, 403, "insufficient_scope", { requiredScope: "write_wishlists" });
  expect(decodeJwt(await exchange(call, reader))).toMatchObject({ scope: "read_wishlists" });
});

test.each(["c7", "gid://shopify/Customer/c7"])(
  "a token bound to %s names the customer's tail and has wishlist scopes only",
  async (customer_id) => {
    const claims = decodeJwt(await exchange(call, shop, { customer_id }));
    expect(claims).toMatchObject({ customer_id: "c7", shop: shop.domain, sub: shop.keyId });
    expect(String(claims["scope"]).split(" ").sort()).toEqual(["read_wishlists", "write_wishlists"]);
  },
);

test.each<Scope>(["read_analytics", "read_webhooks", "write_webhooks"])(
  "a customer-bound token never gets the admin scope %s",
  async (scope) => {
    const refused = await post({
      api_key: shop.keyId,
      api_secret: shop.secret,
      customer_id: "c7",
      scope: `read_wishlists ${scope}`,
    });
    expectFailure(refused, 403, "insufficient_scope", { requiredScope: scope });
  },
);

test("a key without wishlist scopes cannot issue a customer-bound token", async () => {
  const reporting = await makeKey(shop.id, { scopes: ["read_analytics"] });
  const refused = await post({ api_key: reporting.keyId, api_secret: reporting.secret, customer_id: "c7" });
  expectFailure(refused, 403, "insufficient_scope", { requiredScope: "read_wishlists write_wishlists" });
});

test("`scope` and `customer_id` restrict a token together", async () => {
  const token = await exchange(call, shop, { customer_id: "c7", scope: "read_wishlists" });
  expect(decodeJwt(token)).toMatchObject({ customer_id: "c7", scope: "read_wishlists" });
  const refused = await call("DELETE", "/v1/wishlists/c7/items/p1", { token });
  expectFailure(refused, 403, "insufficient_scope", { requiredScope: "write_wishlists" });
});

test.each(["/v1/wishlists/c7", "/v1/wishlists/gid:%2F%2Fshopify%2FCustomer%2Fc7", "/v1/wishlists/%637"])(
  "a token bound to c7 reads its own wishlist at %s",
  async (path) => {
    const token = await exchange(call, shop, { customer_id: "c7" });
    expect((await call("GET", path, { token })).status).toBe(200);
  },
);

test.each(["c8", "C7", "c", "c77", "%2563%37", "gid:%2F%2Fshopify%2FCustomer%2Fc8"])(
  "a token bound to c7 cannot read the wishlist of %s",
  async (customerId) => {
    const token = await exchange(call, shop, { customer_id: "c7" });
    expectFailure(await call("GET", `/v1/wishlists/${customerId}`, { token }), 403, "customer_mismatch");
  },
);

test.each(["bearer", "BEARER", "Bearer"])("the scheme is accepted as %s (RFC 9110)", async (scheme) => {
  const response = await call("GET", "/v1/wishlists/c1", { headers: { authorization: `${scheme} ${shop.token}` } });
  expect(response.status).toBe(200);
});

test("a secret that a page of another site sends is accepted, and the log warns once of its key", async () => {
  const { keyId, secret } = await makeKey(shop.id);
  const send = (site: string) =>
    call("POST", "/v1/auth/token", {
      json: { api_key: keyId, api_secret: secret },
      headers: { origin: "https://www.shop.example", "sec-fetch-site": site },
    });
  const warnings = () => service.log().filter(({ key, level }) => key === keyId && level === "warn");
  expect((await send("same-origin")).status).toBe(200);
  expect(warnings()).toEqual([]);
  for (const site of ["cross-site", "same-site"]) expect((await send(site)).status).toBe(200);
  expect(warnings()).toMatchObject([
    { shop: shop.domain, key: keyId, msg: expect.stringMatching(/^a page sent/) as unknown },
  ]);
  expect(JSON.stringify(service.log())).not.toContain(secret);
});
