import { generateKeyPairSync, randomBytes } from "node:crypto";
import { describe, expect } from "vitest";
import { client, type ApiResponse, type Call } from "../support/app/client.ts";
import { put, putUnsigned, takeApart, type Claims, type Parts } from "../support/access/jwt.ts";
import { startApp, type InProcessApp } from "../support/app/in-process.ts";
import { TOKEN_SECRET } from "../support/app/service.ts";
import { exchange, makeShop, type TestShop } from "../support/app/shop.ts";
import { test } from "../support/app/fixtures.ts";

let service: InProcessApp;
let call: Call;
let shop: TestShop;
let otherShop: TestShop;
/** a decoded valid token */
let valid: Parts;

test.beforeAll(async ({ app, call: apiCall, shop: madeShop }) => {
  service = app;
  call = apiCall;
  shop = madeShop;
  otherShop = await makeShop(service, call);
  valid = takeApart(shop.token);
});

const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const A_TEXT: unknown = expect.any(String);
const A_NUMBER: unknown = expect.any(Number);
const now = (): number => Math.floor(Date.now() / 1000);

function present(token: string): Promise<ApiResponse> {
  return call("GET", "/v1/wishlists/c1", { token });
}

/** Checks the code and a challenge with the same reason (RFC 6750 §3). */
function expectRefused(response: ApiResponse, code: "invalid_token" | "token_expired"): void {
  expect({ status: response.status, code: response.error().code }).toEqual({ status: 401, code });
  expect(response.headers.get("www-authenticate")).toMatch(/^Bearer realm="[^"]+", error="invalid_token"(,|$)/);
}

function claims(changes: Claims): Parts {
  return { header: valid.header, payload: { ...valid.payload, ...changes } };
}

function header(changes: Claims): Parts {
  return { header: { ...valid.header, ...changes }, payload: valid.payload };
}

function without(part: "header" | "payload", name: string): Parts {
  const { [name]: _, ...rest } = valid[part];
  return { ...valid, [part]: rest };
}

test("a token that the test signs like the service does is accepted", async () => {
  expect((await present(put(valid, TOKEN_SECRET))).status).toBe(200);
  const fresh = claims({ iat: now(), exp: now() + 3600, jti: "a-test" });
  expect((await present(put(fresh, TOKEN_SECRET))).status).toBe(200);
});

test("a token has the claims of RFC 9068 and lasts an hour", () => {
  expect(valid.header).toEqual({ alg: "HS256", typ: "at+jwt", kid: A_TEXT });
  expect(valid.payload).toEqual({
    iss: A_TEXT,
    aud: A_TEXT,
    sub: shop.keyId,
    shop: shop.domain,
    scope: "read_wishlists write_wishlists read_analytics read_webhooks write_webhooks",
    iat: A_NUMBER,
    exp: Number(valid.payload["iat"]) + 3600,
    jti: A_TEXT,
  });
});

test("every token has a unique id", async () => {
  const again = takeApart(await exchange(call, shop));
  expect(again.payload["jti"]).not.toBe(valid.payload["jti"]);
});

test("a request without a token gets a challenge without a reason", async () => {
  for (const headers of [undefined, { authorization: "" }]) {
    const response = await call("GET", "/v1/wishlists/c1", headers ? { headers } : {});
    expect({ status: response.status, code: response.error().code }).toEqual({ status: 401, code: "missing_token" });
    expect(response.headers.get("www-authenticate")).toMatch(/^Bearer realm="[^"]+"$/);
  }
});

test("a token in the query is ignored", async () => {
  const response = await call("GET", `/v1/wishlists/c1?access_token=${shop.token}`);
  expect({ status: response.status, code: response.error().code }).toEqual({ status: 401, code: "missing_token" });
});

test("the name of the scheme is case-insensitive", async () => {
  for (const scheme of ["bearer", "BEARER"]) {
    const response = await call("GET", "/v1/wishlists/c1", { headers: { authorization: `${scheme} ${shop.token}` } });
    expect(response.status).toBe(200);
  }
});

describe("a token with another algorithm is refused:", () => {
  test.each<[string, () => string]>([
    ["none, unsigned", () => putUnsigned(header({ alg: "none" }))],
    ["None, unsigned", () => putUnsigned(header({ alg: "None" }))],
    ["none, with a signature", () => put(header({ alg: "none" }), TOKEN_SECRET)],
    ["none, without a key id", () => putUnsigned({ header: { alg: "none", typ: "at+jwt" }, payload: valid.payload })],
    ["HS256, unsigned", () => putUnsigned(valid)],
    ["HS512 with the right secret", () => put(header({ alg: "HS512" }), TOKEN_SECRET, "sha512")],
    ["HS384 with the right secret", () => put(header({ alg: "HS384" }), TOKEN_SECRET, "sha384")],
    ["HS512 named, HS256 made", () => put(header({ alg: "HS512" }), TOKEN_SECRET)],
    ["RS256 with a key of the caller's", () => put(header({ alg: "RS256" }), rsa.privateKey)],
    [
      "RS256 with the public key in the header",
      () => put(header({ alg: "RS256", jwk: rsa.publicKey.export({ format: "jwk" }) }), rsa.privateKey),
    ],
    [
      "HS256 with a public key for a secret",
      () => put(valid, rsa.publicKey.export({ format: "pem", type: "spki" }).toString()),
    ],
    ["an empty secret", () => put(valid, "")],
    ["no algorithm at all", () => put(without("header", "alg"), TOKEN_SECRET)],
    ["an algorithm that is no text", () => put(header({ alg: ["HS256"] }), TOKEN_SECRET)],
  ])("%s", async (_, make) => {
    expectRefused(await present(make()), "invalid_token");
  });
});

describe("a token with another header is refused:", () => {
  test.each<[string, () => string]>([
    ["no type", () => put(without("header", "typ"), TOKEN_SECRET)],
    ["the type of any JWT", () => put(header({ typ: "JWT" }), TOKEN_SECRET)],
    ["the type of an identity token", () => put(header({ typ: "id+jwt" }), TOKEN_SECRET)],
    ["no key id", () => put(without("header", "kid"), TOKEN_SECRET)],
    ["an unknown key id", () => put(header({ kid: "another" }), TOKEN_SECRET)],
    ["a path for a key id", () => put(header({ kid: "../../../../dev/null" }), "")],
    ["an extension that must be understood", () => put(header({ crit: ["b64"], b64: false }), TOKEN_SECRET)],
  ])("%s", async (_, make) => {
    expectRefused(await present(make()), "invalid_token");
  });
});

test("a token signed with another secret is refused", async () => {
  expectRefused(await present(put(valid, randomBytes(32).toString("base64"))), "invalid_token");
  expectRefused(await present(put(valid, `${TOKEN_SECRET} `)), "invalid_token");
});

describe("a token with other claims is refused:", () => {
  test.each<[string, Claims]>([
    ["another issuer", { iss: "https://example.com" }],
    ["another audience", { aud: "wishlist-headless/v2" }],
    ["the issuer's name in other letters", { iss: "WISHLIST-HEADLESS" }],
    ["a subject that is no text", { sub: 1 }],
    ["a key that does not exist", { sub: "wlk_0000000000000000000000000000" }],
    ["a key whose id would be SQL", { sub: "' OR true --" }],
    ["a key with a NUL in its id", { sub: "wlk_\u0000" }],
    ["scopes that are a list", { scope: ["read_wishlists"] }],
    ["a shop that is no text", { shop: null }],
    ["a customer that is no text", { customer_id: 7 }],
    ["an end that is no number", { exp: "2999-01-01" }],
    ["a time to come before which it does not count", { nbf: now() + 3600 }],
  ])("%s", async (_, changes) => {
    expectRefused(await present(put(claims(changes), TOKEN_SECRET)), "invalid_token");
  });

  test.each(["iss", "aud", "sub", "iat", "exp", "jti", "shop", "scope"])("no `%s`", async (name) => {
    expectRefused(await present(put(without("payload", name), TOKEN_SECRET)), "invalid_token");
  });
});

test("a token of one shop's key that names another shop is refused", async () => {
  expectRefused(await present(put(claims({ shop: otherShop.domain }), TOKEN_SECRET)), "invalid_token");
  expectRefused(await present(put(claims({ sub: otherShop.keyId }), TOKEN_SECRET)), "invalid_token");
});

test("a signed token grants no scope that its key lacks", async () => {
  const reader = await makeShop(service, call, { scopes: ["read_wishlists"] });
  const { header, payload } = takeApart(reader.token);
  const wider = put({ header, payload: { ...payload, scope: "read_wishlists write_wishlists" } }, TOKEN_SECRET);
  expect((await present(wider)).status).toBe(200);
  const added = await call("POST", "/v1/wishlists/c1/items", {
    token: wider,
    json: { product_id: "p", variant_id: "v" },
  });
  expect({ status: added.status, code: added.error().code }).toEqual({ status: 403, code: "insufficient_scope" });
});

describe("an expired token is refused with the advice to get a new one:", () => {
  test.each<[string, () => Claims]>([
    ["a second ago", () => ({ iat: now() - 3601, exp: now() - 1 })],
    ["this second", () => ({ iat: now() - 3600, exp: now() })],
    ["long ago", () => ({ iat: 0, exp: 3600 })],
  ])("%s", async (_, times) => {
    expectRefused(await present(put(claims(times()), TOKEN_SECRET)), "token_expired");
  });

  test("only when its signature is valid", async () => {
    expectRefused(await present(put(claims({ exp: now() - 1 }), "another secret")), "invalid_token");
  });
});

describe("a token that was changed after it was signed is refused:", () => {
  const change = (index: 0 | 1 | 2, by: (part: string) => string): string =>
    shop.token
      .split(".")
      .map((part, i) => (i === index ? by(part) : part))
      .join(".");
  const json = (part: string, by: (value: Claims) => Claims): string => {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString());
    return Buffer.from(JSON.stringify(by(Object(value) as Claims))).toString("base64url");
  };

  test.each<[string, () => string]>([
    ["the customer", () => change(1, (part) => json(part, (value) => ({ ...value, customer_id: "c1" })))],
    ["the end", () => change(1, (part) => json(part, (value) => ({ ...value, exp: 4_102_444_800 })))],
    ["the header", () => change(0, (part) => json(part, (value) => ({ ...value, extra: true })))],
    ["the signature's first character", () => change(2, (part) => (part.startsWith("A") ? "B" : "A") + part.slice(1))],
    ["the signature's length", () => change(2, (part) => part.slice(0, -4))],
    ["the signature's presence", () => change(2, () => "")],
    ["the signature, for another token's", () => change(2, () => otherShop.token.split(".")[2] ?? "")],
    ["the number of parts", () => `${shop.token}.${shop.token.split(".")[2] ?? ""}`],
    ["the parts after the first", () => shop.token.split(".")[0] ?? ""],
  ])("%s", async (_, make) => {
    expectRefused(await present(make()), "invalid_token");
  });
});

test("another kind of token signed with the same secret is refused", async () => {
  const kid = valid.header["kid"];
  const session = {
    header: { alg: "HS256", typ: "JWT", kid },
    payload: {
      iss: `https://${shop.domain}/admin`,
      dest: `https://${shop.domain}`,
      aud: "client-id",
      sub: shop.keyId,
      exp: now() + 60,
      nbf: now(),
      iat: now(),
      jti: "1",
    },
  };
  expectRefused(await present(put(session, TOKEN_SECRET)), "invalid_token");
  // The claims are the same; only the type differs.
  expectRefused(
    await present(put({ header: { ...valid.header, typ: "reset+jwt" }, payload: valid.payload }, TOKEN_SECRET)),
    "invalid_token",
  );
});

test("a bearer value that is not a token is refused", async () => {
  for (const text of ["x", "..", "a.b.c", "null", "e30.e30.e30", `${shop.token}x`, shop.keyId, shop.secret]) {
    expectRefused(await present(text), "invalid_token");
  }
  for (const authorization of [`Bearer`, `Bearer ${shop.token} ${shop.token}`, `Bearer "${shop.token}"`, shop.token]) {
    expectRefused(await call("GET", "/v1/wishlists/c1", { headers: { authorization } }), "invalid_token");
  }
});

test("an oversized token is refused and does not stop the service", async () => {
  expectRefused(await present(put(claims({ padding: "x".repeat(8_000) }), "another secret")), "invalid_token");
  // The HTTP server limits the headers' size.
  const huge = await client(await service.listen())("GET", "/v1/wishlists/c1", { token: "x".repeat(20_000) });
  expect({ status: huge.status, ok: huge.body }).toMatchObject({ status: 431, ok: { ok: false } });
  expect((await present(shop.token)).status).toBe(200);
});

test("every invalid token gets the same response", async () => {
  const bodies = await Promise.all(
    [
      put(valid, "another secret"),
      put(claims({ aud: "x" }), TOKEN_SECRET),
      put(claims({ sub: "wlk_unknown" }), TOKEN_SECRET),
      putUnsigned(header({ alg: "none" })),
      "x",
    ].map(async (token) => (await present(token)).error()),
  );
  const [first, ...others] = bodies.map(({ code, message, details }) => ({ code, message, details }));
  for (const other of others) expect(other).toEqual(first);
});

describe("a customer-bound token", () => {
  test("reaches that customer's paths only", async () => {
    const token = await exchange(call, shop, { customer_id: "c1" });
    expect((await present(token)).status).toBe(200);
    for (const [method, path] of [
      ["GET", "/v1/wishlists/c2"],
      ["POST", "/v1/wishlists/c2/items"],
      ["DELETE", "/v1/wishlists/c2/items/p"],
      ["POST", "/v1/wishlists/c2/merge"],
      ["GET", "/v1/wishlists/c2/share"],
      ["DELETE", "/v1/wishlists/c2/share"],
    ] as const) {
      const json = path.endsWith("items") ? { product_id: "p", variant_id: "v" } : { items: [] };
      const response = await call(method, path, { token, ...(method === "POST" ? { json } : {}) });
      expect({ path, status: response.status, code: response.error().code }).toEqual({
        path,
        status: 403,
        code: "customer_mismatch",
      });
    }
    expect(await service.database.rows("SELECT 1 FROM wishlist WHERE owner_id = 'c2'")).toEqual([]);
  });

  test("reaches the same customer when a GID names it", async () => {
    const token = await exchange(call, shop, { customer_id: "gid://shopify/Customer/77" });
    expect((await call("GET", "/v1/wishlists/77", { token })).status).toBe(200);
    const gid = encodeURIComponent("gid://shopify/Customer/77");
    expect((await call("GET", `/v1/wishlists/${gid}`, { token })).status).toBe(200);
  });

  test("never holds an admin scope, even when one is requested", async () => {
    const token = await exchange(call, shop, { customer_id: "c1" });
    expect(String(takeApart(token).payload["scope"]).split(" ").sort()).toEqual(["read_wishlists", "write_wishlists"]);
    const response = await call("POST", "/v1/auth/token", {
      json: { api_key: shop.keyId, api_secret: shop.secret, customer_id: "c1", scope: "read_analytics" },
    });
    expect({ status: response.status, code: response.error().code }).toEqual({
      status: 403,
      code: "insufficient_scope",
    });
  });
});

describe("with several token secrets", () => {
  const OLD = TOKEN_SECRET;
  const NEW = "Zt4Rk9Wm2Qx7Lb5Vn8Hc3Jd6Fg1Ys0PeUaOiTrEw";

  test("the first signs and all verify", async () => {
    const { database } = service;
    const old = await exchange(call, shop);

    const rotated = await startApp({ database, env: { TOKEN_SECRETS: `${NEW},${OLD}` } });
    const callRotated = client(rotated);
    expect((await callRotated("GET", "/v1/wishlists/c1", { token: old })).status).toBe(200);
    const fresh = await exchange(callRotated, shop);
    expect((await callRotated("GET", "/v1/wishlists/c1", { token: fresh })).status).toBe(200);
    expect(put(takeApart(fresh), NEW)).toBe(fresh);
    // An instance with the old secret only refuses it, so every instance must know a new secret before one signs with it.
    expectRefused(await present(fresh), "invalid_token");
    await rotated.dispose();

    const retired = await startApp({ database, env: { TOKEN_SECRETS: NEW } });
    const callRetired = client(retired);
    expect((await callRetired("GET", "/v1/wishlists/c1", { token: fresh })).status).toBe(200);
    expectRefused(await callRetired("GET", "/v1/wishlists/c1", { token: old }), "invalid_token");
    await retired.dispose();
  });

  test("the key id neither contains the secret nor binds a token to it", async () => {
    const kid = String(valid.header["kid"]);
    expect(TOKEN_SECRET).not.toContain(kid);
    expectRefused(await present(put(valid, NEW)), "invalid_token");
  });
});
