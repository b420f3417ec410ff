import { afterEach, beforeEach, expect, test } from "vitest";
import {
  connectCustomerAccounts,
  identifyCustomer,
  type StoreFetch,
} from "../../app/customers/customer-accounts.server.ts";
import { holdClock } from "../../app/platform/clock.server.ts";

const START = new Date("2026-11-20T09:30:00Z");
const ENDPOINT = "https://account.shop.example/customer/api/2026-10/graphql";

/** Every test has a shop of its own, because verdicts and addresses are kept by shop. */
let shop: string;
let shops = 0;
/** requests to the shop's Customer Account API */
let requests: Parameters<StoreFetch>[1][];
/** what Shopify responds to the next requests */
let respond: () => Response | Promise<Response>;
let discover: () => Response;
/** addresses from which the location of the API was read */
let discovered: string[];
/** whether a request was sent to another address than the API's */
let strayed: boolean;

function named(id: string): Response {
  return Response.json({ data: { customer: { id: `gid://shopify/Customer/${id}` } } });
}

beforeEach(() => {
  shop = `shop-${++shops}.myshopify.com`;
  requests = [];
  discovered = [];
  strayed = false;
  respond = () => named("701");
  discover = () => Response.json({ graphql_api: ENDPOINT });
  holdClock(START);
  connectCustomerAccounts(async ({ href }, request) => {
    if (href.endsWith("/.well-known/customer-account-api")) {
      discovered.push(href);
      return discover();
    }
    strayed ||= href !== ENDPOINT;
    requests.push(request);
    return respond();
  });
});
afterEach(() => {
  holdClock(undefined);
  expect(strayed).toBe(false);
});

function later(milliseconds: number): void {
  holdClock(new Date(START.getTime() + milliseconds));
}

test("a verdict is kept for a minute, so that a logout takes effect after a minute at most", async () => {
  expect(await identifyCustomer(shop, "token")).toEqual({ customerId: "701" });
  respond = () => new Response(null, { status: 401 });
  later(59_999);
  expect(await identifyCustomer(shop, "token")).toEqual({ customerId: "701" });
  later(60_000);
  expect(await identifyCustomer(shop, "token")).toBe("rejected");
  expect(requests).toHaveLength(2);
});

test("the verdict on one token is not that on another, nor that of another shop", async () => {
  expect(await identifyCustomer(shop, "token")).toEqual({ customerId: "701" });
  respond = () => named("702");
  expect(await identifyCustomer(shop, "other token")).toEqual({ customerId: "702" });
  shop = `shop-${++shops}.myshopify.com`;
  expect(await identifyCustomer(shop, "token")).toEqual({ customerId: "702" });
});

test("the token is sent without a scheme, and never to the target of a redirect", async () => {
  await identifyCustomer(shop, "shcat_1");
  expect(requests[0]).toMatchObject({ method: "POST", redirect: "error" });
  expect(new Headers(requests[0]?.headers).get("authorization")).toBe("shcat_1");
});

test("an address that is not HTTPS is refused", async () => {
  discover = () => Response.json({ graphql_api: "http://account.shop.example/graphql" });
  expect(await identifyCustomer(shop, "token")).toBe("unavailable");
  expect(requests).toHaveLength(0);
});

test.each([
  ["a server error", () => new Response(null, { status: 502 })],
  ["a text that is not JSON", () => new Response("<html>")],
  ["a response without data", () => Response.json({ errors: [{ message: "Internal" }] })],
  ["an id of another kind", () => Response.json({ data: { customer: { id: "gid://shopify/Order/1" } } })],
  [
    "a response of a megabyte",
    () => new Response(JSON.stringify({ data: { customer: { id: "gid://shopify/Customer/701" } } }).padEnd(1_048_576)),
  ],
])("%s is no verdict: the token is checked again after two seconds", async (_what, response) => {
  respond = response;
  expect(await identifyCustomer(shop, "token")).toBe("unavailable");
  respond = () => named("701");
  later(1_999);
  expect(await identifyCustomer(shop, "token")).toBe("unavailable");
  later(2_000);
  expect(await identifyCustomer(shop, "token")).toEqual({ customerId: "701" });
});

test.each([400, 401, 403, 413, 422, 431])(
  "status %i rejects one token, and others are checked at once",
  async (status) => {
    respond = () => new Response(null, { status });
    expect(await identifyCustomer(shop, "malformed")).toBe("rejected");
    respond = () => named("701");
    expect(await identifyCustomer(shop, "token")).toEqual({ customerId: "701" });
  },
);

test("a redirect to the shop's primary domain is followed once an hour", async () => {
  const primary = "https://www.shop.example/.well-known/customer-account-api";
  discover = () => (discovered.length === 1 ? Response.redirect(primary) : Response.json({ graphql_api: ENDPOINT }));
  expect(await identifyCustomer(shop, "token")).toEqual({ customerId: "701" });
  expect(discovered).toEqual([`https://${shop}/.well-known/customer-account-api`, primary]);
  later(3_599_999);
  await identifyCustomer(shop, "other token");
  expect(discovered).toHaveLength(2);
});

test("the address of the API is read again after a failure", async () => {
  respond = () => new Response(null, { status: 502 });
  await identifyCustomer(shop, "token");
  later(2_000);
  await identifyCustomer(shop, "token");
  expect(discovered).toHaveLength(2);
});

test.each([
  ["over HTTP", "http://www.shop.example/.well-known/customer-account-api", 1],
  ["in a circle", "https://www.shop.example/.well-known/customer-account-api", 4],
])("a redirect %s is not followed", async (_what, location, expected) => {
  discover = () => Response.redirect(location);
  expect(await identifyCustomer(shop, "token")).toBe("unavailable");
  expect(discovered).toHaveLength(expected);
});

test("all shops together have at most 200 checks at a time", async () => {
  const released = Promise.withResolvers<undefined>();
  respond = async () => {
    await released.promise;
    return named("701");
  };
  const checks = Array.from({ length: 200 }, (_, n) => identifyCustomer(`shop-${++shops}.myshopify.com`, `token ${n}`));
  expect(await identifyCustomer(shop, "token")).toBe("unavailable");
  released.resolve(undefined);
  expect(await Promise.all(checks)).toEqual(Array(200).fill({ customerId: "701" }));
  expect(await identifyCustomer(shop, "token")).toEqual({ customerId: "701" });
});

test("a customer who no longer exists is rejected", async () => {
  respond = () => Response.json({ data: { customer: null } });
  expect(await identifyCustomer(shop, "token")).toBe("rejected");
});

test("a shop has at most 20 checks at a time, and other shops are not affected", async () => {
  const released = Promise.withResolvers<undefined>();
  respond = async () => {
    await released.promise;
    return named("701");
  };
  const checks = Array.from({ length: 20 }, (_, n) => identifyCustomer(shop, `token ${n}`));
  expect(await identifyCustomer(shop, "one more")).toBe("unavailable");
  const busy = shop;
  shop = `shop-${++shops}.myshopify.com`;
  const other = identifyCustomer(shop, "token");
  shop = busy;
  released.resolve(undefined);
  expect(await Promise.all(checks)).toEqual(Array(20).fill({ customerId: "701" }));
  expect(await other).toEqual({ customerId: "701" });
  expect(await identifyCustomer(shop, "one more")).toEqual({ customerId: "701" });
});
