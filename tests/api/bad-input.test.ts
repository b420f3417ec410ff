import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { client, type ApiResponse, type Call } from "../support/app/client.ts";
import { expectFailure, problemsAt, type ReceivedResponse } from "../support/app/failure.ts";
import { chunk, rawRequest, sendRaw } from "../support/http/raw.ts";
import { startApp, type InProcessApp } from "../support/app/in-process.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import { everythingStored } from "../support/app/stored-rows.ts";

const LIMIT = 16 * 1024;
const ITEMS = "/v1/wishlists/c1/items";
const JSON_TYPE = "Content-Type: application/json\r\n";

let service: InProcessApp;
let call: Call;
let shop: TestShop;
/** customer c1 has the item p1/v1 and an open share link; no test of this file may change that */
let before: Awaited<ReturnType<typeof everythingStored>>;

beforeAll(async () => {
  service = await startApp();
  call = client(service);
  shop = await makeShop(service, call, { products: { p1: "v1", p2: "v2" } });
  await call("POST", ITEMS, { token: shop.token, json: { product_id: "p1" } });
  await call("GET", "/v1/wishlists/c1/share", { token: shop.token });
  before = await everythingStored(service.database);
});
afterEach(async () => {
  const expected = before;
  before = await everythingStored(service.database);
  expect(before).toEqual(expected);
});
afterAll(() => service.dispose());

interface Sent {
  json?: unknown;
  body?: string | Uint8Array;
  headers?: Record<string, string>;
}

function post(path: string, { json, body, headers }: Sent): Promise<ApiResponse> {
  return call("POST", path, {
    token: shop.token,
    ...(body === undefined ? { json } : { body }),
    headers: { "content-type": "application/json", ...headers },
  });
}

/** Sends a request with the exact target, which an HTTP client would normalize. */
async function raw(method: string, target: string, body?: string): Promise<ReceivedResponse> {
  return sendRaw(
    await service.listen(),
    rawRequest(method, target, { token: shop.token, ...(body === undefined ? {} : { body }) }),
  );
}

/** Builds a request from lines, with a token. */
function lines(...more: string[]): string {
  return `${more.join("\r\n")}\r\nAuthorization: Bearer ${shop.token}\r\n`;
}

const WITH_BODY: [path: string, limit: number][] = [
  ["/v1/auth/token", 4 * 1024],
  [ITEMS, LIMIT],
  ["/v1/wishlists/c1/merge", 256 * 1024],
];

describe.each(WITH_BODY)("the body of POST %s", (path, limit) => {
  test.each<[what: string, body: string | Uint8Array]>([
    ["an open brace", "{"],
    ["nothing", ""],
    ["spaces", "  \n"],
    ["two values", '{"product_id":"p2"} {}'],
    ["a trailing comma", '{"product_id":"p2",}'],
    ["single quotes", "{'product_id':'p2'}"],
    ["a comment", '{"product_id":"p2"/**/}'],
    ["an unquoted name", '{product_id:"p2"}'],
    ["NaN", '{"product_id":NaN}'],
    ["a line break in a string", '{"product_id":"p\n2"}'],
    ["a NUL byte in a string", '{"product_id":"p\u00002"}'],
    ["a form", "product_id=p2"],
    ["XML", "<product_id>p2</product_id>"],
    ["invalid UTF-8", Buffer.from('{"product_id":"p\xff2"}', "latin1")],
    ["overlong UTF-8", Buffer.from('{"product_id":"p\xc0\xaf2"}', "latin1")],
    ["UTF-16", Buffer.from('{"product_id":"p2"}', "utf16le")],
    ["brackets without end", "[".repeat(4_000)],
  ])("is refused when it is not JSON: %s", async (_what, body) => {
    expectFailure(await post(path, { body }), 400, "invalid_json");
  });

  test.each<[what: string, body: string]>([
    ["null", "null"],
    ["an empty list", "[]"],
    ["a list of one", '[{"product_id":"p2"}]'],
    ["a text", '"p2"'],
    ["a number", "1"],
    ["true", "true"],
    ["a number beyond all", "1e400"],
    ["thousands of lists in each other", "[".repeat(2_000) + "]".repeat(2_000)],
  ])("is refused when it is JSON but not an object: %s", async (_what, body) => {
    const response = await post(path, { body });
    expectFailure(response, 400, "invalid_request", [{ path: "body", problem: "must be an object" }]);
  });

  test.each([
    "text/plain",
    "text/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonp",
    "application/vnd.api+json",
    "application/json, text/plain",
    "application/json; charset=iso-8859-1",
    "application/json; charset=utf-16",
    "application/octet-stream",
    "json",
    "*/*",
  ])("is refused with the content type %s", async (type) => {
    const response = await post(path, { json: { product_id: "p2" }, headers: { "content-type": type } });
    expectFailure(response, 415, "unsupported_media_type");
  });

  test("is refused without a content type", async () => {
    const request = lines(`POST ${path} HTTP/1.1`, "Host: x", "Connection: close", "Content-Length: 19");
    const response = await sendRaw(await service.listen(), `${request}\r\n{"product_id":"p2"}`);
    expectFailure(response, 415, "unsupported_media_type");
  });

  test.each(["gzip", "br", "x"])("is refused in the content coding %s", async (coding) => {
    const response = await post(path, { json: { product_id: "p2" }, headers: { "content-encoding": coding } });
    expectFailure(response, 415, "unsupported_media_type");
  });

  test.each(["x", "_data", "index", "_routes", "__proto__", "constructor", "product_id"])(
    "does not hide the unknown query parameter %s",
    async (name) => {
      const response = await post(`${path}?${name}=p2`, { json: { product_id: "p2" } });
      expect(response.status).toBe(400);
      const { code, details } = response.error();
      expect(code).toBe("invalid_request");
      expect(details).toEqual(expect.arrayContaining(problemsAt(`query.${name}`)));
    },
  );

  test("gets 413 when its announced length is one byte over the limit", async () => {
    expectFailure(await post(path, { body: "x".repeat(limit + 1) }), 413, "payload_too_large");
  });

  test("gets 413 when its chunks are one byte over the limit", async () => {
    const body = chunk("x".repeat(limit)) + chunk("x") + chunk("");
    const headers = { "Transfer-Encoding": "chunked" };
    const response = await sendRaw(
      await service.listen(),
      rawRequest("POST", path, { token: shop.token, headers, body }),
    );
    expectFailure(response, 413, "payload_too_large");
  });

  test.each(["length", "chunks"])("is accepted at the limit, sent by %s", async (framing) => {
    const text = `"${"x".repeat(limit - 2)}"`;
    const chunked = framing === "chunks";
    const response = await sendRaw(
      await service.listen(),
      rawRequest("POST", path, {
        token: shop.token,
        headers: chunked ? { "Transfer-Encoding": "chunked" } : {},
        body: chunked ? chunk(text.slice(0, 9)) + chunk(text.slice(9)) + chunk("") : text,
      }),
    );
    expectFailure(response, 400, "invalid_request", problemsAt("body"));
  });
});

describe("an oversized body", () => {
  test("is refused by its announced length before it is sent", async () => {
    const request = lines(`POST ${ITEMS} HTTP/1.1`, "Host: x", "Content-Length: 99999999999");
    expectFailure(await sendRaw(await service.listen(), `${request}${JSON_TYPE}\r\n`), 413, "payload_too_large");
  });

  test("is refused while it is sent in chunks", async () => {
    const request = lines(`POST ${ITEMS} HTTP/1.1`, "Host: x", "Transfer-Encoding: chunked");
    const response = await sendRaw(await service.listen(), `${request}${JSON_TYPE}\r\n${chunk("x".repeat(LIMIT + 1))}`);
    expectFailure(response, 413, "payload_too_large");
  });

  test.each(["length", "chunks"])(
    "of two megabytes by %s gets its response while the client still writes",
    async (framing) => {
      const text = "x".repeat(2 * 1024 * 1024);
      const [header, body] =
        framing === "length"
          ? [`Content-Length: ${text.length}`, text]
          : ["Transfer-Encoding: chunked", chunk(text) + chunk("")];
      const request = lines(`POST ${ITEMS} HTTP/1.1`, "Host: x", "Connection: close", header);
      for (let time = 0; time < 3; time++) {
        const response = await sendRaw(await service.listen(), `${request}${JSON_TYPE}\r\n${body}`);
        expectFailure(response, 413, "payload_too_large");
      }
    },
  );

  test.each(["length", "chunks"])("by %s cannot smuggle a second request", async (framing) => {
    const hidden = `${lines("DELETE /v1/wishlists/c1/items/p1 HTTP/1.1", "Host: x")}\r\n`;
    const text = "x".repeat(LIMIT + 1) + hidden;
    const [header, body] =
      framing === "length"
        ? [`Content-Length: ${text.length}`, text]
        : ["Transfer-Encoding: chunked", chunk(text) + chunk("")];
    const request = lines(`POST ${ITEMS} HTTP/1.1`, "Host: x", "Connection: close", header);
    const response = await sendRaw(await service.listen(), `${request}${JSON_TYPE}\r\n${body}`);
    expectFailure(response, 413, "payload_too_large");
  });

  test("is refused without a token as well", async () => {
    const response = await call("POST", ITEMS, { json: { product_id: "p".repeat(LIMIT) } });
    expectFailure(response, 413, "payload_too_large");
  });
});

test.each([
  "application/json",
  "APPLICATION/JSON",
  "application/json;charset=utf-8",
  'application/json ; charset="UTF-8"',
  "application/json; charset=utf8",
  "application/json;",
  "application/json; profile=x; charset=utf-8",
])("a body with the content type %s is accepted", async (type) => {
  const response = await post(ITEMS, { json: { product_id: "p1" }, headers: { "content-type": type } });
  expect(response.data()).toEqual({ added: false, itemCount: 1 });
});

test("a byte order mark before the JSON is ignored (RFC 8259, 8.1)", async () => {
  const response = await post(ITEMS, { body: '\ufeff{"product_id":"p1"}' });
  expect(response.data()).toEqual({ added: false, itemCount: 1 });
});

test("a body in chunks is accepted", async () => {
  const body = chunk('{"product_id"') + chunk(':"p1"}') + chunk("");
  const headers = { "Transfer-Encoding": "chunked" };
  const response = await sendRaw(
    await service.listen(),
    rawRequest("POST", ITEMS, { token: shop.token, headers, body }),
  );
  expect([response.status, JSON.parse(response.text)]).toEqual([
    200,
    { ok: true, data: { added: false, itemCount: 1 } },
  ]);
});

const VISIBLE = "must be 1 to 255 visible ASCII characters (no spaces or control characters)";

test.each<[what: string, json: unknown, path: string, problem: string]>([
  ["a list of 1,001 elements", { items: Array<number>(1_001).fill(1) }, "body.items", "has more than 1000 elements"],
  ["an object of 101 fields", fields(101), "body", "has more than 100 fields"],
  ["an element of 101 fields", { items: [fields(101)] }, "body.items[0]", "has more than 100 fields"],
  [
    "such a list under a long name",
    { ["n".repeat(60)]: Array<number>(1_001).fill(1) },
    `body.${"n".repeat(50)}`,
    "has more than 1000 elements",
  ],
  [
    "more than 10,000 values",
    { items: Array<number[]>(500).fill(Array<number>(20).fill(1)) },
    "body",
    "has more than 10000 values",
  ],
])("a merge with %s is refused for its size only", async (_what, json, path, problem) => {
  const response = await post("/v1/wishlists/c1/merge", { json });
  expectFailure(response, 400, "invalid_request", [{ path, problem }]);
});

function fields(count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, n]));
}

describe("the fields of an add", () => {
  test.each<[what: string, body: string, details: { path: string; problem: string }[]]>([
    ["nothing", "{}", [{ path: "body.product_id", problem: "is missing" }]],
    ["the variant alone", '{"variant_id":"v2"}', [{ path: "body.product_id", problem: "is missing" }]],
    ...(
      [
        ["null", "null"],
        ["a number", "1"],
        ["a number beyond all", "1e400"],
        ["a long number", "123456789012345678901234567890"],
        ["true", "true"],
        ["a list", '["p2"]'],
        ["an object", '{"id":"p2"}'],
        ["a deep list", "[".repeat(5_000) + "]".repeat(5_000)],
      ] satisfies [string, string][]
    ).flatMap(([what, value]): [string, string, { path: string; problem: string }[]][] => [
      [
        `${what} for the product`,
        `{"product_id":${value}}`,
        [{ path: "body.product_id", problem: "must be a string" }],
      ],
      [
        `${what} for the variant`,
        `{"product_id":"p2","variant_id":${value}}`,
        [{ path: "body.variant_id", problem: "must be a string" }],
      ],
    ]),
    ...(
      [
        ["an empty text", '""'],
        ["a space", '" "'],
        ["a space before", '" p2"'],
        ["a line break behind", '"p2\\n"'],
        ["a NUL byte", '"p\\u00002"'],
        ["a control character", '"p\\u001f2"'],
        ["a delete character", '"p\\u007f2"'],
        ["a lone surrogate", '"\\ud800"'],
        ["a letter with an accent", '"é"'],
        ["an emoji", '"\\ud83d\\ude00"'],
        ["a zero-width space", '"p2\\u200b"'],
        ["a full-width digit", '"\\uff11"'],
        ["256 characters", `"${"p".repeat(256)}"`],
        ["ten thousand characters", `"${"p".repeat(10_000)}"`],
      ] satisfies [string, string][]
    ).flatMap(([what, value]): [string, string, { path: string; problem: string }[]][] => [
      [`${what} for the product`, `{"product_id":${value}}`, [{ path: "body.product_id", problem: VISIBLE }]],
      [
        `${what} for the variant`,
        `{"product_id":"p2","variant_id":${value}}`,
        [{ path: "body.variant_id", problem: VISIBLE }],
      ],
    ]),
    [
      "another type's GID for the product",
      '{"product_id":"gid://shopify/ProductVariant/2"}',
      [{ path: "body.product_id", problem: "is the id of a ProductVariant; the id of a Product is expected" }],
    ],
    [
      "another type's GID for the variant",
      '{"product_id":"p2","variant_id":"gid://shopify/Product/2"}',
      [{ path: "body.variant_id", problem: "is the id of a Product; the id of a ProductVariant is expected" }],
    ],
    [
      "a GID that ends too early",
      '{"product_id":"gid://shopify/Product/"}',
      [{ path: "body.product_id", problem: "is a GID without its last part" }],
    ],
    [
      "a GID within a GID",
      '{"product_id":"gid://shopify/Product/gid://shopify/ProductVariant/2"}',
      [{ path: "body.product_id", problem: "is a GID within a GID" }],
    ],
  ])("with %s are refused with a fitting message", async (_what, body, details) => {
    const response = await post(ITEMS, { body });
    expectFailure(response, 400, "invalid_request", details);
    expect(response.error().message).toContain(details[0]?.problem);
  });

  test.each([
    ["productId", "product_id"],
    ["productID", "product_id"],
    ["ProductId", "product_id"],
    ["PRODUCT_ID", "product_id"],
    ["product-id", "product_id"],
    ["productid", "product_id"],
    ["prodct_id", "product_id"],
    ["product_ids", "product_id"],
  ])("named %s are refused with the suggestion %s", async (given, meant) => {
    const response = await post(ITEMS, { json: { [given]: "p2" } });
    expectFailure(response, 400, "invalid_request", [
      { path: `body.${given}`, problem: `is not a known field; did you mean \`${meant}\`?` },
    ]);
    expect(response.error().message).toContain(`\`${meant}\``);
  });

  test.each(["variantId", "variantid", "Variant_Id", "varaint_id"])(
    "with %s get the suggestion variant_id and save no other variant",
    async (given) => {
      const response = await post(ITEMS, { json: { product_id: "p2", [given]: "v9" } });
      expectFailure(response, 400, "invalid_request", [
        { path: `body.${given}`, problem: "is not a known field; did you mean `variant_id`?" },
      ]);
    },
  );

  test.each(["x", "", "constructor", "toString", "hasOwnProperty", "prototype", "customer_id", "price", "addedAt"])(
    "with the unknown name %j are refused with the known names",
    async (name) => {
      const response = await post(ITEMS, { json: { product_id: "p2", [name]: "v" } });
      expectFailure(response, 400, "invalid_request", [
        {
          path: `body.${name}`,
          problem: "is not a known field; known: product_id, variant_id, quantity, note, properties",
        },
      ]);
    },
  );

  test("cannot be set through `__proto__`", async () => {
    const beside = await post(ITEMS, { body: '{"product_id":"p2","__proto__":{"variant_id":"v9"}}' });
    expectFailure(beside, 400, "invalid_request", problemsAt("body.__proto__"));
    const alone = await post(ITEMS, { body: '{"__proto__":{"product_id":"p2"}}' });
    expectFailure(alone, 400, "invalid_request", problemsAt("body.__proto__", "body.product_id"));
  });

  test("get suggestions for the first twenty unknown names only", async () => {
    const names = Array.from({ length: 21 }, (_, n) => `product_${n + 10}`);
    const response = await post(ITEMS, { body: `{${names.map((name) => `"${name}":1`).join()}}` });
    expect(response.error().code).toBe("invalid_request");
    expect(response.text.match(/did you mean/g)).toHaveLength(20 + 1); // the message repeats the first
  });

  test.each([
    [40, true],
    [41, false],
  ])("with an unknown name of %i characters get a suggestion: %s", async (length, compared) => {
    const response = await post(ITEMS, { json: { ["product_id".padEnd(length, "_")]: "p2" } });
    expect(response.error().code).toBe("invalid_request");
    expect(response.text.includes("did you mean")).toBe(compared);
  });

  test("get a short response when there are thousands or their names are very long", async () => {
    const many = Array.from({ length: 1_500 }, (_, i) => `"${i.toString(36)}":1`).join();
    for (const body of [`{${many}}`, `{"${"p".repeat(LIMIT - 10)}":1}`]) {
      const response = await post(ITEMS, { body });
      expect([response.status, response.error().code]).toEqual([400, "invalid_request"]);
      expect(response.text.length).toBeLessThan(20_000);
    }
  });
});

const PATHS: [path: string, allow: string][] = [
  ["/v1/auth/token", "POST, OPTIONS"],
  ["/v1/wishlists/c1", "GET, HEAD, OPTIONS"],
  [ITEMS, "POST, OPTIONS"],
  ["/v1/wishlists/c1/items/p1", "DELETE, OPTIONS"],
  ["/v1/wishlists/c1/merge", "POST, OPTIONS"],
  ["/v1/wishlists/c1/share", "GET, PATCH, DELETE, OPTIONS"],
  ["/v1/wishlists/shared/3tVbN0qLr8kZcX5yPw1aHs", "GET, HEAD, OPTIONS"],
];
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "QUERY", "PROPFIND", "SEARCH"];

describe.each(PATHS)("%s", (path, allow) => {
  test.each(METHODS.filter((method) => !allow.split(", ").includes(method)))(
    "responds to %s with 405 and the allowed methods",
    async (method) => {
      for (const query of ["", "?index", "?_data=x"]) {
        const response = await raw(method, path + query, method === "HEAD" ? undefined : '{"product_id":"p2"}');
        expect(response.headers.get("allow")).toBe(allow);
        if (method === "HEAD") expect([response.status, response.text]).toEqual([405, ""]);
        else expectFailure(response, 405, "method_not_allowed");
      }
    },
  );

  test("responds with 405 without a token as well", async () => {
    const response = await call("PUT", path);
    expectFailure(response, 405, "method_not_allowed");
  });

  test.each(["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"])(
    "ignores the method in %s",
    async (header) => {
      const response = await call("PUT", path, { token: shop.token, headers: { [header]: "DELETE" } });
      expectFailure(response, 405, "method_not_allowed");
    },
  );
});

test.each([
  "/v1",
  "/v1/",
  "/v1?x",
  "/v1/nothing",
  "/v1/wishlists",
  "/v1/wishlists/",
  "/v1/wishlists/c1/",
  "/v1/wishlists/c1/items/",
  "/v1/wishlists/c1/items/p1/",
  "/v1/wishlists/c1/items/p1/v1",
  "/v1/wishlists/c1/unknown",
  "/v1/wishlists/c1/items.data",
  "/v1/nothing.data",
  "/v1/auth",
  "/v1/auth/token/",
  "/v1//wishlists/c1",
  "/v1/wishlists//c1",
  "/v1/wishlists//items",
  "/v1/wishlists/c1//items",
  "/v1/wishlists/shared/a/b",
  "/V1/wishlists/c1",
  "/v1/WISHLISTS/c1",
  "/v1/wishlists/c1/Items",
  "/v1/%77ishlists/c1",
  "/v1/wishlists/c1/%69tems",
  "/v1/wishlists/%73hared/3tVbN0qLr8kZcX5yPw1aHs",
  "/v1/wishlists%2Fc1",
  "/v1/wishlists/c1%2Fitems/p1/",
  "/v1/%zz",
  "/v1/nothing?_data=x",
  "/v1/nothing?index",
])("%s gets 404 in JSON for every method", async (target) => {
  for (const method of ["GET", "POST", "DELETE", "PUT"]) {
    expectFailure(await raw(method, target, method === "GET" ? undefined : '{"product_id":"p2"}'), 404, "not_found");
  }
  const head = await raw("HEAD", target);
  expect([head.status, head.text]).toEqual([404, ""]);
});

test.each(["/v1/wishlists/c1/", "/v1/auth/token/", "/v1/wishlists/c1/items/?x=1"])(
  "%s is refused with the advice to remove the trailing slash",
  async (target) => {
    expect((await call("GET", target)).error().message).toContain("Remove the trailing slash");
  },
);

test.each([
  "/v2",
  "/v2/wishlists/c1",
  "/V1/wishlists/c1",
  "/api",
  "/api/v1/wishlists/c1",
  "/wishlists/c1",
  "/graphql",
  "/v10",
])("the API-like path %s gets 404 in JSON that names /v1", async (target) => {
  for (const method of ["GET", "POST", "OPTIONS"]) {
    const response = await raw(method, target, method === "POST" ? "{}" : undefined);
    expectFailure(response, 404, "not_found");
    expect(response.text).toContain("/v1");
  }
});

test.each(["TRACE", "PROPFIND", "QUERY"])("an unknown path gets 404 for the unusual method %s", async (method) => {
  expectFailure(await raw(method, "/v1/nothing"), 404, "not_found");
});

test.each([
  "/v1/wishlists/../wishlists/c1",
  "/v1/./wishlists/c1",
  "/v1/wishlists/c1/..",
  "/v1/wishlists/c1/.",
  "/v1/wishlists/.",
  "/v1/wishlists/..",
  "/v1/wishlists/%2e",
  "/v1/wishlists/%2e%2e",
  "/v1/wishlists/%2E%2e/items",
  "/v1/wishlists/.%2e/items",
  "/v1/wishlists/c1/items/%2e%2e",
  "/v1/wishlists/c2/../c1/items",
  "/../v1/wishlists/c1",
  "/v1/wishlists/c1\\items",
  "/v1\\wishlists/c1",
  "/v1/wishlists/c1#/items",
  "ftp://other.example/v1/wishlists/c1",
  "*",
])("the ambiguous target %s gets 400", async (target) => {
  for (const method of ["GET", "POST", "DELETE"]) {
    expectFailure(
      await raw(method, target, method === "GET" ? undefined : '{"product_id":"p2"}'),
      400,
      "invalid_request",
    );
  }
});

test.each<[what: string, target: string]>([
  ["a space", "/v1/wishlists/c 1"],
  ["a tab", "/v1/wishlists/c\t1"],
  ["a NUL byte", "/v1/wishlists/c\u00001"],
  ["a control character", "/v1/wishlists/c\u00011"],
  ["a byte beyond ASCII", "/v1/wishlists/\u00e9"],
  ["no slash before it", "v1/wishlists/c1"],
])("a target with %s gets 400", async (_what, target) => {
  expectFailure(await raw("GET", target), 400, "invalid_request");
});

/** Every place of an id in a path. */
const ID_PLACES: [method: string, path: (id: string) => string, parameter: string, body?: string][] = [
  ["GET", (id) => `/v1/wishlists/${id}`, "customerId"],
  ["HEAD", (id) => `/v1/wishlists/${id}`, "customerId"],
  ["POST", (id) => `/v1/wishlists/${id}/items`, "customerId", '{"product_id":"p2"}'],
  ["DELETE", (id) => `/v1/wishlists/${id}/items/p1`, "customerId"],
  ["DELETE", (id) => `/v1/wishlists/c1/items/${id}`, "productId"],
  ["POST", (id) => `/v1/wishlists/${id}/merge`, "customerId", '{"items":[]}'],
  ["GET", (id) => `/v1/wishlists/${id}/share`, "customerId"],
  ["DELETE", (id) => `/v1/wishlists/${id}/share`, "customerId"],
  ["POST", (id) => `/v1/wishlists/${id}/lists`, "customerId", '{"name":"L"}'],
  ["GET", (id) => `/v1/wishlists/${id}/lists/default/items`, "customerId"],
  ["PATCH", (id) => `/v1/wishlists/c1/lists/default/items/${id}`, "productId", '{"quantity":2}'],
];

async function expectRefusedEverywhere(id: string, places: typeof ID_PLACES, problem: unknown): Promise<void> {
  for (const [method, path, parameter, body] of places) {
    const response = await raw(method, path(id), body);
    if (method === "HEAD") expect([response.status, response.text]).toEqual([400, ""]);
    else expectFailure(response, 400, "invalid_request", [{ path: `path.${parameter}`, problem }]);
  }
}

test.each(["%", "%2", "%zz", "%G1", "c%", "%u0041", "%c0%af", "%c0%80", "%ff", "%ed%a0%80", "%f5%80%80%80", "%E2%82"])(
  "the broken percent-encoding %s is refused in every id of a path",
  async (id) => {
    await expectRefusedEverywhere(id, ID_PLACES, "has an invalid percent-encoding");
  },
);

test.each([
  "%00",
  "c1%00",
  "%0d%0a",
  "c1%0a",
  "%20",
  "c1%20",
  "%09",
  "%1f",
  "%7f",
  "%C3%A9",
  "%E2%80%8B",
  "%F0%9F%98%80",
  "a".repeat(256),
])("the invalid id %s is refused in every place of a path", async (id) => {
  await expectRefusedEverywhere(id, ID_PLACES, VISIBLE);
});

test.each([
  ["gid:%2F%2Fshopify%2FOrder%2F1", /is the id of a Order/],
  ["gid:%2F%2Fshopify%2Fcustomer%2F1", /is the id of a customer/],
  ["gid:%2F%2Fshopify%2FProductVariant%2F1", /is the id of a ProductVariant/],
])("the GID of another type, %s, is refused in every place of a path", async (id, problem) => {
  await expectRefusedEverywhere(id, ID_PLACES, expect.stringMatching(problem));
});

test("an incomplete or nested GID is refused", async () => {
  const places = ID_PLACES.filter(([, , parameter]) => parameter === "customerId");
  await expectRefusedEverywhere("gid:%2F%2Fshopify%2FCustomer%2F", places, "is a GID without its last part");
  const nested = "gid:%2F%2Fshopify%2FCustomer%2Fgid:%2F%2Fshopify%2FCustomer%2Fshared";
  await expectRefusedEverywhere(nested, places, "is a GID within a GID");
});

describe("the customer `shared`", () => {
  test.each([
    "shared",
    "%73hared",
    "%73%68%61%72%65%64",
    "gid:%2F%2Fshopify%2FCustomer%2Fshared",
    "gid%3a%2f%2fshopify%2fCustomer%2f%73hared",
  ])("is refused in every customer id of a path when it is written %s", async (id) => {
    const places = ID_PLACES.filter(
      // GET /v1/wishlists/shared/share reads a share token.
      ([method, path, parameter]) =>
        parameter === "customerId" && !(method === "GET" && path(id) === "/v1/wishlists/shared/share"),
    );
    await expectRefusedEverywhere(id, places, "`shared` is not a customer id");
  });

  test("selects the shared list for every token", async () => {
    for (const token of ["share", "items", "lists", "merge"]) {
      expectFailure(await call("GET", `/v1/wishlists/shared/${token}`), 404, "share_not_found");
    }
  });
});

describe("the query of a page", () => {
  const WHOLE = "must be a whole number";
  const FEW = "must be at least 1";
  const MANY = "must be at most 200";
  const BACK = "must be at least 0";
  const FAR = "must be at most 2147483647";
  const TWICE = "is given more than once";
  const UNKNOWN = "is not a known query parameter; known: limit, offset, expand, sort, direction, available, q";

  test.each<[query: string, place: string, problem: string]>([
    ["limit=0", "limit", FEW],
    ["limit=-1", "limit", FEW],
    ["limit=-99999999999999999999", "limit", FEW],
    ["limit=201", "limit", MANY],
    ["limit=2147483648", "limit", MANY],
    ["limit=99999999999999999999", "limit", MANY],
    [`limit=${"9".repeat(400)}`, "limit", MANY],
    ["limit=abc", "limit", WHOLE],
    ["limit=", "limit", WHOLE],
    ["limit", "limit", WHOLE],
    ["limit=1e2", "limit", WHOLE],
    ["limit=1.5", "limit", WHOLE],
    ["limit=1.0", "limit", WHOLE],
    ["limit=+5", "limit", WHOLE],
    ["limit=%2B5", "limit", WHOLE],
    ["limit=%205", "limit", WHOLE],
    ["limit=5%20", "limit", WHOLE],
    ["limit=5%0A", "limit", WHOLE],
    ["limit=5%00", "limit", WHOLE],
    ["limit=05", "limit", WHOLE],
    ["limit=-0", "limit", WHOLE],
    ["limit=0x10", "limit", WHOLE],
    ["limit=1_0", "limit", WHOLE],
    ["limit=10,20", "limit", WHOLE],
    ["limit=%D9%A5", "limit", WHOLE],
    ["limit=%EF%BC%95", "limit", WHOLE],
    ["limit=Infinity", "limit", WHOLE],
    ["limit=NaN", "limit", WHOLE],
    ["limit=null", "limit", WHOLE],
    ["limit=true", "limit", WHOLE],
    ["limit=1;offset=1", "limit", WHOLE],
    ["limit=1?offset=1", "limit", WHOLE],
    ["offset=-1", "offset", BACK],
    ["offset=2147483648", "offset", FAR],
    ["offset=99999999999999999999", "offset", FAR],
    ["offset=abc", "offset", WHOLE],
    ["offset=", "offset", WHOLE],
    ["offset=0.5", "offset", WHOLE],
    ["limit=1&limit=2", "limit", TWICE],
    ["limit=1&limit=1", "limit", TWICE],
    ["limit=1&%6Cimit=1", "limit", TWICE],
    ["offset=0&limit=1&offset=0", "offset", TWICE],
    ["page=2", "page", UNKNOWN],
    ["index", "index", UNKNOWN],
    ["_data=x", "_data", UNKNOWN],
    ["_data=routes/v1.wishlists.$customerId", "_data", UNKNOWN],
    ["_routes=x", "_routes", UNKNOWN],
    ["__proto__=1", "__proto__", UNKNOWN],
    ["constructor=1", "constructor", UNKNOWN],
    ["toString=1", "toString", UNKNOWN],
    ["=5", "", UNKNOWN],
    ["Limit=5", "Limit", "is not a known query parameter; did you mean `limit`?"],
    ["limit[]=5", "limit[]", "is not a known query parameter; did you mean `limit`?"],
    ["ofset=5", "ofset", "is not a known query parameter; did you mean `offset`?"],
  ])("`?%s` is refused", async (query, place, problem) => {
    const response = await raw("GET", `/v1/wishlists/c1?${query}`);
    expectFailure(response, 400, "invalid_request", [{ path: `query.${place}`, problem }]);
  });

  test.each(["limit=%zz", "%zz=1", "limit=%", "%c0%af", "limit=%ff", "%E9"])(
    "`?%s` is refused as broken",
    async (query) => {
      const response = await raw("GET", `/v1/wishlists/c1?${query}`);
      expectFailure(response, 400, "invalid_request", [{ path: "query", problem: "has an invalid percent-encoding" }]);
    },
  );

  test("gets a short response to a thousand repetitions", async () => {
    const response = await raw("GET", `/v1/wishlists/c1?${"limit=1&".repeat(1_500)}`);
    expect(response.status).toBe(400);
    expect(response.text.length).toBeLessThan(20_000);
  });
});

describe("unusual HTTP:", () => {
  test.each<[what: string, request: () => string]>([
    ["no request at all", () => "hello\r\n\r\n"],
    ["an unknown method", () => `${lines("FROBNICATE /v1/wishlists/c1 HTTP/1.1", "Host: x")}\r\n`],
    ["a method in lower case", () => `${lines("delete /v1/wishlists/c1/items/p1 HTTP/1.1", "Host: x")}\r\n`],
    ["HTTP/2's preface", () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["a length that is no number", () => `${lines(`POST ${ITEMS} HTTP/1.1`, "Host: x", "Content-Length: x")}\r\n`],
    ["a negative length", () => `${lines(`POST ${ITEMS} HTTP/1.1`, "Host: x", "Content-Length: -1")}\r\n`],
    [
      "two lengths",
      () => `${lines(`POST ${ITEMS} HTTP/1.1`, "Host: x", "Content-Length: 2", "Content-Length: 3")}\r\n{}`,
    ],
    [
      "a length and chunks",
      () =>
        `${lines(`POST ${ITEMS} HTTP/1.1`, "Host: x", "Content-Length: 2", "Transfer-Encoding: chunked")}\r\n0\r\n\r\n`,
    ],
    [
      "a broken chunk",
      () => `${lines(`POST ${ITEMS} HTTP/1.1`, "Host: x", "Transfer-Encoding: chunked")}${JSON_TYPE}\r\nzz\r\n`,
    ],
    ["a NUL byte in a header", () => `${lines("GET /v1/wishlists/c1 HTTP/1.1", "Host: x", "X-Any: a\0b")}\r\n`],
    ["no host", () => `${lines("GET /v1/wishlists/c1 HTTP/1.1", "Connection: close")}\r\n`],
    ["two hosts", () => `${lines("GET /healthz HTTP/1.1", "Host: x", "host: y", "Connection: close")}\r\n`],
    ["the same host twice", () => `${lines("GET /healthz HTTP/1.1", "Host: x", "Host: x", "Connection: close")}\r\n`],
    ["a path for a host", () => `${lines("GET /v1/wishlists/c1 HTTP/1.1", "Host: a/b", "Connection: close")}\r\n`],
    ["a user in the host", () => `${lines("GET /v1/wishlists/c1 HTTP/1.1", "Host: a@b", "Connection: close")}\r\n`],
    ["a space in the host", () => `${lines("GET /v1/wishlists/c1 HTTP/1.1", "Host: a b", "Connection: close")}\r\n`],
    ["a port beyond all", () => `${lines("GET /v1/wishlists/c1 HTTP/1.1", "Host: a:99999", "Connection: close")}\r\n`],
    [
      "half an IPv6 address for a host",
      () => `${lines("GET /v1/wishlists/c1 HTTP/1.1", "Host: [::1", "Connection: close")}\r\n`,
    ],
  ])("%s gets an error in JSON", async (_what, request) => {
    expectFailure(await sendRaw(await service.listen(), request()), 400, "invalid_request");
  });

  test.each(["GET /healthz HTTP/0.9", "GET /healthz HTTP/2.0"])("%s gets 505", async (line) => {
    const response = await sendRaw(await service.listen(), `${lines(line, "Host: x", "Connection: close")}\r\n`);
    expectFailure(response, 505, "invalid_request");
  });

  test("endless headers get 431", async () => {
    const request = lines("GET /v1/wishlists/c1 HTTP/1.1", "Host: x", `X-Any: ${"a".repeat(20_000)}`);
    expectFailure(await sendRaw(await service.listen(), `${request}\r\n`), 431, "invalid_request");
    expectFailure(await raw("GET", `/v1/wishlists/${"a".repeat(20_000)}`), 431, "invalid_request");
  });

  test.each(["wishlist.test", "WISHLIST.test:3000", "127.0.0.1:80", "[::1]:3000", "localhost"])(
    "the host %s is accepted",
    async (host) => {
      const response = await sendRaw(
        await service.listen(),
        rawRequest("GET", "/v1/wishlists/c1", { token: shop.token, headers: { Host: host } }),
      );
      expect(response.status).toBe(200);
    },
  );

  test("an absolute target is read as its path, and its host is ignored", async () => {
    const response = await raw("GET", "http://other.example/v1/wishlists/c1?limit=1");
    expect([response.status, response.text]).toEqual([200, expect.stringContaining('"productId":"p1"')]);
  });

  test("a body shorter than its length stores nothing", async () => {
    const request = lines(`POST ${ITEMS} HTTP/1.1`, "Host: x", "Content-Length: 50");
    const response = await sendRaw(await service.listen(), `${request}${JSON_TYPE}\r\n{"product_id":"p2"}`, null);
    expectFailure(response, 400, "invalid_request");
  });
});
