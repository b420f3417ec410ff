import { generateKeyPairSync, randomBytes } from "node:crypto";
import { describe, expect } from "vitest";
import { eraseShop } from "../../app/privacy/index.server.ts";
import { put, putUnsigned, takeApart, type Claims } from "../support/access/jwt.ts";
import type { ApiResponse, Call } from "../support/app/client.ts";
import { expectFailure } from "../support/app/failure.ts";
import { test } from "../support/app/fixtures.ts";
import { startApp, type InProcessApp } from "../support/app/in-process.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import { accountToken, customerClaims, customerSessionToken, signSessionToken } from "../support/app/session-token.ts";
import { SHOPIFY_ENV } from "../support/app/storefront.ts";
import { everythingStored } from "../support/app/stored-rows.ts";
import { client } from "../support/app/client.ts";

const PATH = "/v1/auth/customer-account-token";
const FAILURES_A_MINUTE = 5;

let app: InProcessApp;
let call: Call;
let shop: TestShop;

test.override({ appOptions: { env: SHOPIFY_ENV }, shopOptions: { plan: "growth" } });

test.beforeAll(({ app: started, call: apiCall, shop: madeShop }) => {
  app = started;
  call = apiCall;
  shop = madeShop;
});

function exchangeToken(token: string, headers: Record<string, string> = {}): Promise<ApiResponse> {
  return call("POST", PATH, { json: { session_token: token }, headers });
}

function withClaims(claims: Claims): string {
  return signSessionToken({ ...customerClaims(shop.domain), ...claims });
}

/** Seconds since the epoch, as in the claims. */
function secondsFromNow(seconds: number): number {
  return Math.floor(Date.now() / 1000) + seconds;
}

describe("the exchange of a session token", () => {
  test("gives a token of 15 minutes, the shop, and what its plan includes", async () => {
    expect((await exchangeToken(customerSessionToken(shop.domain))).data()).toEqual({
      token: expect.any(String) as unknown,
      expiresIn: 900,
      shop: shop.domain,
      features: { lists: true, sharing: true },
      moneyFormat: null,
    });
    const free = await makeShop(app, call, { plan: "free" });
    const response = await exchangeToken(customerSessionToken(free.domain));
    expect(response.data()).toMatchObject({ features: { lists: false, sharing: false } });
  });

  test.each([
    ["a shop with its scheme", () => ({ dest: `https://${shop.domain}` })],
    ["an issuer that is not the admin", () => ({ iss: `https://${shop.domain}` })],
    ["clocks that differ by 8 seconds", () => ({ nbf: secondsFromNow(8) })],
    ["no id of the token", () => ({ jti: undefined })],
  ])("accepts %s", async (_what, claims) => {
    expect((await exchangeToken(withClaims(claims()))).status).toBe(200);
  });

  test("works from the opaque origin of a worker", async () => {
    const response = await exchangeToken(customerSessionToken(shop.domain), { origin: "null" });
    expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
  });

  test("accepts the old and the new secret while the client secret is being rotated", async () => {
    const secret = () => `shpss_${randomBytes(16).toString("hex")}`;
    const [renewed, unknown] = [secret(), secret()];
    const secrets = `${renewed},${SHOPIFY_ENV.SHOPIFY_API_SECRET}`;
    const rotating = await startApp({
      database: app.database,
      env: { ...SHOPIFY_ENV, SHOPIFY_API_SECRET: secrets },
    });
    const claims = customerClaims(shop.domain);
    const from = async (secret: string) =>
      (await client(rotating)("POST", PATH, { json: { session_token: signSessionToken(claims, secret) } })).status;
    expect(await from(SHOPIFY_ENV.SHOPIFY_API_SECRET)).toBe(200);
    expect(await from(renewed)).toBe(200);
    expect(await from(unknown)).toBe(401);
    await rotating.dispose();
  });

  test.each<[string, () => string | Promise<string>]>([
    ["another app's audience", () => withClaims({ aud: "fedcba9876543210fedcba9876543210" })],
    ["no audience", () => withClaims({ aud: undefined })],
    ["an unknown shop", () => withClaims({ dest: "unknown.myshopify.com" })],
    ["no shop", () => withClaims({ dest: undefined })],
    ["a shop that is no host name", () => withClaims({ dest: `${shop.domain}/admin` })],
    ["a shop in another scheme", () => withClaims({ dest: `http://${shop.domain}` })],
    ["an expired token", () => withClaims({ exp: secondsFromNow(-11) })],
    ["a token that never expires", () => withClaims({ exp: undefined })],
    ["a token that is not yet valid", () => withClaims({ nbf: secondsFromNow(12) })],
    ["a token without the time from which it is valid", () => withClaims({ nbf: undefined })],
    ["an admin's token, whose subject is the bare id of a staff member", () => withClaims({ sub: "7001" })],
    ["a token that the admin issued", () => withClaims({ iss: `https://${shop.domain}/admin` })],
    ["the global id of a staff member", () => withClaims({ sub: "gid://shopify/StaffMember/7001" })],
    ["a subject with more behind the customer's id", () => withClaims({ sub: "gid://shopify/Customer/7001/x" })],
    ["a subject with a query", () => withClaims({ sub: "gid://shopify/Customer/7001?of=7002" })],
    ["a subject with a line break", () => withClaims({ sub: "gid://shopify/Customer/7001\n" })],
    ["a subject of another app's namespace", () => withClaims({ sub: "gid://other/Customer/7001" })],
    ["a customer's id with a leading zero", () => withClaims({ sub: "gid://shopify/Customer/07001" })],
    ["the customer's id 0", () => withClaims({ sub: "gid://shopify/Customer/0" })],
    ["a negative customer's id", () => withClaims({ sub: "gid://shopify/Customer/-7001" })],
    ["a customer's id in digits of another script", () => withClaims({ sub: "gid://shopify/Customer/٧٠٠١" })],
    ["a customer's id above 64 bits", () => withClaims({ sub: "gid://shopify/Customer/18446744073709551616" })],
    ["a subject that is a number", () => withClaims({ sub: 7001 })],
    ["a subject that is null", () => withClaims({ sub: null })],
    ["several audiences", () => withClaims({ aud: [SHOPIFY_ENV.SHOPIFY_API_KEY, "another app"] })],
    ["an empty subject", () => withClaims({ sub: "" })],
    ["another app's secret", () => signSessionToken(customerClaims(shop.domain), "shpss_other")],
    ["no signature", () => putUnsigned({ header: { alg: "none", typ: "JWT" }, payload: customerClaims(shop.domain) })],
    [
      "another HMAC",
      () =>
        put(
          { header: { alg: "HS512", typ: "JWT" }, payload: customerClaims(shop.domain) },
          SHOPIFY_ENV.SHOPIFY_API_SECRET,
          "sha512",
        ),
    ],
    [
      "an RSA signature",
      () =>
        put(
          { header: { alg: "RS256", typ: "JWT" }, payload: customerClaims(shop.domain) },
          generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey,
        ),
    ],
    [
      "changed claims",
      () => {
        const [header, , signature] = customerSessionToken(shop.domain).split(".");
        const [, payload] = customerSessionToken(shop.domain, "7002").split(".");
        return [header, payload, signature].join(".");
      },
    ],
    ["an access token of this service", () => accountToken(call, shop, "7001")],
    ["no JWT", () => "garbage"],
  ])("refuses %s and stores nothing", async (_what, token) => {
    const sent = await token();
    const before = await everythingStored(app.database);
    const response = await exchangeToken(sent, { "x-forwarded-for": nextAddress() });
    expectFailure(response, 401, "invalid_session_token", undefined);
    expect(response.text).not.toContain(sent);
    expect(await everythingStored(app.database)).toEqual(before);
  });

  test("says what to do when Shopify names no customer", async () => {
    const response = await exchangeToken(withClaims({ sub: undefined }));
    expectFailure(response, 403, "session_without_customer", undefined);
    expect(response.error().message).toContain("protected customer data");
  });

  test("accepts the largest id that a customer can have", async () => {
    const token = await accountToken(call, shop, "18446744073709551615");
    expect((await call("GET", "/v1/wishlists/me", { token })).status).toBe(200);
  });

  test("of a session token that was used before gives the same customer, until it expires", async () => {
    const session = withClaims({ exp: secondsFromNow(300) });
    const customers = [];
    for (let i = 0; i < 2; i++) {
      const { token } = (await exchangeToken(session)).data<{ token: string }>();
      customers.push(takeApart(token).payload["customer_id"]);
    }
    expect(customers).toEqual(["7001", "7001"]);
    app.holdClock(new Date(Date.now() + 311_000));
    const refused = await exchangeToken(session);
    app.holdClock(undefined);
    expectFailure(refused, 401, "invalid_session_token", undefined);
    expect(refused.error().message).toContain("has expired");
  });

  test("works again when the shop has reinstalled the app", async () => {
    const returning = await makeShop(app, call);
    const setUninstalled = (at: string) =>
      app.database.rows(`UPDATE shop SET uninstalled_at = ${at}, changed_at = now() WHERE id = $1`, [returning.id]);
    const status = async () => (await exchangeToken(customerSessionToken(returning.domain))).status;
    expect(await status()).toBe(200);
    await setUninstalled("now()");
    await expect.poll(status).toBe(401);
    await setUninstalled("NULL");
    await expect.poll(status).toBe(200);
  });

  test("reaches no list of an erased shop after the shop has installed the app anew", async () => {
    const erased = await makeShop(app, call);
    const before = await accountToken(call, erased, "7120");
    await call("POST", "/v1/wishlists/me/items", { token: before, json: { product_id: "lamp", variant_id: "v" } });
    await app.database.rows("UPDATE shop SET uninstalled_at = now(), changed_at = now() WHERE id = $1", [erased.id]);
    await eraseShop(erased.id);
    await app.database.rows("INSERT INTO shop (domain, time_zone, plan) VALUES ($1, 'UTC', 'growth')", [erased.domain]);
    await expect.poll(async () => (await exchangeToken(customerSessionToken(erased.domain, "7120"))).status).toBe(200);
    const token = await accountToken(call, erased, "7120");
    for (const one of [before, token]) {
      expect((await call("GET", "/v1/wishlists/me", { token: one })).data()).toMatchObject({ total: 0 });
    }
    await call("POST", "/v1/wishlists/me/items", { token, json: { product_id: "boot", variant_id: "v" } });
    expect(
      await app.database.rows(
        "SELECT i.product_id FROM wishlist_item i JOIN shop s ON s.id = i.shop_id WHERE s.domain = $1",
        [erased.domain],
      ),
    ).toEqual([{ product_id: "boot" }]);
  });

  test("writes neither token to the log", async () => {
    const session = customerSessionToken(shop.domain, "7121");
    const { token } = (await exchangeToken(session)).data<{ token: string }>();
    await exchangeToken(`${session}x`, { "x-forwarded-for": nextAddress() });
    const log = JSON.stringify(app.log());
    expect(log).toContain(PATH);
    for (const secret of [session, token]) expect(log).not.toContain(secret.split(".")[2]);
  });

  test("refuses the token of a shop that has uninstalled the app, and does not reveal that it knows the shop", async () => {
    const gone = await makeShop(app, call);
    await app.database.rows("UPDATE shop SET uninstalled_at = now(), changed_at = now() WHERE id = $1", [gone.id]);
    const [uninstalled, unknown] = await Promise.all(
      [gone.domain, "unknown.myshopify.com"].map(async (domain) =>
        (await exchangeToken(customerSessionToken(domain))).error(),
      ),
    );
    expect(uninstalled?.code).toBe("invalid_session_token");
    expect({ ...uninstalled, requestId: "" }).toEqual({ ...unknown, requestId: "" });
  });

  test("is refused in a service that is not connected to Shopify", async () => {
    const headless = await startApp({ database: app.database });
    const json = { session_token: customerSessionToken(shop.domain) };
    expect((await client(headless)("POST", PATH, { json })).error().code).toBe("invalid_session_token");
    await headless.dispose();
  });

  test.each([
    ["no token", {}, "body.session_token"],
    ["a token of 4,097 characters", { session_token: "x".repeat(4_097) }, "body.session_token"],
    ["a named customer", { session_token: "x", customer_id: "7001" }, "body.customer_id"],
  ])("refuses a body with %s", async (_what, json, path) => {
    const response = await call("POST", PATH, { json });
    expect(response.status).toBe(400);
    expect(response.error().details).toMatchObject([{ path }]);
  });

  test("counts against the customer", async () => {
    const response = await exchangeToken(customerSessionToken(shop.domain, "7077"));
    expect(response.headers.get("ratelimit-policy")).toMatch(/^"customer";/);
  });

  test("of one customer above the limit leaves the other customers of the shop and its keys unaffected", async () => {
    const strict = await startApp({
      database: app.database,
      env: { ...SHOPIFY_ENV, RATE_LIMIT_STOREFRONT_PER_MINUTE: String(FAILURES_A_MINUTE) },
    });
    const send = client(strict);
    const exchange = async (customer: string) =>
      (await send("POST", PATH, { json: { session_token: customerSessionToken(shop.domain, customer) } })).status;
    for (let i = 0; i < FAILURES_A_MINUTE; i++) expect(await exchange("7130")).toBe(200);
    expect(await exchange("7130")).toBe(429);
    expect(await exchange("7131")).toBe(200);
    expect((await send("GET", "/v1/wishlists/7130", { token: shop.token })).status).toBe(200);
    await strict.dispose();
  });

  test("does not read the bodies of an address with too many failures", async () => {
    const strict = await startApp({
      database: app.database,
      env: { ...SHOPIFY_ENV, RATE_LIMIT_STOREFRONT_PER_MINUTE: String(FAILURES_A_MINUTE) },
    });
    const send = (json: object) => client(strict)("POST", PATH, { json });
    for (let i = 0; i < FAILURES_A_MINUTE; i++) {
      expect((await send({ session_token: "garbage" })).status).toBe(401);
    }
    expectFailure(await send({ unknown: true }), 429, "rate_limited", undefined);
    await strict.dispose();
  });
});

/** Addresses of callers that have not failed before. */
let addresses = 0;
function nextAddress(): string {
  return `198.51.100.${++addresses}`;
}

describe("the token of a customer account", () => {
  test("reaches the lists of its customer", async () => {
    const token = await accountToken(call, shop, "7101");
    await call("POST", "/v1/wishlists/me/items", { token, json: { product_id: "lamp", variant_id: "v" } });
    expect((await call("GET", "/v1/wishlists/7101", { token: shop.token })).data()).toMatchObject({ total: 1 });
  });

  test("names the shop's customer accounts as its client, and contains nothing secret", async () => {
    const { payload } = takeApart(await accountToken(call, shop, "7102"));
    expect(payload).toMatchObject({
      sub: `customer_accounts@${shop.domain}`,
      aud: "wishlist-headless/v1/storefront",
      shop: shop.domain,
      customer_id: "7102",
      scope: "read_wishlists write_wishlists",
    });
  });

  test("shares no idempotency keys with another customer's", async () => {
    const headers = { "idempotency-key": "the-same" };
    const create = async (customer: string) => {
      const token = await accountToken(call, shop, customer);
      const response = await call("POST", "/v1/wishlists/me/lists", { token, json: { name: "Mine" }, headers });
      return response.data<{ listId: string }>().listId;
    };
    const first = await create("7103");
    expect(await create("7104")).not.toBe(first);
    expect(await create("7103")).toBe(first);
  });

  test("counts against the customer only", async () => {
    const token = await accountToken(call, shop, "7105");
    const response = await call("GET", "/v1/wishlists/me", { token });
    expect(response.headers.get("ratelimit-policy")).toMatch(/^"customer";[^,]*$/);
  });

  test("stops within a second after the shop uninstalled the app", async () => {
    const leaving = await makeShop(app, call);
    const token = await accountToken(call, leaving, "7106");
    expect((await call("GET", "/v1/wishlists/me", { token })).status).toBe(200);
    await app.database.rows("UPDATE shop SET uninstalled_at = now(), changed_at = now() WHERE id = $1", [leaving.id]);
    await expect.poll(async () => (await call("GET", "/v1/wishlists/me", { token })).status).toBe(401);
  });

  test("follows a change of the shop's plan", async () => {
    const upgraded = await makeShop(app, call, { plan: "free" });
    const token = await accountToken(call, upgraded, "7107");
    const create = () => call("POST", "/v1/wishlists/me/lists", { token, json: { name: "Mine" } });
    expect((await create()).error().code).toBe("plan_required");
    await app.database.rows("UPDATE shop SET plan = 'growth', changed_at = now() WHERE id = $1", [upgraded.id]);
    await expect.poll(async () => (await create()).status).toBe(201);
  });

  test("limits the change feed to the customer's changes", async () => {
    const token = await accountToken(call, shop, "7108");
    await call("POST", "/v1/wishlists/7109/items", {
      token: shop.token,
      json: { product_id: "boot", variant_id: "v" },
    });
    await call("POST", "/v1/wishlists/me/items", { token, json: { product_id: "lamp", variant_id: "v" } });
    const { changes } = (await call("GET", "/v1/changes", { token })).data<{ changes: { customerId: string }[] }>();
    expect(changes.map(({ customerId }) => customerId)).toEqual(["7108"]);
  });
});
