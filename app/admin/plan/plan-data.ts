import type { AlertKind, AlertMode } from "../../alerts/kinds.ts";
import type { BilledPlan, Plan } from "../../billing/plans.ts";
import { OPEN_LINKS_COUNTED, type BillingView } from "../../billing/views.ts";
import { formatNumber } from "../format.ts";

/** A plan that the merchant can choose. */
export interface PlanOffer {
  plan: Plan;
  name: string;
  /** in US dollars for 30 days */
  price: number;
  /** features that lower plans lack */
  features: readonly { label: string }[];
}

export interface PlanData {
  plan: Plan;
  billing: BillingView;
  /** share links that work, up to `OPEN_LINKS_COUNTED` */
  openLinks: number;
  /** the alerts that the shop sends; undefined when the plan has none */
  alerts: { kinds: readonly AlertKind[]; mode: AlertMode; consented: Readonly<Record<AlertKind, number>> } | undefined;
  /** set when the merchant returns from Shopify's approval page. `plan` is Shopify's; undefined when Shopify could not be reached */
  approval: { wanted: BilledPlan; plan: Plan | undefined } | undefined;
  offered: readonly PlanOffer[];
  /** the shop's, an ISO 4217 code; null when unknown */
  currency: string | null;
}

/** Describes what a downgrade does to existing share links. */
export function describeKeptLinks(openLinks: number): string {
  if (openLinks === 0) return "You have no share links.";
  if (openLinks === 1) return "Your share link keeps working until it expires.";
  const count =
    openLinks >= OPEN_LINKS_COUNTED ? `${formatNumber(OPEN_LINKS_COUNTED)} or more` : formatNumber(openLinks);
  return `Your ${count} share links keep working until they expire.`;
}
