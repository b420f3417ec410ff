import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { closeDatabase } from "../../app/platform/database.server.ts";
import { client, type Answer, type Call } from "../support/client.ts";
import type { Service } from "../support/service.ts";
import { makeShop, type TestShop } from "../support/shop.ts";
import { signedQuery, startStorefront } from "../support/storefront.ts";

const QUOTA = 5;

let services: Record<0 | 1, Service>;
let shop: TestShop;
let address = 0;
/** an address that nobody has asked from */
let fresh: string;

beforeAll(async () => {
  const first = await startStorefront({ env: { RATE_LIMIT_STOREFRONT_PER_MINUTE: String(QUOTA) } });
  const env = { RATE_LIMIT_STOREFRONT_PER_MINUTE: String(QUOTA), TRUSTED_PROXY_HOPS: "1" };
  services = [first, await startStorefront({ database: first.database, env })];
  // Its own calls come from this machine, and count like anybody's.
  shop = await makeShop(first, client(first.url));
});
afterAll(async () => {
  await closeDatabase();
  await services[1].dispose();
  await services[0].dispose();
});
beforeEach(() => {
  fresh = `198.51.100.${++address}`;
});

/** Asks for a list through as many proxies of ours as `own`, with what they and Shopify say of the way. */
function ask(own: 0 | 1, forwardedFor: string, query = signedQuery({ shop: shop.domain })): Promise<Answer> {
  const call: Call = client(services[own].url);
  return call("POST", `/proxy/api/list?${query}`, { json: {}, headers: { "x-forwarded-for": forwardedFor } });
}

async function remaining(answer: Promise<Answer>): Promise<number> {
  const [, left = "NaN"] = /r=(\d+)/.exec((await answer).headers.get("ratelimit") ?? "") ?? [];
  return Number(left);
}

describe.each([
  ["Shopify alone in front", 0, ""],
  ["a proxy of ours behind Shopify's", 1, ", 23.227.38.1"],
] as const)("with %s", (_, own, behind) => {
  test(`a shopper gets ${QUOTA} answers a minute, then 429 with the time to wait`, async () => {
    for (let left = QUOTA - 1; left >= 0; left--) expect(await remaining(ask(own, fresh + behind))).toBe(left);
    const refused = await ask(own, fresh + behind);
    expect([refused.status, refused.error().code]).toEqual([429, "rate_limited"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("two shoppers behind Shopify's proxies have a bucket each", async () => {
    await ask(own, fresh + behind);
    await ask(own, fresh + behind);
    expect(await remaining(ask(own, `203.0.113.${address}${behind}`))).toBe(QUOTA - 1);
    expect(await remaining(ask(own, fresh + behind))).toBe(QUOTA - 3);
  });

  test("what a shopper claims of their address gains nothing", async () => {
    await ask(own, fresh + behind);
    expect(await remaining(ask(own, `192.0.2.200, ${fresh}${behind}`))).toBe(QUOTA - 2);
    expect(await remaining(ask(own, `192.0.2.201, 192.0.2.202, ${fresh}${behind}`))).toBe(QUOTA - 3);
  });

  test("a request without a good signature is charged to where it came from, not to whom it names", async () => {
    const good = signedQuery({ shop: shop.domain });
    const bad = good.replace(/signature=.{4}/, "signature=0000");
    // Whatever came through a proxy of ours, came to it from this last address.
    const from = own === 1 ? `, 198.51.101.${address}` : "";
    const first = await remaining(ask(own, fresh + from, bad));
    expect(await remaining(ask(own, `203.0.114.${address}${from}`, bad))).toBe(Math.max(0, first - 1));
    expect(await remaining(ask(own, fresh + behind))).toBe(QUOTA - 1);
  });
});
