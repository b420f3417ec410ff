import type { AlertKind } from "./kinds.ts";

/** What a customer has asked for. */
export interface AlertChoices {
  /** the kinds that the shop lets customers ask for */
  offered: AlertKind[];
  /** since when, by kind; null for what is off */
  since: Record<AlertKind, Date | null>;
}
