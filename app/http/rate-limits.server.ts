import { setTimeout as after } from "node:timers/promises";
import { Redis } from "ioredis";
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import { Failure } from "../platform/failure.ts";
import { env } from "../platform/env.server.ts";
import { onShutdown } from "../platform/lifecycle.server.ts";
import { log } from "../platform/log.server.ts";

const WINDOW_SECONDS = 60;
/** A Redis that hangs must not hold a request longer than this many milliseconds. */
const REDIS_TIMEOUT = 500;
/** Milliseconds that requests don't wait for a Redis that has just failed to answer. */
const REDIS_BACK_OFF = 1_000;
/** Milliseconds that a start waits for Redis: requests that come before it is there are counted locally. */
const REDIS_START_TIMEOUT = 2_000;

/**
 * What is counted: requests of an API key (`admin`, or `storefront_server` for a key of that kind), of a customer, of a guest of a store; of
 * an address, where nothing else identifies the caller; of a store's shoppers behind one address (`storefront_address`), which may be an
 * office or a mobile carrier; failed authentications of an address; and deliveries from an address that Shopify did not sign.
 */
export type LimitClass =
  "admin" | "storefront_server" | "address" | "storefront_address" | "customer" | "guest" | "failures" | "forgeries";

/** One count that a request is charged to. */
export interface Charge {
  class: LimitClass;
  /** who is counted: a key id, an address, a customer or guest of a shop */
  subject: string;
}

const QUOTA_NAMES: Record<LimitClass, string> = {
  admin: "requests in a minute from this API key",
  storefront_server: "requests in a minute from this API key",
  address: "requests in a minute from this address",
  storefront_address: "requests in a minute from this address",
  customer: "requests in a minute from this customer",
  guest: "requests in a minute from this guest",
  failures: "failed authentications in a minute from this address",
  forgeries: "unsigned deliveries in a minute from this address",
};

interface Limit {
  quota: number;
  /** in Redis, over all instances */
  shared: RateLimiterRedis | undefined;
  local: RateLimiterMemory;
}

let limits: Record<LimitClass, Limit> | undefined;
/** Until when (`performance.now()`) Redis is left alone; 0 as long as it answers. */
let redisRetryAt = 0;
let redisIsDown = false;

function markRedisDown(error: unknown): void {
  if (!redisIsDown) log.warn({ err: error }, "Redis is out of reach: each instance limits by its own count");
  redisIsDown = true;
  redisRetryAt = performance.now() + REDIS_BACK_OFF;
}

function markRedisUp(): void {
  if (redisIsDown) log.info({}, "Redis is back: limits are shared again");
  redisIsDown = false;
  redisRetryAt = 0;
}

function connect(url: string): Redis {
  const redis = new Redis(url, {
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
    failures: limit("failures", rateLimitStorefrontPerMinute),
    forgeries: limit("forgeries", rateLimitStorefrontPerMinute),
  };
}

/** Connects to Redis when there is one to share the counts in. One that can't be reached keeps nothing from starting. */
export async function startRateLimits(): Promise<void> {
  const { redisUrl } = env();
  const redis = redisUrl === undefined ? undefined : connect(redisUrl);
  limits = createLimits(redis);
  if (redis) {
    const settled = new Promise<void>((resolve) => {
      redis.once("ready", resolve);
      redis.once("error", () => {
        resolve();
      });
    });
    await Promise.race([settled, after(REDIS_START_TIMEOUT, undefined, { ref: false })]);
  }
}

/** `RateLimit` and `RateLimit-Policy`, draft-ietf-httpapi-ratelimit-headers */
export interface LimitHeaders {
  RateLimit: string;
  "RateLimit-Policy": string;
}

export interface LimitOutcome {
  /** set when a quota is used up; its `retryAfter` is when the window ends */
  refusal: Failure | undefined;
  headers: LimitHeaders;
}

/** Joins the headers of counts that were charged one after the other. */
export function joinLimitHeaders(first: LimitHeaders | undefined, then: LimitHeaders): LimitHeaders {
  if (!first) return then;
  return {
    RateLimit: `${first.RateLimit}, ${then.RateLimit}`,
    "RateLimit-Policy": `${first["RateLimit-Policy"]}, ${then["RateLimit-Policy"]}`,
  };
}

/** A refusal is an outcome like any other; what is thrown is a failure to count. */
async function consume(limiter: RateLimiterMemory | RateLimiterRedis, subject: string): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(subject);
  } catch (refused) {
    if (refused instanceof RateLimiterRes) return refused;
    throw refused;
  }
}

/**
 * @throws when Redis has not answered in time. An answer that lies there unread is in time: a busy process must not take itself for a
 * Redis that is lost.
 */
function withRedisTimeout<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = (): void => reject(new Error(`no answer within ${REDIS_TIMEOUT} ms`));
    const timer = setTimeout(() => setImmediate(late), REDIS_TIMEOUT);
    answer.then(resolve, reject).finally(() => {
      clearTimeout(timer);
    });
  });
}

/** Asks Redis, or the process's own counts while Redis is out of reach. */
async function useLimiter<Answer>(
  { shared, local }: Limit,
  question: (limiter: RateLimiterMemory | RateLimiterRedis) => Promise<Answer>,
): Promise<Answer> {
  if (shared && performance.now() >= redisRetryAt) {
    try {
      const answer = await withRedisTimeout(question(shared));
      markRedisUp();
      return answer;
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

/** Counts a request against every charge. The window of a count starts with its first request. */
export async function chargeRequest(charges: readonly Charge[]): Promise<LimitOutcome> {
  // Without a start (a unit test) there is no Redis.
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
 * Refuses a request whose count is used up already, without counting it.
 * @returns undefined while something is left
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
  const wait = secondsLeft(result);
  return {
    refusal: rateLimitedFailure(name, quota, wait),
    headers: {
      RateLimit: `"${name}";r=0;t=${wait}`,
      "RateLimit-Policy": `"${name}";q=${quota};w=${WINDOW_SECONDS}`,
    },
  };
}
