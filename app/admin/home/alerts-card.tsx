import { Button, Text } from "@shopify/polaris";
import { ALERT_KINDS } from "../../alerts/kinds.ts";
import { TOTALS_DAYS, type AlertTotals } from "../../alerts/report.ts";
import { LoadErrorCard } from "../analytics/load-error-card.tsx";
import { formatCount, formatNumber } from "../format.ts";
import { SummaryFigure, SummaryCard } from "./summary-card.tsx";
import type { HomeAlerts } from "./home-data.ts";

const TITLE = "Alerts";

/** Shows how many alerts were sent in the last 30 days and what came of them, or how to begin. */
export function AlertsCard({
  alerts,
  requiredPlan,
}: {
  alerts: HomeAlerts | undefined;
  requiredPlan: string | undefined;
}) {
  if (!alerts) return <LoadErrorCard title={TITLE} />;
  const sum = (metric: Exclude<keyof AlertTotals, "more">): number =>
    ALERT_KINDS.reduce((total, kind) => total + alerts.totals[kind][metric], 0);
  const sent = sum("sent");
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
  const isCut = ALERT_KINDS.some((kind) => alerts.totals[kind].more);
  const results = `${formatNumber(sum("opened"))} opened, ${formatNumber(sum("carted"))} put into the cart, ${formatNumber(sum("bought"))} bought`;
  return (
    <SummaryCard title={TITLE} more={{ label: "View alerts", url: "/app/alerts" }}>
      <SummaryFigure value={`${isCut ? "More than " : ""}${formatCount(sent, "alert")}`}>
        Sent in the last {TOTALS_DAYS} days. {isCut ? `Of the newest ${formatNumber(sent)}: ` : "Of these: "}
        {results}.
      </SummaryFigure>
    </SummaryCard>
  );
}
