import { BlockStack, Button, Card, InlineStack, Link, Text } from "@shopify/polaris";
import type { WebhookWithHealth } from "../../webhooks/subscriptions/views.ts";
import { WebhookStateBadge } from "./state-badges.tsx";
import { EVENT_LABELS } from "./event-labels.ts";
import { FLOW_PATH, formatAttempts, formatSuccessRate, openFlow, webhookState } from "./webhook-data.ts";

/** Shows the connection to Shopify Flow, or how to begin with it. @param flow undefined until a workflow has used a trigger */
export function FlowCard({ flow }: { flow: WebhookWithHealth | undefined }) {
  const rate = flow && formatSuccessRate(flow.health);
  return (
    <Card>
      <BlockStack gap="300">
        <InlineStack align="space-between" blockAlign="center" gap="200">
          <Text as="h2" variant="headingMd">
            Shopify Flow
          </Text>
          {flow && <WebhookStateBadge state={webhookState(flow)} />}
        </InlineStack>
        {flow ? (
          <BlockStack gap="100">
            <Text as="p" breakWord>
              {flow.events.length === 0
                ? "No workflow that is turned on uses a trigger of this app."
                : `Triggers in use: ${flow.events.map((event) => EVENT_LABELS[event].label).join(", ")}`}
            </Text>
            <Text as="p" tone="subdued">
              {rate === undefined
                ? "No attempts in the last 24 hours"
                : `${rate} ${formatAttempts(flow.health)} succeeded in the last 24 hours`}
            </Text>
          </BlockStack>
        ) : (
          <Text as="p" tone="subdued">
            Workflows can start when customers save, share or buy products, or when an alert is due. Create a workflow
            in Shopify Flow with a trigger of this app, and its deliveries are listed here. Shopify Flow names the
            customer only to an app that may read customers, which the <Link url="/app/wishlists">Wishlists page</Link>{" "}
            asks for.
          </Text>
        )}
        <InlineStack gap="200">
          {flow && <Button url={FLOW_PATH}>View deliveries</Button>}
          <Button onClick={openFlow} variant={flow ? "plain" : "secondary"}>
            Open Shopify Flow
          </Button>
        </InlineStack>
      </BlockStack>
    </Card>
  );
}
