import { Failure } from "../platform/failure.ts";
import type { Filter } from "./feed.server.ts";

/** Streams of a process, and of one key or customer. */
interface Limits {
  process: number;
  caller: number;
}

const LIMITS: Limits = { process: 12_000, caller: 20 };
/** Seconds after which a caller may retry above a limit. */
const RETRY_AFTER = 10;

/** The caller of a stream. */
export interface StreamCaller {
  filter: Pick<Filter, "shopId" | "customerId">;
  keyId: string;
}

function keyOf({ filter: { shopId, customerId }, keyId }: StreamCaller): string {
  return customerId === undefined ? keyId : `${shopId} ${customerId}`;
}

/** Returns the failure for a process that opens no more streams. */
export function noMoreStreams(): Failure {
  return new Failure("service_unavailable", "This process serves no more streams at the moment. Try again shortly.", {
    retryAfter: RETRY_AFTER,
  });
}

function tooMany(whose: string, open: number): Failure {
  return new Failure("rate_limited", `The ${whose} has ${open} open streams. Close one before opening another.`, {
    retryAfter: RETRY_AFTER,
  });
}

function count<Key>(counts: Map<Key, number>, key: Key, by: 1 | -1): void {
  const now = (counts.get(key) ?? 0) + by;
  if (now === 0) counts.delete(key);
  else counts.set(key, now);
}

/**
 * Counts the streams that are open or being opened. A shop can have as many as the process has left: half of all when it is alone, a third
 * beside one that has as many. So room for the next shop remains, and none of it is kept from a shop that nobody else needs it from.
 */
export class StreamLimits {
  readonly #limits: Limits;
  readonly #byShop = new Map<number, number>();
  readonly #byCaller = new Map<string, number>();
  #total = 0;

  constructor(limits: Limits = LIMITS) {
    this.#limits = limits;
  }

  /** Counts a stream, which is to be released. @returns the failure, without counting it, when a limit is reached */
  reserve(caller: StreamCaller): Failure | undefined {
    const { shopId, customerId } = caller.filter;
    const key = keyOf(caller);
    if (this.#total >= this.#limits.process) return noMoreStreams();
    const ofShop = this.#byShop.get(shopId) ?? 0;
    if (ofShop >= this.#limits.process - this.#total) return tooMany("shop", ofShop);
    if ((this.#byCaller.get(key) ?? 0) >= this.#limits.caller) {
      return tooMany(customerId === undefined ? "API key" : "customer", this.#limits.caller);
    }
    this.#count(caller, 1);
    return undefined;
  }

  /** Takes back a stream that was counted. */
  release(caller: StreamCaller): void {
    this.#count(caller, -1);
  }

  #count(caller: StreamCaller, by: 1 | -1): void {
    this.#total += by;
    count(this.#byShop, caller.filter.shopId, by);
    count(this.#byCaller, keyOf(caller), by);
  }
}
