import { BlockStack, Card, InlineGrid, InlineStack, Text } from "@shopify/polaris";
import type { ReactNode } from "react";
import type { Day, ProductDay } from "../../analytics/findings.ts";
import { periodOfDays } from "./dates.ts";
import { LazyChart } from "./lazy-chart.tsx";
import { ADDED, CARTED, REMOVED } from "./lines.ts";
import { pointsOf, unitOf } from "./points.ts";
import { PointTable } from "./point-table.tsx";

/** What happened day by day, drawn and as a table. @param download of the same */
export function ActivityCard(props: {
  title: string;
  days: readonly Day[] | readonly ProductDay[];
  before?: readonly Day[] | undefined;
  download: ReactNode;
}) {
  const { title, days, before, download } = props;
  const points = pointsOf(days, before);
  const unit = unitOf(days);
  return (
    <Card>
      <BlockStack gap="400">
        <InlineStack align="space-between" blockAlign="center" gap="200">
          <Text as="h2" variant="headingMd">
            {title} by {unit}
          </Text>
          <Text as="span" tone="subdued">
            {periodOfDays(days)}
          </Text>
        </InlineStack>
        <InlineGrid columns={{ xs: 1, lg: 2 }} gap="600">
          <LazyChart label={`Saved and removed per ${unit}`} lines={[ADDED, REMOVED]} points={points} />
          <LazyChart label={`Added to cart per ${unit}`} lines={[CARTED]} points={points} />
        </InlineGrid>
        <PointTable
          caption={`Wishlist activity by ${unit}, ${periodOfDays(days)}`}
          points={points}
          lines={[ADDED, REMOVED, CARTED]}
          beside={download}
        />
      </BlockStack>
    </Card>
  );
}
