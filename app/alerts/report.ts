import type { AlertKind, SuppressionReason } from "./kinds.ts";

// Alerts as the merchant's admin shows them.

/** What became of an alert. `pending`: it waits for the digest, for the end of quiet hours, or for its turn. */
export const ALERT_STATUSES = ["sent", "pending", "suppressed"] as const;

export type AlertStatus = (typeof ALERT_STATUSES)[number];

export interface LoggedAlert {
  id: string;
  kind: AlertKind;
  status: AlertStatus;
  /** null unless the alert was suppressed */
  reason: SuppressionReason | null;
  customerId: string;
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
  cartedAt: Date | null;
  boughtAt: Date | null;
}

export interface AlertLogPage {
  /** newest first */
  alerts: LoggedAlert[];
  hasNewer: boolean;
  hasOlder: boolean;
}

/** Days that the totals cover. */
export const TOTALS_DAYS = 30;

/** Maximum alerts of a kind that the totals count. */
export const TOTALS_LIMIT = 20_000;

/** What became of the alerts of a kind that were sent in the last 30 days. */
export interface AlertTotals {
  sent: number;
  opened: number;
  returned: number;
  carted: number;
  bought: number;
  /** whether there are more than the counted ones, which are the newest */
  more: boolean;
}
