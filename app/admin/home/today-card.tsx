import { BlockStack, Card, InlineGrid, InlineStack, Link, Text } from "@shopify/polaris";
import type { Day } from "../../analytics/findings.ts";
import { formatCalendarDay } from "../shop-dates.tsx";
import { formatCount, formatNumber } from "../format.ts";
import { Sparkline } from "./sparkline.tsx";

function Figure({ label, value }: { label: string; value: number }) {
  return (
    <BlockStack gap="100">
      <Text as="span" tone="subdued">
        {label}
      </Text>
      <Text as="span" variant="headingXl" numeric>
        {formatNumber(value)}
      </Text>
    </BlockStack>
  );
}

/** Shows shoppers' activity today, and the trend of the last 30 days. */
export function TodayCard({ days }: { days: readonly Day[] }) {
  const [first, today] = [days[0], days.at(-1)];
  if (!first || !today) return null;
  const busiest = Math.max(...days.map(({ itemsAdded }) => itemsAdded));
  const sum = days.reduce((total, { itemsAdded }) => total + itemsAdded, 0);
  return (
    <Card>
      <BlockStack gap="400">
        <InlineStack align="space-between" gap="200">
          <Text as="h2" variant="headingMd">
            Today
          </Text>
          <Link url="/app/analytics" removeUnderline>
            View analytics
          </Link>
        </InlineStack>
        <InlineGrid columns={{ xs: 2, md: 4 }} gap="400">
          <Figure label="Items saved" value={today.itemsAdded} />
          <Figure label="Items removed" value={today.itemsRemoved} />
          <Figure label="Active shoppers" value={today.uniqueShoppers} />
          <Figure label="Added to cart" value={today.addToCartFromWishlist} />
        </InlineGrid>
        <BlockStack gap="100">
          <Sparkline
            values={days.map(({ itemsAdded }) => itemsAdded)}
            label={`Items saved per day: ${formatNumber(sum)} in the last 30 days, ${formatNumber(busiest)} on the busiest day`}
          />
          <InlineStack align="space-between">
            <Text as="span" tone="subdued" variant="bodySm">
              {formatCalendarDay(first.date)}
            </Text>
            <Text as="span" tone="subdued" variant="bodySm">
              {sum === 0
                ? "No items saved in the last 30 days"
                : `${formatCount(sum, "item")} saved in the last 30 days`}
            </Text>
            <Text as="span" tone="subdued" variant="bodySm">
              Today, so far
            </Text>
          </InlineStack>
        </BlockStack>
      </BlockStack>
    </Card>
  );
}
