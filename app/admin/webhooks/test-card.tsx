import { BlockStack, Button, Card, InlineStack, Link, Select, Text } from "@shopify/polaris";
import { useCallback } from "react";
import type { LoggedDelivery, MerchantWebhook } from "../../webhooks/subscriptions/views.ts";
import { useForm } from "../use-form.ts";
import { useShopDates } from "../shop-dates.tsx";
import { FormProblem } from "../form-problem.tsx";
import { DeliveryStatusBadge } from "./state-badges.tsx";
import { describeAttempt, eventOptions, webhookPath } from "./webhook-data.ts";

const OPTIONS = eventOptions();

/** Shows the state of the last test, or its response. */
export function LastTest({
  webhook: { webhookId, enabled },
  test,
}: {
  webhook: MerchantWebhook;
  test: LoggedDelivery;
}) {
  const { formatDateTime } = useShopDates();
  const pending = enabled ? "Sending" : "Waits until the webhook is turned on";
  return (
    <InlineStack gap="200" blockAlign="center">
      <DeliveryStatusBadge status={test.status} />
      <span>
        {test.last === undefined ? pending : describeAttempt(test.last)} ({formatDateTime(new Date(test.createdAt))}).{" "}
        <Link url={`${webhookPath(webhookId)}/deliveries/${test.deliveryId}`}>View the last test</Link>
      </span>
    </InlineStack>
  );
}

/** Sends a test message and shows the response. */
export function TestCard(props: {
  webhook: MerchantWebhook;
  lastTest: LoggedDelivery | undefined;
  idempotencyKey: string;
}) {
  const { webhook, lastTest, idempotencyKey } = props;
  const onSent = useCallback(() => {
    shopify.toast.show("Test sent");
  }, []);
  const form = useForm("test", { event: webhook.events[0] ?? "" }, { hidden: { idempotencyKey }, onDone: onSent });
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          Test
        </Text>
        <Text as="p" tone="subdued">
          Send an example message with a valid signature. The app makes one attempt.
          {webhook.enabled ? "" : " To send a test, turn on the webhook."}
        </Text>
        <FormProblem of={[form]} />
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
