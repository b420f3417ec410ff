import type { AlertKind, SuppressionReason } from "../../alerts/kinds.ts";
import type { AlertFilters, AlertMoment, AlertOutcome } from "../../alerts/report.ts";
import { formatPrice } from "../format.ts";

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

export const OUTCOME_LABELS: Record<AlertOutcome, string> = {
  sent: "Sent",
  pending: "Waiting",
  suppressed: "Not sent",
  bought: "Bought",
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

/** For a reason that this release does not know. */
export const OTHER_REASON = "Another reason.";

export const LOG_PATH = "/app/alerts/log";
export const EMAIL_SETTINGS_PATH = "/app/alerts/email";

/** Returns the filters that are set, as parameters of an address. */
export function filterParameters({ q, kind, status, from, to }: AlertFilters): Record<string, string> {
  const given = Object.entries({ q, kind, status, from, to });
  return Object.fromEntries(given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

function withFilters(path: string, filters: AlertFilters, cursor: Record<string, string>): string {
  const query = new URLSearchParams({ ...filterParameters(filters), ...cursor });
  return query.size === 0 ? path : `${path}?${query}`;
}

/** Returns the URL of the alert log with filters and an optional cursor. */
export function alertLogUrl(filters: AlertFilters, cursor: Record<string, string> = {}): string {
  return withFilters(LOG_PATH, filters, cursor);
}

/** Returns the URL of a moment, with the filters of the log from which it is opened and an optional cursor. */
export function momentUrl(id: number, filters: AlertFilters, cursor: Record<string, string> = {}): string {
  return withFilters(`${LOG_PATH}/${id}`, filters, cursor);
}

/** Returns the title of a moment's product, or of the reminders of a day. */
export function momentTitle({ productId, productTitle }: AlertMoment): string {
  return productTitle ?? (productId === null ? ALERT_LABELS.reminder_due.label : `Product ${productId}`);
}

/** Returns the prices of a price drop, "€119.00 → €95.20", with the range of variants whose prices differ; empty for other kinds. */
export function describePrices({ prices }: AlertMoment, currency: string | null): string {
  if (prices === null) return "";
  const range = (low: string, high: string): string =>
    low === high ? formatPrice(low, currency) : `${formatPrice(low, currency)} – ${formatPrice(high, currency)}`;
  const [before, after] = [range(prices.lowBefore, prices.highBefore), range(prices.low, prices.high)];
  return before === after ? after : `${before} → ${after}`;
}
