import { BlockStack, Card, DescriptionList, InlineStack, Text } from "@shopify/polaris";
import { isChannel } from "../../webhooks/delivery/endpoint-key.ts";
import type { WebhookDetails } from "../../webhooks/subscriptions/views.ts";
import type { Event } from "../../webhooks/events/events.ts";
import { listEvents } from "../customers-permission.tsx";
import { useShopDates } from "../shop-dates.tsx";
import { formatNumber } from "../format.ts";
import { WebhookStateBadge } from "./state-badges.tsx";
import { formatDuration, formatAttempts, webhookState, formatSuccessRate } from "./webhook-data.ts";

/** Shows the configuration and health of a webhook or of a channel. @param withheld events that Flow may not get */
export function WebhookFacts(props: Pick<WebhookDetails, "webhook" | "backlog"> & { withheld?: readonly Event[] }) {
  const { webhook, backlog, withheld = [] } = props;
  const { formatDate } = useShopDates();
  const { webhookId, url, events, batch, createdAt, health } = webhook;
  const { waiting, counted } = backlog;
  const rate = formatSuccessRate(health);
  const waitingText = waiting > counted ? `More than ${formatNumber(counted)}` : formatNumber(waiting);
  const labels = listEvents(withheld.length > 0 ? withheld : events);
  const ofChannel = isChannel(webhookId);
  return (
    <Card>
      <BlockStack gap="200">
        <InlineStack align="space-between" blockAlign="center" gap="200">
          <Text as="h2" variant="headingMd">
            {ofChannel ? "Connection" : "Webhook"}
          </Text>
          <WebhookStateBadge state={withheld.length > 0 ? "not-permitted" : webhookState(webhook)} />
        </InlineStack>
        <DescriptionList
          gap="tight"
          items={[
            ...(ofChannel
              ? [{ term: "Sends", description: labels === "" ? "Nothing" : labels }]
              : [
                  { term: "URL", description: <span style={{ overflowWrap: "anywhere" }}>{url}</span> },
                  { term: "Events", description: labels },
                  { term: "Requests", description: batch ? "Up to 100 events each" : "One event each" },
                ]),
            { term: ofChannel ? "First used" : "Created", description: formatDate(new Date(createdAt)) },
            {
              term: "Last 24 hours",
              description: rate === undefined ? "No attempts" : `${rate} ${formatAttempts(health)} succeeded`,
            },
            ...(health.medianMs === null || health.p95Ms === null
              ? []
              : [
                  {
                    term: "Response time",
                    description: `${formatDuration(health.medianMs)} median, ${formatDuration(health.p95Ms)} at the 95th percentile`,
                  },
                ]),
            { term: "Waiting", description: waiting === 0 ? "None" : waitingText },
          ]}
        />
      </BlockStack>
    </Card>
  );
}
