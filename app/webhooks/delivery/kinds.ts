export const DELIVERY_STATUSES = ["pending", "succeeded", "failed"] as const;

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** The kinds that callers and merchants see. A redelivery in bulk is also a `redelivery`. */
export const DELIVERY_KINDS = ["event", "test", "redelivery"] as const;

export type DeliveryKind = (typeof DELIVERY_KINDS)[number];
