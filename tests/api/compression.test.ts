import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect } from "vitest";
import { preferredEncoding } from "../../app/http/compression.server.ts";
import type { Call } from "../support/app/client.ts";
import type { InProcessApp } from "../support/app/in-process.ts";
import type { TestShop } from "../support/app/shop.ts";
import { get, type IncomingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";
import { test } from "../support/app/fixtures.ts";

let service: InProcessApp;
let call: Call;
let shop: TestShop;

test.override("shopOptions", { products: {} });
test.beforeAll(async ({ app, call: apiCall, shop: madeShop }) => {
  service = app;
  call = apiCall;
  shop = madeShop;
  const items = Array.from({ length: 60 }, (_, n) => ({
    productId: `84000${n}`,
    variantId: `44000${n}`,
    addedAt: "2026-11-01T10:00:00Z",
  }));
  await call("POST", "/v1/wishlists/long/merge", { token: shop.token, json: { items } });
  await call("POST", "/v1/wishlists/short/merge", { token: shop.token, json: { items: items.slice(0, 2) } });
});

interface Bytes {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Reads a response from the wire, because fetch would decompress it. */
async function wire(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Bytes> {
  const url = await service.listen();
  return new Promise((resolve, reject) => {
    const all = { authorization: `Bearer ${shop.token}`, ...headers };
    get(url + path, { method, headers: all }, (response) => {
      buffer(response).then(
        (body) => resolve({ status: response.statusCode, headers: response.headers, body }),
        reject,
      );
    }).on("error", reject);
  });
}

const LONG = "/v1/wishlists/long?limit=200";
const DECODERS = { br: brotliDecompressSync, gzip: gunzipSync };

/** Removes values that differ between responses. */
const plainOf = async (path: string): Promise<string> => (await wire(path)).body.toString();

describe.each(["br", "gzip"] as const)("a client that accepts %s", (encoding) => {
  const accept = { "accept-encoding": encoding };

  test.each([LONG, "/v1/openapi.json", "/v1/docs"])("gets %s compressed with the same content", async (path) => {
    const plain = await plainOf(path);
    const { status, headers, body } = await wire(path, accept);
    expect([status, headers["content-encoding"]]).toEqual([200, encoding]);
    expect(headers.vary).toMatch(/\bAccept-Encoding$/);
    expect(Number(headers["content-length"])).toBe(body.length);
    expect(body.length).toBeLessThan(plain.length);
    expect(DECODERS[encoding](body).toString()).toBe(plain);
  });

  test("gets a weak entity tag that yields 304 in either coding", async () => {
    const { headers } = await wire(LONG, accept);
    const tag = headers.etag ?? "";
    expect(tag).toMatch(/^W\/"[^"]+"$/);
    for (const more of [accept, {}]) {
      const again = await wire(LONG, { ...more, "if-none-match": tag });
      expect([again.status, again.body.length, again.headers["content-encoding"]]).toEqual([304, 0, undefined]);
      expect(again.headers.vary).toMatch(/\bAccept-Encoding$/);
    }
  });

  test("gets the same headers from HEAD as from GET", async () => {
    const { headers: got } = await wire(LONG, accept);
    const { headers, body } = await wire(LONG, accept, "HEAD");
    expect(body.length).toBe(0);
    for (const name of ["content-encoding", "etag", "vary", "content-type"]) expect(headers[name]).toBe(got[name]);
    expect(headers["content-length"]).toBeUndefined();
  });

  test("gets a response below 1 kB uncompressed", async () => {
    const { headers, body } = await wire("/v1/wishlists/short", accept);
    expect(body.length).toBeLessThan(1024);
    expect([headers["content-encoding"], headers.vary]).toEqual([undefined, "Authorization, Accept-Encoding"]);
  });

  test("gets a response with a secret uncompressed", async () => {
    const json = { url: `https://hooks.example.com/${"x".repeat(1_500)}`, events: ["wishlist.shared"] };
    const created = await fetch(`${await service.listen()}/v1/webhooks`, {
      method: "POST",
      headers: { ...accept, authorization: `Bearer ${shop.token}`, "content-type": "application/json" },
      body: JSON.stringify(json),
    });
    expect([created.status, created.headers.get("content-encoding")]).toEqual([201, null]);
    expect((await created.text()).length).toBeGreaterThan(1024);
    const { headers } = await wire("/v1/webhooks", accept);
    expect(headers["content-encoding"]).toBeUndefined();
  });

  test.each<[method: string, path: string, json?: () => unknown]>([
    ["POST", "/v1/auth/token", () => ({ api_key: shop.keyId, api_secret: shop.secret })],
    ["POST", "/v1/webhooks", () => ({ url: "https://hooks.example.com/", events: ["wishlist.shared"] })],
    ["GET", "/v1/webhooks"],
    ["GET", "/v1/wishlists/short/share"],
  ])("gets the response to %s %s, which holds a secret, uncompressed", async (method, path, json) => {
    // Short responses are never compressed. `Vary` shows whether Accept-Encoding matters.
    const { status, headers } = await call(method, path, { token: shop.token, json: json?.(), headers: accept });
    expect(status).toBeLessThan(300);
    expect(headers.get("vary") ?? "").not.toContain("Accept-Encoding");
  });
});

test("a client without Accept-Encoding gets a length and a strong entity tag", async () => {
  for (const accept of [{}, { "accept-encoding": "identity" }, { "accept-encoding": "gzip;q=0, br;q=0" }]) {
    const { headers, body } = await wire(LONG, accept);
    expect(headers["content-encoding"]).toBeUndefined();
    expect(headers.etag).toMatch(/^"/);
    expect(Number(headers["content-length"])).toBe(body.length);
  }
});

test("concurrent compressed responses are complete", async () => {
  const plain = await plainOf(LONG);
  const responses = await Promise.all(Array.from({ length: 40 }, () => wire(LONG, { "accept-encoding": "gzip" })));
  for (const { headers, body } of responses) {
    const text = headers["content-encoding"] === "gzip" ? gunzipSync(body) : body;
    expect(text.toString()).toBe(plain);
  }
});

test.each([
  ["br, gzip", "br"],
  ["gzip, deflate, br, zstd", "br"],
  ["gzip", "gzip"],
  ["gzip;q=1.0, br;q=0.5", "gzip"],
  ["br;q=0, *", "gzip"],
  ["*", "br"],
  ["*;q=0", undefined],
  ["identity", undefined],
  ["", undefined],
  ["deflate, zstd", undefined],
  ["gzip;q=0", undefined],
  ["GZIP", "gzip"],
  ["gzip;q=x", undefined],
  ["gzip, ".repeat(100), undefined],
  [null, undefined],
])("Accept-Encoding %j selects %s", (header, expected) => {
  expect(preferredEncoding(header)).toBe(expected);
});
