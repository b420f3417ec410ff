import { BlockStack, Card, InlineGrid, InlineStack, Text } from "@shopify/polaris";
import { useMemo, type ReactNode } from "react";
import type { Day, ProductDay } from "../../analytics/findings.ts";
import { describePeriod, formatPeriod } from "./date-ranges.ts";
import { LazyChart } from "./lazy-chart.tsx";
import { ADDED, ADDED_TO_CART, REMOVED } from "./chart-series.ts";
import { NothingCounted } from "./nothing-counted.tsx";
import { chartPoints, pointUnit, type PreviousPeriod } from "./chart-points.ts";
import { ChartDataTable } from "./chart-data-table.tsx";

const SAVED_SERIES = [ADDED, REMOVED];
const TO_CART_SERIES = [ADDED_TO_CART];

/** Shows activity over time as charts and as a table. */
export function ActivityCard(props: {
  title: string;
  days: readonly Day[] | readonly ProductDay[];
  /** the shop's calendar day */
  today: string;
  /** the day on which counting began, where it cuts the period */
  since: string | undefined;
  before?: PreviousPeriod | undefined;
  download: ReactNode;
}) {
  const { title, days, today, since, before, download } = props;
  // The same points until the data changes, so that the charts do not render again while another page loads.
  const points = useMemo(() => chartPoints(days, today, before), [days, today, before]);
  if (days.length === 0) return <NothingCounted title={title} since={since} />;
  const unit = pointUnit(days);
  return (
    <Card>
      <BlockStack gap="400">
        <InlineStack align="space-between" blockAlign="center" gap="200">
          <Text as="h2" variant="headingMd">
            {title} by {unit}
          </Text>
          <Text as="span" tone="subdued">
            {describePeriod(days, since)}
          </Text>
        </InlineStack>
        <InlineGrid columns={{ xs: 1, lg: 2 }} gap="600">
          <LazyChart label={`Saved and removed per ${unit}`} series={SAVED_SERIES} points={points} />
          <LazyChart label={`Added to cart per ${unit}`} series={TO_CART_SERIES} points={points} />
        </InlineGrid>
        <ChartDataTable
          caption={`Wishlist activity by ${unit}, ${formatPeriod(days)}`}
          points={points}
          series={[...SAVED_SERIES, ...TO_CART_SERIES]}
          download={download}
        />
      </BlockStack>
    </Card>
  );
}
