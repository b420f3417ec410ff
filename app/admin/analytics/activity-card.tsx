import { BlockStack, Card, InlineGrid, InlineStack, Text } from "@shopify/polaris";
import type { ReactNode } from "react";
import type { Day, ProductDay } from "../../analytics/findings.ts";
import { formatPeriod } from "./date-ranges.ts";
import { LazyChart } from "./lazy-chart.tsx";
import { ADDED, CARTED, REMOVED } from "./chart-series.ts";
import { chartPoints, pointUnit } from "./chart-points.ts";
import { ChartDataTable } from "./chart-data-table.tsx";

/** Shows activity over time as charts and as a table. */
export function ActivityCard(props: {
  title: string;
  days: readonly Day[] | readonly ProductDay[];
  /** the previous period */
  previousDays?: readonly Day[] | undefined;
  download: ReactNode;
}) {
  const { title, days, previousDays, download } = props;
  const points = chartPoints(days, previousDays);
  const unit = pointUnit(days);
  return (
    <Card>
      <BlockStack gap="400">
        <InlineStack align="space-between" blockAlign="center" gap="200">
          <Text as="h2" variant="headingMd">
            {title} by {unit}
          </Text>
          <Text as="span" tone="subdued">
            {formatPeriod(days)}
          </Text>
        </InlineStack>
        <InlineGrid columns={{ xs: 1, lg: 2 }} gap="600">
          <LazyChart label={`Saved and removed per ${unit}`} series={[ADDED, REMOVED]} points={points} />
          <LazyChart label={`Added to cart per ${unit}`} series={[CARTED]} points={points} />
        </InlineGrid>
        <ChartDataTable
          caption={`Wishlist activity by ${unit}, ${formatPeriod(days)}`}
          points={points}
          series={[ADDED, REMOVED, CARTED]}
          download={download}
        />
      </BlockStack>
    </Card>
  );
}
