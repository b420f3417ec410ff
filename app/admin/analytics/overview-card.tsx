import { BlockStack, Card, InlineGrid, Text } from "@shopify/polaris";
import type { Activity, Day, Overview, PastOverview } from "../../analytics/findings.ts";
import { formatNumber } from "../format.ts";
import { describeChange, describeRateChange, Figure, formatPercent, NO_COMPARISON } from "./figure.tsx";

type SummedMetric = Exclude<keyof Day, "date" | "uniqueShoppers">;

function sum(days: readonly Day[], metric: SummedMetric): number {
  return days.reduce((total, day) => total + day[metric], 0);
}

function describeShopperChange(current: Overview, previous: PastOverview): string {
  if (previous.activeShoppers === null) return NO_COMPARISON;
  return describeChange(current.activeShoppers, previous.activeShoppers);
}

/** Shows the period's totals, and their changes from the previous period when it is compared. */
export function OverviewCard({ activity }: { activity: Activity }) {
  const { overview, days, before, beforeUnknown } = activity;
  const change = (compare: (previous: NonNullable<typeof before>) => string): string | undefined =>
    beforeUnknown ? NO_COMPARISON : before && compare(before);
  const totalOf = (metric: SummedMetric) => ({
    value: formatNumber(sum(days, metric)),
    change: change((previous) => describeChange(sum(days, metric), sum(previous.days, metric))),
  });
  return (
    <Card>
      <BlockStack gap="400">
        <Text as="h2" variant="headingMd">
          Overview
        </Text>
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
            description="Unique shoppers who used a wishlist"
            value={formatNumber(overview.activeShoppers)}
            change={change((previous) => describeShopperChange(overview, previous.overview))}
          />
          <Figure label="Added to cart" description="From a wishlist" {...totalOf("addToCartFromWishlist")} />
          <Figure
            label="Wishlist-to-cart rate"
            description="Share of saved items that were added to cart"
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
