import type { BilledPlan } from "./plans.ts";

/** A shop's subscription, as its plan page shows it. */
export interface BillingView {
  /** whether charges are tests and nothing is billed: in a development store, or without the real Shopify */
  tests: boolean;
  /** free days at the beginning of a new subscription */
  trialDaysLeft: number;
  /** plan of a subscription that Shopify froze because of an unpaid bill; the shop is on the free plan until it is paid */
  frozen: BilledPlan | undefined;
  /** undefined when past */
  trialEndsAt: Date | undefined;
  periodEndsAt: Date | undefined;
}

/** Open share links are counted up to this number. */
export const OPEN_LINKS_COUNTED = 10_000;
