import { Banner, BlockStack, Button, Card, InlineStack, Link, Select, Text } from "@shopify/polaris";
import { useCallback } from "react";
import { EVENTS } from "../../webhooks/events.ts";
import type { LoggedDelivery, WatchedWebhook } from "../../webhooks/views.ts";
import { useForm } from "../form.ts";
import { useShopTime } from "../shop-time.tsx";
import { DeliveryStatusBadge } from "./state-badges.tsx";
import { EVENT_WORDS, outcome, pathTo } from "./webhook-data.ts";

const OPTIONS = EVENTS.map((value) => ({ value, label: EVENT_WORDS[value].label }));

function LastTest({ webhook: { webhookId, enabled }, test }: { webhook: WatchedWebhook; test: LoggedDelivery }) {
  const { minute } = useShopTime();
  const pending = enabled ? "Sending" : "Waits until the webhook is turned on";
  return (
    <InlineStack gap="200" blockAlign="center">
      <DeliveryStatusBadge status={test.status} />
      <span>
        {test.last === undefined ? pending : outcome(test.last)} ({minute(new Date(test.createdAt))}).{" "}
        <Link url={`${pathTo(webhookId)}/deliveries/${test.deliveryId}`}>View the last test</Link>
      </span>
    </InlineStack>
  );
}

/** Sends an example event and shows the response. */
export function TestCard(props: { webhook: WatchedWebhook; lastTest: LoggedDelivery | undefined; submission: string }) {
  const { webhook, lastTest, submission } = props;
  const told = useCallback(() => {
    shopify.toast.show("Test sent");
  }, []);
  const form = useForm("test", { event: webhook.events[0] ?? EVENTS[0] }, { hidden: { submission }, onDone: told });
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          Test
        </Text>
        <Text as="p" tone="subdued">
          Sends an example message with a valid signature. It is tried once.
          {webhook.enabled ? "" : " To send one, turn the webhook on."}
        </Text>
        {form.problem !== undefined && (
          <Banner tone="critical">
            <p>{form.problem}</p>
          </Banner>
        )}
        <InlineStack gap="300" blockAlign="end">
          <Select {...form.text("event")} label="Event" options={OPTIONS} disabled={!webhook.enabled} />
          <Button onClick={form.submit} loading={form.busy} disabled={!webhook.enabled}>
            Send test
          </Button>
        </InlineStack>
        <div aria-live="polite">{lastTest && <LastTest webhook={webhook} test={lastTest} />}</div>
      </BlockStack>
    </Card>
  );
}
