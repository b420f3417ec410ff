import { expect } from "vitest";
import { test } from "../support/app/fixtures.ts";
import { startApp } from "../support/app/in-process.ts";
import { client, type ApiResponse, type CallOptions } from "../support/app/client.ts";
import { rawRequest, sendRaw } from "../support/http/raw.ts";
import { makeShop } from "../support/app/shop.ts";
import { everythingStored } from "../support/app/stored-rows.ts";

const ORIGIN = "https://some-theme.example";

test.override("shopOptions", { products: { p1: "v1" } });

function listed(headers: Headers, name: string): string[] {
  return (headers.get(name) ?? "").split(",").map((part) => part.trim().toLowerCase());
}

/** Checks that a page of any origin can read the response and the API's headers. */
function expectReadable({ headers }: { headers: Headers }): void {
  expect(headers.get("access-control-allow-origin")).toBe("*");
  expect(headers.get("access-control-allow-credentials")).toBeNull();
  expect(listed(headers, "access-control-expose-headers")).toEqual(
    expect.arrayContaining([
      "deprecation",
      "sunset",
      "etag",
      "retry-after",
      "ratelimit",
      "ratelimit-policy",
      "x-client-request-id",
      "x-request-id",
    ]),
  );
}

test.for([
  ["POST", "/v1/auth/token"],
  ["GET", "/v1/wishlists/c1"],
  ["POST", "/v1/wishlists/c1/items"],
  ["DELETE", "/v1/wishlists/c1/items/p1"],
  ["POST", "/v1/wishlists/c1/merge"],
  ["GET", "/v1/wishlists/c1/share"],
  ["DELETE", "/v1/wishlists/c1/share"],
  ["GET", "/v1/wishlists/shared/3tVbN0qLr8kZcX5yPw1aHs"],
] as const)(
  "the preflight for %s %s is allowed without a token and stores nothing",
  async ([method, path], { app, call }) => {
    const before = await everythingStored(app.database);
    const response = await call("OPTIONS", path, {
      headers: {
        origin: ORIGIN,
        "access-control-request-method": method,
        "access-control-request-headers": "authorization,content-type,idempotency-key,if-none-match",
      },
    });
    expect([response.status, response.text]).toEqual([204, ""]);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-allow-credentials")).toBeNull();
    expect(listed(response.headers, "access-control-allow-methods")).toContain(method.toLowerCase());
    expect(listed(response.headers, "access-control-allow-headers").sort()).toEqual([
      "authorization",
      "content-type",
      "idempotency-key",
      "if-none-match",
      "last-event-id",
      "x-request-id",
    ]);
    expect(response.headers.get("access-control-max-age")).toMatch(/^[1-9]\d*$/);
    expect(response.headers.get("allow")).toBe(response.headers.get("access-control-allow-methods"));
    expect(response.headers.get("x-request-id")).toMatch(/^req_/);
    expect(await everythingStored(app.database)).toEqual(before);
  },
);

test.for(["https://some-theme.example", "http://localhost:3000", "null", "https://other.example:8443"])(
  "a page of the origin %s can read responses to reads and writes",
  async (origin, { call, shop }) => {
    const headers = { origin };
    const { token } = shop;
    const page = await call("GET", "/v1/wishlists/c1", { token, headers });
    expectReadable(page);
    const tag = { "if-none-match": page.headers.get("etag") ?? "" };
    const unchanged = await call("GET", "/v1/wishlists/c1", { token, headers: { ...headers, ...tag } });
    const head = await call("HEAD", "/v1/wishlists/c1", { token, headers });
    const added = await call("POST", "/v1/wishlists/c1/items", { token, headers, json: { product_id: "p1" } });
    const removed = await call("DELETE", "/v1/wishlists/c1/items/p1", { token, headers });
    const exchanged = await call("POST", "/v1/auth/token", {
      headers,
      json: { api_key: shop.keyId, api_secret: shop.secret },
    });
    const shared = await call("GET", "/v1/wishlists/c1/share", { token, headers });
    const { shareToken } = shared.data<{ shareToken: string }>();
    const read = await call("GET", `/v1/wishlists/shared/${shareToken}`, { headers });
    const responses = [page, unchanged, head, added, removed, exchanged, shared, read];
    expect(responses.map(({ status }) => status)).toEqual([200, 304, 200, 200, 200, 200, 200, 200]);
    responses.forEach(expectReadable);
  },
);

const JSON_BODY = { json: { product_id: "p1" } };

test.for<[status: number, code: string, method: string, path: string, options: CallOptions]>([
  [400, "invalid_request", "GET", "/v1/wishlists/c1?limit=0", {}],
  [
    400,
    "invalid_json",
    "POST",
    "/v1/wishlists/c1/items",
    { body: "{", headers: { "content-type": "application/json" } },
  ],
  [401, "invalid_token", "GET", "/v1/wishlists/c1", { token: "garbage" }],
  [401, "invalid_credentials", "POST", "/v1/auth/token", { json: { api_key: "wlk_x", api_secret: "wls_x" } }],
  [404, "not_found", "GET", "/v1/nothing-here", {}],
  [404, "not_found", "OPTIONS", "/v1/nothing-here", {}],
  [404, "product_not_found", "POST", "/v1/wishlists/c1/items", { json: { product_id: "unknown" } }],
  [404, "share_not_found", "GET", "/v1/wishlists/shared/unknown", {}],
  [405, "method_not_allowed", "PUT", "/v1/wishlists/c1", JSON_BODY],
  [413, "payload_too_large", "POST", "/v1/wishlists/c1/items", { json: { product_id: "p".repeat(300_000) } }],
  [
    415,
    "unsupported_media_type",
    "POST",
    "/v1/wishlists/c1/items",
    { ...JSON_BODY, headers: { "content-type": "text/plain" } },
  ],
])("a page can read the error %i %s", async ([status, code, method, path, options], { call, shop }) => {
  const headers = { origin: ORIGIN, ...options.headers };
  const response: ApiResponse = await call(method, path, { token: shop.token, ...options, headers });
  expect([response.status, response.error().code]).toEqual([status, code]);
  expectReadable(response);
});

test("a page can read errors of a missing token, a low plan and a missing catalog", async ({ app, call }) => {
  const free = await makeShop(app, call, { plan: "free" });
  const headers = { origin: ORIGIN };
  const responses = [
    await call("GET", "/v1/wishlists/c1", { headers }),
    await call("GET", "/v1/wishlists/c1/share", { headers, token: free.token }),
    await call("POST", "/v1/wishlists/c1/items", { headers, token: free.token, ...JSON_BODY }),
  ];
  expect(responses.map(({ status }) => status)).toEqual([401, 403, 409]);
  responses.forEach(expectReadable);
});

test("a page can read the headers of a rate limit", async () => {
  const strict = await startApp({ env: { RATE_LIMIT_STOREFRONT_PER_MINUTE: "1" } });
  try {
    const limited = client(strict);
    await limited("GET", "/v1/wishlists/c1");
    const response = await limited("GET", "/v1/wishlists/c1", { headers: { origin: ORIGIN } });
    expect([response.status, response.error().code]).toEqual([429, "rate_limited"]);
    expect(response.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    expectReadable(response);
  } finally {
    await strict.dispose();
  }
});

test.for([
  ["a path that was not encoded", "/v1/wishlists/../wishlists/c1"],
  ["an escaped dot segment", "/v1/wishlists/%2e%2e"],
] as const)("a page can read the refusal of %s", async ([, target], { app, shop }) => {
  const response = await sendRaw(
    await app.listen(),
    rawRequest("GET", target, { token: shop.token, headers: { Origin: ORIGIN } }),
  );
  expect(response.status).toBe(400);
  expectReadable(response);
});
