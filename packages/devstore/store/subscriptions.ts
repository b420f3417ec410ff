import { now } from "../../../app/platform/clock.server.ts";

export type SubscriptionStatus = "PENDING" | "ACTIVE" | "DECLINED" | "EXPIRED" | "FROZEN" | "CANCELLED";
export type Replacement = "STANDARD" | "APPLY_IMMEDIATELY" | "APPLY_ON_NEXT_BILLING_CYCLE";

/** An amount of money as in the Admin API: a decimal in a string. */
export interface Money {
  amount: string;
  currencyCode: string;
}

export interface LineItem {
  price: Money;
  interval: "EVERY_30_DAYS" | "ANNUAL";
}

export interface AppSubscription {
  /** numeric */
  id: string;
  name: string;
  status: SubscriptionStatus;
  test: boolean;
  trialDays: number;
  returnUrl: string;
  replacement: Replacement;
  lineItems: LineItem[];
  createdAt: Date;
  currentPeriodEnd: Date | undefined;
}

export interface Subscriptions {
  all: () => readonly AppSubscription[];
  byId: (id: string) => AppSubscription | undefined;
  active: () => AppSubscription[];
  create: (
    wanted: Pick<AppSubscription, "name" | "test" | "trialDays" | "returnUrl" | "replacement" | "lineItems">,
  ) => AppSubscription;
  /** Activates a subscription and cancels the previous one. @returns every subscription whose status changed */
  approve: (id: string) => AppSubscription[];
  decline: (id: string) => AppSubscription[];
  cancel: (id: string) => AppSubscription[];
  /** Freezes a subscription, as Shopify does while the store's bill is unpaid. */
  freeze: (id: string) => AppSubscription[];
  unfreeze: (id: string) => AppSubscription[];
  /** Expires a pending subscription, as Shopify does after two days without a decision. */
  expire: (id: string) => AppSubscription[];
  /** Cancels the active subscription, as uninstalling does. */
  cancelAll: () => AppSubscription[];
  /** Replaces all subscriptions, in the order in which they were created. */
  replaceAll: (...subscriptions: { name: string; status: SubscriptionStatus }[]) => void;
}

const DAY = 24 * 60 * 60 * 1000;
const FIRST_ID = 29_100_000_000;

function monthly(name: string): Parameters<Subscriptions["create"]>[0] {
  return {
    name,
    test: true,
    trialDays: 0,
    returnUrl: "",
    replacement: "STANDARD",
    lineItems: [{ price: { amount: "29.0", currencyCode: "USD" }, interval: "EVERY_30_DAYS" }],
  };
}

/** @param plan name of the subscription that is active from the start */
export function createSubscriptions(plan?: string): Subscriptions {
  const all: AppSubscription[] = [];
  const byId = (id: string) => all.find((subscription) => subscription.id === id);

  function transition(subscription: AppSubscription | undefined, from: SubscriptionStatus, to: SubscriptionStatus) {
    if (subscription?.status !== from) return [];
    subscription.status = to;
    return [subscription];
  }

  const subscriptions: Subscriptions = {
    all: () => all,
    byId,
    active: () => all.filter(({ status }) => status === "ACTIVE"),
    create(wanted) {
      const subscription: AppSubscription = {
        ...wanted,
        id: String(FIRST_ID + all.length + 1),
        status: "PENDING",
        createdAt: now(),
        currentPeriodEnd: undefined,
      };
      all.push(subscription);
      return subscription;
    },
    approve(id) {
      const subscription = byId(id);
      if (subscription?.status !== "PENDING") return [];
      const replaced = all.filter(({ status }) => status === "ACTIVE");
      const yearly = subscription.lineItems.some(({ interval }) => interval === "ANNUAL");
      const days = (yearly ? 365 : 30) + subscription.trialDays;
      subscription.currentPeriodEnd = new Date(now().getTime() + days * DAY);
      return [
        ...replaced.flatMap((old) => transition(old, "ACTIVE", "CANCELLED")),
        ...transition(subscription, "PENDING", "ACTIVE"),
      ];
    },
    decline: (id) => transition(byId(id), "PENDING", "DECLINED"),
    cancel: (id) => transition(byId(id), "ACTIVE", "CANCELLED"),
    freeze: (id) => transition(byId(id), "ACTIVE", "FROZEN"),
    unfreeze: (id) => transition(byId(id), "FROZEN", "ACTIVE"),
    expire: (id) => transition(byId(id), "PENDING", "EXPIRED"),
    replaceAll(...replacements) {
      all.length = 0;
      for (const { name, status } of replacements) Object.assign(subscriptions.create(monthly(name)), { status });
    },
    cancelAll: () => all.flatMap((subscription) => transition(subscription, "ACTIVE", "CANCELLED")),
  };
  if (plan !== undefined) {
    const { id } = subscriptions.create(monthly(plan));
    subscriptions.approve(id);
  }
  return subscriptions;
}
