import { describe, expect } from "vitest";
import type { Call } from "../support/app/client.ts";
import { expectFailure } from "../support/app/failure.ts";
import { chunk, rawRequest, sendRaw } from "../support/http/raw.ts";
import type { InProcessApp } from "../support/app/in-process.ts";
import { exchange, type TestShop } from "../support/app/shop.ts";
import { test } from "../support/app/fixtures.ts";

let service: InProcessApp;
let call: Call;
let shop: TestShop;

test.beforeAll(({ app, call: apiCall, shop: madeShop }) => {
  service = app;
  call = apiCall;
  shop = madeShop;
});

async function save(customerId: string, productId: string, variantId: string): Promise<void> {
  const json = { product_id: productId, variant_id: variantId };
  (await call("POST", `/v1/wishlists/${customerId}/items`, { token: shop.token, json })).data();
}

async function totalOf(customerId: string): Promise<number> {
  return (await call("GET", `/v1/wishlists/${customerId}`, { token: shop.token })).data<{ total: number }>().total;
}

describe("credentials in the wrong place", () => {
  test.each<[what: string, header: (shop: TestShop) => string, advice: string]>([
    ["the key id as bearer", ({ keyId }) => `Bearer ${keyId}`, "id of an API key, not an access token. Exchange"],
    ["the secret as bearer", ({ secret }) => `Bearer ${secret}`, "secret, not an access token. Exchange"],
    ["the key id alone", ({ keyId }) => keyId, "An API key is not an access token. Exchange"],
    ["the secret alone", ({ secret }) => secret, "An API key is not an access token. Exchange"],
    [
      "Basic authentication",
      ({ keyId, secret }) => `Basic ${Buffer.from(`${keyId}:${secret}`).toString("base64")}`,
      "Basic authentication is not supported. Exchange",
    ],
    ["the token without its scheme", ({ token }) => token, "Send it as `Authorization: Bearer <token>`."],
    ["the token in quotes", ({ token }) => `Bearer "${token}"`, "Send it as `Authorization: Bearer <token>`."],
    ["the scheme twice", ({ token }) => `Bearer Bearer ${token}`, "Send it as `Authorization: Bearer <token>`."],
    ["the scheme alone", () => "Bearer", "The header has no token. Exchange"],
  ])("%s gets 401 with advice and is not repeated", async (_what, header, advice) => {
    const sent = header(shop);
    const response = await call("GET", "/v1/wishlists/c1", { headers: { authorization: sent } });
    expectFailure(response, 401, "invalid_token");
    expect(response.error().message).toContain(advice);
    const all = response.text + JSON.stringify([...response.headers]) + JSON.stringify(service.log());
    for (const secret of [shop.secret, sent.split(" ").at(-1) ?? ""]) {
      if (secret.length > 10 && secret !== shop.keyId) expect(all).not.toContain(secret);
    }
  });

  test("a refused exchange says where to send key id and secret", async () => {
    const json = { api_key: shop.secret, api_secret: shop.keyId };
    const response = await call("POST", "/v1/auth/token", { json });
    expectFailure(response, 401, "invalid_credentials");
    expect(response.error().message).toContain("`api_key` and its secret (wls_…) as `api_secret`");
    expect(response.text).not.toContain(shop.secret);
  });

  test.each([
    ["read_wishlists,write_wishlists", "must be separated by spaces, not by commas"],
    ["read_wishlists, write_wishlists", "must be separated by spaces, not by commas"],
    ["read_everything", "contains unknown scopes; known: read_wishlists, "],
  ])("the scopes %j are refused with a correction", async (scope, problem) => {
    const json = { api_key: shop.keyId, api_secret: shop.secret, scope };
    expectFailure(await call("POST", "/v1/auth/token", { json }), 400, "invalid_request", [
      { path: "body.scope", problem: expect.stringContaining(problem) as unknown },
    ]);
  });

  test("a token after many spaces is accepted", async () => {
    const token = await exchange(call, shop);
    for (const blanks of [1, 2, 4_000]) {
      const headers = { authorization: `Bearer${" ".repeat(blanks)}${token}` };
      expect((await call("GET", "/v1/wishlists/c1", { headers })).status).toBe(200);
    }
  });
});

describe("malformed ids", () => {
  const NOT_IDS = "which are not ids";
  const NOT_A_GID = "percent-encode it once in a path";

  test.each([
    ["gid%253A%252F%252Fshopify%252FCustomer%252F7", NOT_A_GID],
    ["gid%25253A%25252F%25252Fshopify%25252FCustomer%25252F7", NOT_A_GID],
    ["gid:%252F%252Fshopify%252FCustomer%252F7", NOT_A_GID],
    ["GID:%2F%2Fshopify%2FCustomer%2F7", NOT_A_GID],
    ["gid:%2Fshopify%2FCustomer%2F7", NOT_A_GID],
    ["Z2lkOi8vc2hvcGlmeS9DdXN0b21lci83", NOT_A_GID],
    ["gid:%2F%2Fshopify%2FCustomer%2F.", NOT_IDS],
  ])("the customer %s gets 400 instead of an empty list", async (id, problem) => {
    expectFailure(await call("GET", `/v1/wishlists/${id}`, { token: shop.token }), 400, "invalid_request", [
      { path: "path.customerId", problem: expect.stringContaining(problem) as unknown },
    ]);
  });

  test.each([
    [".", NOT_IDS],
    ["..", NOT_IDS],
    ["gid://shopify/Product/..", NOT_IDS],
    ["gid%3A%2F%2Fshopify%2FProduct%2F1", NOT_A_GID],
    ["Z2lkOi8vc2hvcGlmeS9Qcm9kdWN0LzE=", NOT_A_GID],
  ])("the product %s in a body gets 400", async (product_id, problem) => {
    const json = { product_id, variant_id: "v1" };
    expectFailure(await call("POST", "/v1/wishlists/c1/items", { token: shop.token, json }), 400, "invalid_request", [
      { path: "body.product_id", problem: expect.stringContaining(problem) as unknown },
    ]);
  });

  const MISSING_VALUES = ["undefined", "null", "NaN", "None", "[object Object]", "[object Promise]"];

  test.each([...MISSING_VALUES, "gid://shopify/Customer/undefined"])(
    "%s, which a program wrote in place of a customer's id, gets 400",
    async (id) => {
      const problem = `is the text \`${id}\`, not an id; check the code that inserts the id`;
      const read = await call("GET", `/v1/wishlists/${encodeURIComponent(id)}`, { token: shop.token });
      expectFailure(read, 400, "invalid_request", [{ path: "path.customerId", problem }]);
      const json = { api_key: shop.keyId, api_secret: shop.secret, customer_id: id };
      expectFailure(await call("POST", "/v1/auth/token", { json }), 400, "invalid_request", [
        { path: "body.customer_id", problem },
      ]);
    },
  );

  test.each(MISSING_VALUES)(
    "%s, which a program wrote in place of a product's or variant's id, gets 400",
    async (id) => {
      const problem = `is the text \`${id}\`, not an id; check the code that inserts the id`;
      const json = { product_id: id, variant_id: id };
      expectFailure(await call("POST", "/v1/wishlists/c1/items", { token: shop.token, json }), 400, "invalid_request", [
        { path: "body.product_id", problem },
        { path: "body.variant_id", problem },
      ]);
    },
  );

  test("several products with commas get 400 that says to repeat the parameter", async () => {
    const response = await call("GET", "/v1/wishlists/c1/contains?product_id=1,2,3", { token: shop.token });
    const problem = "has a comma; repeat the parameter for each product: product_id=1&product_id=2";
    expectFailure(response, 400, "invalid_request", [{ path: "query.product_id[0]", problem }]);
  });

  test.each(["/v1/wishlists/.", "/v1/wishlists/..", "/v1/wishlists/%2e%2E/items"])(
    "the path %s gets 400 that explains that dots are not ids",
    async (target) => {
      const response = await sendRaw(await service.listen(), rawRequest("GET", target, { token: shop.token }));
      expect([response.status, response.text]).toEqual([400, expect.stringContaining("`.` and `..` are not ids")]);
    },
  );

  test.each([
    ["GET", "/v1/wishlists/gid://shopify/Customer/1", "gid:%2F%2Fshopify%2FCustomer%2F<id>"],
    ["POST", "/v1/wishlists/gid://shopify/Customer/1/items", "gid:%2F%2Fshopify%2FCustomer%2F<id>"],
    ["DELETE", "/v1/wishlists/1/items/gid:/shopify/Product/1", "gid:%2F%2Fshopify%2FProduct%2F<id>"],
  ])("%s %s gets 404 that explains how to encode the GID", async (method, target, advice) => {
    const response = await sendRaw(await service.listen(), rawRequest(method, target, { token: shop.token }));
    expect([response.status, response.text]).toEqual([404, expect.stringContaining(advice)]);
  });
});

describe("a body of an endpoint that reads none", () => {
  const BODY = JSON.stringify({ variant_id: "v1" });
  const chunked = { "Transfer-Encoding": "chunked" };

  test("a remove with a variant in its body removes nothing and names the right place", async () => {
    await save("bodies", "p1", "v1");
    await save("bodies", "p1", "v2");
    const path = "/v1/wishlists/bodies/items/p1";
    const responses = [
      await call("DELETE", path, { token: shop.token, json: { variant_id: "v1" } }),
      await sendRaw(await service.listen(), rawRequest("DELETE", path, { token: shop.token, body: BODY })),
      await sendRaw(
        await service.listen(),
        rawRequest("DELETE", path, { token: shop.token, headers: chunked, body: chunk(BODY) + chunk("") }),
      ),
      await sendRaw(
        await service.listen(),
        rawRequest("DELETE", `${path}?variant_id=v1`, { token: shop.token, body: " " }),
      ),
    ];
    for (const response of responses) {
      expectFailure(response, 400, "invalid_request", [
        { path: "body", problem: expect.stringContaining("?variant_id=") as unknown },
      ]);
    }
    expect(await totalOf("bodies")).toBe(2);
  });

  test.each<[method: string, path: string]>([
    ["GET", "/v1/wishlists/c1"],
    ["HEAD", "/v1/wishlists/c1"],
    ["GET", "/v1/wishlists/c1/share"],
    ["DELETE", "/v1/wishlists/c1/share"],
    ["GET", "/v1/analytics/overview"],
    ["GET", "/v1/webhooks"],
    ["DELETE", "/v1/webhooks/wh_1"],
    ["GET", "/v1/openapi.json"],
    ["GET", "/v1/docs"],
  ])("%s %s with a body gets 400, chunked or not", async (method, path) => {
    for (const request of [
      rawRequest(method, path, { token: shop.token, body: BODY }),
      rawRequest(method, path, { token: shop.token, headers: chunked, body: chunk(BODY) + chunk("") }),
    ]) {
      const response = await sendRaw(await service.listen(), request);
      expect(response.status).toBe(400);
      if (method !== "HEAD") expect(response.text).toContain('"path":"body"');
    }
  });

  test("an empty body is accepted, with a length or in chunks", async () => {
    for (const [method, headers, body] of [
      ["DELETE", { "Content-Length": "0" }, undefined],
      ["DELETE", chunked, chunk("")],
      ["DELETE", { "Content-Type": "application/json", "Content-Length": "0" }, undefined],
      ["GET", { "Content-Length": "0" }, undefined],
    ] as const) {
      await save("empties", "p1", "v1");
      const path = method === "GET" ? "/v1/wishlists/empties" : "/v1/wishlists/empties/items/p1";
      const options = { token: shop.token, headers, ...(body === undefined ? {} : { body }) };
      expect((await sendRaw(await service.listen(), rawRequest(method, path, options))).status).toBe(200);
    }
  });

  test("a refused large body does not delay its response", async () => {
    const response = await sendRaw(
      await service.listen(),
      rawRequest("DELETE", "/v1/wishlists/c1/items/p1", {
        token: shop.token,
        headers: chunked,
        body: chunk("x".repeat(100_000)) + chunk("y".repeat(100_000)) + chunk(""),
      }),
    );
    expectFailure(response, 400, "invalid_request", [{ path: "body", problem: expect.any(String) as unknown }]);
  });
});
