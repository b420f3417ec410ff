import { useNavigation } from "@remix-run/react";
import { BlockStack, Card, EmptyState } from "@shopify/polaris";
import type { ReactNode } from "react";
import type { Dashboard } from "../../analytics/findings.ts";
import type { Span } from "../../analytics/periods.ts";
import { AdminPage } from "../admin-page.tsx";
import { ActivityCard } from "./activity-card.tsx";
import { ANALYTICS } from "./analytics-link.ts";
import { DownloadButton } from "./download-button.tsx";
import { Figures } from "./figures.tsx";
import { WantedOutOfStock } from "./out-of-stock.tsx";
import { RankedProducts } from "./ranked-products.tsx";
import { SpanPicker } from "./span-picker.tsx";
import { UnreadCard } from "./unread-card.tsx";

function NothingYet() {
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

/** The numbers of the span before stay until those of the chosen one are here, and nothing moves, nor is drawn anew. */
function UntilChanged({ children }: { children: ReactNode }) {
  const { state, location } = useNavigation();
  const changing = state === "loading" && location.pathname === ANALYTICS.url;
  return (
    <div aria-busy={changing} style={changing ? { opacity: 0.6 } : {}}>
      {children}
    </div>
  );
}

type Props = Dashboard & {
  span: Span;
  /** rows at most of the lists here: a list that is full has a page with more */
  listed: number;
  /** of the prices, ISO 4217; null when it is not known */
  currency: string | null;
};

/** What shoppers save, remove and add to their cart, and what they save but can't buy. */
export function AnalyticsPage({ span, listed, currency, activity, top, wanted }: Props) {
  if (activity?.began === false && top?.length === 0) {
    return (
      <AdminPage title="Analytics">
        <NothingYet />
      </AdminPage>
    );
  }
  return (
    <AdminPage title="Analytics">
      <BlockStack gap="400">
        <SpanPicker span={span} />
        <UntilChanged>
          <BlockStack gap="400">
            {activity ? (
              <>
                <Figures activity={activity} />
                <ActivityCard
                  title="Activity"
                  days={activity.days}
                  before={activity.before?.days}
                  download={
                    <DownloadButton
                      query={{
                        table: "daily",
                        period: String(span.period),
                        ...(span.compare ? { compare: "1" } : {}),
                      }}
                      what="activity by day"
                    />
                  }
                />
              </>
            ) : (
              <UnreadCard title="Activity" />
            )}
            {wanted ? (
              <WantedOutOfStock wanted={wanted} more={wanted.variants.length >= listed} currency={currency} />
            ) : (
              <UnreadCard title="Saved but out of stock" />
            )}
            {top ? <RankedProducts products={top} more={top.length >= listed} /> : <UnreadCard title="Top products" />}
          </BlockStack>
        </UntilChanged>
      </BlockStack>
    </AdminPage>
  );
}
