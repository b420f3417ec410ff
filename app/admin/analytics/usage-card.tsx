import { BlockStack, Box, Card, InlineGrid, InlineStack, Text } from "@shopify/polaris";
import type { Revenue, Usage, UsageGroup } from "../../analytics/findings.ts";
import { spanParameters, type Span } from "../../analytics/periods.ts";
import { formatCount, formatNumber } from "../format.ts";
import { ListTable } from "../list-table.tsx";
import { formatDayWithYear } from "./date-ranges.ts";
import { DownloadButton } from "./download-button.tsx";
import { describeUnknownPurchases, Figure, formatPercent } from "./figure.tsx";

const METRICS = [
  { title: "Saved", metric: "itemsAdded" },
  { title: "Removed", metric: "itemsRemoved" },
  { title: "Added to cart", metric: "addToCartFromWishlist" },
  { title: "Share links", metric: "shared" },
] as const;

type Sums = Record<(typeof METRICS)[number]["metric"], number>;

/** All, then twice parts that add up to it: by owner and by source. */
const ROWS: readonly { name: string; includes: (group: UsageGroup) => boolean }[] = [
  { name: "All shoppers", includes: () => true },
  { name: "Customers", includes: ({ ownerKind }) => ownerKind === "customer" },
  { name: "Guests", includes: ({ ownerKind }) => ownerKind === "guest" },
  { name: "In your store", includes: ({ source }) => source === "storefront" },
  { name: "From the cart, for later", includes: ({ source }) => source === "cart" },
  { name: "Through the API", includes: ({ source }) => source === "api" },
  { name: "Merged through the API", includes: ({ source }) => source === "merge" },
];

function sumOf(groups: readonly UsageGroup[]): Sums {
  const sums = { itemsAdded: 0, itemsRemoved: 0, addToCartFromWishlist: 0, shared: 0 };
  for (const group of groups) for (const { metric } of METRICS) sums[metric] += group[metric];
  return sums;
}

function Groups({ groups }: { groups: readonly UsageGroup[] }) {
  return (
    <ListTable
      label="Who uses wishlists, and where"
      columns={[{ title: "Who and where" }, ...METRICS.map(({ title }) => ({ title, alignment: "end" as const }))]}
      rows={ROWS.map(({ name, includes }) => {
        const sums = sumOf(groups.filter(includes));
        return {
          id: name,
          cells: (
            <>
              <td>
                <Text as="span" fontWeight="semibold">
                  {name}
                </Text>
              </td>
              {METRICS.map(({ metric }) => (
                <td key={metric} className="list-table-end">
                  {formatNumber(sums[metric])}
                </td>
              ))}
            </>
          ),
          narrow: (
            <Box padding="400" width="100%">
              <BlockStack gap="100">
                <Text as="span" fontWeight="semibold">
                  {name}
                </Text>
                <InlineGrid columns={2} gap="100">
                  {METRICS.map(({ title, metric }) => (
                    <Text key={metric} as="span">
                      {title}: {formatNumber(sums[metric])}
                    </Text>
                  ))}
                </InlineGrid>
              </BlockStack>
            </Box>
          ),
        };
      })}
    />
  );
}

/** Shows what became of saved items, who saved them and where, and the share links of a period. */
export function UsageCard(props: {
  usage: Usage;
  /** undefined when it couldn't be loaded */
  revenue: Revenue | undefined;
  span: Span;
}) {
  const { usage, revenue, span } = props;
  const { cohort, groups, views, since } = usage;
  const units = revenue && revenue.first !== null ? revenue.sums.units : undefined;
  const created = sumOf(groups).shared;
  return (
    <Card padding="0">
      <Box padding="400">
        <BlockStack gap="400">
          <BlockStack gap="100">
            <Text as="h2" variant="headingMd">
              From saved to bought
            </Text>
            <Text as="p" tone="subdued">
              Purchases are correlated, not caused: their customers had saved the item before, and may have bought it
              anyway. Guests&apos; purchases aren&apos;t known.
            </Text>
          </BlockStack>
          <InlineGrid columns={{ xs: 2, sm: 3 }} gap="400">
            <Figure
              label="Saved in this period"
              description="Items that shoppers saved"
              value={formatNumber(cohort.saved)}
              change={undefined}
            />
            <Figure
              label="Then added to cart"
              description={`${formatPercent(cohort.saved === 0 ? 0 : (100 * cohort.addedToCart) / cohort.saved)} of these items, up to now`}
              value={formatNumber(cohort.addedToCart)}
              change={undefined}
            />
            <Figure
              label="Bought in this period"
              description={
                units === undefined ? describeUnknownPurchases(revenue) : "Units of items saved at any time before"
              }
              value={units === undefined ? "–" : formatNumber(units)}
              change={undefined}
            />
          </InlineGrid>
          <BlockStack gap="050">
            <InlineStack align="space-between" blockAlign="center" gap="200">
              <Text as="h3" variant="headingSm">
                Who and where
              </Text>
              <DownloadButton query={{ table: "usage", ...spanParameters(span) }} content="who and where" />
            </InlineStack>
            <Text as="p" tone="subdued">
              {since === undefined ? "" : `Counted since ${formatDayWithYear(since)}. `}
              {`${formatCount(created, "share link")} created, ${formatCount(views, "visit")} to shared lists.`}
            </Text>
            <Text as="p" tone="subdued">
              “In your store” is product cards, product pages, the wishlist page and shared lists together: themes
              don&apos;t report where an item was saved. The API is used by other shop fronts and apps.
            </Text>
          </BlockStack>
        </BlockStack>
      </Box>
      <Groups groups={groups} />
    </Card>
  );
}
