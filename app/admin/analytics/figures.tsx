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
  if (now === before) return `As before`;
  const way = now > before ? "Up" : "Down";
  if (before <= 0) return `${way} from ${was}`;
  const share = Math.round((1000 * Math.abs(now - before)) / before) / 10;
  return `${way} ${percent(share)} from ${was}`;
}

function rateChange(now: number, before: number): string {
  if (now === before) return "As before";
  const points = Math.round(100 * Math.abs(now - before)) / 100;
  return `${now > before ? "Up" : "Down"} ${readable(points)} points from ${percent(before)}`;
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

function shoppersChange(now: Overview, before: PastOverview): string {
  // What was not kept can't be found out any more, and is not none.
  if (before.activeShoppers === null) return "The period before is not known yet";
  return changeOf(now.activeShoppers, before.activeShoppers);
}

/** The period's numbers, each with its change against the period before where that is asked for. */
export function Figures({ activity: { overview, days, before } }: { activity: Activity }) {
  const counted = (of: Summed) => ({
    value: readable(sum(days, of)),
    change: before && changeOf(sum(days, of), sum(before.days, of)),
  });
  return (
    <Card>
      <BlockStack gap="400">
        <Text as="h2" variant="headingMd">
          At a glance
        </Text>
        <InlineGrid columns={{ xs: 2, md: 3 }} gap="400">
          <Figure label="Items added" says="Saved by shoppers" {...counted("itemsAdded")} />
          <Figure label="Items removed" says="Taken out by shoppers" {...counted("itemsRemoved")} />
          <Figure
            label="Net change"
            says="Added less removed"
            value={readable(overview.totalWishlistedItems)}
            change={before && changeOf(overview.totalWishlistedItems, before.overview.totalWishlistedItems)}
          />
          <Figure
            label="Active shoppers"
            says="Used a wishlist, each counted once"
            value={readable(overview.activeShoppers)}
            change={before && shoppersChange(overview, before.overview)}
          />
          <Figure label="Put into the cart" says="From a wishlist" {...counted("addToCartFromWishlist")} />
          <Figure
            label="Wishlist to cart rate"
            says="Of the items added, put into the cart since"
            value={percent(overview.wishlistToCartRate)}
            change={before && rateChange(overview.wishlistToCartRate, before.overview.wishlistToCartRate)}
          />
        </InlineGrid>
      </BlockStack>
    </Card>
  );
}
