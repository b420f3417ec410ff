import type { Plan } from "../../billing/plans.ts";
import { formatCount } from "../format.ts";
import { ALERT_LABELS } from "../customer-alerts/alert-labels.ts";
import { describeKeptLinks, type PlanData } from "./plan-data.ts";

/** Describes which alerts stop for whom. */
function describeAlerts({ kinds, mode, consented }: NonNullable<PlanData["alerts"]>): string {
  if (kinds.length === 0) return "Alerts can't be turned on.";
  if (mode === "merchant_managed") {
    const names = kinds.map((kind) => ALERT_LABELS[kind].label).join(", ");
    return `Alerts stop for all customers: ${names}.`;
  }
  const names = kinds.map((kind) => `${ALERT_LABELS[kind].label} (${formatCount(consented[kind], "customer")})`);
  return `Alerts stop for the customers who asked for them: ${names.join(", ")}.`;
}

/** Describes what stops for whom when the shop moves to a lower plan. */
export function describeDowngrade(to: Exclude<Plan, "growth">, { plan, openLinks, alerts }: PlanData): string {
  return [
    ...(plan === "growth" && alerts
      ? [
          describeAlerts(alerts),
          "Their settings and results are kept.",
          "Customers keep their named lists, but can't create new ones.",
          "Priority support ends.",
        ]
      : []),
    ...(to === "free"
      ? [
          describeKeptLinks(openLinks),
          "On the Free plan, new share links can't be created in your store or through the API.",
        ]
      : []),
    "Saved items don't change.",
    ...(to === "free" ? ["Shopify credits you for the unused days."] : []),
  ].join(" ");
}
