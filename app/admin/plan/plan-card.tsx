import { Badge, BlockStack, Button, InlineStack, List, Text } from "@shopify/polaris";
import { formatDollars } from "../format.ts";
import type { PlanOffer } from "./plan-data.ts";

function describePrice(price: number, trialDays: number): string {
  if (price === 0) return "Free forever";
  return trialDays > 0 ? `every 30 days after a ${trialDays}-day free trial` : "every 30 days";
}

/** Shows a plan's price and features with a button to choose it. */
export function PlanCard(props: {
  offer: PlanOffer;
  /** the next lower plan, whose features this one includes */
  lowerPlan: PlanOffer | undefined;
  /** marks the current or frozen plan */
  badge: { label: string; tone: "success" | "warning" } | undefined;
  /** button label; undefined when the plan can't be chosen */
  action: string | undefined;
  primary: boolean;
  trialDays: number;
  /** the shop's, an ISO 4217 code; null when unknown */
  currency: string | null;
  loading: boolean;
  disabled: boolean;
  onChoose: () => void;
}) {
  const { offer, lowerPlan, badge, action, primary, trialDays, currency, loading, disabled, onChoose } = props;
  return (
    <div className="plan-card">
      <BlockStack gap="400">
        <InlineStack align="space-between" blockAlign="center" gap="200">
          <Text as="h2" variant="headingMd">
            {offer.name}
          </Text>
          {badge && <Badge tone={badge.tone}>{badge.label}</Badge>}
        </InlineStack>
        <BlockStack gap="050">
          <Text as="p" variant="headingLg">
            {formatDollars(offer.price, currency)}
          </Text>
          <Text as="p" tone="subdued">
            {describePrice(offer.price, badge ? 0 : trialDays)}
          </Text>
        </BlockStack>
        <List>
          {lowerPlan && <List.Item>{`Everything in ${lowerPlan.name}`}</List.Item>}
          {offer.features.map(({ label }) => (
            <List.Item key={label}>{label}</List.Item>
          ))}
        </List>
      </BlockStack>
      {action !== undefined && (
        <Button
          {...(primary ? { variant: "primary" as const } : {})}
          fullWidth
          loading={loading}
          disabled={disabled}
          onClick={onChoose}
        >
          {action}
        </Button>
      )}
    </div>
  );
}
