import { BlockStack, Card, DescriptionList, InlineStack, Text } from "@shopify/polaris";
import type { WebhookDetails } from "../../webhooks/views.ts";
import { useShopTime } from "../shop-time.tsx";
import { readable } from "../numbers.ts";
import { WebhookStateBadge } from "./state-badges.tsx";
import { duration, EVENT_WORDS, ofHowMany, stateOf, successRate } from "./webhook-data.ts";

/** A webhook's address, events and health. */
export function WebhookFacts({ webhook, backlog }: Pick<WebhookDetails, "webhook" | "backlog">) {
  const { day } = useShopTime();
  const { url, events, createdAt, health } = webhook;
  const { waiting, counted } = backlog;
  const rate = successRate(health);
  const waits = waiting > counted ? `More than ${readable(counted)}` : readable(waiting);
  return (
    <Card>
      <BlockStack gap="200">
        <InlineStack align="space-between" blockAlign="center" gap="200">
          <Text as="h2" variant="headingMd">
            Webhook
          </Text>
          <WebhookStateBadge state={stateOf(webhook)} />
        </InlineStack>
        <DescriptionList
          gap="tight"
          items={[
            { term: "Address", description: <span style={{ overflowWrap: "anywhere" }}>{url}</span> },
            { term: "Events", description: events.map((event) => EVENT_WORDS[event].label).join(", ") },
            { term: "Created", description: day(new Date(createdAt)) },
            {
              term: "Last 24 hours",
              description: rate === undefined ? "No attempts" : `${rate} ${ofHowMany(health)} succeeded`,
            },
            ...(health.medianMs === null || health.p95Ms === null
              ? []
              : [
                  {
                    term: "Response time",
                    description: `${duration(health.medianMs)} median, ${duration(health.p95Ms)} at the 95th percentile`,
                  },
                ]),
            { term: "Waiting", description: waiting === 0 ? "None" : waits },
          ]}
        />
      </BlockStack>
    </Card>
  );
}
