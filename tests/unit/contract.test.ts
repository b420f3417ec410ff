import { expect, test } from "vitest";
import { checkAgainstContract, type Received } from "../support/app/contract.ts";

const REQUEST_ID = "req_5Yc1Jv0RkTq3ZbNw8XhLd2";
const JSON_TYPE = { "Content-Type": "application/json; charset=utf-8" };
const LIMITS = { RateLimit: '"admin";r=1;t=60', "RateLimit-Policy": '"admin";q=120;w=60' };
const ITEM = { productId: "p1", variantId: "v1", addedAt: "2026-11-20T09:30:00.000Z" };
const PAGE = { items: [ITEM], count: 1, total: 1, has_more: false };

function received(change: {
  method?: string;
  path?: string;
  status?: number;
  headers?: Record<string, string | undefined>;
  body?: unknown;
}): Received {
  const { body = { ok: true, data: PAGE } } = change;
  const headers = new Headers();
  const all: Record<string, string | undefined> = {
    "X-Request-Id": REQUEST_ID,
    ...JSON_TYPE,
    ...LIMITS,
    ETag: '"1.1.50.0"',
    ...change.headers,
  };
  for (const [name, value] of Object.entries(all)) if (value !== undefined) headers.set(name, value);
  return {
    method: change.method ?? "GET",
    path: change.path ?? "/v1/wishlists/c1?limit=50",
    status: change.status ?? 200,
    headers,
    text: body === "" ? "" : JSON.stringify(body),
  };
}

function failure(code: string, more: object = {}): object {
  return { ok: false, error: { code, message: "No.", requestId: REQUEST_ID, ...more } };
}

const NO_TAG = { ETag: undefined };

test.each<[string, Received]>([
  ["a page", received({})],
  ["its HEAD", received({ method: "HEAD", body: "" })],
  ["a 304", received({ status: 304, body: "", headers: { "Content-Type": undefined } })],
  ["a documented error", received({ status: 400, body: failure("invalid_request"), headers: NO_TAG })],
  [
    "an error with details",
    received({
      status: 400,
      body: failure("invalid_request", { details: [{ path: "query.limit", problem: "must be at least 1" }] }),
      headers: NO_TAG,
    }),
  ],
  ["a path that is not there", received({ path: "/v1/no", status: 404, body: failure("not_found"), headers: NO_TAG })],
  [
    "a method that is not there",
    received({
      method: "PUT",
      status: 405,
      body: failure("method_not_allowed"),
      headers: { ...NO_TAG, Allow: "GET, HEAD, OPTIONS" },
    }),
  ],
  [
    "no HEAD of a GET that may change something",
    received({
      method: "HEAD",
      path: "/v1/wishlists/c1/share",
      status: 405,
      body: "",
      headers: { ...NO_TAG, Allow: "GET, PATCH, DELETE, OPTIONS" },
    }),
  ],
  [
    "a preflight",
    received({
      method: "OPTIONS",
      status: 204,
      body: "",
      headers: { ...NO_TAG, "Content-Type": undefined, Allow: "GET, HEAD, OPTIONS" },
    }),
  ],
  ["headers too large for any path", received({ status: 431, body: failure("invalid_request"), headers: NO_TAG })],
  ["a body too large for any path", received({ status: 413, body: failure("payload_too_large"), headers: NO_TAG })],
])("the contract check accepts %s", (_name, response) => {
  expect(() => checkAgainstContract(response)).not.toThrow();
});

test.each<[string, Received, RegExp]>([
  ["a field in data", received({ body: { ok: true, data: { ...PAGE, owner: "c1" } } }), /additional.*owner/],
  ["a field in an item", received({ body: { ok: true, data: { ...PAGE, items: [{ ...ITEM, id: 1 }] } } }), /"id"/],
  ["a field beside data", received({ body: { ok: true, data: PAGE, took: 1 } }), /took/],
  ["a missing field", received({ body: { ok: true, data: { ...PAGE, total: undefined } } }), /total/],
  ["a wrong type", received({ body: { ok: true, data: { ...PAGE, count: "1" } } }), /\/data\/count must be integer/],
  [
    "a time without milliseconds",
    received({ body: { ok: true, data: { ...PAGE, items: [{ ...ITEM, addedAt: "2026-11-20T09:30:00Z" }] } } }),
    /addedAt must match pattern/,
  ],
  ["431 with another code", received({ status: 431, body: failure("not_found"), headers: NO_TAG }), /431/],
  ["a status", received({ status: 202 }), /status 202 is not documented/],
  ["a media type", received({ headers: { "Content-Type": "text/html" } }), /type is "text\/html"/],
  ["no JSON", { ...received({}), text: "{" }, /not JSON/],
  ["a missing header", received({ headers: { RateLimit: undefined } }), /RateLimit is missing/],
  ["a header of the wrong form", received({ headers: { "X-Request-Id": "1" } }), /X-Request-Id: 1/],
  [
    "an ETag",
    received({ method: "DELETE", path: "/v1/wishlists/c1/share", body: { ok: true, data: { revoked: true } } }),
    /ETag is not documented/,
  ],
  ["a body with 304", received({ status: 304 }), /has a body/],
  ["a body with HEAD", received({ method: "HEAD" }), /has a body/],
  [
    "a code of another operation",
    received({ status: 403, body: failure("plan_required"), headers: NO_TAG }),
    /enum|allowed/,
  ],
  ["a code that there is not", received({ status: 400, body: failure("oops"), headers: NO_TAG }), /allowed/],
  [
    "a field in an error",
    received({ status: 400, body: failure("invalid_request", { stack: "…" }), headers: NO_TAG }),
    /stack/,
  ],
  [
    "another request's id",
    received({
      status: 400,
      body: failure("invalid_request", { requestId: REQUEST_ID.replace("5", "6") }),
      headers: NO_TAG,
    }),
    /requestId is not/,
  ],
  [
    "not_found where something is",
    received({ status: 404, body: failure("not_found"), headers: NO_TAG }),
    /404 is not documented/,
  ],
  ["success where nothing is", received({ path: "/v1/no" }), /status 200 is not among/],
  [
    "a code that does not go with the status",
    received({ path: "/v1/no", status: 404, body: failure("invalid_request"), headers: NO_TAG }),
    /does not go with 404/,
  ],
  [
    "Allow with what was refused",
    received({
      method: "PUT",
      status: 405,
      body: failure("method_not_allowed"),
      headers: { ...NO_TAG, Allow: "GET, HEAD, PUT, OPTIONS" },
    }),
    /Allow names PUT/,
  ],
  [
    "Allow without what is documented",
    received({
      method: "PUT",
      path: "/v1/wishlists/c1/share",
      status: 405,
      body: failure("method_not_allowed"),
      headers: { ...NO_TAG, Allow: "GET, OPTIONS" },
    }),
    /Allow lacks DELETE/,
  ],
  [
    "405 for a documented method",
    received({ status: 405, body: failure("method_not_allowed"), headers: { ...NO_TAG, Allow: "OPTIONS" } }),
    /405 is not documented/,
  ],
])("the contract check rejects %s", (_name, response, problem) => {
  expect(() => checkAgainstContract(response)).toThrow(problem);
});
