import { Text } from "@shopify/polaris";
import type { Earned } from "../../analytics/findings.ts";
import { formatPercent } from "../analytics/figure.tsx";
import { LoadErrorCard } from "../analytics/load-error-card.tsx";
import { formatCount, formatPrice } from "../format.ts";
import { AllowOrdersButton, OrdersCounted } from "../orders-permission.tsx";
import { formatDayWithYear } from "../analytics/date-ranges.ts";
import { SummaryFigure, SummaryCard } from "./summary-card.tsx";

const TITLE = "Earned in 30 days";

/** Shows what wishlists earned in the last 30 days, or how to learn it. */
export function EarnedCard(props: {
  earned: Earned | undefined;
  /** whether the merchant lets the app read orders */
  readsOrders: boolean;
  /** whether Shopify reports them to the app */
  ordersReported: boolean;
  currency: string | null;
}) {
  const { earned, readsOrders, ordersReported, currency } = props;
  if (!earned) return <LoadErrorCard title={TITLE} />;
  const { first, sums } = earned;
  const more = { label: "View revenue", url: "/app/analytics" };
  if (first === null) {
    return (
      <SummaryCard title={TITLE}>
        <Text as="p" tone="subdued">
          {readsOrders ? (
            <OrdersCounted isReported={ordersReported} />
          ) : (
            "Allow this app to read orders to see what customers bought after they had saved it. Orders count from then on."
          )}
        </Text>
        {!readsOrders && <AllowOrdersButton />}
      </SummaryCard>
    );
  }
  return (
    <SummaryCard title={TITLE} more={more}>
      <SummaryFigure value={formatPrice(sums.revenue, currency)}>
        {sums.orders === 0
          ? "No orders in your store in the last 30 days."
          : `From ${formatCount(sums.savedOrders, "order")} with saved items, ${formatPercent(sums.savedOrderRate)} of ${formatCount(sums.orders, "order")} in your store.`}{" "}
        Counted since {formatDayWithYear(first)}.
      </SummaryFigure>
    </SummaryCard>
  );
}
