import { createClient, type Client } from "@wishlist-headless/sdk";
import { serverCredentials } from "@wishlist-headless/sdk/server";
import { afterEach, beforeEach, describe, expect, vi } from "vitest";
import { test } from "../../support/app/fixtures.ts";
import type { InProcessApp } from "../../support/app/in-process.ts";
import type { TestShop } from "../../support/app/shop.ts";
import {
  resetAfter,
  resetBefore,
  respond,
  stallBody,
  startFaultyProxy,
  swallow,
  truncate,
  type Fault,
  type FaultyProxy,
} from "../../support/http/faulty-proxy.ts";

const PRODUCTS = { lamp: "lamp-1", kettle: "kettle-1", rug: "rug-1", vase: "vase-1" };

test.override({ shopOptions: { plan: "growth", products: PRODUCTS } });

let app: InProcessApp;
let target: string;
let shop: TestShop;
let proxy: FaultyProxy;
let timeouts: Timeouts;
let api: Client;
let customers = 0;
let customerId: string;

test.beforeAll(async ({ app: started, shop: made }) => {
  app = started;
  shop = made;
  target = await app.listen();
});

beforeEach(async () => {
  customers++;
  customerId = `shopper-${customers}`;
  proxy = await startFaultyProxy(target);
  timeouts = new Timeouts();
  api = clientWith({});
});

afterEach(async () => {
  app.holdClock(undefined);
  vi.unstubAllGlobals();
  await proxy.close();
});

/** Milliseconds that no other timer has. */
const TIMEOUT = 123_456_789;

/**
 * Holds the timeouts of requests: they expire when a fault says so, because a request that the service answers must not time out on a busy machine.
 */
class Timeouts {
  readonly #held: (() => void)[] = [];
  #isStalled = false;
  readonly fetch: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    // After the SDK has begun to read the body.
    if (this.#isStalled) setImmediate(() => this.#expire());
    return response;
  };

  constructor() {
    const start = setTimeout;
    vi.stubGlobal("setTimeout", (callback: () => void, ms?: number, ...rest: unknown[]) => {
      if (ms !== TIMEOUT) return start(callback, ms, ...rest);
      this.#held.push(callback);
      return start(() => undefined);
    });
  }

  #expire(): void {
    this.#isStalled = false;
    this.#held.at(-1)?.();
  }

  readonly stallBody: Fault = async (response, forward) => {
    this.#isStalled = true;
    await stallBody(response, forward);
  };

  readonly swallow: Fault = async (response, forward) => {
    await swallow(response, forward);
    this.#expire();
  };
}

function clientWith(options: Partial<Parameters<typeof createClient>[0]>): Client {
  return createClient({
    url: proxy.url,
    credentials: shop.token,
    timeout: TIMEOUT,
    fetch: timeouts.fetch,
    ...options,
  });
}

const TRANSIENT: [string, Fault][] = [
  ["a connection that is reset before the request arrives", resetBefore],
  ["a connection that is reset after the request was carried out", resetAfter],
  ["a truncated body", truncate],
  ["a body that stalls", (...given) => timeouts.stallBody(...given)],
  ["no response", (...given) => timeouts.swallow(...given)],
  ["502 with a proxy's page", respond(502)],
  ["503 with Retry-After", respond(503, { "retry-after": "0" })],
  ["504", respond(504)],
  ["429 with Retry-After", respond(429, { "retry-after": "0" })],
  ["429 without Retry-After", respond(429)],
];

describe.each(TRANSIENT)("after %s", (_, fault) => {
  test("a read is repeated", async () => {
    await api.wishlists.items.add({ customerId, product_id: "lamp" });
    proxy.next(fault);
    expect(await api.wishlists.get({ customerId })).toMatchObject({ total: 1 });
    expect(proxy.received).toHaveLength(3);
  });

  test("an addition is repeated and saves the item once", async () => {
    proxy.next(fault);
    expect(await api.wishlists.items.add({ customerId, product_id: "lamp" })).toMatchObject({
      itemCount: 1,
    });
    expect(proxy.received).toHaveLength(2);
  });

  test("the creation of a list is repeated with the same key and creates one list", async () => {
    proxy.next(fault);
    const { listId } = await api.lists.create({ customerId, name: "Birthday" });
    const { lists } = await api.lists.list({ customerId });
    expect(lists.filter(({ isDefault }) => !isDefault).map((list) => list.listId)).toEqual([listId]);
    const [first, second] = proxy.received.map(({ headers }) => headers["idempotency-key"]);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(second).toBe(first);
  });
});

test("a repetition waits while the first request is in progress", async () => {
  const error = { code: "request_in_progress", message: "Try again shortly.", requestId: "req_1" };
  proxy.next(resetAfter, respond(409, { "content-type": "application/json" }, JSON.stringify({ ok: false, error })));
  const { listId } = await api.lists.create({ customerId, name: "Birthday" });
  expect(await api.lists.get({ customerId, listId })).toMatchObject({ name: "Birthday" });
});

test("the deletion of a list whose response was lost ends with list_not_found", async () => {
  const { listId } = await api.lists.create({ customerId, name: "Birthday" });
  proxy.next(resetAfter);
  await expect(api.lists.delete({ customerId, listId })).rejects.toMatchObject({ code: "list_not_found" });
  expect((await api.lists.list({ customerId })).lists).toHaveLength(1);
});

describe("a request that must not be repeated", () => {
  const move = async () => {
    const { listId } = await api.lists.create({ customerId, name: "Birthday" });
    await api.wishlists.items.add({ customerId, product_id: "lamp" });
    return { customerId, listId: "default", to: listId, items: [{ productId: "lamp" }] };
  };

  test.each<[string, Fault, string]>([
    ["its connection is reset", resetAfter, "network_error"],
    ["its response is truncated", truncate, "invalid_response"],
    ["the service is overloaded", respond(503, { "retry-after": "0" }), "invalid_response"],
  ])("fails when %s", async (_, fault, code) => {
    const input = await move();
    proxy.next(fault);
    await expect(api.lists.items.move(input)).rejects.toMatchObject({ name: "WishlistError", code });
    expect(proxy.received.filter(({ path }) => path.endsWith("/move"))).toHaveLength(1);
  });

  test("is repeated after 429, which comes before it is carried out", async () => {
    const input = await move();
    proxy.next(respond(429, { "retry-after": "0" }));
    expect(await api.lists.items.move(input)).toMatchObject({ movedCount: 1 });
  });
});

describe("an error", () => {
  test("of the API is not repeated and has its code, status, request id and details", async () => {
    const error: unknown = await api.wishlists.items
      .add({ customerId, product_id: "" })
      .catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      name: "WishlistError",
      code: "invalid_request",
      status: 400,
      requestId: expect.stringMatching(/^req_/) as unknown,
      details: [{ path: "body.product_id", problem: expect.any(String) as unknown }],
    });
    expect(proxy.received).toHaveLength(1);
  });

  test("that lasts is thrown after the last repetition", async () => {
    proxy.next(respond(503), respond(503));
    await expect(clientWith({ retries: 1 }).wishlists.get({ customerId })).rejects.toMatchObject({ status: 503 });
    expect(proxy.received).toHaveLength(2);
  });

  test("of a page that is not the service's names the url as the cause", async () => {
    proxy.next(respond(200, { "content-type": "text/html" }, "<html></html>"));
    await expect(api.wishlists.get({ customerId })).rejects.toMatchObject({
      code: "invalid_response",
      message: expect.stringContaining("`url`") as unknown,
    });
  });

  test.each([
    { ok: false, error: "unavailable" },
    { ok: false, error: null },
    { ok: false, error: {} },
  ])("of another service, %j, is no error of the API", async (body) => {
    proxy.next(respond(404, { "content-type": "application/json" }, JSON.stringify(body)));
    await expect(api.wishlists.get({ customerId })).rejects.toMatchObject({ code: "invalid_response", status: 404 });
  });

  test("of a service that is out of reach has no status", async () => {
    proxy.next(resetBefore);
    await expect(clientWith({ retries: 0 }).wishlists.get({ customerId })).rejects.toMatchObject({
      code: "network_error",
      status: 0,
    });
  });

  test("of a slow response says after how long", async () => {
    proxy.next(timeouts.swallow);
    await expect(clientWith({ retries: 0 }).wishlists.get({ customerId })).rejects.toMatchObject({
      code: "timed_out",
      message: expect.stringContaining(`${TIMEOUT} ms`) as unknown,
    });
  });
});

describe("a token", () => {
  function counted(): { client: Client; exchanges: () => number } {
    const credentials = serverCredentials({ apiKey: shop.keyId, apiSecret: shop.secret });
    const client = createClient({ url: proxy.url, credentials });
    return { client, exchanges: () => proxy.received.filter(({ path }) => path === "/v1/auth/token").length };
  }

  test("is exchanged once for requests that begin together", async () => {
    const { client, exchanges } = counted();
    await Promise.all([1, 2, 3].map(() => client.wishlists.get({ customerId })));
    expect(exchanges()).toBe(1);
  });

  test("that expires between two pages is renewed and no item is missed", async () => {
    for (const product_id of Object.keys(PRODUCTS)) await api.wishlists.items.add({ customerId, product_id });
    const { client, exchanges } = counted();
    const seen: string[] = [];
    for await (const { productId } of client.wishlists.get({ customerId, limit: 1 })) {
      seen.push(productId);
      // The service's clock; that of the client goes on, so it does not expect the token to expire.
      if (seen.length === 2) app.holdClock(new Date(Date.now() + 2 * 3_600_000));
    }
    expect(seen).toEqual(Object.keys(PRODUCTS).reverse());
    expect(exchanges()).toBe(2);
  });

  test("is used for its lifetime although the client's clock is wrong by a day", async () => {
    app.holdClock(new Date(Date.now() - 24 * 3_600_000));
    const { client, exchanges } = counted();
    for (let i = 0; i < 3; i++) await client.wishlists.get({ customerId });
    expect(exchanges()).toBe(1);
  });

  test("that is refused is renewed once, and then the error is thrown", async () => {
    let issued = 0;
    const client = createClient({ url: proxy.url, credentials: () => `wrong-${++issued}` });
    await expect(client.wishlists.get({ customerId })).rejects.toMatchObject({ code: "invalid_token", status: 401 });
    expect(issued).toBe(2);
  });

  test("is renewed once when several requests are refused together", async () => {
    let issued = 0;
    const client = createClient({
      url: proxy.url,
      credentials: () => (++issued === 1 ? "expired" : shop.token),
    });
    await Promise.all([1, 2, 3].map(() => client.wishlists.get({ customerId })));
    expect(issued).toBe(2);
  });

  test("that its source does not return is an error that says what is missing", async () => {
    const credentials = (): Promise<string> => Response.json({ data: { token: shop.token } }).json();
    const client = createClient({ url: proxy.url, credentials });
    await expect(client.wishlists.get({ customerId })).rejects.toMatchObject({
      code: "invalid_response",
      message: expect.stringContaining("`token`") as unknown,
    });
    expect(proxy.received).toHaveLength(0);
  });

  test("whose source fails is asked for again by the next request", async () => {
    let attempts = 0;
    const client = createClient({
      url: proxy.url,
      credentials: async () => {
        if (++attempts === 1) throw new Error("the server is restarting");
        return shop.token;
      },
    });
    await expect(client.wishlists.get({ customerId })).rejects.toThrow("the server is restarting");
    expect(await client.wishlists.get({ customerId })).toMatchObject({ total: 0 });
  });
});

describe("a page", () => {
  test("that is unchanged is not sent again", async () => {
    await api.wishlists.items.add({ customerId, product_id: "lamp" });
    const first = await api.wishlists.get({ customerId });
    expect(await api.wishlists.get({ customerId })).toEqual(first);
    expect(proxy.received.at(-1)?.headers["if-none-match"]).toMatch(/^(W\/)?"/);
    await api.wishlists.items.add({ customerId, product_id: "rug" });
    expect(await api.wishlists.get({ customerId })).toMatchObject({ total: 2 });
  });

  test("that a caller has altered does not alter the next response", async () => {
    await api.wishlists.items.add({ customerId, product_id: "lamp" });
    const first = await api.wishlists.get({ customerId });
    first.items.length = 0;
    expect((await api.wishlists.get({ customerId })).items).toHaveLength(1);
  });
});

describe("an AbortSignal", () => {
  test("ends a request with its reason and no repetition", async () => {
    const controller = new AbortController();
    proxy.next((response, forward) => {
      controller.abort(new Error("the page was left"));
      return swallow(response, forward);
    });
    const options = { signal: controller.signal, retries: 0, timeout: 600_000 };
    const reading = api.wishlists.get({ customerId }, options);
    await expect(reading).rejects.toThrow("the page was left");
    expect(proxy.received).toHaveLength(1);
  });

  test("that is aborted while its token comes sends nothing", async () => {
    const controller = new AbortController();
    const client = createClient({
      url: proxy.url,
      credentials() {
        controller.abort(new Error("the page was left"));
        return shop.token;
      },
    });
    await expect(client.wishlists.get({ customerId }, { signal: controller.signal })).rejects.toThrow(
      "the page was left",
    );
    expect(proxy.received).toEqual([]);
  });

  test("that is aborted already sends nothing", async () => {
    await expect(api.wishlists.get({ customerId }, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: "AbortError",
    });
    expect(proxy.received).toHaveLength(0);
  });
});

describe("input", () => {
  test.each(["", ".", ".."])("with the id %j is refused before a request is sent", async (productId) => {
    await expect(api.wishlists.items.remove({ customerId, productId })).rejects.toThrow(
      "wishlists.items.remove needs productId.",
    );
    expect(proxy.received).toHaveLength(0);
  });

  test("with reserved characters reaches its own path", async () => {
    const productId = "a/../b?c#d%2e";
    await api.wishlists.items.add({ customerId, product_id: productId, variant_id: "1" });
    expect(await api.wishlists.items.remove({ customerId, productId })).toMatchObject({ removed: true });
  });

  test("without a value for the customer is about the token's shopper", async () => {
    const credentials = serverCredentials({ apiKey: shop.keyId, apiSecret: shop.secret, customerId });
    const bound = createClient({ url: proxy.url, credentials });
    expect(await bound.wishlists.items.add({ customerId: undefined, product_id: "lamp" })).toMatchObject({
      itemCount: 1,
    });
  });

  test("that is undefined is left out", async () => {
    await api.wishlists.get({ customerId, limit: undefined, q: undefined });
    expect(proxy.received.at(-1)?.path).toBe(`/v1/wishlists/${customerId}`);
  });
});
