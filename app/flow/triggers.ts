import { z } from "zod";
import type { Event } from "../webhooks/index.server.ts";

// The triggers of Shopify Flow (extensions/flow-*): which event fires each, and what its payload holds. Names of properties are the keys of the
// extension's fields; references are Shopify's numeric ids.

const gidNumber = z
  .string()
  .regex(/^\d{1,16}$/)
  .transform(Number);
const money = z.string().transform(Number);

const item = z.object({ customerId: gidNumber, productId: gidNumber, variantId: z.string(), listId: z.string() });

function itemPayload({ customerId, productId, variantId, listId }: z.output<typeof item>) {
  return { customer_id: customerId, product_id: productId, "Variant ID": variantId, "List ID": listId };
}

const bought = item.extend({
  orderId: gidNumber,
  quantity: z.number(),
  revenue: money,
  currency: z.string(),
});

const alert = item.extend({
  price: money,
  currency: z.string().nullable(),
  url: z.string(),
  withdrawUrl: z.string(),
  consent: z.object({ basis: z.string() }),
});

function alertPayload(data: z.output<typeof alert>) {
  return {
    ...itemPayload(data),
    Price: data.price,
    Currency: data.currency ?? "",
    "Product link": data.url,
    "Withdraw link": data.withdrawUrl,
    Consent: data.consent.basis,
  };
}

export interface Trigger {
  handle: string;
  /** as merchants see it in Flow */
  name: string;
  event: Event;
  /** payload of `flowTriggerReceive`, from the `data` of the event */
  payload: z.ZodType<Record<string, string | number>>;
}

export const TRIGGERS: readonly Trigger[] = [
  {
    handle: "wishlist-item-saved",
    name: "Item saved",
    event: "wishlist.item.added",
    payload: item.transform(itemPayload),
  },
  {
    handle: "wishlist-item-removed",
    name: "Item removed",
    event: "wishlist.item.removed",
    payload: item.transform(itemPayload),
  },
  {
    handle: "wishlist-shared",
    name: "Wishlist shared",
    event: "wishlist.shared",
    payload: z
      .object({ customerId: gidNumber, shareUrl: z.string(), itemCount: z.number(), listId: z.string() })
      .transform(({ customerId, shareUrl, itemCount, listId }) => ({
        customer_id: customerId,
        "Share link": shareUrl,
        "Item count": itemCount,
        "List ID": listId,
      })),
  },
  {
    handle: "wishlist-item-bought",
    name: "Saved item bought",
    event: "wishlist.item.bought",
    payload: bought.transform((data) => ({
      ...itemPayload(data),
      order_id: data.orderId,
      Quantity: data.quantity,
      Revenue: data.revenue,
      Currency: data.currency,
    })),
  },
  {
    handle: "wishlist-price-dropped",
    name: "Price of a saved item dropped",
    event: "wishlist.alert.price_dropped",
    payload: alert
      .extend({ previousPrice: money })
      .transform((data) => ({ ...alertPayload(data), "Previous price": data.previousPrice })),
  },
  {
    handle: "wishlist-back-in-stock",
    name: "Saved item back in stock",
    event: "wishlist.alert.back_in_stock",
    payload: alert.transform(alertPayload),
  },
  {
    handle: "wishlist-low-stock",
    name: "Saved item low in stock",
    event: "wishlist.alert.low_stock",
    payload: alert
      .extend({ inventory: z.number() })
      .transform((data) => ({ ...alertPayload(data), Inventory: data.inventory })),
  },
  {
    handle: "wishlist-reminder-due",
    name: "Reminder of a saved item due",
    event: "wishlist.alert.reminder_due",
    payload: alert
      .extend({ savedAt: z.string() })
      .transform((data) => ({ ...alertPayload(data), "Saved at": data.savedAt })),
  },
];

/** Returns the trigger with a handle or name: Shopify documents a handle for callbacks, and shows a name in its example. */
export function findTrigger(handleOrName: string): Trigger | undefined {
  const given = handleOrName.trim().toLowerCase();
  return TRIGGERS.find(({ handle, name }) => handle === given || name.toLowerCase() === given);
}

/** The events that fire a trigger. */
export const FLOW_EVENTS: readonly Event[] = TRIGGERS.map(({ event }) => event);
