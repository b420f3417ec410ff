import { Badge, BlockStack, Button, InlineStack, List, Text } from "@shopify/polaris";
import type { OfferedPlan } from "./plan-data.ts";

/** What a plan costs, and for how long it is free. */
function priceNote(price: number, trialDays: number): string {
  if (price === 0) return "Free forever";
  return trialDays > 0 ? `every 30 days after a ${trialDays}-day free trial` : "every 30 days";
}

/** One plan: its price, its features, and its button. The buttons of cards beside each other are in one line. */
export function PlanCard(props: {
  offer: OfferedPlan;
  /** the plan whose features it includes */
  before: OfferedPlan | undefined;
  /** what the plan is to the shop */
  badge: { label: string; tone: "success" | "warning" } | undefined;
  /** a verb; undefined when the plan can't be chosen */
  action: string | undefined;
  primary: boolean;
  trialDays: number;
  loading: boolean;
  disabled: boolean;
  onChoose: () => void;
}) {
  const { offer, before, badge, action, primary, trialDays, loading, disabled, onChoose } = props;
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
            {`$${offer.price}`}
          </Text>
          <Text as="p" tone="subdued">
            {priceNote(offer.price, badge ? 0 : trialDays)}
          </Text>
        </BlockStack>
        <List>
          {before && <List.Item>{`Everything in ${before.name}`}</List.Item>}
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
