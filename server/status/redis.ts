import { errorLine } from "../postgres/errors.ts";

/** Milliseconds that Redis has for each step. */
const TIMEOUT = 2_000;

export interface RedisState {
  /** why Redis does not respond; undefined when it does */
  problem: string | undefined;
}

export async function readRedis(url: string): Promise<RedisState> {
  const { Redis } = await import("ioredis");
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: TIMEOUT,
    commandTimeout: TIMEOUT,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  // A failed attempt rejects with "Connection is closed." only.
  let cause: Error | undefined;
  redis.on("error", (error) => (cause = error));
  try {
    await redis.connect();
    await redis.ping();
    return { problem: undefined };
  } catch (error) {
    return { problem: errorLine(cause ?? error) };
  } finally {
    redis.disconnect();
  }
}
