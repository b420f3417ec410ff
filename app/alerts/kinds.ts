import { z } from "zod";

/** What an alert can be about, in the order in which pages show them. */
export const ALERT_KINDS = ["price_dropped", "back_in_stock", "low_stock", "reminder_due"] as const;

export const alertKindSchema = z.enum(ALERT_KINDS);

export type AlertKind = z.infer<typeof alertKindSchema>;

/**
 * On whose word alerts are sent: `consent`: customers ask for each kind; `merchant_managed`: the merchant answers for the consent, and alerts say that
 * the service knows of none.
 */
const ALERT_MODES = ["consent", "merchant_managed"] as const;

export const alertModeSchema = z.enum(ALERT_MODES);

export type AlertMode = z.infer<typeof alertModeSchema>;

/** Why an alert was not sent. */
export const SUPPRESSION_REASONS = [
  "turned_off",
  "expired",
  "consent_withdrawn",
  "item_removed",
  "bought",
  "product_gone",
  "sold_out",
  "not_current",
  "cool_down",
  "no_receiver",
  "flow_not_permitted",
] as const;

export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number];

/** What a customer has asked for. */
export interface AlertChoices {
  /** the kinds that the shop lets customers ask for */
  offered: AlertKind[];
  /** since when, by kind; null for what is off */
  since: Record<AlertKind, Date | null>;
}
