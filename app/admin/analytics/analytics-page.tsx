import { useNavigation } from "@remix-run/react";
import { BlockStack, Card } from "@shopify/polaris";
import { memo, type ReactNode } from "react";
import type { Dashboard } from "../../analytics/findings.ts";
import { spanParameters, type Span } from "../../analytics/periods.ts";
import { AdminPage } from "../admin-page.tsx";
import { EmptyList } from "../empty-list.tsx";
import { useSlowNavigation } from "../use-slow-navigation.ts";
import { ActivityCard } from "./activity-card.tsx";
import { CohortsCard } from "./cohorts-card.tsx";
import { ANALYTICS_PATH } from "./analytics-link.ts";
import { DownloadButton } from "./download-button.tsx";
import { OverviewCard } from "./overview-card.tsx";
import { OutOfStockCard } from "./out-of-stock-card.tsx";
import { TopProductsCard } from "./top-products-card.tsx";
import { RevenueCard } from "./revenue-card.tsx";
import { NothingCounted } from "./nothing-counted.tsx";
import { ComparisonPicker } from "./period-picker.tsx";
import { UsageCard } from "./usage-card.tsx";
import { LoadErrorCard } from "./load-error-card.tsx";

function NoActivity() {
  return (
    <Card>
      <EmptyList
        glyph="chart"
        heading="See what your shoppers want"
        action={{ content: "Add wishlist buttons to your theme", url: "/app" }}
      >
        <p>When shoppers start saving products, you'll see here what they save, remove, and add to their cart.</p>
      </EmptyList>
    </Card>
  );
}

/** Keeps the previous numbers while another period loads, and dims them when that takes long. */
function PendingNavigation({ children }: { children: ReactNode }) {
  const { state, location } = useNavigation();
  const isLoading = state === "loading" && location.pathname === ANALYTICS_PATH;
  const isSlow = useSlowNavigation() === ANALYTICS_PATH;
  return (
    <div aria-busy={isLoading} style={isSlow ? { opacity: 0.6 } : {}}>
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
  /** whether Shopify reports them to the app */
  ordersReported: boolean;
};

/**
 * Shows shoppers' activity and what wishlists earned in a period, saved products that are out of stock, and top products.
 * Memoized, because the state of a navigation would render all of it again, which delays the press that begins one.
 */
export const AnalyticsPage = memo(function AnalyticsPage(props: Props) {
  const {
    span,
    today,
    problem,
    maxRows,
    currency,
    readsOrders,
    ordersReported,
    activity,
    usage,
    cohorts,
    revenue,
    top,
    wanted,
  } = props;
  if (activity?.began === false && top?.length === 0) {
    return (
      <AdminPage title="Analytics">
        <NoActivity />
      </AdminPage>
    );
  }
  return (
    <AdminPage title="Analytics" actions={[{ label: "Print summary", onAction: () => print() }]}>
      <BlockStack gap="400">
        <ComparisonPicker span={span} today={today} problem={problem} />
        <PendingNavigation>
          <BlockStack gap="400">
            {activity?.days.length === 0 ? (
              <NothingCounted title="Activity" since={activity.since} />
            ) : activity ? (
              <>
                <OverviewCard activity={activity} />
                <ActivityCard
                  title="Activity"
                  days={activity.days}
                  today={today}
                  since={activity.since}
                  before={activity.before}
                  download={
                    <DownloadButton query={{ table: "daily", ...spanParameters(span) }} content="activity by day" />
                  }
                />
              </>
            ) : (
              <LoadErrorCard title="Activity" />
            )}
            {usage ? (
              <UsageCard usage={usage} revenue={revenue} span={span} />
            ) : (
              <LoadErrorCard title="From saved to bought" />
            )}
            {cohorts ? (
              <CohortsCard cohorts={cohorts} revenue={revenue} span={span} />
            ) : (
              <LoadErrorCard title="New shoppers" />
            )}
            {revenue ? (
              <RevenueCard
                {...{ revenue, span, today, currency }}
                isAllowed={readsOrders}
                isReported={ordersReported}
              />
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
});
