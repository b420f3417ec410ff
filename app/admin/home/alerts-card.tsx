import { Button, Text } from "@shopify/polaris";
import { RESULTS_DAYS } from "../../alerts/report.ts";
import { LoadErrorCard } from "../analytics/load-error-card.tsx";
import { formatCount, formatNumber } from "../format.ts";
import { SummaryFigure, SummaryCard } from "./summary-card.tsx";
import type { HomeAlerts } from "./home-data.ts";

const TITLE = "Alerts";

/** Shows how many customers got alerts in the last 30 days and what they did next, or how to begin. */
export function AlertsCard({
  alerts,
  requiredPlan,
}: {
  alerts: HomeAlerts | undefined;
  requiredPlan: string | undefined;
}) {
  if (!alerts) return <LoadErrorCard title={TITLE} />;
  const { sent, visited, addedToCart, bought, moreSent } = alerts.results;
  if (sent === 0) {
    const [text, label, url] =
      requiredPlan !== undefined
        ? [
            `Tell customers when a saved product becomes cheaper or is back in stock. Needs the ${requiredPlan} plan.`,
            "View plans",
            "/app/plan",
          ]
        : alerts.kinds.length === 0
          ? [
              "Alerts are off. Tell customers when a saved product becomes cheaper or is back in stock.",
              "Choose alerts",
              "/app/alerts",
            ]
          : ["No alert was sent in the last 30 days.", "View alerts", "/app/alerts"];
    return (
      <SummaryCard title={TITLE}>
        <Text as="p" tone="subdued">
          {text}
        </Text>
        <div>
          <Button url={url}>{label}</Button>
        </div>
      </SummaryCard>
    );
  }
  const results = `${formatNumber(visited)} visited the store, ${formatNumber(addedToCart)} put the product into the cart, ${formatNumber(bought)} bought it`;
  return (
    <SummaryCard title={TITLE} more={{ label: "View alerts", url: "/app/alerts" }}>
      <SummaryFigure value={`${moreSent ? "More than " : ""}${formatCount(sent, "customer")}`}>
        Got an alert in the last {RESULTS_DAYS} days. {moreSent ? `Of ${formatNumber(sent)}: ` : "Of these: "}
        {results}.
      </SummaryFigure>
    </SummaryCard>
  );
}
