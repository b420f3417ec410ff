import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeDatabase } from "../../app/platform/database/database.server.ts";
import { client, type Call, type CallOptions } from "../support/app/client.ts";
import { createDatabase, type TestDatabase } from "../support/database/database.ts";
import { METRICS_TOKEN, scrape, valueOf } from "../support/app/metrics.ts";
import { expectLimited, leftOf } from "../support/app/rate-limits.ts";
import { needs } from "../support/programs/needs.ts";
import { redisServer } from "../support/programs/programs.ts";
import { startRedis, type TestRedis } from "../support/programs/redis.ts";
import { launch } from "../support/app/launch.ts";
import { serviceEnv, startService, type Service } from "../support/app/service.ts";
import { makeShop } from "../support/app/shop.ts";
import { newGuest, SHOPIFY_ENV, visitor } from "../support/app/storefront.ts";
import { until } from "../support/until.ts";
import { MATRIX } from "../support/matrix.ts";

const ADMIN = 6;
const STOREFRONT = 4;

let database: TestDatabase;
let redis: TestRedis;
let env: Record<string, string>;
let first: Service;
let second: Service;
let calls: [Call, Call];

beforeAll(async () => {
  database = await createDatabase();
  redis = await startRedis();
  env = {
    ...SHOPIFY_ENV,
    RATE_LIMIT_ADMIN_PER_MINUTE: String(ADMIN),
    RATE_LIMIT_STOREFRONT_PER_MINUTE: String(STOREFRONT),
    // One trusted proxy, so that a test can use any address.
    TRUSTED_PROXY_HOPS: "1",
    REDIS_URL: redis.url,
    METRICS_TOKEN,
  };
  first = await startService({ database, env });
  second = await startService({ database, env });
  calls = [client(first.url), client(second.url)];
});
afterAll(async () => {
  await closeDatabase();
  await first.dispose();
  await second.dispose();
  redis.resume();
  await redis.stop();
  await database.drop();
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

/**
 * Sends a request to an instance.
 * @returns the remaining quota of the address
 */
async function guess(instance: 0 | 1, address: string): Promise<number | "limited"> {
  const response = await calls[instance]("GET", "/v1/wishlists/shared/unknown", from(address));
  if (response.status === 429) return "limited";
  expect(response.status).toBe(404);
  return leftOf(response, "address") ?? NaN;
}

function warnings(of: Service): Record<string, unknown>[] {
  return of.log().filter(({ level, msg }) => level === "warn" && String(msg).includes("Redis"));
}

/** Waits until the two instances share their counts. */
function sharing(): Promise<true> {
  return until("the instances to share their counts", async () => {
    const address = newAddress();
    return (await guess(0, address)) === STOREFRONT - 1 && (await guess(1, address)) === STOREFRONT - 2;
  });
}

// In this order: each test restores Redis at its end.
test("two instances share every count from their first request on", needs(redisServer), async () => {
  const address = newAddress();
  expect(await guess(0, address)).toBe(3);
  expect(await guess(1, address)).toBe(2);
  expect(await guess(0, address)).toBe(1);
  expect(await guess(1, address)).toBe(0);
  expect(await guess(0, address)).toBe("limited");
  expect(await guess(1, address)).toBe("limited");
});

test("two instances admit as many of 100 simultaneous requests as the quota allows", needs(redisServer), async () => {
  const address = newAddress();
  const responses = await Promise.all(Array.from({ length: 100 }, (_, i) => guess(i % 2 === 0 ? 0 : 1, address)));
  expect(responses.filter((left) => left !== "limited")).toHaveLength(STOREFRONT);
});

test("two instances share a key's quota", needs(redisServer), async () => {
  const shop = await makeShop(first, calls[0]);
  const left: (number | undefined)[] = [];
  for (let i = 1; i < ADMIN; i++) {
    left.push(leftOf(await calls[i % 2 === 0 ? 0 : 1]("GET", "/v1/wishlists/c1", { token: shop.token }), "admin"));
  }
  expect(left).toEqual([4, 3, 2, 1, 0]);
  for (const call of calls) expectLimited(await call("GET", "/v1/wishlists/c1", { token: shop.token }));
});

test(
  "two instances share a guest's quota, and Redis holds the guest's id as a hash only",
  needs(redisServer),
  async () => {
    const shop = await makeShop(first, calls[0]);
    const reader = new Redis(redis.url);
    try {
      const guestId = newGuest();
      const left: (number | undefined)[] = [];
      for (const { url } of [first, second, first, second]) {
        const ask = visitor(url, { shop: shop.domain, address: newAddress() });
        left.push(leftOf(await ask("POST", "/api/list", { json: { guestId } }), "guest"));
      }
      expect(left).toEqual([3, 2, 1, 0]);
      const keys = await reader.keys("*");
      expect(keys.filter((key) => key.includes(":guest:"))).toHaveLength(1);
      expect(keys.join(" ")).not.toContain(guestId);
    } finally {
      reader.disconnect();
    }
  },
);

test(
  "instances count for themselves and warn once while Redis is stopped, then share again",
  { ...needs(redisServer), ...MATRIX },
  async () => {
    const isUp = async () => valueOf(await scrape(first), "wishlist_redis_up");
    expect(await isUp()).toBe(1);
    const before = [first, second].map((of) => warnings(of).length);
    await redis.stop();
    const address = newAddress();
    for (const instance of [0, 1] as const) {
      for (let left = STOREFRONT - 1; left >= 0; left--) expect(await guess(instance, address)).toBe(left);
      expect(await guess(instance, address)).toBe("limited");
    }
    const more = (): number[] => [first, second].map((of, i) => warnings(of).length - (before[i] ?? 0));
    await until("warnings", () => more().every((count) => count > 0));
    expect(await isUp()).toBe(0);

    await redis.start();
    await sharing();
    expect(await isUp()).toBe(1);
    expect(more()).toEqual([1, 1]);
  },
);

test(
  "an instance counts for itself and warns once while Redis hangs",
  { ...needs(redisServer), ...MATRIX },
  async () => {
    const before = warnings(first).length;
    redis.hang();
    try {
      const address = newAddress();
      for (let left = STOREFRONT - 1; left >= 0; left--) expect(await guess(0, address)).toBe(left);
      expect(await guess(0, address)).toBe("limited");
      await until("a warning", () => warnings(first).length > before);
    } finally {
      redis.resume();
    }
    await sharing();
    expect(warnings(first)).toHaveLength(before + 1);
  },
);

test(
  "an instance starts and limits requests while Redis is unreachable",
  { ...needs(redisServer), ...MATRIX },
  async () => {
    await redis.stop();
    const late = await startService({ database, env });
    const call = client(late.url);
    const address = newAddress();
    for (let i = 0; i < STOREFRONT; i++) {
      expect((await call("GET", "/v1/wishlists/shared/unknown", from(address))).status).toBe(404);
    }
    expectLimited(await call("GET", "/v1/wishlists/shared/unknown", from(address)));
    await redis.start();
    expect(await late.stop()).toBe(0);
  },
);

test("what the Redis client prints is a line of the log", { ...needs(redisServer), ...MATRIX }, async () => {
  const url = new URL(redis.url);
  [url.username, url.password] = ["limited", "a-password"];
  const admin = new Redis(redis.url);
  // The client warns of a user who may not call INFO.
  await admin.acl("SETUSER", url.username, "on", `>${url.password}`, "~*", "+@all", "-info");
  admin.disconnect();
  const launched = launch({ ...serviceEnv(database.url), REDIS_URL: url.href });
  await until("the service to listen", () => launched.stdout().includes('"msg":"listening"'));
  launched.child.kill("SIGTERM");
  expect(await launched.ended).toBe(0);
  expect(launched.stderr()).toBe("");
  const lines = launched.stdout().split("\n").slice(0, -1);
  expect(lines.map((line): unknown => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ level: "warn", msg: expect.stringContaining("INFO command fails") }),
  );
  expect(launched.stdout()).not.toContain(url.password);
});
