import type { AlertKind, SuppressionReason } from "./kinds.ts";

// Alerts as the merchant's admin shows them: results as a funnel of customers, the moments of the log, and the alerts of a moment.

/** What became of an alert. `pending`: it waits for the digest, for the end of quiet hours, or for its turn. */
export const ALERT_STATUSES = ["sent", "pending", "suppressed"] as const;

export type AlertStatus = (typeof ALERT_STATUSES)[number];

/** Outcomes by which the log is filtered. Bought alerts are sent ones. */
export const ALERT_OUTCOMES = [...ALERT_STATUSES, "bought"] as const;

export type AlertOutcome = (typeof ALERT_OUTCOMES)[number];

/** The most characters of a search in titles of products. */
export const MAX_SEARCH = 100;

/** Filters of the log, as in the address. */
export interface AlertFilters {
  /** part of a product's title */
  q?: string | undefined;
  kind?: AlertKind | undefined;
  status?: AlertOutcome | undefined;
  /** first and last calendar day of the shop, such as 2026-11-20 */
  from?: string | undefined;
  to?: string | undefined;
}

export interface LoggedAlert {
  id: string;
  kind: AlertKind;
  status: AlertStatus;
  /** null unless the alert was suppressed */
  reason: SuppressionReason | null;
  customerId: string;
  /** the list with the item; null when it is gone */
  wishlistId: string | null;
  productId: string;
  variantId: string;
  /** null when the catalog does not have the product or the variant */
  productTitle: string | null;
  variantTitle: string | null;
  /** null for kinds other than `price_dropped` */
  referencePrice: string | null;
  price: string | null;
  createdAt: Date;
  sentAt: Date | null;
  openedAt: Date | null;
  returnedAt: Date | null;
  addedToCartAt: Date | null;
  boughtAt: Date | null;
  /** what the customer paid for the variant after the alert, in the shop's currency; null while nothing was bought, or is no longer known */
  revenue: string | null;
  /** by the channels that had it: `email`, `flow`; of webhooks there may be many, so they are in their own logs */
  deliveries: {
    channel: string;
    /** pending | succeeded | failed */
    status: string;
    /** of the last attempt, if it did not succeed */
    error: string | null;
  }[];
}

/** Customers whom a moment concerns, each once. */
export interface MomentCounts {
  sent: number;
  waiting: number;
  notSent: number;
  bought: number;
  /** whether there are more alerts than the counted ones */
  more: boolean;
  /** in the shop's currency; null for a moment whose orders are no longer known */
  revenue: string | null;
}

/** What happened to a product at a time, or the reminders of a day, with the alerts that followed. */
export interface AlertMoment extends MomentCounts {
  /** id of the moment's first occurrence */
  id: number;
  kind: AlertKind;
  at: Date;
  /** null for reminders */
  productId: string | null;
  /** null when the catalog does not have the product */
  productTitle: string | null;
  imageUrl: string | null;
  /** of a price drop: the lowest and highest price of its variants, and those before; null for other kinds */
  prices: { low: string; high: string; lowBefore: string; highBefore: string } | null;
}

export interface AlertLogPage {
  /** newest first */
  moments: AlertMoment[];
  /** moments after or before which the neighboring pages begin; undefined where there are none */
  newer: number | undefined;
  older: number | undefined;
  /** the time up to which a page with filters has looked, unless it has looked at all moments */
  searchedTo: Date | undefined;
}

export interface MomentPage {
  /** newest first */
  alerts: LoggedAlert[];
  hasNewer: boolean;
  hasOlder: boolean;
}

/** Days that the results cover. */
export const RESULTS_DAYS = 30;

/** Maximum alerts of a kind and status that the results count. */
export const RESULTS_LIMIT = 20_000;

/** What became of alerts, in customers. A later step is part of the earlier ones: a customer who bought counts as one who visited the store. */
export interface AlertFunnel {
  sent: number;
  /** came to the store, by the alert's link or otherwise */
  visited: number;
  /** those of them who opened the alert's link */
  opened: number;
  addedToCart: number;
  bought: number;
  /** in the shop's currency */
  revenue: string;
  /** customers to whom no alert was sent, because it waits or was suppressed */
  waiting: number;
  notSent: number;
  /** why, by the newest alert of each customer, most frequent first; null for a reason that this release does not know */
  reasons: { reason: SuppressionReason | null; customers: number }[];
  /** whether there are more sent or other alerts than the counted ones, which are the newest */
  moreSent: boolean;
  moreNotSent: boolean;
}

/** The funnel of all alerts, in which a customer counts once, and that of each kind. */
export type AlertResults = Readonly<Record<AlertKind | "all", AlertFunnel>>;

/** Customers who ask for alerts. */
export interface ConsentCounts {
  /** who ask now */
  consented: number;
  /** who ask now, and those to whom an alert was sent since, whose choice may have changed */
  consentedOrSent: number;
}
