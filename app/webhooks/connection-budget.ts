/** Connections to receivers that a process uses at a time, over all shops. */
const TOTAL = 1_024;
/** A shop may use this part of what is left of the total, and an endpoint this part of what is left for its shop. */
const SHARE = 1 / 4;
/** The part of the total that is kept for shops without a connection, and of a shop's share for its endpoints without one. */
const RESERVE = 1 / 4;

export interface Claimant {
  shopId: number;
  endpointId: string;
}

interface Waiter {
  claimant: Claimant;
  retry: () => void;
}

/** Counts in a map in which absence is zero. */
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

function nameOf({ shopId, endpointId }: Claimant): string {
  return `${shopId}:${endpointId}`;
}

/**
 * Bounds the connections to receivers, and shares them between shops and between the endpoints of a shop. The bounds shrink with what is left
 * (dynamic thresholds): a lone shop uses less than a quarter of all, and while receivers of many shops hang, a shop that uses none still gets one.
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
   * @param retry called once, when there is a connection for the endpoint again
   * @returns false when the endpoint or its shop has its share
   */
  take(claimant: Claimant, retry: () => void): boolean {
    const name = nameOf(claimant);
    if (!this.#mayTake(claimant)) {
      this.#waiters.set(name, { claimant, retry });
      return false;
    }
    this.#waiters.delete(name);
    this.#count(claimant, 1);
    return true;
  }

  /** Gives a connection back, and calls those whose turn it is: the shop, and of that the endpoint, with the fewest connections first. */
  release(claimant: Claimant): void {
    this.#count(claimant, -1);
    for (let next = this.#next(); next; next = this.#next()) {
      this.#waiters.delete(nameOf(next.claimant));
      next.retry();
    }
  }

  /** Forgets that an endpoint waits. */
  withdraw(claimant: Claimant): void {
    this.#waiters.delete(nameOf(claimant));
  }

  #count(claimant: Claimant, by: 1 | -1): void {
    this.#left -= by;
    this.#usedByShop.change(claimant.shopId, by);
    this.#usedByEndpoint.change(nameOf(claimant), by);
  }

  #mayTake(claimant: Claimant): boolean {
    if (this.#left <= 0) return false;
    const used = this.#usedByShop.get(claimant.shopId);
    // A shop or an endpoint without any may take one of whatever is left.
    if (used === 0) return true;
    const share = (this.#left - this.#reserve) * SHARE;
    if (used >= share) return false;
    const usedByEndpoint = this.#usedByEndpoint.get(nameOf(claimant));
    return usedByEndpoint === 0 || usedByEndpoint < (share * (1 - RESERVE) - used) * SHARE;
  }

  #next(): Waiter | undefined {
    let first: { waiter: Waiter; shop: number; endpoint: number } | undefined;
    for (const waiter of this.#waiters.values()) {
      const { claimant } = waiter;
      if (!this.#mayTake(claimant)) continue;
      const shop = this.#usedByShop.get(claimant.shopId);
      const endpoint = this.#usedByEndpoint.get(nameOf(claimant));
      if (!first || shop < first.shop || (shop === first.shop && endpoint < first.endpoint)) {
        first = { waiter, shop, endpoint };
      }
    }
    return first?.waiter;
  }
}
