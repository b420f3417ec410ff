import { budget } from "../platform/budget.server.ts";

/** Milliseconds in which a spent budget is restored. */
const WINDOW = 60_000;
/**
 * Products looked up within the window. A product costs about 16 points of a store's Admin API, which allows 2,000 at once and restores 6,000 per
 * minute: a caller gets a small share, and all callers together leave enough for the product sync.
 */
const PER_CALLER = 25;
const PER_SHOP = 100;

const callers = budget({ size: PER_CALLER, window: WINDOW, spenders: 20_000 });
const shops = budget({ size: PER_SHOP, window: WINDOW, spenders: 10_000 });

/** The caller whose request causes look-ups in a store. */
export interface LookupCaller {
  shopId: number;
  /** a customer, a guest, or an IP address */
  caller: string;
}

/** Returns the seconds until both budgets contain an amount, capped at the caller's budget; undefined when they contain it now. */
function secondsUntil(callerKey: string, shop: string, amount: number): number | undefined {
  const ms = Math.max(callers.restoredIn(callerKey, amount), shops.restoredIn(shop, Math.min(amount, PER_CALLER)));
  return ms === 0 ? undefined : Math.ceil(ms / 1_000);
}

/**
 * Takes the cost of a query from the budgets of a caller and of the shop, if both contain it.
 * @returns seconds after which the budgets contain it; undefined when it was taken
 */
export function takeCost({ shopId, caller }: LookupCaller, cost: number): number | undefined {
  const [callerKey, shop] = [`${shopId} ${caller}`, String(shopId)];
  const retryAfter = secondsUntil(callerKey, shop, cost);
  if (retryAfter === undefined) {
    callers.spend(callerKey, cost);
    shops.spend(shop, cost);
  }
  return retryAfter;
}

/**
 * Takes look-ups from the budgets of a caller and of the shop.
 * @returns the number of granted look-ups, and, unless all were granted, the seconds until more are
 */
export function takeLookups(
  { shopId, caller }: LookupCaller,
  requested: number,
): { granted: number; retryAfter: number | undefined } {
  const [callerKey, shop] = [`${shopId} ${caller}`, String(shopId)];
  const granted = Math.max(0, Math.floor(Math.min(requested, callers.left(callerKey), shops.left(shop))));
  if (granted > 0) {
    callers.spend(callerKey, granted);
    shops.spend(shop, granted);
  }
  const lacking = requested - granted;
  if (lacking === 0) return { granted, retryAfter: undefined };
  return { granted, retryAfter: secondsUntil(callerKey, shop, lacking) ?? 1 };
}
