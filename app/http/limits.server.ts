import { Redis } from "ioredis";
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import { Failure } from "../platform/failure.ts";
import { env } from "../platform/env.server.ts";
import { onShutdown } from "../platform/lifecycle.server.ts";
import { log } from "../platform/log.server.ts";

const WINDOW_SECONDS = 60;
/** A Redis that hangs must not hold a request longer than this many milliseconds. */
const REDIS_TIMEOUT = 250;

export type LimitClass = "admin" | "address" | "customer";

/** One count that a request is charged to. */
export interface Charge {
  class: LimitClass;
  /** who is counted: a key id, an address, a customer of a shop */
  subject: string;
}

const WHOSE: Record<LimitClass, string> = { admin: "this API key", address: "this address", customer: "this customer" };

type Limiter = RateLimiterMemory | RateLimiterRedis;

interface Limit {
  limiter: Limiter;
  quota: number;
}

let limits: Record<LimitClass, Limit> | undefined;

function connect(url: string): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2_000,
    commandTimeout: REDIS_TIMEOUT,
    retryStrategy: (attempt) => Math.min(attempt * 200, 2_000),
  });
  let down = false;
  redis.on("error", (error: unknown) => {
    if (!down) log.warn({ err: error }, "Redis is out of reach: each instance limits by its own count");
    down = true;
  });
  redis.on("ready", () => {
    if (down) log.info({}, "Redis is back: limits are shared again");
    down = false;
  });
  onShutdown("redis", () => {
    redis.disconnect();
    return Promise.resolve();
  });
  return redis;
}

function build(): Record<LimitClass, Limit> {
  const { redisUrl, rateLimitAdminPerMinute, rateLimitStorefrontPerMinute } = env();
  const redis = redisUrl === undefined ? undefined : connect(redisUrl);
  const limit = (name: LimitClass, quota: number): Limit => {
    const options = { keyPrefix: `wishlist:limit:${name}`, points: quota, duration: WINDOW_SECONDS };
    const local = new RateLimiterMemory(options);
    return {
      quota,
      limiter: redis ? new RateLimiterRedis({ ...options, storeClient: redis, insuranceLimiter: local }) : local,
    };
  };
  return {
    admin: limit("admin", rateLimitAdminPerMinute),
    address: limit("address", rateLimitStorefrontPerMinute),
    customer: limit("customer", rateLimitStorefrontPerMinute),
  };
}

export interface LimitOutcome {
  /** set when a quota is used up; its `retryAfter` is when the window ends */
  refusal: Failure | undefined;
  /** `RateLimit` and `RateLimit-Policy`, draft-ietf-httpapi-ratelimit-headers */
  headers: { RateLimit: string; "RateLimit-Policy": string };
}

async function consume(limiter: Limiter, subject: string): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(subject);
  } catch (refused) {
    if (refused instanceof RateLimiterRes) return refused;
    throw refused;
  }
}

/** Counts a request against every charge. The window of a count starts with its first request. */
export async function charge(charges: readonly Charge[]): Promise<LimitOutcome> {
  limits ??= build();
  let refusal: Failure | undefined;
  let wait = 0;
  let rateLimit = "";
  let policy = "";
  for (const { class: name, subject } of charges) {
    const { limiter, quota } = limits[name];
    const result = await consume(limiter, subject);
    const seconds = Math.max(1, Math.ceil(result.msBeforeNext / 1000));
    if (result.consumedPoints > quota && seconds > wait) {
      wait = seconds;
      refusal = new Failure(
        "rate_limited",
        `More than ${quota} requests in a minute from ${WHOSE[name]}. Try again in ${wait} s.`,
        {
          retryAfter: wait,
        },
      );
    }
    const separator = rateLimit === "" ? "" : ", ";
    rateLimit += `${separator}"${name}";r=${Math.max(0, quota - result.consumedPoints)};t=${seconds}`;
    policy += `${separator}"${name}";q=${quota};w=${WINDOW_SECONDS}`;
  }
  return { refusal, headers: { RateLimit: rateLimit, "RateLimit-Policy": policy } };
}
