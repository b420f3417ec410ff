// Written by `npm run api:write` from the records of the events, whose schemas the browser does not need. Do not edit.
import type { Event } from "../../webhooks/events/events.ts";

export const EVENT_LABELS: Record<Event, { label: string; help: string }> = {
  "wishlist.item.added": {
    label: "Item saved",
    help: "A customer saves a product. Products that a guest saved are sent when the guest logs in.",
  },
  "wishlist.item.removed": {
    label: "Item removed",
    help: "A customer or a staff member removes a product from a wishlist.",
  },
  "wishlist.shared": {
    label: "Wishlist shared",
    help: "A customer creates a share link. The message includes the link.",
  },
  "wishlist.item.updated": {
    label: "Item changed",
    help: "A customer changes the quantity, note or other details of a saved product, or moves it to another list.",
  },
  "wishlist.list.created": { label: "List created", help: "A customer creates a named list." },
  "wishlist.list.renamed": { label: "List renamed", help: "A customer renames a list." },
  "wishlist.list.deleted": {
    label: "List deleted",
    help: "A customer deletes a named list. Its products are sent as removed.",
  },
  "wishlist.alert.price_dropped": {
    label: "Alert: price drop",
    help: "The price of a saved product falls. Turn alerts on first, on the Alerts page.",
  },
  "wishlist.alert.back_in_stock": { label: "Alert: back in stock", help: "A saved product can be bought again." },
  "wishlist.alert.low_stock": { label: "Alert: low stock", help: "Few are left of a saved product." },
  "wishlist.alert.reminder_due": {
    label: "Alert: reminder",
    help: "A customer saved a product a while ago and has not bought it.",
  },
  "wishlist.item.bought": {
    label: "Item bought",
    help: "A customer orders a saved product. Allow the app to read orders first, on the Analytics page.",
  },
  "webhook.disabled": {
    label: "Webhook turned off",
    help: "Another webhook of this store is turned off, because its endpoint is gone or every delivery failed for five days.",
  },
};

export const EVENT_GROUPS: readonly { title: string; events: readonly Event[] }[] = [
  { title: "Wishlists", events: ["wishlist.item.added", "wishlist.item.removed", "wishlist.shared"] },
  {
    title: "Lists",
    events: ["wishlist.item.updated", "wishlist.list.created", "wishlist.list.renamed", "wishlist.list.deleted"],
  },
  {
    title: "Alerts",
    events: [
      "wishlist.alert.price_dropped",
      "wishlist.alert.back_in_stock",
      "wishlist.alert.low_stock",
      "wishlist.alert.reminder_due",
    ],
  },
  { title: "Orders", events: ["wishlist.item.bought"] },
  { title: "Webhooks", events: ["webhook.disabled"] },
];
