import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { closeDatabase } from "../../app/platform/database/database.server.ts";
import { client, type ApiResponse } from "../support/app/client.ts";
import { sendRaw } from "../support/http/raw.ts";
import { startApp, type InProcessApp } from "../support/app/in-process.ts";
import { makeShop, type TestShop } from "../support/app/shop.ts";
import { newGuest, SHOPIFY_ENV, signedQuery, visitor } from "../support/app/storefront.ts";

/** Requests a minute of a guest or a customer. */
const QUOTA = 5;
/** Requests a minute of all shoppers behind an address. */
const ADDRESS_QUOTA = 12;
const QUOTAS = {
  RATE_LIMIT_STOREFRONT_PER_MINUTE: String(QUOTA),
  RATE_LIMIT_STOREFRONT_ADDRESS_PER_MINUTE: String(ADDRESS_QUOTA),
};

let services: Record<0 | 1, InProcessApp>;
let shop: TestShop;
let otherShop: TestShop;
let addresses = 0;
let customers = 7_000_000;
/** an unused address */
let fresh: string;

beforeAll(async () => {
  const first = await startApp({ env: { ...SHOPIFY_ENV, ...QUOTAS } });
  const second = await startApp({
    database: first.database,
    env: { ...SHOPIFY_ENV, ...QUOTAS, TRUSTED_PROXY_HOPS: "1" },
  });
  services = [first, second];
  shop = await makeShop(first, client(first));
  otherShop = await makeShop(first, client(first));
});
afterAll(async () => {
  await closeDatabase();
  await services[1].dispose();
  await services[0].dispose();
});
beforeEach(() => {
  fresh = newAddress();
});

function newAddress(): string {
  return `198.51.${100 + Math.floor(addresses / 250)}.${(addresses++ % 250) + 1}`;
}

interface Sender {
  /** number of trusted proxies in front of the service */
  own: 0 | 1;
  /** the proxies' X-Forwarded-For entries */
  forwardedFor: string;
  query?: string;
  guestId?: string;
}

/** Reads a list through the proxies. */
function send({
  own,
  forwardedFor,
  query = signedQuery({ shop: shop.domain }),
  guestId,
}: Sender): Promise<ApiResponse> {
  const options = { json: { guestId }, headers: { "x-forwarded-for": forwardedFor } };
  return client(services[own])("POST", `/proxy/api/list?${query}`, options);
}

async function remaining(name: string, answering: Promise<ApiResponse>): Promise<number> {
  const response = await answering;
  const policy = response.headers.get("ratelimit-policy") ?? "";
  const [, left = "NaN"] = new RegExp(`"${name}";r=(\\d+)`).exec(response.headers.get("ratelimit") ?? "") ?? [];
  expect(policy).toContain(`"${name}";q=`);
  return Number(left);
}

function expectLimited(response: ApiResponse, whose: string): void {
  expect([response.status, response.error().code]).toEqual([429, "rate_limited"]);
  expect(response.error().message).toContain(whose);
  const wait = Number(response.headers.get("retry-after"));
  expect(wait).toBeGreaterThan(0);
  expect([response.httpStatus, response.error()]).toMatchObject([200, { status: 429, retryAfter: wait }]);
}

describe.each([
  ["Shopify alone in front", 0, ""],
  ["a proxy of ours behind Shopify's", 1, ", 23.227.38.1"],
] as const)("with %s", (_, own, behind) => {
  function from(address: string, more: Pick<Sender, "query" | "guestId"> = {}): Promise<ApiResponse> {
    return send({ own, forwardedFor: address + behind, ...more });
  }
  function asCustomer(id: string, of = shop): string {
    return signedQuery({ shop: of.domain, customer: id });
  }

  test(`a guest gets ${QUOTA} responses a minute, then 429 with Retry-After, from any address`, async () => {
    const guestId = newGuest();
    for (let left = QUOTA - 1; left >= 0; left--) {
      expect(await remaining("guest", from(newAddress(), { guestId }))).toBe(left);
    }
    expectLimited(await from(fresh, { guestId }), "from this guest");
  });

  test(`a customer gets ${QUOTA} responses a minute, then 429 with Retry-After, from any address`, async () => {
    const query = asCustomer(String(++customers));
    for (let left = QUOTA - 1; left >= 0; left--) {
      expect(await remaining("customer", from(newAddress(), { query, guestId: newGuest() }))).toBe(left);
    }
    expectLimited(await from(fresh, { query }), "from this customer");
  });

  test("guests and customers behind one address have a limit each", async () => {
    const guestId = newGuest();
    for (let i = 0; i < QUOTA; i++) await from(fresh, { guestId });
    expectLimited(await from(fresh, { guestId }), "from this guest");
    expect(await remaining("guest", from(fresh, { guestId: newGuest() }))).toBe(QUOTA - 1);
    const query = asCustomer(String(++customers));
    expect(await remaining("customer", from(fresh, { query }))).toBe(QUOTA - 1);
    expect((await from(fresh)).status).toBe(200);
  });

  test("a guest or customer with the same id in another shop has a separate limit", async () => {
    const [guestId, id] = [newGuest(), String(++customers)];
    for (let i = 0; i <= QUOTA; i++) {
      await from(newAddress(), { guestId });
      await from(newAddress(), { query: asCustomer(id) });
    }
    const query = signedQuery({ shop: otherShop.domain });
    expect(await remaining("guest", from(fresh, { guestId, query }))).toBe(QUOTA - 1);
    expect(await remaining("customer", from(fresh, { query: asCustomer(id, otherShop) }))).toBe(QUOTA - 1);
  });

  test(`new guest ids get ${ADDRESS_QUOTA} responses a minute from one address`, async () => {
    for (let left = ADDRESS_QUOTA - 1; left >= 0; left--) {
      expect(await remaining("storefront_address", from(fresh, { guestId: newGuest() }))).toBe(left);
    }
    expectLimited(await from(fresh, { guestId: newGuest() }), "from this address");
    expect((await from(newAddress(), { guestId: newGuest() })).status).toBe(200);
  });

  test("an address over its limit is rejected before its body is read", async () => {
    for (let i = 0; i < ADDRESS_QUOTA; i++) await from(fresh);
    const target = `/proxy/api/list?${signedQuery({ shop: shop.domain })}`;
    const head = `POST ${target} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${fresh}${behind}\r\nConnection: close\r\n`;
    const response = await sendRaw(
      await services[own].listen(),
      `${head}Content-Type: application/json\r\nContent-Length: 40\r\n\r\n`,
    );
    expect(JSON.parse(response.text)).toMatchObject({ error: { code: "rate_limited", status: 429 } });
  });

  test("a rejected body counts against the address", async () => {
    for (let left = ADDRESS_QUOTA - 1; left >= ADDRESS_QUOTA - 3; left--) {
      const response = await from(fresh, { guestId: "tooshort" });
      expect(response.status).toBe(400);
      expect(await remaining("storefront_address", Promise.resolve(response))).toBe(left);
    }
  });

  test.each(["", "/shared/unknown"])("the public page /apps/wishlist%s is limited by address", async (path) => {
    const ask = visitor(services[own], { shop: shop.domain, address: fresh + behind });
    for (let left = ADDRESS_QUOTA - 1; left >= 0; left--) {
      expect(await remaining("storefront_address", ask("GET", path))).toBe(left);
    }
    const refused = await ask("GET", path);
    expect([refused.httpStatus, refused.text.includes('wl_code = "rate_limited"')]).toEqual([200, true]);
    expect((await from(newAddress())).status).toBe(200);
  });

  test("two addresses behind Shopify's proxies have a limit each", async () => {
    await from(fresh);
    await from(fresh);
    expect(await remaining("storefront_address", from(newAddress()))).toBe(ADDRESS_QUOTA - 1);
    expect(await remaining("storefront_address", from(fresh))).toBe(ADDRESS_QUOTA - 3);
  });

  test("a forged X-Forwarded-For does not change the limit", async () => {
    await from(fresh);
    expect(await remaining("storefront_address", from(`192.0.2.200, ${fresh}`))).toBe(ADDRESS_QUOTA - 2);
    expect(await remaining("storefront_address", from(`192.0.2.201, 192.0.2.202, ${fresh}`))).toBe(ADDRESS_QUOTA - 3);
  });

  test("a request without a valid signature counts against its own address only", async () => {
    const query = signedQuery({ shop: shop.domain }).replace(/signature=.{4}/, "signature=0000");
    // The last address is the peer of our proxy.
    const origin = own === 1 ? `, ${newAddress()}` : "";
    const bad = (): Promise<ApiResponse> => send({ own, forwardedFor: newAddress() + origin, query });
    const first = await remaining("failures", bad());
    expect(await remaining("failures", bad())).toBe(Math.max(0, first - 1));
    expect(await remaining("storefront_address", from(fresh))).toBe(ADDRESS_QUOTA - 1);
  });
});
