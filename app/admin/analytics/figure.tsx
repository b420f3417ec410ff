import { BlockStack, Box, Text } from "@shopify/polaris";
import { formatNumber } from "../format.ts";

export function formatPercent(value: number): string {
  return `${formatNumber(value, 2)}%`;
}

/**
 * Describes a change without judging it: neither direction is always good.
 * @param format of the previous value
 */
export function describeChange(
  current: number,
  previous: number,
  format: (value: number) => string = formatNumber,
): string {
  if (current === previous) return "No change";
  const direction = current > previous ? "Up" : "Down";
  if (previous <= 0) return `${direction} from ${format(previous)}`;
  const share = Math.round((1000 * Math.abs(current - previous)) / previous) / 10;
  return `${direction} ${formatPercent(share)} from ${format(previous)}`;
}

export function describeRateChange(current: number, previous: number): string {
  if (current === previous) return "No change";
  const points = Math.round(100 * Math.abs(current - previous)) / 100;
  return `${current > previous ? "Up" : "Down"} ${formatNumber(points)} percentage points from ${formatPercent(previous)}`;
}

/** Shown when the previous period is unknown, which differs from zero. */
export const NO_COMPARISON = "Previous period: no data";

/** Shows a number with what it means and, when periods are compared, its change. */
export function Figure(props: { label: string; description: string; value: string; change: string | undefined }) {
  const { label, description, value, change } = props;
  return (
    <BlockStack gap="100">
      <Text as="h3" variant="bodyMd" tone="subdued">
        {label}
      </Text>
      <Text as="p" variant="headingXl" numeric>
        {value}
      </Text>
      <Text as="p" variant="bodySm" tone="subdued">
        {description}
      </Text>
      {/* Reserves the line, so that showing a comparison does not shift the layout. */}
      <Box minHeight="var(--p-text-body-sm-font-line-height)">
        {change !== undefined && (
          <Text as="p" variant="bodySm">
            {change}
          </Text>
        )}
      </Box>
    </BlockStack>
  );
}

/** Says why purchases are unknown. @param revenue undefined when it could not be read */
export function describeUnknownPurchases(revenue: object | undefined): string {
  return revenue ? "Unknown until orders are counted" : "Couldn't be loaded";
}
