import type { BilledPlan, Plan } from "../../billing/plans.ts";
import { readable } from "../numbers.ts";

/** A plan as the page shows it. */
export interface OfferedPlan {
  plan: Plan;
  name: string;
  /** in US dollars for 30 days */
  price: number;
  /** that the plans before it don't have */
  features: readonly { label: string }[];
}

export interface PlanData {
  plan: Plan;
  billing: {
    /** nothing is ever charged here */
    tests: boolean;
    /** free days that a new subscription begins with */
    trialDaysLeft: number;
    frozen: BilledPlan | undefined;
    /** moments to come */
    trialEndsAt: Date | undefined;
    periodEndsAt: Date | undefined;
  };
  /** share links that can be read, up to `LINKS_COUNTED` */
  openLinks: number;
  /** of a merchant who comes back from Shopify: what they wanted, and the plan as Shopify has it, if it could be asked */
  returned: { wanted: BilledPlan; plan: Plan | undefined } | undefined;
  offered: readonly OfferedPlan[];
}

/** More links are not counted. */
const LINKS_COUNTED = 10_000;

/** Says what a downgrade does to existing share links. */
export function linksKept(openLinks: number): string {
  if (openLinks === 0) return "You have no share links.";
  if (openLinks === 1) return "Your share link keeps working until it expires.";
  const count = openLinks >= LINKS_COUNTED ? `${readable(LINKS_COUNTED)} or more` : readable(openLinks);
  return `Your ${count} share links keep working until they expire.`;
}
