import { useNavigation } from "@remix-run/react";
import { BlockStack, Card, EmptyState } from "@shopify/polaris";
import type { ReactNode } from "react";
import type { Dashboard } from "../../analytics/findings.ts";
import type { Span } from "../../analytics/periods.ts";
import { AdminPage } from "../admin-page.tsx";
import { ActivityCard } from "./activity-card.tsx";
import { ANALYTICS_LINK } from "./analytics-link.ts";
import { DownloadButton } from "./download-button.tsx";
import { OverviewCard } from "./overview-card.tsx";
import { OutOfStockCard } from "./out-of-stock-card.tsx";
import { TopProductsCard } from "./top-products-card.tsx";
import { RevenueCard } from "./revenue-card.tsx";
import { ComparisonPicker } from "./period-picker.tsx";
import { LoadErrorCard } from "./load-error-card.tsx";

function NoActivity() {
  return (
    <Card>
      <EmptyState
        heading="See what your shoppers want"
        image=""
        action={{ content: "Add wishlist buttons to your theme", url: "/app" }}
      >
        <p>When shoppers start saving products, you'll see here what they save, remove, and add to their cart.</p>
      </EmptyState>
    </Card>
  );
}

/** Keeps the previous numbers, dimmed, while another period loads. */
function PendingNavigation({ children }: { children: ReactNode }) {
  const { state, location } = useNavigation();
  const isLoading = state === "loading" && location.pathname === ANALYTICS_LINK.url;
  return (
    <div aria-busy={isLoading} style={isLoading ? { opacity: 0.6 } : {}}>
      {children}
    </div>
  );
}

type Props = Dashboard & {
  span: Span;
  /** maximum rows of the lists. A full list links to its own page */
  maxRows: number;
  /** currency of prices, an ISO 4217 code; null when unknown */
  currency: string | null;
  /** whether the merchant lets the app read orders */
  readsOrders: boolean;
};

/** Shows shoppers' activity and what wishlists earned in a period, saved products that are out of stock, and top products. */
export function AnalyticsPage({ span, maxRows, currency, readsOrders, activity, revenue, top, wanted }: Props) {
  if (activity?.began === false && top?.length === 0) {
    return (
      <AdminPage title="Analytics">
        <NoActivity />
      </AdminPage>
    );
  }
  return (
    <AdminPage title="Analytics">
      <BlockStack gap="400">
        <ComparisonPicker span={span} />
        <PendingNavigation>
          <BlockStack gap="400">
            {activity ? (
              <>
                <OverviewCard activity={activity} />
                <ActivityCard
                  title="Activity"
                  days={activity.days}
                  previousDays={activity.before?.days}
                  download={
                    <DownloadButton
                      query={{
                        table: "daily",
                        period: String(span.period),
                        ...(span.compare ? { compare: "1" } : {}),
                      }}
                      content="activity by day"
                    />
                  }
                />
              </>
            ) : (
              <LoadErrorCard title="Activity" />
            )}
            {revenue ? (
              <RevenueCard revenue={revenue} span={span} isAllowed={readsOrders} currency={currency} />
            ) : (
              <LoadErrorCard title="Revenue from wishlists" />
            )}
            {wanted ? (
              <OutOfStockCard wanted={wanted} more={wanted.variants.length >= maxRows} currency={currency} />
            ) : (
              <LoadErrorCard title="Saved but out of stock" />
            )}
            {top ? (
              <TopProductsCard products={top} more={top.length >= maxRows} />
            ) : (
              <LoadErrorCard title="Top products" />
            )}
          </BlockStack>
        </PendingNavigation>
      </BlockStack>
    </AdminPage>
  );
}
