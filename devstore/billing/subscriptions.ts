import { now } from "../../app/platform/clock.server.ts";

export type SubscriptionStatus = "PENDING" | "ACTIVE" | "DECLINED" | "EXPIRED" | "FROZEN" | "CANCELLED";
export type Replacement = "STANDARD" | "APPLY_IMMEDIATELY" | "APPLY_ON_NEXT_BILLING_CYCLE";

/** An amount of money as Shopify writes it: a decimal in a string. */
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
  /** @returns every subscription whose status changed: an approved one takes the place of the one before */
  approve: (id: string) => AppSubscription[];
  decline: (id: string) => AppSubscription[];
  cancel: (id: string) => AppSubscription[];
  /** As Shopify does when the store's bill is not paid, and when it is. */
  freeze: (id: string) => AppSubscription[];
  thaw: (id: string) => AppSubscription[];
  /** As Shopify does with what nobody decides on for two days. */
  expire: (id: string) => AppSubscription[];
  /** As uninstalling does. */
  cancelAll: () => AppSubscription[];
}

const DAY = 24 * 60 * 60 * 1000;
const FIRST_ID = 29_100_000_000;

/** @param plan what is paid for from the start */
export function createSubscriptions(plan?: string): Subscriptions {
  const all: AppSubscription[] = [];
  const byId = (id: string) => all.find((subscription) => subscription.id === id);

  function move(subscription: AppSubscription | undefined, from: SubscriptionStatus, to: SubscriptionStatus) {
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
        ...replaced.flatMap((old) => move(old, "ACTIVE", "CANCELLED")),
        ...move(subscription, "PENDING", "ACTIVE"),
      ];
    },
    decline: (id) => move(byId(id), "PENDING", "DECLINED"),
    cancel: (id) => move(byId(id), "ACTIVE", "CANCELLED"),
    freeze: (id) => move(byId(id), "ACTIVE", "FROZEN"),
    thaw: (id) => move(byId(id), "FROZEN", "ACTIVE"),
    expire: (id) => move(byId(id), "PENDING", "EXPIRED"),
    cancelAll: () => all.flatMap((subscription) => move(subscription, "ACTIVE", "CANCELLED")),
  };
  if (plan !== undefined) {
    const { id } = subscriptions.create({
      name: plan,
      test: true,
      trialDays: 0,
      returnUrl: "",
      replacement: "STANDARD",
      lineItems: [{ price: { amount: "29.0", currencyCode: "USD" }, interval: "EVERY_30_DAYS" }],
    });
    subscriptions.approve(id);
  }
  return subscriptions;
}
