import { z } from "zod";

export const planSchema = z.enum(["free", "starter", "growth"]);

export type Plan = z.infer<typeof planSchema>;

const RANK: Record<Plan, number> = { free: 0, starter: 1, growth: 2 };

/** Returns whether `plan` includes everything that `required` includes. */
function includes(plan: Plan, required: Plan): boolean {
  return RANK[plan] >= RANK[required];
}

/** In US dollars for 30 days. */
export const PLANS = {
  free: { name: "Free", price: 0 },
  starter: { name: "Starter", price: 9 },
  growth: { name: "Growth", price: 29 },
} as const satisfies Record<Plan, { name: string; price: number }>;

/** Features by the lowest plan that includes them, for the checks of all surfaces and the plan page. */
export const FEATURES = {
  wishlists: { label: "Wishlists for customers and guests", from: "free" },
  reach: { label: "API keys and webhooks", from: "free" },
  analytics: { label: "Analytics", from: "free" },
  sharing: { label: "Share links", from: "starter" },
  lists: { label: "Named lists", from: "growth" },
  alerts: { label: "Alerts for price drops and stock", from: "growth" },
  support: { label: "Priority support", from: "growth" },
} as const satisfies Record<string, { label: string; from: Plan }>;

export type Feature = keyof typeof FEATURES;

/** Returns whether `plan` includes the feature. */
export function hasFeature(plan: Plan, feature: Feature): boolean {
  return includes(plan, FEATURES[feature].from);
}

/** Returns the plans that include the feature. */
export function plansWith(feature: Feature): Plan[] {
  return planSchema.options.filter((plan) => hasFeature(plan, feature));
}

/** A plan that a shop needs for a feature and does not have. */
export interface MissingPlan {
  name: string;
  /** whether the shop has subscribed to it, and the subscription is frozen until a bill is paid */
  isFrozen: boolean;
}

/**
 * Returns the plan that a shop lacks for a feature; undefined when its plan includes the feature.
 * @param frozen the plan of a frozen subscription
 */
export function missingPlan(plan: Plan, frozen: BilledPlan | undefined, feature: Feature): MissingPlan | undefined {
  if (hasFeature(plan, feature)) return undefined;
  return frozen !== undefined && hasFeature(frozen, feature)
    ? { name: PLANS[frozen].name, isFrozen: true }
    : { name: PLANS[FEATURES[feature].from].name, isFrozen: false };
}

/** Free days before a shop's first charge. */
export const TRIAL_DAYS = 14;

/** Paid plans by the name of their Shopify subscription. */
export const BILLED = { Starter: "starter", Growth: "growth" } as const satisfies Record<string, Plan>;

export type BilledPlan = (typeof BILLED)[keyof typeof BILLED];

/** Returns the plan of a Shopify subscription's name. */
export function billedPlan(name: string): BilledPlan | undefined {
  return Object.entries(BILLED).find(([billed]) => billed === name)?.[1];
}

/**
 * Returns the active subscription with the highest plan.
 * @param testsCount whether test charges count as well
 */
export function bestSubscription<S extends { name: string; status: string; test: boolean }>(
  subscriptions: readonly S[],
  testsCount: boolean,
): (S & { plan: BilledPlan }) | undefined {
  return subscriptions
    .flatMap((subscription) => {
      const plan = billedPlan(subscription.name);
      const counts = subscription.status === "ACTIVE" && (testsCount || !subscription.test);
      return plan !== undefined && counts ? [{ ...subscription, plan }] : [];
    })
    .toSorted((a, b) => RANK[b.plan] - RANK[a.plan])[0];
}

export const subscribeForm = z.strictObject({ plan: z.enum(["starter", "growth"], "Choose a plan.") });

/** `?wanted=` after the return from Shopify's approval page: the requested plan, not the confirmed one. */
export const wantedPlan = z.enum(["starter", "growth"]).optional().catch(undefined);
