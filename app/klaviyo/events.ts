import { z } from "zod";
import type { Event } from "../webhooks/events/events.ts";

/** The events that a shop can send to Klaviyo, with the names of their metrics there. A published name stays: flows begin with it. */
export const KLAVIYO_METRICS = [
  { event: "wishlist.alert.price_dropped", metric: "Wishlist Price Dropped", isDefault: true },
  { event: "wishlist.alert.back_in_stock", metric: "Wishlist Back in Stock", isDefault: true },
  { event: "wishlist.alert.low_stock", metric: "Wishlist Low Stock", isDefault: true },
  { event: "wishlist.alert.reminder_due", metric: "Wishlist Reminder", isDefault: true },
  { event: "wishlist.item.added", metric: "Added to Wishlist", isDefault: false },
  { event: "wishlist.item.removed", metric: "Removed from Wishlist", isDefault: false },
  { event: "wishlist.shared", metric: "Shared Wishlist", isDefault: false },
  { event: "wishlist.item.bought", metric: "Bought from Wishlist", isDefault: false },
] as const satisfies readonly { event: Event; metric: string; isDefault: boolean }[];

export type KlaviyoEvent = (typeof KLAVIYO_METRICS)[number]["event"];

export const KLAVIYO_EVENTS: readonly KlaviyoEvent[] = KLAVIYO_METRICS.map(({ event }) => event);

export const klaviyoEventSchema = z.enum(KLAVIYO_METRICS.map(({ event }) => event));

const bodySchema = z.object({ event: z.string(), timestamp: z.string(), data: z.record(z.string(), z.unknown()) });
const amount = z.coerce.number().optional().catch(undefined);
const valueSchema = z.object({
  price: amount,
  revenue: amount,
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .optional()
    .catch(undefined),
});
const customerSchema = z.string().min(1).max(255);
const emailSchema = z.email().max(254);

/** A profile and an event, as Klaviyo's API takes them. */
export interface KlaviyoEntry {
  profile: { type: "profile"; attributes: { external_id: string; email?: string } };
  event: {
    properties: Readonly<Record<string, unknown>>;
    time: string;
    unique_id: string;
    metric: { data: { type: "metric"; attributes: { name: string } } };
    value?: number;
    value_currency?: string;
    backfill?: true;
  };
}

/**
 * Returns what Klaviyo gets of an event, or undefined for one without a customer. The profile has the customer's id and address and nothing else;
 * the event has the data of the webhook without the customer.
 * @param body of the webhook
 * @param options.email as the store knows it; an address that Klaviyo would refuse is left out
 * @param options.isTest a test starts no flow
 */
export function toKlaviyo(
  body: string,
  { uniqueId, email, isTest }: { uniqueId: string; email: string | null | undefined; isTest: boolean },
): KlaviyoEntry | undefined {
  const { event: name, timestamp, data } = bodySchema.parse(JSON.parse(body));
  const metric = KLAVIYO_METRICS.find(({ event }) => event === name)?.metric;
  const { customer: _, customerId, ...properties } = data;
  const externalId = customerSchema.safeParse(customerId).data;
  if (metric === undefined || externalId === undefined) return undefined;
  const address = emailSchema.safeParse(email).data;
  const { price, revenue, currency } = valueSchema.parse(data);
  const value = revenue ?? price;
  return {
    profile: { type: "profile", attributes: { external_id: externalId, ...(address && { email: address }) } },
    event: {
      properties,
      time: timestamp,
      unique_id: uniqueId,
      metric: { data: { type: "metric", attributes: { name: metric } } },
      ...(value === undefined ? {} : { value, ...(currency && { value_currency: currency }) }),
      ...(isTest && { backfill: true }),
    },
  };
}

/** Returns the body of `POST /api/events`. */
export function singleBody({ profile, event }: KlaviyoEntry): object {
  return { data: { type: "event", attributes: { ...event, profile: { data: profile } } } };
}

/** Returns the body of `POST /api/event-bulk-create-jobs`. */
export function bulkBody(entries: readonly KlaviyoEntry[]): object {
  const data = entries.map(({ profile, event: attributes }) => ({
    type: "event-bulk-create",
    attributes: { profile: { data: profile }, events: { data: [{ type: "event", attributes }] } },
  }));
  return { data: { type: "event-bulk-create-job", attributes: { "events-bulk-create": { data } } } };
}
