import { Banner, BlockStack, Box, Card, InlineGrid, InlineStack, Text } from "@shopify/polaris";
import { memo } from "react";
import type { EarningProduct, Revenue } from "../../analytics/findings.ts";
import { spanParameters, type Span } from "../../analytics/periods.ts";
import { roundAmount } from "../../platform/text/currency.ts";
import { formatAmount, formatCount, formatNumber, formatPrice } from "../format.ts";
import { ListTable } from "../list-table.tsx";
import { FailureText } from "../failure-text.tsx";
import { ALLOW_ORDERS, AllowOrdersButton, OrdersCounted, useAllowOrders } from "../orders-permission.tsx";
import { ChartDataTable } from "./chart-data-table.tsx";
import { chartPoints, pointUnit } from "./chart-points.ts";
import type { Series } from "./chart-series.ts";
import { describePeriod, formatPeriod } from "./date-ranges.ts";
import { DownloadButton } from "./download-button.tsx";
import { describeChange, describeRateChange, Figure, formatPercent, NO_COMPARISON } from "./figure.tsx";
import { LazyChart } from "./lazy-chart.tsx";
import { NothingCounted } from "./nothing-counted.tsx";
import { ProductImage, ProductName } from "./product-name.tsx";

const TITLE = "Revenue from wishlists";

/** Tells that the merchant has withdrawn the permission. */
function Withdrawn() {
  const { busy, failure, run } = useAllowOrders();
  return (
    <Banner tone="warning" action={{ content: ALLOW_ORDERS, onAction: run, loading: busy }}>
      <p>Further orders aren&apos;t counted, because this app may no longer read them.</p>
      <FailureText text={failure} />
    </Banner>
  );
}

function Uncounted({ isAllowed, isReported }: Pick<Props, "isAllowed" | "isReported">) {
  return (
    <Card>
      <BlockStack gap="300">
        <BlockStack gap="100">
          <Text as="h2" variant="headingMd">
            {TITLE}
          </Text>
          <Text as="p" tone="subdued">
            {isAllowed ? (
              <OrdersCounted isReported={isReported} />
            ) : (
              "Allow this app to read orders to see how many of them contain a product that the customer had saved, and what it earned. Orders count from then on. Names, addresses and payment details are never read."
            )}
          </Text>
        </BlockStack>
        {!isAllowed && <AllowOrdersButton />}
      </BlockStack>
    </Card>
  );
}

/** Series of the charts. @param currency ISO 4217 code; null when unknown */
function seriesOf(currency: string | null): [Series, Series] {
  return [
    {
      ...{ metric: "revenue", name: "Revenue", stroke: "solid" },
      format: (value) => formatPrice(roundAmount(value, currency), currency),
      formatAxis: (value) => formatAmount(value, currency),
    },
    { metric: "savedOrders", name: "Orders with saved items", stroke: "solid" },
  ];
}

interface Props {
  revenue: Revenue;
  span: Span;
  /** the shop's calendar day */
  today: string;
  /** whether the merchant lets the app read orders */
  isAllowed: boolean;
  /** whether Shopify reports orders to the app */
  isReported: boolean;
  currency: string | null;
}

function Figures({ revenue: { sums, before, beforeUnknown }, currency }: Pick<Props, "revenue" | "currency">) {
  const price = (value: number): string => formatPrice(roundAmount(value, currency), currency);
  const change = (compare: (previous: NonNullable<typeof before>["sums"]) => string): string | undefined =>
    beforeUnknown ? NO_COMPARISON : before && compare(before.sums);
  return (
    <InlineGrid columns={{ xs: 2, md: 4 }} gap="400">
      <Figure
        label="Revenue"
        description="Paid for saved items, less refunds"
        value={price(Number(sums.revenue))}
        change={change((previous) => describeChange(Number(sums.revenue), Number(previous.revenue), price))}
      />
      <Figure
        label="Orders"
        description="With at least one saved item"
        value={formatNumber(sums.savedOrders)}
        change={change((previous) => describeChange(sums.savedOrders, previous.savedOrders))}
      />
      <Figure
        label="Units"
        description="Saved items that were bought"
        value={formatNumber(sums.units)}
        change={change((previous) => describeChange(sums.units, previous.units))}
      />
      <Figure
        label="Share of orders"
        description={`Of ${formatCount(sums.orders, "order")} in your store`}
        value={formatPercent(sums.savedOrderRate)}
        change={change((previous) => describeRateChange(sums.savedOrderRate, previous.savedOrderRate))}
      />
    </InlineGrid>
  );
}

function Products({ products, currency }: { products: readonly EarningProduct[]; currency: string | null }) {
  return (
    <ListTable
      label="Products with the highest revenue from wishlists"
      hasLinks
      columns={[
        { title: "Product" },
        { title: "Orders", alignment: "end" },
        { title: "Units", alignment: "end" },
        { title: "Revenue", alignment: "end" },
      ]}
      rows={products.map((product) => {
        const { productId, imageUrl, orders, units } = product;
        const revenue = formatPrice(product.revenue, currency);
        return {
          id: productId,
          cells: (
            <>
              <td>
                <div style={{ whiteSpace: "normal" }}>
                  <InlineStack gap="300" blockAlign="center" wrap={false}>
                    <ProductImage url={imageUrl} />
                    <ProductName product={product} />
                  </InlineStack>
                </div>
              </td>
              <td className="list-table-end">{formatNumber(orders)}</td>
              <td className="list-table-end">{formatNumber(units)}</td>
              <td className="list-table-end">
                <Text as="span" fontWeight="semibold" numeric>
                  {revenue}
                </Text>
              </td>
            </>
          ),
          narrow: (
            <Box padding="400" width="100%">
              <InlineStack align="space-between" blockAlign="start" gap="300" wrap={false}>
                <InlineStack gap="300" blockAlign="start" wrap={false}>
                  <ProductImage url={imageUrl} />
                  <BlockStack gap="100" inlineAlign="start">
                    <ProductName product={product} />
                    <Text as="span" tone="subdued" variant="bodySm">
                      {formatCount(orders, "order")}, {formatCount(units, "unit")}
                    </Text>
                  </BlockStack>
                </InlineStack>
                <Text as="span" fontWeight="semibold" numeric>
                  {revenue}
                </Text>
              </InlineStack>
            </Box>
          ),
        };
      })}
    />
  );
}

/** Shows what wishlists earned in a period, or how to learn it. Memoized, so that its charts do not render again while another page loads. */
export const RevenueCard = memo(function RevenueCard(props: Props) {
  const { revenue, span, today, isAllowed, isReported, currency } = props;
  if (revenue.first === null) return <Uncounted isAllowed={isAllowed} isReported={isReported} />;
  const { days, since, before, products } = revenue;
  if (days.length === 0) return <NothingCounted title={TITLE} since={since} />;
  const points = chartPoints(days, today, before);
  const unit = pointUnit(days);
  const [earned, orders] = seriesOf(currency);
  const query = spanParameters(span);
  return (
    <Card padding="0">
      <Box padding="400">
        <BlockStack gap="400">
          <BlockStack gap="100">
            <InlineStack align="space-between" blockAlign="center" gap="200">
              <Text as="h2" variant="headingMd">
                {TITLE}
              </Text>
              <Text as="span" tone="subdued">
                {describePeriod(days, since)}
              </Text>
            </InlineStack>
            <Text as="p" tone="subdued">
              Orders of customers who had saved the item before. Orders of guests, test orders and canceled orders
              aren&apos;t counted; a refund is subtracted on the day of the order.
              {before?.until !== undefined &&
                ` Today isn't over, so the previous period is counted until ${before.until} of its last day.`}
            </Text>
          </BlockStack>
          {!isAllowed && <Withdrawn />}
          <Figures revenue={revenue} currency={currency} />
          <InlineGrid columns={{ xs: 1, lg: 2 }} gap="600">
            <LazyChart label={`Revenue per ${unit}`} series={[earned]} points={points} />
            <LazyChart label={`Orders with saved items per ${unit}`} series={[orders]} points={points} />
          </InlineGrid>
          <ChartDataTable
            caption={`Revenue from wishlists by ${unit}, ${formatPeriod(days)}`}
            points={points}
            series={[earned, orders, { metric: "units", name: "Units", stroke: "solid" }]}
            download={<DownloadButton query={{ table: "revenue", ...query }} content="revenue by day" />}
          />
          {products.length > 0 && (
            <InlineStack align="space-between" blockAlign="center" gap="200">
              <Text as="h3" variant="headingSm">
                Products with the highest revenue
              </Text>
              <DownloadButton query={{ table: "revenue-products", ...query }} content="revenue by product" />
            </InlineStack>
          )}
        </BlockStack>
      </Box>
      {products.length > 0 && <Products products={products} currency={currency} />}
    </Card>
  );
});
