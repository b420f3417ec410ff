/** Milliseconds after a shop's last request in which the shop counts as working. */
const RECENT_MS = 1_000;

interface Work {
  shopId: number | undefined;
  /** `performance.now()` of the shop's last request */
  at: number;
}

/** Knows whether a process delivers for several shops, so that one with many deliveries can leave the others room. */
export class RecentShops {
  readonly #now: () => number;
  #last: Work = { shopId: undefined, at: -Infinity };
  /** the last request of a shop other than that of the last request */
  #other: Work = this.#last;

  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** Records that a request of a shop is sent. */
  record(shopId: number): void {
    if (shopId !== this.#last.shopId) this.#other = this.#last;
    this.#last = { shopId, at: this.#now() };
  }

  /** Returns whether shops other than this one had requests within the last second. */
  isShared(shopId: number): boolean {
    const { at } = this.#last.shopId === shopId ? this.#other : this.#last;
    return this.#now() - at < RECENT_MS;
  }
}
