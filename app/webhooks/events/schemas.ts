import { z } from "zod";
import { EVENTS, type Event } from "./events.ts";

const customerId = z.string().meta({ description: "The customer's id in the store", example: "7012503486663" });
const listId = z.string().meta({ description: "`default` for the customer's wishlist", example: "default" });
const item = {
  customerId,
  productId: z.string().meta({ example: "8401930311165" }),
  variantId: z.string().meta({ example: "44003118551387" }),
  listId,
};
const list = {
  customerId,
  listId: z.string().meta({ example: "lst_7hQ2mX9cR4tV1bN8kZ3pWy" }),
  name: z.string().meta({ description: "The list's name", example: "Birthday" }),
};
const time = z.iso.datetime({ precision: 3 }).meta({ example: "2026-11-20T09:30:00.000Z" });

const price = z.string().meta({ description: "The price now, in `currency`", example: "79.00" });
const inventory = z.int().meta({ description: "What the store has of the variant", example: 3 });
const alert = {
  ...item,
  alertId: z
    .string()
    .meta({ description: "The same for all deliveries of the alert", example: "0192f3a8-4c1e-7b2a-9d3f-5e6a7b8c9d0e" }),
  consent: z.strictObject({
    basis: z.enum(["shopper", "none"]).meta({
      description:
        "`shopper`: the customer asked for alerts of this kind; `none`: the merchant answers for the consent",
    }),
    givenAt: time.nullable(),
  }),
  currency: z.string().meta({ example: "EUR" }),
  url: z.url().meta({
    description: "Leads to the product, and records that the alert was opened",
    example: "https://larkfell-outdoor.myshopify.com/apps/wishlist/alerts/0192f3a8-4c1e-7b2a-9d3f-5e6a7b8c9d0e",
  }),
  withdrawUrl: z.url().meta({
    description: "Where the customer ends alerts of this kind, without login",
    example:
      "https://larkfell-outdoor.myshopify.com/apps/wishlist/alerts/0192f3a8-4c1e-7b2a-9d3f-5e6a7b8c9d0e/withdraw",
  }),
  price,
};

/** What each event's `data` holds; a receiver must accept further fields. */
const DATA = {
  "wishlist.item.added": z.strictObject(item),
  "wishlist.item.removed": z.strictObject(item),
  "wishlist.item.updated": z.strictObject({
    ...item,
    quantity: z.int().optional().meta({ description: "Where it is set", example: 2 }),
    note: z.string().optional().meta({ description: "Where it is set", example: "For the trip in May" }),
    properties: z
      .record(z.string(), z.string())
      .optional()
      .meta({
        description: "Where they are set",
        example: { Engraving: "A. L." },
      }),
    position: z.number().optional().meta({ description: "Where it is set", example: 1 }),
    previousListId: z.string().optional().meta({
      description: "The list from which the item was moved; only after a move",
      example: "lst_7hQ2mX9cR4tV1bN8kZ3pWy",
    }),
  }),
  "wishlist.shared": z.strictObject({
    customerId,
    shareUrl: z
      .url()
      .meta({ example: "https://larkfell-outdoor.myshopify.com/apps/wishlist/shared/5fPq2mN8yV3xK7wZ1tR6s" }),
    expiresAt: time,
    itemCount: z.int().meta({ description: "Items in the list at that time", example: 3 }),
    listId,
  }),
  "wishlist.list.created": z.strictObject(list),
  "wishlist.list.renamed": z.strictObject({ ...list, previousName: z.string().meta({ example: "Presents" }) }),
  "wishlist.list.deleted": z.strictObject(list),
  "wishlist.alert.price_dropped": z.strictObject({
    ...alert,
    previousPrice: z.string().meta({
      description: "The lower of the price when the item was saved and that of the last alert",
      example: "99.00",
    }),
    compareAtPrice: z.string().nullable().meta({ example: "109.00" }),
  }),
  "wishlist.alert.back_in_stock": z.strictObject({ ...alert, inventory: inventory.nullable() }),
  "wishlist.alert.low_stock": z.strictObject({ ...alert, inventory }),
  "wishlist.alert.reminder_due": z.strictObject({ ...alert, savedAt: time }),
  "wishlist.item.bought": z.strictObject({
    ...item,
    orderId: z.string().meta({ description: "The order's id in the store", example: "5801004015871" }),
    quantity: z.int().meta({ description: "Units of the order's line", example: 1 }),
    revenue: z.string().meta({ description: "What was paid for them, after discounts", example: "79.00" }),
    currency: z.string().meta({ description: "The store's currency", example: "EUR" }),
    savedAt: time,
  }),
  "webhook.disabled": z.strictObject({
    webhookId: z.string().meta({ example: "whk_4bAUimbrCZzTztrkdTw5vP2ba1jq" }),
    url: z.string().meta({
      description: "Without its query, which may hold a credential",
      example: "https://erp.example.com/hook",
    }),
    reason: z.enum(["gone", "failing"]),
    disabledAt: time,
    failingSince: time.meta({ description: "Time of the first failure since the last success" }),
    undelivered: z.int().meta({ description: "Deliveries that wait or have failed, at most 10,000", example: 3 }),
    lastStatus: z.int().nullable().meta({ description: "HTTP status of the last request", example: 410 }),
    lastError: z.string().nullable().meta({ example: "The receiver did not respond within 15 seconds." }),
  }),
} satisfies Record<Event, z.ZodType>;

const MEANINGS: Record<Event, string> = {
  "wishlist.item.added": "An item was added to a customer's list",
  "wishlist.item.removed": "An item was removed from a customer's list, also with its list",
  "wishlist.item.updated": "Details of an item were changed, or it was moved to another list",
  "wishlist.shared": "A share link was created",
  "wishlist.list.created": "A named list was created, or a deleted one restored",
  "wishlist.list.renamed": "A list was renamed",
  "wishlist.list.deleted": "A list was deleted, after one `wishlist.item.removed` for each item",
  "wishlist.alert.price_dropped": "The price of a saved variant fell",
  "wishlist.alert.back_in_stock": "A saved variant can be bought again",
  "wishlist.alert.low_stock": "Few are left of a saved variant",
  "wishlist.alert.reminder_due": "A variant was saved a while ago",
  "wishlist.item.bought": "A customer ordered a variant that was saved before; requires `read_orders`",
  "webhook.disabled": "The service disabled another webhook of the shop",
};

export interface EventDescription {
  event: Event;
  meaning: string;
  /** the body of its deliveries */
  body: z.ZodType;
}

/** Returns the id of an event's schema, such as `WishlistItemAddedEvent`. */
function schemaId(event: Event): string {
  const words = event.split(".").map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
  return `${words.join("")}Event`;
}

function describeEvent(event: Event): EventDescription {
  const body = z
    .strictObject({
      event: z.literal(event),
      timestamp: time,
      shop: z.string().meta({ description: "The shop's domain", example: "larkfell-outdoor.myshopify.com" }),
      data: DATA[event],
    })
    .meta({ id: schemaId(event) });
  return { event, meaning: MEANINGS[event], body };
}

export const EVENT_DESCRIPTIONS: readonly EventDescription[] = EVENTS.map(describeEvent);
