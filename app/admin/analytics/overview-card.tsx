import { BlockStack, Card, InlineGrid, InlineStack, Text } from "@shopify/polaris";
import type { Activity, Day, PastOverview } from "../../analytics/findings.ts";
import { formatCount, formatNumber } from "../format.ts";
import { describePeriod } from "./date-ranges.ts";
import { describeChange, describeRateChange, Figure, formatPercent, NO_COMPARISON } from "./figure.tsx";

type SummedMetric = Exclude<keyof Day, "date" | "uniqueShoppers">;

function sum(days: readonly Day[], metric: SummedMetric): number {
  return days.reduce((total, day) => total + day[metric], 0);
}

function describeShopperChange(current: PastOverview, previous: PastOverview): string {
  if (previous.activeShoppers === null || current.activeShoppers === null) return NO_COMPARISON;
  return describeChange(current.activeShoppers, previous.activeShoppers);
}

/** Shows the period's totals, and their changes from the previous period when it is compared. */
export function OverviewCard({ activity }: { activity: Activity }) {
  const { overview, days, since, before, beforeUnknown } = activity;
  const change = (compare: (previous: NonNullable<typeof before>) => string): string | undefined =>
    beforeUnknown ? NO_COMPARISON : before && compare(before);
  const totalOf = (metric: SummedMetric) => ({
    value: formatNumber(sum(days, metric)),
    change: change((previous) => describeChange(sum(days, metric), sum(previous.days, metric))),
  });
  return (
    <Card>
      <BlockStack gap="400">
        <BlockStack gap="100">
          <InlineStack align="space-between" blockAlign="center" gap="200">
            <Text as="h2" variant="headingMd">
              Overview
            </Text>
            <Text as="span" tone="subdued">
              {describePeriod(days, since)}
            </Text>
          </InlineStack>
          {before?.until !== undefined && (
            <Text as="p" tone="subdued">
              Today isn&apos;t over, so the previous period is counted until {before.until} of its last day; active
              shoppers are those of whole days.
            </Text>
          )}
        </BlockStack>
        <InlineGrid columns={{ xs: 2, md: 3 }} gap="400">
          <Figure label="Items saved" description="Saved by shoppers" {...totalOf("itemsAdded")} />
          <Figure label="Items removed" description="Removed by shoppers" {...totalOf("itemsRemoved")} />
          <Figure
            label="Net change"
            description="Saved minus removed"
            value={formatNumber(overview.totalWishlistedItems)}
            change={change((previous) =>
              describeChange(overview.totalWishlistedItems, previous.overview.totalWishlistedItems),
            )}
          />
          <Figure
            label="Active shoppers"
            description={
              overview.activeShoppers === null
                ? "Unknown for dates that don't end today"
                : "Unique shoppers who used a wishlist"
            }
            value={overview.activeShoppers === null ? "–" : formatNumber(overview.activeShoppers)}
            change={change((previous) => describeShopperChange(overview, previous.overview))}
          />
          <Figure label="Added to cart" description="From a wishlist" {...totalOf("addToCartFromWishlist")} />
          <Figure
            label="Wishlist-to-cart rate"
            description={`Added to cart, of ${formatCount(sum(days, "itemsAdded"), "item")} saved in this period`}
            value={formatPercent(overview.wishlistToCartRate)}
            change={change((previous) =>
              describeRateChange(overview.wishlistToCartRate, previous.overview.wishlistToCartRate),
            )}
          />
        </InlineGrid>
      </BlockStack>
    </Card>
  );
}
