import { setTimeout as after } from "node:timers/promises";
import type { Redis } from "ioredis";
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import { Failure } from "../platform/failure.ts";
import { env } from "../platform/process/env.server.ts";
import { onShutdown } from "../platform/process/lifecycle.server.ts";
import { log } from "../platform/log/log.server.ts";
import { counter, gauge } from "../platform/metrics/metrics.server.ts";

const WINDOW_SECONDS = 60;
/** Of shoppers without an account behind one address: each sends an email to an address that anybody can type. */
const ALERT_REQUESTS_PER_MINUTE = 10;
/** Milliseconds that a request waits for Redis. */
const REDIS_TIMEOUT = 500;
/** Milliseconds for which requests skip Redis after it failed to respond. */
const REDIS_BACK_OFF = 1_000;
/** Milliseconds that start-up waits for Redis. Requests before it is connected are counted locally. */
const REDIS_START_TIMEOUT = 2_000;

/**
 * The rate limits. They count requests of an API key (`admin`, or `storefront_server` for a key of that kind), of a customer, of a guest
 * of a store; of an address, where nothing else identifies the caller; of all shoppers behind one address (`storefront_address`), which may
 * be an office or a mobile carrier; requests for alerts by email from it; failed authentications of an address; and webhooks from an address that Shopify did not sign.
 */
const LIMIT_CLASSES = [
  "admin",
  "storefront_server",
  "address",
  "storefront_address",
  "customer",
  "guest",
  "alert_requests",
  "failures",
  "forgeries",
] as const;
export type LimitClass = (typeof LIMIT_CLASSES)[number];

const refusals = counter("rate_limit_refusals_total", "Requests refused by a rate limit, by the limit's class", {
  class: LIMIT_CLASSES,
});

/** One limit that a request counts against. */
export interface Charge {
  class: LimitClass;
  /** the counted party: a key id, an address, a customer or guest of a shop */
  subject: string;
}

const QUOTA_NAMES: Record<LimitClass, string> = {
  admin: "requests in a minute from this API key",
  storefront_server: "requests in a minute from this API key",
  address: "requests in a minute from this address",
  storefront_address: "requests in a minute from this address",
  customer: "requests in a minute from this customer",
  guest: "requests in a minute from this guest",
  alert_requests: "requests for alerts by email in a minute from this address",
  failures: "failed authentications in a minute from this address",
  forgeries: "unsigned deliveries in a minute from this address",
};

interface Limit {
  quota: number;
  /** counts in Redis, over all instances */
  shared: RateLimiterRedis | undefined;
  local: RateLimiterMemory;
}

let limits: Record<LimitClass, Limit> | undefined;
/** Redis is skipped until this time (`performance.now()`); 0 while it responds. */
let redisRetryAt = 0;
let redisIsDown = false;

let usesRedis = false;
gauge("redis_up", "1 while limits are counted in Redis; without REDIS_URL there is no value", undefined, () =>
  usesRedis ? [{ labels: {}, value: redisIsDown ? 0 : 1 }] : undefined,
);

function markRedisDown(error: unknown): void {
  if (!redisIsDown) log.warn({ err: error }, "Redis is unreachable: each instance limits by its own count");
  redisIsDown = true;
  redisRetryAt = performance.now() + REDIS_BACK_OFF;
}

function markRedisUp(): void {
  if (redisIsDown) log.info({}, "Redis is reachable again: limits are shared");
  redisIsDown = false;
  redisRetryAt = 0;
}

async function connect(url: string): Promise<Redis> {
  // Loaded here, because most installations have no Redis.
  const ioredis = await import("ioredis");
  const redis = new ioredis.Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2_000,
    retryStrategy: (attempt) => Math.min(attempt * 200, 2_000),
  });
  redis.on("error", markRedisDown);
  redis.on("ready", markRedisUp);
  onShutdown("redis", () => {
    redis.disconnect();
    return Promise.resolve();
  });
  return redis;
}

function createLimits(redis: Redis | undefined): Record<LimitClass, Limit> {
  const {
    rateLimitAdminPerMinute,
    rateLimitStorefrontPerMinute,
    rateLimitStorefrontAddressPerMinute,
    rateLimitStorefrontServerPerMinute,
  } = env();
  const limit = (name: LimitClass, quota: number): Limit => {
    const options = { keyPrefix: `wishlist:limit:${name}`, points: quota, duration: WINDOW_SECONDS };
    return {
      quota,
      shared: redis && new RateLimiterRedis({ ...options, storeClient: redis }),
      local: new RateLimiterMemory(options),
    };
  };
  return {
    admin: limit("admin", rateLimitAdminPerMinute),
    storefront_server: limit("storefront_server", rateLimitStorefrontServerPerMinute),
    address: limit("address", rateLimitStorefrontPerMinute),
    storefront_address: limit("storefront_address", rateLimitStorefrontAddressPerMinute),
    customer: limit("customer", rateLimitStorefrontPerMinute),
    guest: limit("guest", rateLimitStorefrontPerMinute),
    alert_requests: limit("alert_requests", ALERT_REQUESTS_PER_MINUTE),
    failures: limit("failures", rateLimitStorefrontPerMinute),
    forgeries: limit("forgeries", rateLimitStorefrontPerMinute),
  };
}

/** Connects to Redis if it is configured. An unreachable Redis does not block start-up. */
export async function startRateLimits(): Promise<void> {
  const { redisUrl } = env();
  const redis = redisUrl === undefined ? undefined : await connect(redisUrl);
  limits = createLimits(redis);
  usesRedis = redis !== undefined;
  if (redis) {
    const connected = new Promise<void>((resolve) => {
      redis.once("ready", resolve);
      redis.once("error", () => {
        resolve();
      });
    });
    await Promise.race([connected, after(REDIS_START_TIMEOUT, undefined, { ref: false })]);
  }
}

/** `RateLimit` and `RateLimit-Policy`, draft-ietf-httpapi-ratelimit-headers */
export interface LimitHeaders {
  RateLimit: string;
  "RateLimit-Policy": string;
}

export interface LimitOutcome {
  /** set when a limit is used up; its `retryAfter` is the time until the window ends */
  refusal: Failure | undefined;
  headers: LimitHeaders;
}

/** Joins the headers of two charges of the same request. */
export function joinLimitHeaders(first: LimitHeaders | undefined, then: LimitHeaders): LimitHeaders {
  if (!first) return then;
  return {
    RateLimit: `${first.RateLimit}, ${then.RateLimit}`,
    "RateLimit-Policy": `${first["RateLimit-Policy"]}, ${then["RateLimit-Policy"]}`,
  };
}

/** Counts a request. An exceeded limit is a result; only a failure to count throws. */
async function consume(limiter: RateLimiterMemory | RateLimiterRedis, subject: string): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(subject);
  } catch (refused) {
    if (refused instanceof RateLimiterRes) return refused;
    throw refused;
  }
}

/**
 * @throws when Redis has not responded in time. The extra `setImmediate` reads a response that has already arrived, so that a busy
 * process does not treat Redis as unreachable.
 */
function withRedisTimeout<T>(response: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = (): void => reject(new Error(`no response within ${REDIS_TIMEOUT} ms`));
    const timer = setTimeout(() => setImmediate(late), REDIS_TIMEOUT);
    response.then(resolve, reject).finally(() => {
      clearTimeout(timer);
    });
  });
}

/** Uses the counts in Redis, or the process's own while Redis is unreachable. */
async function useLimiter<Result>(
  { shared, local }: Limit,
  question: (limiter: RateLimiterMemory | RateLimiterRedis) => Promise<Result>,
): Promise<Result> {
  if (shared && performance.now() >= redisRetryAt) {
    try {
      const response = await withRedisTimeout(question(shared));
      markRedisUp();
      return response;
    } catch (error) {
      markRedisDown(error);
    }
  }
  return question(local);
}

function secondsLeft({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1000));
}

function rateLimitedFailure(name: LimitClass, quota: number, wait: number): Failure {
  return new Failure("rate_limited", `More than ${quota} ${QUOTA_NAMES[name]}. Try again in ${wait} s.`, {
    retryAfter: wait,
  });
}

/** Counts a request against every charge. A limit's window starts with its first request. */
export async function chargeRequest(charges: readonly Charge[]): Promise<LimitOutcome> {
  // Unit tests do not call `startRateLimits`.
  limits ??= createLimits(undefined);
  let refusal: Failure | undefined;
  let wait = 0;
  let rateLimit = "";
  let policy = "";
  for (const { class: name, subject } of charges) {
    const limit = limits[name];
    const { quota } = limit;
    const result = await useLimiter(limit, (limiter) => consume(limiter, subject));
    const seconds = secondsLeft(result);
    if (result.consumedPoints > quota) refusals.inc({ class: name });
    if (result.consumedPoints > quota && seconds > wait) {
      wait = seconds;
      refusal = rateLimitedFailure(name, quota, wait);
    }
    const separator = rateLimit === "" ? "" : ", ";
    rateLimit += `${separator}"${name}";r=${Math.max(0, quota - result.consumedPoints)};t=${seconds}`;
    policy += `${separator}"${name}";q=${quota};w=${WINDOW_SECONDS}`;
  }
  return { refusal, headers: { RateLimit: rateLimit, "RateLimit-Policy": policy } };
}

/**
 * Refuses a request whose limit is used up, without counting it.
 * @returns undefined while the limit is not used up
 */
export async function checkExhausted({
  class: name,
  subject,
}: Charge): Promise<(LimitOutcome & { refusal: Failure }) | undefined> {
  limits ??= createLimits(undefined);
  const limit = limits[name];
  const { quota } = limit;
  const result = await useLimiter(limit, (limiter) => limiter.get(subject));
  if (!result || result.consumedPoints < quota) return undefined;
  refusals.inc({ class: name });
  const wait = secondsLeft(result);
  return {
    refusal: rateLimitedFailure(name, quota, wait),
    headers: {
      RateLimit: `"${name}";r=0;t=${wait}`,
      "RateLimit-Policy": `"${name}";q=${quota};w=${WINDOW_SECONDS}`,
    },
  };
}
