import type { Plan } from "../../billing/plans.ts";
import { OPEN_LINKS_COUNTED } from "../../billing/views.ts";
import type { TitledList } from "../confirm-modal.tsx";
import { ALERT_LABELS } from "../customer-alerts/alert-labels.ts";
import { formatCount, formatNumber } from "../format.ts";
import type { PlanData } from "./plan-data.ts";

/** Returns a line for each kind of alert that stops, and for whom. */
function describeAlerts({ kinds, mode, consented }: NonNullable<PlanData["alerts"]>): string[] {
  if (kinds.length === 0) return ["Alerts, which are all off now"];
  return kinds.map((kind) => {
    const receivers = mode === "consent" ? formatCount(consented[kind], "customer") : "all customers";
    return `${ALERT_LABELS[kind].label}: alerts to ${receivers}`;
  });
}

/** Describes share links that keep working. */
function describeLinks(openLinks: number): string {
  if (openLinks === 1) return "Your share link, until it expires";
  const count = formatNumber(Math.min(openLinks, OPEN_LINKS_COUNTED));
  return `Your ${openLinks >= OPEN_LINKS_COUNTED ? `${count} or more` : count} share links, until they expire`;
}

/** Describes what stops for whom when the shop moves to a lower plan, and what stays. */
export function describeDowngrade(
  to: Exclude<Plan, "growth">,
  { plan, openLinks, alerts }: PlanData,
): readonly TitledList[] {
  const fromGrowth = plan === "growth";
  return [
    {
      title: "What stops",
      points: [
        ...(fromGrowth && alerts ? describeAlerts(alerts) : []),
        ...(fromGrowth ? ["New named lists"] : []),
        ...(to === "free" ? ["New share links, in your store and through the API"] : []),
        ...(fromGrowth ? ["Priority support"] : []),
      ],
    },
    {
      title: "What stays",
      points: [
        fromGrowth ? "Saved items and named lists" : "Saved items",
        ...(to === "free" && openLinks > 0 ? [describeLinks(openLinks)] : []),
        ...(fromGrowth ? ["Settings and results of alerts"] : []),
      ],
    },
  ];
}
