import { BlockStack, Box, Card, InlineGrid, Text } from "@shopify/polaris";
import type { Activity, Day, Overview, PastOverview } from "../../analytics/findings.ts";
import { readable } from "../numbers.ts";

type Summed = Exclude<keyof Day, "date" | "uniqueShoppers">;

function sum(days: readonly Day[], of: Summed): number {
  return days.reduce((all, day) => all + day[of], 0);
}

function percent(value: number): string {
  return `${readable(value, 2)}%`;
}

/** How a number has changed, in words: neither direction is good by itself. */
function changeOf(now: number, before: number): string {
  const was = readable(before);
  if (now === before) return "No change";
  const way = now > before ? "Up" : "Down";
  if (before <= 0) return `${way} from ${was}`;
  const share = Math.round((1000 * Math.abs(now - before)) / before) / 10;
  return `${way} ${percent(share)} from ${was}`;
}

function rateChange(now: number, before: number): string {
  if (now === before) return "No change";
  const points = Math.round(100 * Math.abs(now - before)) / 100;
  return `${now > before ? "Up" : "Down"} ${readable(points)} percentage points from ${percent(before)}`;
}

function Figure(props: { label: string; says: string; value: string; change: string | undefined }) {
  const { label, says, value, change } = props;
  return (
    <BlockStack gap="100">
      <Text as="h3" variant="bodyMd" tone="subdued">
        {label}
      </Text>
      <Text as="p" variant="headingXl" numeric>
        {value}
      </Text>
      <Text as="p" variant="bodySm" tone="subdued">
        {says}
      </Text>
      {/* Its line is kept free, so that nothing below moves when it comes. */}
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

/** Instead of a change: there is nothing to compare with, which is not the same as none. */
const UNKNOWN = "Previous period: not known";

function shoppersChange(now: Overview, before: PastOverview): string {
  if (before.activeShoppers === null) return UNKNOWN;
  return changeOf(now.activeShoppers, before.activeShoppers);
}

/** The period's numbers, each with its change from the previous period on request. */
export function Figures({ activity }: { activity: Activity }) {
  const { overview, days, before, beforeUnknown } = activity;
  const change = (compare: (past: NonNullable<typeof before>) => string): string | undefined =>
    beforeUnknown ? UNKNOWN : before && compare(before);
  const counted = (of: Summed) => ({
    value: readable(sum(days, of)),
    change: change((past) => changeOf(sum(days, of), sum(past.days, of))),
  });
  return (
    <Card>
      <BlockStack gap="400">
        <Text as="h2" variant="headingMd">
          Overview
        </Text>
        <InlineGrid columns={{ xs: 2, md: 3 }} gap="400">
          <Figure label="Items saved" says="Saved by shoppers" {...counted("itemsAdded")} />
          <Figure label="Items removed" says="Removed by shoppers" {...counted("itemsRemoved")} />
          <Figure
            label="Net change"
            says="Saved minus removed"
            value={readable(overview.totalWishlistedItems)}
            change={change((past) => changeOf(overview.totalWishlistedItems, past.overview.totalWishlistedItems))}
          />
          <Figure
            label="Active shoppers"
            says="Unique shoppers who used a wishlist"
            value={readable(overview.activeShoppers)}
            change={change((past) => shoppersChange(overview, past.overview))}
          />
          <Figure label="Added to cart" says="From a wishlist" {...counted("addToCartFromWishlist")} />
          <Figure
            label="Wishlist-to-cart rate"
            says="Share of saved items added to cart since"
            value={percent(overview.wishlistToCartRate)}
            change={change((past) => rateChange(overview.wishlistToCartRate, past.overview.wishlistToCartRate))}
          />
        </InlineGrid>
      </BlockStack>
    </Card>
  );
}
