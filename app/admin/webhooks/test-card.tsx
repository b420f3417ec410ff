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
  const pending = enabled ? "On its way" : "Waits until the webhook is on again";
  return (
    <InlineStack gap="200" blockAlign="center">
      <DeliveryStatusBadge status={test.status} />
      <span>
        {test.last === undefined ? pending : outcome(test.last)} ({minute(new Date(test.createdAt))}).{" "}
        <Link url={`${pathTo(webhookId)}/deliveries/${test.deliveryId}`}>See the last test</Link>
      </span>
    </InlineStack>
  );
}

/** Sends what did not happen, and says what the receiver made of it. */
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
          Sends a made-up message, signed like any other, and tries once.
          {webhook.enabled ? "" : " Turn the webhook on to send one."}
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
