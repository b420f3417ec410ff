import { Banner, BlockStack, Box, Button, Card, InlineGrid, InlineStack, Text } from "@shopify/polaris";
import type { PriceDropDemand } from "../../alerts/demand.ts";
import type { ProductDay, ProductFindings, WantedVariant } from "../../analytics/findings.ts";
import { spanParameters, type Span } from "../../analytics/periods.ts";
import { productCustomersPath, productPath } from "../../analytics/product-path.ts";
import type { ProductCustomers } from "../../wishlists/staff/view.ts";
import { roundAmount } from "../../platform/text/currency.ts";
import { AdminPage, type TitleAction } from "../admin-page.tsx";
import { formatNumber, formatPrice } from "../format.ts";
import { ActivityCard } from "./activity-card.tsx";
import { useAnalyticsLink } from "./analytics-link.ts";
import { DemandCard } from "./demand-card.tsx";
import { DownloadButton } from "./download-button.tsx";
import { ProductImage, productTitle } from "./product-name.tsx";
import { describePeople } from "./product-customers-page.tsx";
import { ListCard } from "./list-card.tsx";
import { PeriodPicker } from "./period-picker.tsx";
import { VariantsCard } from "./variants-card.tsx";

function Figure({ label, value }: { label: string; value: number | string }) {
  return (
    <BlockStack gap="100">
      <Text as="h3" variant="bodyMd" tone="subdued">
        {label}
      </Text>
      <Text as="p" variant="headingXl" numeric>
        {typeof value === "number" ? formatNumber(value) : value}
      </Text>
    </BlockStack>
  );
}

function sum(days: readonly ProductDay[], metric: Exclude<keyof ProductDay, "date">): number {
  return days.reduce((total, day) => total + day[metric], 0);
}

/** Returns what the saves of variants that can be bought would bring; undefined when none can. */
function potentialRevenue(
  variants: readonly WantedVariant[],
  more: boolean,
  currency: string | null,
): string | undefined {
  const wanted = variants.filter(({ stock, price }) => stock === "available" && price !== null);
  if (wanted.length === 0) return undefined;
  const amount = wanted.reduce((total, { price, wishlistCount }) => total + Number(price) * wishlistCount, 0);
  return `${more ? "More than " : ""}${formatPrice(roundAmount(amount, currency), currency)}`;
}

/** Returns a link to the product's page in Shopify, if the store has the product. */
function shopifyActions({ productId, title, deleted }: ProductFindings["product"]): TitleAction[] {
  if (title === null || deleted || !/^\d+$/.test(productId)) return [];
  return [
    { label: "View in Shopify", onAction: () => void window.open(`shopify://admin/products/${productId}`, "_top") },
  ];
}

/** Shows shoppers' activity with a product and its saved variants. */
export function ProductPage(props: Props) {
  const { span, today, problem, product, wishlistCount, revenue, days, since } = props;
  const { variants, moreVariants, people, demand, currency } = props;
  const { productId, title, deleted } = product;
  const potential = potentialRevenue(variants, moreVariants, currency);
  return (
    <AdminPage title={productTitle(product)} back={useAnalyticsLink()} actions={shopifyActions(product)}>
      <BlockStack gap="400">
        {deleted && <Banner title="This product was deleted from your store">It may still be in wishlists.</Banner>}
        {!deleted && title === null && (
          <Banner tone="warning" title="This product isn't in your catalog">
            It was saved through the API, or before your products were synced.
          </Banner>
        )}
        <Box paddingInline={{ xs: "400", sm: "0" }}>
          <InlineStack gap="400" align="space-between" blockAlign="center">
            <PeriodPicker span={span} today={today} problem={problem} path={productPath(productId)} />
            {product.imageUrl !== null && <ProductImage url={product.imageUrl} />}
          </InlineStack>
        </Box>
        <Card>
          <BlockStack gap="400">
            <Text as="h2" variant="headingMd">
              Overview
            </Text>
            <InlineGrid columns={{ xs: 2, md: 4 }} gap="400">
              <Figure label="Saves" value={wishlistCount} />
              <Figure label="New saves" value={sum(days, "itemsAdded")} />
              <Figure label="Removals" value={sum(days, "itemsRemoved")} />
              <Figure label="Added to cart" value={sum(days, "addToCartFromWishlist")} />
              {potential !== undefined && <Figure label="Potential revenue" value={potential} />}
              {revenue && (
                <>
                  <Figure label="Orders" value={revenue.orders} />
                  <Figure label="Units bought" value={revenue.units} />
                  <Figure label="Revenue" value={formatPrice(revenue.revenue, currency)} />
                </>
              )}
            </InlineGrid>
            <Text as="p" tone="subdued">
              {potential === undefined
                ? ""
                : "Potential revenue is what the saves in stock would bring at today's prices, one of each. "}
              {revenue && "Orders, units and revenue are those of customers who had saved the product before."}
            </Text>
          </BlockStack>
        </Card>
        <ListCard
          title="Customers who saved it"
          description={describePeople(people)}
          actions={<Button url={productCustomersPath(productId)}>View customers</Button>}
        >
          {null}
        </ListCard>
        <VariantsCard productId={productId} variants={variants} more={moreVariants} currency={currency} />
        {demand && <DemandCard key={productId} productId={productId} demand={demand} currency={currency} />}
        <ActivityCard
          title="History"
          days={days}
          today={today}
          since={since}
          download={
            <DownloadButton
              query={{ table: "product", product: productId, ...spanParameters(span) }}
              content="history by day"
            />
          }
        />
      </BlockStack>
    </AdminPage>
  );
}

type Props = ProductFindings & {
  span: Span;
  /** the shop's calendar day */
  today: string;
  /** why the chosen dates can't be shown */
  problem: string | undefined;
  people: Pick<ProductCustomers, "customers" | "guests" | "more">;
  /** undefined when the plan has no alerts */
  demand: PriceDropDemand | undefined;
  /** currency of prices, an ISO 4217 code; null when unknown */
  currency: string | null;
};
