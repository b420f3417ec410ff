import { Link, Text } from "@shopify/polaris";
import type { MissingPlan } from "../billing/plans.ts";

/**
 * Says which plan a feature needs, or that its subscription is frozen, and leads to the Plan page.
 * @param props.feature what is off, in the plural, such as "New links"
 * @param props.children further sentences
 */
export function PlanNote(props: { plan: MissingPlan; feature: string; children?: string }) {
  const { plan, feature, children = "" } = props;
  const reason = plan.isFrozen
    ? `${feature} are off, because your ${plan.name} subscription is frozen. They return when your Shopify bill is paid.`
    : `${feature} require the ${plan.name} plan.`;
  return (
    <Text as="p" tone="subdued">
      {reason} {children} <Link url="/app/plan">{plan.isFrozen ? "View plan" : "Compare plans"}</Link>
    </Text>
  );
}
