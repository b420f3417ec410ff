import { z } from "zod";
import { productionAddresses } from "../foundation/addresses.ts";
import type { AppSubscription, LineItem, Subscriptions } from "../store/subscriptions.ts";
import { impliedScopes } from "../foundation/scopes.ts";
import { revokeScopes } from "../actions/scopes.ts";
import type { Store } from "../store/store.ts";
import type { StoreEvents } from "../webhooks/events.ts";
import { gid, parseGid } from "../foundation/gid.ts";
import { connection, type PageArguments } from "./connections.ts";

const MAXIMUM_TRIAL_DAYS = 1_000;

const newSubscriptionSchema = z.object({
  name: z.string().trim().min(1, "Name can't be blank"),
  returnUrl: z.url("Return url is invalid"),
  test: z.boolean().nullish(),
  trialDays: z.int().min(0, "Trial days must be greater than or equal to 0").max(MAXIMUM_TRIAL_DAYS).nullish(),
  replacementBehavior: z.enum(["STANDARD", "APPLY_IMMEDIATELY", "APPLY_ON_NEXT_BILLING_CYCLE"]).nullish(),
  lineItems: z
    .array(
      z.object({
        plan: z.object({
          appRecurringPricingDetails: z.object({
            interval: z.enum(["EVERY_30_DAYS", "ANNUAL"]).default("EVERY_30_DAYS"),
            price: z.object({
              amount: z.coerce
                .number()
                .min(0.5, "Price must be at least 0.50")
                .transform((amount) => amount.toFixed(2)),
              currencyCode: z.string(),
            }),
          }),
        }),
      }),
    )
    .length(1, "A subscription of this app has one recurring line item"),
});

const scope = (handle: string) => ({ handle, description: handle.replaceAll("_", " ") });

function showLineItem({ price, interval }: LineItem, subscription: string, place: number) {
  return {
    id: `${gid("AppSubscriptionLineItem", subscription)}?v=1&index=${place}`,
    plan: {
      pricingDetails: { __typename: "AppRecurringPricing", interval, price, discount: null, planHandle: null },
    },
  };
}

export function showSubscription(subscription: AppSubscription) {
  const { id, name, status, test, trialDays, createdAt, currentPeriodEnd, returnUrl, lineItems } = subscription;
  return {
    __typename: "AppSubscription",
    id: gid("AppSubscription", id),
    name,
    status,
    test,
    trialDays,
    createdAt: createdAt.toISOString(),
    currentPeriodEnd: currentPeriodEnd?.toISOString() ?? null,
    returnUrl,
    lineItems: lineItems.map((item, index) => showLineItem(item, id, index)),
  };
}

export function showApp(store: Store) {
  const { appHandle, appTitle, apiKey, scopes, optionalScopes } = store.options;
  return {
    __typename: "App",
    id: gid("App", "204100000001"),
    apiKey,
    handle: appHandle,
    title: appTitle,
    embedded: true,
    requestedAccessScopes: scopes.map(scope),
    optionalAccessScopes: optionalScopes.map(scope),
    installation: () => showInstallation(store),
  };
}

export function showInstallation(store: Store) {
  const { subscriptions, installation, options, shop } = store;
  const { admin } = productionAddresses(shop.domain, options.appUrl);
  return {
    __typename: "AppInstallation",
    id: gid("AppInstallation", "511200000001"),
    app: () => showApp(store),
    accessScopes: installation.scopes.map(scope),
    launchUrl: `${admin}/store/${shop.handle}/apps/${options.appHandle}`,
    uninstallUrl: null,
    activeSubscriptions: () => subscriptions.active().map(showSubscription),
    allSubscriptions: (page: PageArguments) => subscriptionPage(subscriptions, page),
    oneTimePurchases: (page: PageArguments) =>
      connection(
        [],
        page,
        () => ({ id: "", value: "" }),
        () => null,
      ),
  };
}

function subscriptionPage(subscriptions: Subscriptions, page: PageArguments) {
  return connection(subscriptions.all(), page, ({ id }) => ({ id, value: Number(id) }), showSubscription);
}

/** Returns the address of the page on which the merchant approves or declines a subscription. */
function confirmationUrl(store: Store, { id }: AppSubscription): string {
  const { admin } = productionAddresses(store.shop.domain, store.options.appUrl);
  return `${admin}/store/${store.shop.handle}/charges/${store.options.appHandle}/${id}/RecurringApplicationCharge/confirm_recurring_application_charge`;
}

export function appMutations(store: Store, events: StoreEvents) {
  return {
    appSubscriptionCreate(input: unknown) {
      const parsed = newSubscriptionSchema.safeParse(input);
      if (!parsed.success) {
        const userErrors = parsed.error.issues.map(({ path, message }) => ({ field: path.map(String), message }));
        return { appSubscription: null, confirmationUrl: null, userErrors };
      }
      const { name, returnUrl, test, trialDays, replacementBehavior, lineItems } = parsed.data;
      const subscription = store.subscriptions.create({
        name,
        returnUrl,
        test: test ?? false,
        trialDays: trialDays ?? 0,
        replacement: replacementBehavior ?? "STANDARD",
        lineItems: lineItems.map(({ plan }) => plan.appRecurringPricingDetails),
      });
      return {
        appSubscription: showSubscription(subscription),
        confirmationUrl: confirmationUrl(store, subscription),
        userErrors: [],
      };
    },
    appSubscriptionCancel({ id }: { id: string }) {
      const read = parseGid(id);
      const subscription = read?.type === "AppSubscription" ? store.subscriptions.byId(read.id) : undefined;
      const changed = subscription === undefined ? [] : store.subscriptions.cancel(subscription.id);
      if (subscription === undefined || changed.length === 0) {
        const message = subscription
          ? `Cannot cancel a subscription that is ${subscription.status}`
          : "Couldn't find RecurringApplicationCharge";
        return { appSubscription: null, userErrors: [{ field: ["id"], message }] };
      }
      events.subscriptionsChanged(changed);
      return { appSubscription: showSubscription(subscription), userErrors: [] };
    },
    appRevokeAccessScopes({ scopes }: { scopes: string[] }) {
      const required = scopes.filter((handle) => store.options.scopes.includes(handle));
      const kept = store.installation.scopes.filter((handle) => !scopes.includes(handle));
      const messages = [
        ...required.map((handle) => `${handle} is a required scope and cannot be revoked`),
        ...impliedScopes(kept, scopes).map(() => "Already granted implied scopes cannot be revoked."),
      ];
      const userErrors = messages.map((message) => ({ field: ["scopes"], message }));
      if (userErrors.length === 0) revokeScopes(store, events, scopes);
      return { revoked: userErrors.length > 0 ? null : scopes.map(scope), userErrors };
    },
  };
}
