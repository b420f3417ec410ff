import { describe, expect } from "vitest";
import { transaction } from "../../app/platform/database/transaction.server.ts";
import { createKey } from "../../app/access/index.server.ts";
import { Failure } from "../../app/platform/failure.ts";
import { client, type ApiResponse, type Call, type CallOptions } from "../support/app/client.ts";
import { expectFailure } from "../support/app/failure.ts";
import { expectLimited, leftOf, limitsOf } from "../support/app/rate-limits.ts";
import { sendRaw } from "../support/http/raw.ts";
import { startApp, type InProcessApp } from "../support/app/in-process.ts";
import {
  exchange,
  issueToken,
  makeShop,
  newGuestId,
  ORIGIN,
  publishKey,
  type ShopOptions,
  type TestShop,
} from "../support/app/shop.ts";
import { test } from "../support/app/fixtures.ts";

const ADMIN = 6;
const STOREFRONT = 4;
const A_NUMBER: unknown = expect.any(Number);
const SERVER = 20;
const QUOTAS = {
  RATE_LIMIT_ADMIN_PER_MINUTE: String(ADMIN),
  RATE_LIMIT_STOREFRONT_PER_MINUTE: String(STOREFRONT),
  RATE_LIMIT_STOREFRONT_SERVER_PER_MINUTE: String(SERVER),
};

let service: InProcessApp;
let call: Call;

// One trusted proxy, so that a test can use any address.
test.override("appOptions", { env: { ...QUOTAS, TRUSTED_PROXY_HOPS: "1" } });
test.beforeAll(({ app, call: apiCall }) => {
  service = app;
  call = apiCall;
});

let addresses = 0;

/** Returns an unused address. */
function newAddress(): string {
  addresses++;
  return `203.0.${Math.floor(addresses / 250)}.${(addresses % 250) + 1}`;
}

function from(address: string): Pick<CallOptions, "headers"> {
  return { headers: { "x-forwarded-for": address } };
}

/** Creates a shop whose key has used one request for makeShop's token exchange. */
function newShop(options: ShopOptions = {}): Promise<TestShop> {
  return makeShop(service, call, options);
}

function read(token: string, address = newAddress()): Promise<ApiResponse> {
  return call("GET", "/v1/wishlists/c1", { token, ...from(address) });
}

describe("the admin class", () => {
  test("counts a key's requests over all its tokens, exchanges and addresses", async () => {
    const shop = await newShop();
    expect(leftOf(await read(shop.token), "admin")).toBe(ADMIN - 2);
    const another = await exchange(call, shop, { scope: "read_wishlists" });
    expect(leftOf(await read(another), "admin")).toBe(ADMIN - 4);
    expect(leftOf(await read(shop.token), "admin")).toBe(1);
    expect(leftOf(await read(another), "admin")).toBe(0);
    for (const token of [shop.token, another]) expectLimited(await read(token));
    const refused = await call("POST", "/v1/auth/token", {
      json: { api_key: shop.keyId, api_secret: shop.secret },
      ...from(newAddress()),
    });
    expectLimited(refused);
    expect(refused.body).not.toHaveProperty("data");
  });

  test("does not charge the caller's address", async () => {
    const shop = await newShop();
    const address = newAddress();
    for (let i = 0; i < ADMIN; i++) await read(shop.token, address);
    expectLimited(await read(shop.token, address));
    const refused = await call("GET", "/v1/wishlists/c1", from(address));
    expect(leftOf(refused, "failures")).toBe(STOREFRONT - 1);
    expect(limitsOf(refused)).not.toHaveProperty("admin");
  });

  test("does not charge any other key", async () => {
    const [shop, other] = [await newShop(), await newShop()];
    for (let i = 0; i < ADMIN; i++) await read(shop.token);
    expectLimited(await read(shop.token));
    expect((await read(other.token)).status).toBe(200);
    expect((await read(await issueToken(call, shop.id, ["read_wishlists"]))).status).toBe(200);
  });

  test("counts a shared read with a token, and does not charge its address", async () => {
    const shop = await newShop();
    const link = await call("GET", "/v1/wishlists/c1/share", { token: shop.token });
    const path = `/v1/wishlists/shared/${link.data<{ shareToken: string }>().shareToken}`;
    const address = newAddress();
    const response = await call("GET", path, { token: shop.token, ...from(address) });
    expect(limitsOf(response)).toEqual({ admin: { quota: ADMIN, left: ADMIN - 3, seconds: A_NUMBER } });
    for (let i = 0; i < 3; i++) await call("GET", path, { token: shop.token, ...from(address) });
    expectLimited(await call("GET", path, { token: shop.token, ...from(address) }));
    expect((await call("GET", path, from(address))).status).toBe(200);
  });

  test("counts requests that get an error", async () => {
    const shop = await newShop({ products: { p1: "v1" }, plan: "free" });
    const items = "/v1/wishlists/c1/items";
    const responses = [
      await call("POST", items, { token: shop.token, body: "{", headers: { "content-type": "application/json" } }),
      await call("POST", items, { token: shop.token, json: { product_id: "p9" } }),
      await call("GET", "/v1/wishlists/c1?limit=0", { token: shop.token }),
      await call("GET", "/v1/wishlists/c1/share", { token: shop.token }),
      await call("GET", "/v1/wishlists/shared/unknown", { token: shop.token }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([400, 404, 400, 403, 404]);
    expect(responses.map((response) => leftOf(response, "admin"))).toEqual([4, 3, 2, 1, 0]);
    expectLimited(await read(shop.token));
  });
});

describe("the storefront class", () => {
  test("counts a shared read for its address only", async () => {
    const shop = await newShop();
    const link = await call("GET", "/v1/wishlists/c1/share", { token: shop.token });
    const path = `/v1/wishlists/shared/${link.data<{ shareToken: string }>().shareToken}`;
    const address = newAddress();
    const responses: ApiResponse[] = [];
    for (let i = 0; i < STOREFRONT; i++) responses.push(await call("GET", path, from(address)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(responses.map((response) => leftOf(response, "address"))).toEqual([3, 2, 1, 0]);
    expectLimited(await call("GET", path, from(address)));
    expect((await call("GET", path, from(newAddress()))).status).toBe(200);
  });

  test("counts unknown share tokens", async () => {
    const address = newAddress();
    for (let i = 0; i < STOREFRONT; i++) {
      expect((await call("GET", `/v1/wishlists/shared/guess-${i}`, from(address))).status).toBe(404);
    }
    expectLimited(await call("GET", "/v1/wishlists/shared/guess", from(address)));
  });

  test("counts a shared read whose Authorization header is not a bearer token", async () => {
    const address = newAddress();
    const response = await call("GET", "/v1/wishlists/shared/unknown", { token: "forged", ...from(address) });
    expect(response.status).toBe(404);
    expect(limitsOf(response)).toEqual({ address: { quota: STOREFRONT, left: 3, seconds: A_NUMBER } });
  });
});

describe("the class of failed authentications", () => {
  /** Uses up the failures of an address, then sends valid credentials. */
  async function closed(): Promise<{ shop: TestShop; address: string; right: CallOptions }> {
    const shop = await newShop();
    const address = newAddress();
    for (let i = 0; i < STOREFRONT; i++) await call("POST", "/v1/auth/token", { json: {}, ...from(address) });
    return { shop, address, right: { json: { api_key: shop.keyId, api_secret: shop.secret }, ...from(address) } };
  }

  test("counts invalid tokens and secrets, then refuses without a reason", async () => {
    const shop = await newShop();
    const address = newAddress();
    const wrong = { api_key: shop.keyId, api_secret: `${shop.secret.slice(0, -1)}!` };
    const responses = [
      await call("GET", "/v1/wishlists/c1", from(address)),
      await call("GET", "/v1/wishlists/c1", { token: "forged", ...from(address) }),
      await call("POST", "/v1/auth/token", { json: wrong, ...from(address) }),
      await call("POST", "/v1/auth/token", { json: {}, ...from(address) }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([401, 401, 401, 400]);
    expect(responses.map((response) => leftOf(response, "failures"))).toEqual([3, 2, 1, 0]);
    expectLimited(await call("POST", "/v1/auth/token", { json: wrong, ...from(address) }));
    expectLimited(await call("DELETE", "/v1/wishlists/c1/share", { token: "forged", ...from(address) }));
  });

  test("counts exchanges of publishable keys that fail, then refuses those that are valid", async () => {
    const key = await publishKey(await newShop());
    const address = newAddress();
    const send = (origin: string) =>
      call("POST", "/v1/auth/storefront-token", {
        json: { publishable_key: key, guest_id: newGuestId() },
        headers: { origin, ...from(address).headers },
      });
    for (let i = 0; i < STOREFRONT; i++) expect((await send("https://evil.example")).status).toBe(403);
    expectLimited(await send(ORIGIN));
    expect((await call("POST", "/v1/auth/token", { json: {}, ...from(address) })).status).toBe(429);
  });

  test("does not affect valid tokens of its address, nor exchanges from other addresses", async () => {
    const { shop, address, right } = await closed();
    expectLimited(await call("POST", "/v1/auth/token", right));
    expect((await read(shop.token, address)).status).toBe(200);
    expect((await call("POST", "/v1/auth/token", { ...right, ...from(newAddress()) })).status).toBe(200);
  });

  test("is separate from the address's shared reads", async () => {
    const shop = await newShop();
    const address = newAddress();
    for (let i = 0; i <= STOREFRONT; i++) await call("GET", "/v1/wishlists/shared/unknown", from(address));
    expectLimited(await call("GET", "/v1/wishlists/shared/unknown", from(address)));
    const json = { api_key: shop.keyId, api_secret: shop.secret };
    expect((await call("POST", "/v1/auth/token", { json, ...from(address) })).status).toBe(200);
  });

  test("refuses a token exchange before a database query", async () => {
    const { right } = await closed();
    await service.database.rows("ALTER TABLE api_key RENAME TO api_key_away");
    try {
      expectLimited(await call("POST", "/v1/auth/token", right));
      const another = await call("POST", "/v1/auth/token", { ...right, ...from(newAddress()) });
      expect(another.error().code).toBe("internal_error");
    } finally {
      await service.database.rows("ALTER TABLE api_key_away RENAME TO api_key");
    }
  });

  test("counts guessed export links and refuses them without a look-up", async () => {
    const address = newAddress();
    const guess = (): Promise<ApiResponse> => call("GET", "/app/settings/data/export?token=guess", from(address));
    for (let i = 0; i < STOREFRONT; i++) expect((await guess()).status).toBe(404);
    const refused = await guess();
    expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
    expect((await call("GET", "/app/settings/data/export?token=guess", from(newAddress()))).status).toBe(404);
  });

  test("refuses a token exchange before its body arrives", async () => {
    const { address } = await closed();
    const head = `POST /v1/auth/token HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\nConnection: close\r\n`;
    for (const framing of ["Content-Length: 4000", "Transfer-Encoding: chunked"]) {
      const response = await sendRaw(
        await service.listen(),
        `${head}Content-Type: application/json\r\n${framing}\r\n\r\n`,
      );
      expectFailure(response, 429, "rate_limited");
    }
  });
});

describe("a customer-bound token", () => {
  test("is limited per customer, for all addresses together", async () => {
    const shop = await newShop();
    const token = await exchange(call, shop, { customer_id: "c1" });
    const responses: ApiResponse[] = [];
    for (let i = 0; i < STOREFRONT; i++) responses.push(await read(token));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(responses.map((response) => leftOf(response, "customer"))).toEqual([3, 2, 1, 0]);
    expectLimited(await read(token));
    // Another token of the customer has the same limit; another customer, or another shop's with the same id, does not.
    expectLimited(await read(await exchange(call, shop, { customer_id: "gid://shopify/Customer/c1" })));
    const other = await exchange(call, shop, { customer_id: "c2" });
    expect((await call("GET", "/v1/wishlists/c2", { token: other, ...from(newAddress()) })).status).toBe(200);
    expect((await read(await exchange(call, await newShop(), { customer_id: "c1" }))).status).toBe(200);
  });

  test("does not charge its address", async () => {
    const { id } = await newShop();
    const shop = await transaction(id, (tx) =>
      createKey(tx, { shopId: id, name: "server", kind: "storefront_server", scopes: ["read_wishlists"] }),
    );
    if (shop instanceof Failure) throw new Error(shop.message);
    const address = newAddress();
    for (let i = 0; i < STOREFRONT + 2; i++) {
      const token = await exchange(call, shop, { customer_id: `c${i}` });
      const response = await call("GET", `/v1/wishlists/c${i}`, { token, ...from(address) });
      expect({ status: response.status, limits: Object.keys(limitsOf(response)) }).toEqual({
        status: 200,
        limits: ["customer"],
      });
    }
    const unauthenticated = await call("GET", "/v1/wishlists/shared/unknown", from(address));
    expect(leftOf(unauthenticated, "address")).toBe(STOREFRONT - 1);
  });

  test("neither uses nor depends on the key's quota", async () => {
    const shop = await newShop();
    const token = await exchange(call, shop, { customer_id: "c1" });
    const before = leftOf(await read(shop.token), "admin") ?? 0;
    for (let i = 0; i < STOREFRONT + 2; i++) {
      expect(limitsOf(await read(token))).not.toHaveProperty("admin");
    }
    expect(leftOf(await read(shop.token), "admin")).toBe(before - 1);
    for (let i = 0; i < ADMIN; i++) await read(shop.token);
    expectLimited(await read(shop.token));

    const fresh = await newShop();
    const free = await exchange(call, fresh, { customer_id: "c1" });
    for (let i = 0; i < ADMIN; i++) await read(fresh.token);
    expectLimited(await read(fresh.token));
    expect((await read(free)).status).toBe(200);
  });
});

describe("a storefront server's key", () => {
  test("has its own limit, which exchanges use and its customers' tokens do not", async () => {
    const { id } = await newShop();
    const key = await transaction(id, (tx) =>
      createKey(tx, { shopId: id, name: "server", kind: "storefront_server", scopes: ["read_wishlists"] }),
    );
    if (key instanceof Failure) throw new Error(key.message);
    const token = await exchange(call, key);
    for (let i = 0; i < ADMIN + 2; i++) expect((await read(token)).status).toBe(200);
    expect(limitsOf(await read(token))).toEqual({
      storefront_server: { quota: SERVER, left: SERVER - ADMIN - 4, seconds: A_NUMBER },
    });
    expect(limitsOf(await read(await exchange(call, key, { customer_id: "c1" })))).toHaveProperty("customer");
    expect(leftOf(await read(token), "storefront_server")).toBe(SERVER - ADMIN - 6);
    for (let i = 0; i < SERVER - ADMIN - 6; i++) await read(token);
    expectLimited(await read(token));
  });

  test("may make 1,200 requests a minute by default", async () => {
    const standard = await startApp({ database: service.database });
    try {
      const { id } = await newShop();
      const key = await transaction(id, (tx) =>
        createKey(tx, {
          shopId: id,
          name: "server",
          kind: "storefront_server",
          scopes: ["read_wishlists"],
        }),
      );
      if (key instanceof Failure) throw new Error(key.message);
      const response = await client(standard)("POST", "/v1/auth/token", {
        json: { api_key: key.keyId, api_secret: key.secret },
      });
      expect(limitsOf(response)).toMatchObject({ storefront_server: { quota: 1_200 } });
    } finally {
      await standard.dispose();
    }
  });
});

describe("rate-limit headers", () => {
  test("are on every response to a limited request, including errors", async () => {
    const shop = await newShop({ products: { p1: "v1" } });
    const { database } = service;
    const requests: [number, () => Promise<ApiResponse>][] = [
      [200, () => read(shop.token)],
      [401, () => call("GET", "/v1/wishlists/c1", from(newAddress()))],
      [400, () => call("GET", "/v1/wishlists/shared?limit=0", { token: shop.token })],
      [404, () => call("GET", "/v1/wishlists/shared/unknown", from(newAddress()))],
    ];
    for (const [status, ask] of requests) {
      const response = await ask();
      expect(response.status).toBe(status);
      expect(Object.keys(limitsOf(response))).toHaveLength(1);
    }

    const tag = (await read(shop.token)).headers.get("etag") ?? "";
    const notModified = await call("GET", "/v1/wishlists/c1", { token: shop.token, headers: { "if-none-match": tag } });
    expect({ status: notModified.status, limits: Object.keys(limitsOf(notModified)) }).toEqual({
      status: 304,
      limits: ["admin"],
    });

    // Shopify is unreachable, then an unexpected error.
    const syncing = await newShop({ products: {} });
    await database.rows("UPDATE shop SET catalog = 'syncing' WHERE id = $1", [syncing.id]);
    const json = { product_id: "p1" };
    const unavailable = await call("POST", "/v1/wishlists/c1/items", { token: syncing.token, json });
    expect({ code: unavailable.error().code, left: leftOf(unavailable, "admin") }).toEqual({
      code: "catalog_unavailable",
      left: ADMIN - 2,
    });
    await database.rows("ALTER FUNCTION wishlist_add RENAME TO wishlist_add_away");
    try {
      const failed = await call("POST", "/v1/wishlists/c1/items", {
        token: syncing.token,
        json: { product_id: "p1", variant_id: "v1" },
      });
      expect({ code: failed.error().code, left: leftOf(failed, "admin") }).toEqual({
        code: "internal_error",
        left: ADMIN - 3,
      });
    } finally {
      await database.rows("ALTER FUNCTION wishlist_add_away RENAME TO wishlist_add");
    }
  });

  test("count HEAD like GET", async () => {
    const shop = await newShop();
    const response = await call("HEAD", "/v1/wishlists/c1", { token: shop.token });
    expect({ status: response.status, left: leftOf(response, "admin"), text: response.text }).toEqual({
      status: 200,
      left: ADMIN - 2,
      text: "",
    });
  });

  test("are absent from documentation, health and preflights, which have no limit", async () => {
    const address = newAddress();
    for (let i = 0; i < STOREFRONT; i++) await call("GET", "/v1/wishlists/c1", from(address));
    expectLimited(await call("GET", "/v1/wishlists/c1", from(address)));
    for (const path of ["/v1/openapi.json", "/v1/docs", "/healthz", "/readyz"]) {
      for (let i = 0; i < STOREFRONT + ADMIN; i++) {
        const response = await call("GET", path, from(address));
        expect({ path, status: response.status }).toEqual({ path, status: 200 });
        expect(response.headers.get("ratelimit")).toBeNull();
      }
    }
    expect((await call("OPTIONS", "/v1/wishlists/c1", from(address))).status).toBe(204);
  });
});

describe("behind proxies", () => {
  async function withHops(hops: number, work: (guess: (chain?: string) => Promise<ApiResponse>) => Promise<void>) {
    const proxied = await startApp({
      database: service.database,
      env: { ...QUOTAS, TRUSTED_PROXY_HOPS: String(hops) },
    });
    const callProxied = client(proxied);
    await work((chain) => callProxied("GET", "/v1/wishlists/shared/unknown", chain === undefined ? {} : from(chain)));
    return proxied;
  }

  test("a forged header has no effect without trusted proxies, and is logged once", async () => {
    const proxied = await withHops(0, async (guess) => {
      for (let i = 0; i < STOREFRONT; i++) expect((await guess(`198.51.100.${i}`)).status).toBe(404);
      expectLimited(await guess("198.51.100.99"));
      expectLimited(await guess());
    });
    await proxied.dispose();
    const warnings = proxied.log().filter(({ msg }) => String(msg).includes("TRUSTED_PROXY_HOPS"));
    expect(warnings).toHaveLength(1);
  });

  test("the last entry counts with one trusted proxy", async () => {
    const proxied = await withHops(1, async (guess) => {
      for (let i = 0; i < STOREFRONT; i++) {
        expect((await guess(`198.51.100.${i}, 192.0.2.9, 203.0.113.1`)).status).toBe(404);
      }
      expectLimited(await guess("198.51.100.77, 203.0.113.1"));
      expectLimited(await guess("203.0.113.1"));
      expect((await guess("203.0.113.1, 203.0.113.2")).status).toBe(404);
    });
    await proxied.dispose();
    expect(proxied.log().filter(({ msg }) => String(msg).includes("TRUSTED_PROXY_HOPS"))).toEqual([]);
  });

  test("the second-last entry counts with two trusted proxies", async () => {
    const proxied = await withHops(2, async (guess) => {
      for (let i = 0; i < STOREFRONT; i++) {
        expect((await guess(`198.51.100.${i}, 203.0.113.1, 192.0.2.${i}`)).status).toBe(404);
      }
      expectLimited(await guess("203.0.113.1, 192.0.2.50"));
      expect((await guess("203.0.113.1, 203.0.113.2, 192.0.2.1")).status).toBe(404);
    });
    await proxied.dispose();
  });

  test("an IPv6 address counts by its /64, and a mapped IPv4 address as IPv4", async () => {
    const guess = (address: string): Promise<ApiResponse> => call("GET", "/v1/wishlists/shared/unknown", from(address));
    for (const host of ["1", "2", "ffff:ffff", "a:b:c:d"]) {
      expect((await guess(`2001:db8:7:7::${host}`.replace("::a:b:c:d", ":a:b:c:d"))).status).toBe(404);
    }
    expectLimited(await guess("2001:db8:7:7::abcd"));
    expect((await guess("2001:db8:7:8::1")).status).toBe(404);

    const plain = newAddress();
    for (const form of [plain, `::ffff:${plain}`, `[::ffff:${plain}]:8080`, `${plain}:8080`]) {
      expect((await guess(form)).status).toBe(404);
    }
    expectLimited(await guess(plain));
  });
});
