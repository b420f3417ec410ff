import { endpointName, type EndpointKey } from "./endpoint-key.ts";

/** Connections to receivers that a process uses at a time, over all shops. */
const TOTAL = 1_024;
/** The part of the free connections that a shop may use, and the part of the shop's free connections that an endpoint may use. */
const SHARE = 1 / 4;
/** The part of the total that is reserved for shops without a connection, and of a shop's share for its endpoints without one. */
const RESERVE = 1 / 4;

interface Waiter {
  endpoint: EndpointKey;
  retry: () => void;
}

/** Counters by key. A missing key counts as zero, and a counter that drops to zero is removed. */
class Counts<Key> {
  readonly #counts = new Map<Key, number>();

  get(key: Key): number {
    return this.#counts.get(key) ?? 0;
  }

  change(key: Key, by: 1 | -1): void {
    const count = this.get(key) + by;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }
}

/**
 * Limits the connections to receivers, and shares them between shops and between the endpoints of a shop. The limits shrink with the number of
 * free connections (dynamic thresholds): a single shop uses less than a quarter of the total, and while receivers of many shops hang, a shop
 * without a connection still gets one.
 */
export class ConnectionBudget {
  #left: number;
  readonly #reserve: number;
  readonly #usedByShop = new Counts<number>();
  readonly #usedByEndpoint = new Counts<string>();
  readonly #waiters = new Map<string, Waiter>();

  constructor(total = TOTAL) {
    this.#left = total;
    this.#reserve = total * RESERVE;
  }

  /**
   * Takes a connection out of the budget.
   * @param retry called once, when a connection for the endpoint is free again
   * @returns false when the endpoint or its shop has used up its share
   */
  take(endpoint: EndpointKey, retry: () => void): boolean {
    const name = endpointName(endpoint);
    if (!this.#mayTake(endpoint)) {
      this.#waiters.set(name, { endpoint, retry });
      return false;
    }
    this.#waiters.delete(name);
    this.#count(endpoint, 1);
    return true;
  }

  /**
   * Returns a connection to the budget, and calls waiting endpoints while they may take one: first those of the shop, and within it the endpoint,
   * with the fewest connections.
   */
  release(endpoint: EndpointKey): void {
    this.#count(endpoint, -1);
    for (let next = this.#next(); next; next = this.#next()) {
      this.#waiters.delete(endpointName(next.endpoint));
      next.retry();
    }
  }

  /** Removes an endpoint from the waiting endpoints. */
  withdraw(endpoint: EndpointKey): void {
    this.#waiters.delete(endpointName(endpoint));
  }

  #count(endpoint: EndpointKey, by: 1 | -1): void {
    this.#left -= by;
    this.#usedByShop.change(endpoint.shopId, by);
    this.#usedByEndpoint.change(endpointName(endpoint), by);
  }

  #mayTake(endpoint: EndpointKey): boolean {
    if (this.#left <= 0) return false;
    const used = this.#usedByShop.get(endpoint.shopId);
    // The first connection of a shop or an endpoint may come out of the reserve.
    if (used === 0) return true;
    const share = (this.#left - this.#reserve) * SHARE;
    if (used >= share) return false;
    const usedByEndpoint = this.#usedByEndpoint.get(endpointName(endpoint));
    return usedByEndpoint === 0 || usedByEndpoint < (share * (1 - RESERVE) - used) * SHARE;
  }

  #next(): Waiter | undefined {
    let first: { waiter: Waiter; usedByShop: number; usedByEndpoint: number } | undefined;
    for (const waiter of this.#waiters.values()) {
      const { endpoint } = waiter;
      if (!this.#mayTake(endpoint)) continue;
      const usedByShop = this.#usedByShop.get(endpoint.shopId);
      const usedByEndpoint = this.#usedByEndpoint.get(endpointName(endpoint));
      if (
        !first ||
        usedByShop < first.usedByShop ||
        (usedByShop === first.usedByShop && usedByEndpoint < first.usedByEndpoint)
      ) {
        first = { waiter, usedByShop, usedByEndpoint };
      }
    }
    return first?.waiter;
  }
}
