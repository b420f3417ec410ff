import { budget } from "../platform/budget.server.ts";

/** Milliseconds in which what was spent is restored. */
const WINDOW = 60_000;
/**
 * Products looked up within the window. One costs about 16 points of the 2,000 that a store's Admin API has at once, and of the 6,000 that it restores in a
 * minute: a caller gets a small share of them, and all callers leave enough for the catalog's sync.
 */
const PER_CALLER = 25;
const PER_SHOP = 100;

const callers = budget({ size: PER_CALLER, window: WINDOW, spenders: 20_000 });
const shops = budget({ size: PER_SHOP, window: WINDOW, spenders: 10_000 });

/** Who causes look-ups in a shop. */
export interface LookupCaller {
  shopId: number;
  /** a customer, or an address */
  caller: string;
}

/** Seconds until both budgets hold so much, or all that they can; undefined when they do. */
function wait(who: string, shop: string, amount: number): number | undefined {
  const ms = Math.max(callers.restoredIn(who, amount), shops.restoredIn(shop, Math.min(amount, PER_CALLER)));
  return ms === 0 ? undefined : Math.ceil(ms / 1_000);
}

/**
 * Takes what one question costs, or nothing.
 * @returns seconds after which the budgets suffice for it; undefined when it was taken
 */
export function takeCost({ shopId, caller }: LookupCaller, cost: number): number | undefined {
  const [who, shop] = [`${shopId} ${caller}`, String(shopId)];
  const retryAfter = wait(who, shop, cost);
  if (retryAfter === undefined) {
    callers.spend(who, cost);
    shops.spend(shop, cost);
  }
  return retryAfter;
}

/**
 * Takes look-ups from the budgets of a caller and of the shop.
 * @returns how many were granted, and, when that is not all, the seconds after which more will be
 */
export function takeLookups(
  { shopId, caller }: LookupCaller,
  wanted: number,
): { granted: number; retryAfter: number | undefined } {
  const [who, shop] = [`${shopId} ${caller}`, String(shopId)];
  const granted = Math.max(0, Math.floor(Math.min(wanted, callers.left(who), shops.left(shop))));
  if (granted > 0) {
    callers.spend(who, granted);
    shops.spend(shop, granted);
  }
  const lacking = wanted - granted;
  if (lacking === 0) return { granted, retryAfter: undefined };
  return { granted, retryAfter: wait(who, shop, lacking) ?? 1 };
}
