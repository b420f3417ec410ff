import { BlockStack, Button, Card, InlineStack, Text } from "@shopify/polaris";
import type { WebhookWithHealth } from "../../webhooks/subscriptions/views.ts";
import type { Event } from "../../webhooks/events/events.ts";
import { AllowCustomersButton, listEvents } from "../customers-permission.tsx";
import { WebhookStateBadge } from "./state-badges.tsx";
import { FLOW_PATH, formatAttempts, formatSuccessRate, openFlow, webhookState } from "./webhook-data.ts";

/** Shows the connection to Shopify Flow, or how to begin with it. */
export function FlowCard(props: {
  /** undefined until a workflow has used a trigger */
  flow: WebhookWithHealth | undefined;
  /** whether the app may read customers, which every trigger needs */
  isAllowed: boolean;
  /** events that workflows wait for and don't get without that */
  withheld?: readonly Event[];
}) {
  const { flow, isAllowed, withheld = [] } = props;
  const events = flow && withheld.length === 0 ? flow.events : withheld;
  const rate = flow && formatSuccessRate(flow.health);
  return (
    <Card>
      <BlockStack gap="300">
        <InlineStack align="space-between" blockAlign="center" gap="200">
          <Text as="h2" variant="headingMd">
            Shopify Flow
          </Text>
          {flow && <WebhookStateBadge state={withheld.length > 0 ? "not-permitted" : webhookState(flow)} />}
        </InlineStack>
        {flow ? (
          <BlockStack gap="100">
            <Text as="p" breakWord>
              {events.length === 0
                ? "No workflow that is turned on uses a trigger of this app."
                : `Triggers in use: ${listEvents(events)}`}
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
            in Shopify Flow with a trigger of this app, and its deliveries are listed here.
            {isAllowed ? "" : " First, allow this app to read customers: every trigger names one."}
          </Text>
        )}
        {!flow && !isAllowed && <AllowCustomersButton />}
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
