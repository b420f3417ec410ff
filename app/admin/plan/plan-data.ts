import type { AlertKind, AlertMode } from "../../alerts/kinds.ts";
import type { BilledPlan, Plan } from "../../billing/plans.ts";
import type { BillingView } from "../../billing/views.ts";

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
