import { Badge, BlockStack, Button, Card, InlineStack, List, Text } from "@shopify/polaris";
import type { OfferedPlan } from "./plan-data.ts";

/** One plan: its price, what it has, and the way to it. */
export function PlanCard(props: {
  offer: OfferedPlan;
  /** the plan whose features come along */
  before: OfferedPlan | undefined;
  current: boolean;
  /** a verb; undefined for the plan that the shop has */
  action: string | undefined;
  primary: boolean;
  trialDays: number;
  loading: boolean;
  disabled: boolean;
  onChoose: () => void;
}) {
  const { offer, before, current, action, primary, trialDays, loading, disabled, onChoose } = props;
  return (
    <Card>
      <BlockStack gap="400">
        <InlineStack align="space-between" blockAlign="center" gap="200">
          <Text as="h2" variant="headingMd">
            {offer.name}
          </Text>
          {current && <Badge tone="success">Your plan</Badge>}
        </InlineStack>
        <BlockStack gap="050">
          <Text as="p" variant="headingLg">
            {offer.price === 0 ? "$0" : `$${offer.price}`}
          </Text>
          <Text as="p" tone="subdued">
            {offer.price === 0 ? "For as long as you like" : "every 30 days"}
            {offer.price > 0 && !current && trialDays > 0
              ? `, the first ${trialDays === 1 ? "day" : `${trialDays} days`} free`
              : ""}
          </Text>
        </BlockStack>
        <List>
          {before && <List.Item>{`Everything in ${before.name}`}</List.Item>}
          {offer.features.map(({ label }) => (
            <List.Item key={label}>{label}</List.Item>
          ))}
        </List>
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
      </BlockStack>
    </Card>
  );
}
