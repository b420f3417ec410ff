import type { AlertKind, SuppressionReason } from "../../alerts/kinds.ts";
import type { AlertStatus } from "../../alerts/report.ts";

export const ALERT_LABELS: Record<AlertKind, { label: string; help: string }> = {
  price_dropped: {
    label: "Price drops",
    help: "The price of a saved product falls below the price at which the customer saved it.",
  },
  back_in_stock: {
    label: "Back in stock",
    help: "A saved product that was sold out can be bought again for at least five minutes.",
  },
  low_stock: {
    label: "Low stock",
    help: "Few units of a saved product are left. Works for products whose inventory Shopify tracks.",
  },
  reminder_due: {
    label: "Reminders",
    help: "A customer saved a product some days ago, hasn't added it to the cart, and it is available.",
  },
};

export const ALERT_STATUS_LABELS: Record<AlertStatus, string> = {
  sent: "Sent",
  pending: "Waiting",
  suppressed: "Not sent",
};

export const REASON_LABELS: Record<SuppressionReason, string> = {
  turned_off: "This kind of alert was turned off.",
  expired: "It waited for more than two days.",
  consent_withdrawn: "The customer no longer asks for it.",
  item_removed: "The customer removed the item.",
  bought: "The customer bought the product.",
  product_gone: "The product was deleted or unpublished.",
  sold_out: "The product was sold out.",
  not_current: "The price or stock changed back.",
  cool_down: "The customer got another alert about the product shortly before.",
  no_receiver: "No webhook or workflow received alerts of this kind.",
  flow_not_permitted: "Shopify Flow needs access to customers.",
};

export interface AlertFilter {
  kind?: AlertKind | undefined;
  status?: AlertStatus | undefined;
}

/** Returns the URL of the alert log with filters and an optional cursor. */
export function alertLogUrl({ kind, status }: AlertFilter, cursor: Record<string, string> = {}): string {
  const query = new URLSearchParams(cursor);
  for (const [name, value] of Object.entries({ kind, status })) {
    if (value !== undefined) query.set(name, value);
  }
  return query.size === 0 ? "/app/alerts/log" : `/app/alerts/log?${query}`;
}
