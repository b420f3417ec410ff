import { describe, expect } from "vitest";
import { revokeKey, rotateKey, setAllowedOrigins } from "../../app/access/index.server.ts";
import { Failure } from "../../app/platform/failure.ts";
import { transaction } from "../../app/platform/database/transaction.server.ts";
import type { ApiResponse, Call } from "../support/app/client.ts";
import { expectFailure } from "../support/app/failure.ts";
import { test } from "../support/app/fixtures.ts";
import type { InProcessApp } from "../support/app/in-process.ts";
import { guestToken, makeShop, newGuestId, ORIGIN, publishKey, type TestShop } from "../support/app/shop.ts";
import { put, takeApart } from "../support/access/jwt.ts";
import { TOKEN_SECRET } from "../support/app/service.ts";
import { everythingStored } from "../support/app/stored-rows.ts";

let app: InProcessApp;
let call: Call;
let shop: TestShop;
let key: string;

test.override({ shopOptions: { plan: "growth" } });

test.beforeAll(async ({ app: started, call: apiCall, shop: madeShop }) => {
  app = started;
  call = apiCall;
  shop = madeShop;
  key = await publishKey(shop);
});

function exchangeKey(body: object, headers: Record<string, string> = { origin: ORIGIN }): Promise<ApiResponse> {
  return call("POST", "/v1/auth/storefront-token", { json: { publishable_key: key, ...body }, headers });
}

function tokenOf(guestId?: string, ofKey = key): Promise<string> {
  return guestToken(call, shop, { ...(guestId === undefined ? {} : { guestId }), key: ofKey });
}

function add(token: string, productId: string): Promise<ApiResponse> {
  return call("POST", "/v1/wishlists/me/items", { token, json: { product_id: productId, variant_id: "v" } });
}

async function saved(token: string): Promise<string[]> {
  const response = await call("GET", "/v1/wishlists/me", { token });
  return response.data<{ items: { productId: string }[] }>().items.map(({ productId }) => productId);
}

describe("a guest's token", () => {
  test("is valid for an hour and names its owner", async () => {
    const response = await exchangeKey({ guest_id: newGuestId() });
    expect(response.data()).toEqual({ token: expect.any(String) as unknown, expiresIn: 3600, owner: "guest" });
  });

  test("reaches the lists of its guest, also after another exchange, and of no other guest", async () => {
    const guest = newGuestId();
    expect((await add(await tokenOf(guest), "lamp")).data()).toEqual({ added: true, itemCount: 1 });
    expect(await saved(await tokenOf(guest))).toEqual(["lamp"]);
    expect(await saved(await tokenOf())).toEqual([]);
  });

  test("can create, fill and read named lists", async () => {
    const token = await tokenOf();
    const made = await call("POST", "/v1/wishlists/me/lists", { token, json: { name: "Birthday" } });
    const { listId } = made.data<{ listId: string }>();
    const json = { product_id: "lamp", variant_id: "v" };
    expect((await call("POST", `/v1/wishlists/me/lists/${listId}/items`, { token, json })).status).toBe(200);
    const found = await call("GET", "/v1/wishlists/me/contains?product_id=lamp", { token });
    expect(found.data()).toEqual({
      products: [{ productId: "lamp", variants: [{ variantId: "v", listIds: [listId] }] }],
      has_more: false,
    });
  });

  test("contains neither the guest's id nor a way to another owner", async () => {
    const guest = newGuestId();
    const claims = Buffer.from((await tokenOf(guest)).split(".")[1] ?? "", "base64url").toString();
    expect(claims).not.toContain(guest);
  });

  test.each([
    ["GET", "/v1/wishlists/7001"],
    ["POST", "/v1/wishlists/7001/items"],
    ["GET", "/v1/wishlists/7001/lists"],
  ])("is refused for %s %s", async (method, path) => {
    const json = method === "POST" ? { json: { product_id: "lamp" } } : {};
    const response = await call(method, path, { token: await tokenOf(), ...json });
    expectFailure(response, 403, "customer_mismatch", undefined);
  });

  test("is refused for a path with the hash of its own guest", async () => {
    const token = await tokenOf();
    const claims = Buffer.from(token.split(".")[1] ?? "", "base64url").toString();
    const { guest } = JSON.parse(claims) as { guest: string };
    expectFailure(await call("GET", `/v1/wishlists/${guest}`, { token }), 403, "customer_mismatch", undefined);
  });

  test.each(["/v1/analytics/overview", "/v1/webhooks"])("is refused for %s", async (path) => {
    expect((await call("GET", path, { token: await tokenOf() })).error().code).toBe("insufficient_scope");
  });

  test("is refused for the change feed, which has customers' changes only", async () => {
    const token = await tokenOf();
    for (const path of ["/v1/changes", "/v1/changes/stream"]) {
      expectFailure(await call("GET", path, { token }), 403, "customer_mismatch", undefined);
    }
  });

  test("can't share a list", async () => {
    const token = await tokenOf();
    await add(token, "lamp");
    for (const path of ["/v1/wishlists/me/share", "/v1/wishlists/me/lists/default/share"]) {
      expectFailure(await call("GET", path, { token }), 403, "customer_required", undefined);
    }
  });

  test("stops with its key within a second", async () => {
    const revoked = await publishKey(shop);
    const token = await tokenOf(newGuestId(), revoked);
    expect(await saved(token)).toEqual([]);
    await transaction(shop.id, (tx) => revokeKey(tx, shop.id, revoked));
    await expect.poll(async () => (await call("GET", "/v1/wishlists/me", { token })).status).toBe(401);
  });

  test("is refused while the shop keeps no lists for guests, and no new one is issued", async () => {
    const at = await makeShop(app, call, { plan: "growth" });
    const itsKey = await publishKey(at);
    const token = await tokenOf(newGuestId(), itsKey);
    await app.database.rows("UPDATE shop SET guest_lists = false, changed_at = now() WHERE id = $1", [at.id]);
    await expect.poll(async () => (await call("GET", "/v1/wishlists/me", { token })).status).toBe(403);
    expect((await add(token, "lamp")).error().code).toBe("guest_lists_off");
    const refused = await exchangeKey({ publishable_key: itsKey, guest_id: newGuestId() });
    expectFailure(refused, 403, "guest_lists_off", undefined);
  });

  test("shares no idempotency keys with another guest's", async () => {
    const headers = { "idempotency-key": "the-same" };
    const create = async () =>
      call("POST", "/v1/wishlists/me/lists", { token: await tokenOf(), json: { name: "Mine" }, headers });
    const [one, other] = [await create(), await create()];
    expect(one.data<{ listId: string }>().listId).not.toBe(other.data<{ listId: string }>().listId);
  });

  test("counts against the guest and the address", async () => {
    const { limits } = await limitsOf(await tokenOf());
    expect(limits).toContain("guest");
    expect(limits).toContain("address");
  });
});

/** Reads which limits a request counts against from `RateLimit-Policy`. */
async function limitsOf(token: string): Promise<{ limits: string }> {
  const response = await call("GET", "/v1/wishlists/me", { token });
  return { limits: response.headers.get("ratelimit-policy") ?? "" };
}

describe("`me`", () => {
  test("is refused for a token that is bound to nobody", async () => {
    expectFailure(await call("GET", "/v1/wishlists/me", { token: shop.token }), 400, "not_bound", undefined);
    const json = { product_id: "lamp", variant_id: "v" };
    expectFailure(
      await call("POST", "/v1/wishlists/me/items", { token: shop.token, json }),
      400,
      "not_bound",
      undefined,
    );
  });

  test("is the customer of a token from the own server", async () => {
    const json = { api_key: shop.keyId, api_secret: shop.secret, customer_id: "7005" };
    const { token } = (await call("POST", "/v1/auth/token", { json })).data<{ token: string }>();
    await add(token, "lamp");
    expect(await saved(token)).toEqual(["lamp"]);
    const named = await call("GET", "/v1/wishlists/7005", { token: shop.token });
    expect(named.data()).toMatchObject({ total: 1 });
  });

  test("is no customer id", async () => {
    const json = { api_key: shop.keyId, api_secret: shop.secret, customer_id: "me" };
    expectFailure(await call("POST", "/v1/auth/token", { json }), 400, "invalid_request", [
      { path: "body.customer_id", problem: "`me` is not a customer id" },
    ]);
  });
});

describe("the exchange of a publishable key", () => {
  test.each([
    ["another origin", { origin: "https://evil.example" }],
    ["a subdomain of the origin", { origin: "https://a.www.shop.example" }],
    ["the origin over HTTP", { origin: "http://www.shop.example" }],
    ["the origin with a port", { origin: "https://www.shop.example:8443" }],
    ["an opaque origin", { origin: "null" }],
    ["no origin", {}],
  ])("refuses %s", async (_what, headers) => {
    const before = await everythingStored(app.database, shop.id);
    expectFailure(await exchangeKey({ guest_id: newGuestId() }, headers), 403, "origin_not_allowed", undefined);
    expect(await everythingStored(app.database, shop.id)).toEqual(before);
  });

  test("accepts the subdomains of a wildcard, and neither its domain nor a domain that ends alike", async () => {
    const wild = await publishKey(shop, ["https://*.shop.example"]);
    const from = async (origin: string) =>
      (await exchangeKey({ publishable_key: wild, guest_id: newGuestId() }, { origin })).status;
    expect(await from("https://a.shop.example")).toBe(200);
    expect(await from("https://a.b.shop.example")).toBe(200);
    expect(await from("https://shop.example")).toBe(403);
    expect(await from("https://evilshop.example")).toBe(403);
    expect(await from("https://.shop.example")).toBe(403);
    expect(await from("https://evil.example/.shop.example")).toBe(403);
  });

  test("follows a change of the key's origins within a second", async () => {
    const changed = await publishKey(shop);
    const from = async (origin: string) =>
      (await exchangeKey({ publishable_key: changed, guest_id: newGuestId() }, { origin })).status;
    // Every second, the process forgets keys that have changed in the last ten seconds. This one it keeps in memory.
    const past = new Date(Date.now() - 3_600_000).toISOString();
    await app.database.rows(`DO $$ BEGIN
      PERFORM set_config('session_replication_role', 'replica', true);
      UPDATE shop SET changed_at = '${past}' WHERE id = ${shop.id};
      UPDATE api_key SET changed_at = '${past}' WHERE key_id = '${changed}';
    END $$`);
    expect(await from(ORIGIN)).toBe(200);
    await transaction(shop.id, (tx) => setAllowedOrigins(tx, shop.id, changed, ["https://new.example"]));
    await expect.poll(() => from("https://new.example")).toBe(200);
    expect(await from(ORIGIN)).toBe(403);
  });

  test.each([
    ["an unknown key", () => `wlp_${"0".repeat(28)}`],
    ["the id of a key with a secret", () => shop.keyId],
    ["a secret", () => shop.secret],
    ["a key with a typing error", () => `${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`],
  ])("refuses %s", async (_what, given) => {
    const response = await exchangeKey({ publishable_key: given(), guest_id: newGuestId() });
    expectFailure(response, 401, "invalid_publishable_key", undefined);
    expect(response.text).not.toContain(given());
  });

  test.each([
    ["no shopper", {}, "body", "needs guest_id or customer_access_token"],
    ["a short guest id", { guest_id: "short" }, "body.guest_id", "must be 22 to 64 letters, digits, `-` or `_`"],
    ["a named customer", { guest_id: newGuestId(), customer_id: "7001" }, "body.customer_id", undefined],
  ])("refuses %s", async (_what, body, path, problem) => {
    const response = await exchangeKey(body);
    expect(response.status).toBe(400);
    expect(response.error().details).toMatchObject([{ path, ...(problem === undefined ? {} : { problem }) }]);
  });

  test("refuses a key that was revoked or has expired, and one of a shop without the app", async () => {
    const gone = await makeShop(app, call);
    const revoked = await publishKey(shop);
    const expired = await publishKey(shop);
    const uninstalled = await publishKey(gone);
    for (const publishable_key of [revoked, expired, uninstalled]) {
      expect((await exchangeKey({ publishable_key, guest_id: newGuestId() })).status).toBe(200);
    }
    await transaction(shop.id, (tx) => revokeKey(tx, shop.id, revoked));
    await app.database.rows("UPDATE api_key SET expires_at = now(), changed_at = now() WHERE key_id = $1", [expired]);
    await app.database.rows("UPDATE shop SET uninstalled_at = now(), changed_at = now() WHERE id = $1", [gone.id]);
    for (const publishable_key of [revoked, expired, uninstalled]) {
      const refused = () => exchangeKey({ publishable_key, guest_id: newGuestId() });
      await expect.poll(async () => (await refused()).status).toBe(401);
      expectFailure(await refused(), 401, "invalid_publishable_key", undefined);
    }
  });

  test("refuses a publishable key as the key of a server", async () => {
    const json = { api_key: key, api_secret: shop.secret };
    expectFailure(await call("POST", "/v1/auth/token", { json }), 401, "invalid_credentials", undefined);
  });

  test("refuses a publishable key in place of a token, and says what to do", async () => {
    const response = await call("GET", "/v1/wishlists/me", { token: key });
    expectFailure(response, 401, "invalid_token", undefined);
    expect(response.error().message).toContain("/v1/auth/storefront-token");
  });

  test("gives tokens that a key with a secret can't have, and the other way round", async () => {
    const guest = takeApart(await tokenOf());
    const { guest: _, ...unbound } = guest.payload;
    const own = takeApart(shop.token);
    const plain = own.payload["aud"];
    const forged = [
      { ...guest, payload: { ...unbound, aud: plain } },
      { ...guest, payload: { ...guest.payload, aud: plain } },
      { ...guest, payload: { ...unbound, aud: plain, customer_id: "7001" } },
      { ...own, payload: { ...own.payload, aud: guest.payload["aud"], guest: guest.payload["guest"] } },
    ];
    for (const parts of forged) {
      const response = await call("GET", "/v1/wishlists/7001", { token: put(parts, TOKEN_SECRET) });
      expectFailure(response, 401, "invalid_token", undefined);
    }
    const genuine = await call("GET", "/v1/wishlists/me", { token: put(guest, TOKEN_SECRET) });
    expect(genuine.status).toBe(200);
  });

  test("works with the successor of a rotated key, and with the old one during the overlap", async () => {
    const old = await publishKey(shop);
    const successor = await transaction(shop.id, (tx) => rotateKey(tx, shop.id, old, 60_000));
    if (!successor || successor instanceof Failure) throw new Error("the key was not rotated");
    expect(successor.secret).toBeUndefined();
    for (const publishableKey of [old, successor.keyId]) {
      expect(await saved(await tokenOf(newGuestId(), publishableKey))).toEqual([]);
    }
  });
});
