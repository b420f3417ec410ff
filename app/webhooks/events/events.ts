/** Events about a customer's wishlist. */
const WISHLIST_EVENTS = ["wishlist.item.added", "wishlist.item.removed", "wishlist.shared"] as const;

/** Events about a customer's lists and the details of items. */
export const LIST_EVENTS = [
  "wishlist.item.updated",
  "wishlist.list.created",
  "wishlist.list.renamed",
  "wishlist.list.deleted",
] as const;

/** Events of which a customer may be told. */
export const ALERT_EVENTS = [
  "wishlist.alert.price_dropped",
  "wishlist.alert.back_in_stock",
  "wishlist.alert.low_stock",
  "wishlist.alert.reminder_due",
] as const;

/** Events about orders. */
export const ORDER_EVENTS = ["wishlist.item.bought"] as const;

/** Events about the shop's webhooks themselves. */
export const OPERATIONAL_EVENTS = ["webhook.disabled"] as const;

/** The events that a webhook can subscribe to. */
export const EVENTS = [
  ...WISHLIST_EVENTS,
  ...LIST_EVENTS,
  ...ALERT_EVENTS,
  ...ORDER_EVENTS,
  ...OPERATIONAL_EVENTS,
] as const;

export type Event = (typeof EVENTS)[number];

export type OperationalEvent = (typeof OPERATIONAL_EVENTS)[number];

export type ListEvent = (typeof LIST_EVENTS)[number];

export type AlertEvent = (typeof ALERT_EVENTS)[number];

export function isListEvent(event: string): event is ListEvent {
  return LIST_EVENTS.some((one) => one === event);
}

export function isAlertEvent(event: string): event is AlertEvent {
  return ALERT_EVENTS.some((one) => one === event);
}

export function isOrderEvent(event: string): event is (typeof ORDER_EVENTS)[number] {
  return ORDER_EVENTS.some((one) => one === event);
}

export function isOperational(event: string): event is OperationalEvent {
  return OPERATIONAL_EVENTS.some((one) => one === event);
}

export const DELIVERY_STATUSES = ["pending", "succeeded", "failed"] as const;

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** The kinds that callers and merchants see. A redelivery in bulk is also a `redelivery`. */
export const DELIVERY_KINDS = ["event", "test", "redelivery"] as const;

export type DeliveryKind = (typeof DELIVERY_KINDS)[number];
