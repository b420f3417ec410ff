import { z } from "zod";
import { gidSchema } from "../admin-api/gid.ts";

export const SHOP_SETTINGS = `#graphql
  query ShopSettings {
    shop { id ianaTimezone currencyCode currencyFormats { moneyFormat } plan { partnerDevelopment } }
    currentAppInstallation {
      activeSubscriptions { ...Subscription }
      allSubscriptions(first: 25, reverse: true) { nodes { ...Subscription } }
    }
  }
  fragment Subscription on AppSubscription { name status test trialDays createdAt currentPeriodEnd }`;

const subscriptionSchema = z.object({
  name: z.string(),
  status: z.string(),
  test: z.boolean(),
  trialDays: z.int(),
  createdAt: z.coerce.date(),
  currentPeriodEnd: z.coerce.date().nullable(),
});

export type StoreSubscription = z.output<typeof subscriptionSchema>;

export const shopSettingsSchema = z.object({
  shop: z.object({
    id: gidSchema,
    ianaTimezone: z.string(),
    currencyCode: z.string().regex(/^[A-Z]{3}$/),
    currencyFormats: z.object({ moneyFormat: z.string() }),
    plan: z.object({ partnerDevelopment: z.boolean() }),
  }),
  currentAppInstallation: z.object({
    activeSubscriptions: z.array(subscriptionSchema),
    /** newest first */
    allSubscriptions: z.object({ nodes: z.array(subscriptionSchema) }),
  }),
});

export type ShopSettings = z.output<typeof shopSettingsSchema>;
