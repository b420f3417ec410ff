import { BlockStack, Card, Text } from "@shopify/polaris";
import { formatDayWithYear } from "./date-ranges.ts";

/** Replaces a card whose period was over before counting began. */
export function NothingCounted({ title, since }: { title: string; since: string | undefined }) {
  return (
    <Card>
      <BlockStack gap="100">
        <Text as="h2" variant="headingMd">
          {title}
        </Text>
        <Text as="p" tone="subdued">
          {since === undefined
            ? "These days are unknown."
            : `Counting began on ${formatDayWithYear(since)}. Select a later period.`}
        </Text>
      </BlockStack>
    </Card>
  );
}
