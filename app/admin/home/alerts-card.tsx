import { Button, Text } from "@shopify/polaris";
import { RESULTS_DAYS } from "../../alerts/report.ts";
import type { MissingPlan } from "../../billing/plans.ts";
import { LoadErrorCard } from "../analytics/load-error-card.tsx";
import { formatCount, formatNumber } from "../format.ts";
import { PlanNote } from "../plan-note.tsx";
import { SummaryFigure, SummaryCard } from "./summary-card.tsx";
import type { HomeAlerts } from "./home-data.ts";

const TITLE = "Alerts";

/** What a shop without alerts does next. */
interface Lead {
  text: string;
  label: string;
  url: string;
}

function leadTo(kinds: HomeAlerts["kinds"], missingPlan: MissingPlan | undefined): Lead {
  const offer = "Tell customers when a saved product becomes cheaper or is back in stock.";
  if (missingPlan?.isFrozen) {
    const text = `No alerts are sent, because your ${missingPlan.name} subscription is frozen. Your settings are kept.`;
    return { text, label: "View plan", url: "/app/plan" };
  }
  if (missingPlan) {
    return { text: `${offer} Needs the ${missingPlan.name} plan.`, label: "View plans", url: "/app/plan" };
  }
  if (kinds.length === 0) return { text: `Alerts are off. ${offer}`, label: "Choose alerts", url: "/app/alerts" };
  return { text: "No alert was sent in the last 30 days.", label: "View alerts", url: "/app/alerts" };
}

/** Shows how many customers got alerts in the last 30 days and what they did next, or how to begin. */
export function AlertsCard({
  alerts,
  missingPlan,
}: {
  alerts: HomeAlerts | undefined;
  missingPlan: MissingPlan | undefined;
}) {
  if (!alerts) return <LoadErrorCard title={TITLE} />;
  const { sent, visited, addedToCart, bought, moreSent } = alerts.results;
  if (sent === 0) {
    const { text, label, url } = leadTo(alerts.kinds, missingPlan);
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
      {missingPlan && <PlanNote plan={missingPlan} feature="Further alerts" />}
    </SummaryCard>
  );
}
