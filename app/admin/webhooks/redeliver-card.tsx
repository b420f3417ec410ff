import { BlockStack, Button, Card, InlineStack, Select, Text } from "@shopify/polaris";
import { useCallback } from "react";
import type { RedeliveredBatch } from "../../webhooks/subscriptions/form-results.ts";
import type { Backlog, MerchantWebhook } from "../../webhooks/subscriptions/views.ts";
import { useForm } from "../use-form.ts";
import { formatNumber } from "../format.ts";
import { FormProblem } from "../form-problem.tsx";
import { wordsOf } from "./webhook-data.ts";

const SPANS = [
  { label: "in the last hour", value: "1" },
  { label: "in the last day", value: "24" },
  { label: "in the last 7 days", value: "168" },
  { label: "in the last 30 days", value: "720" },
];

/** Describes the outcome of a redelivery in bulk. */
export function describeBatch({ queued, more }: RedeliveredBatch): string {
  if (queued === 0) return "No deliveries failed in that period";
  const queuedText = `${formatNumber(queued)} ${queued === 1 ? "delivery" : "deliveries"} queued`;
  return more ? `${queuedText}. Redeliver again for more` : queuedText;
}

/** Redelivers failed deliveries, oldest first. */
export function RedeliverCard(props: { webhook: MerchantWebhook; backlog: Backlog; idempotencyKey: string }) {
  const { webhook, backlog, idempotencyKey } = props;
  const { undelivered, counted } = backlog;
  const { noun, receiver } = wordsOf(webhook);
  const onQueued = useCallback((batch: RedeliveredBatch) => {
    shopify.toast.show(describeBatch(batch));
  }, []);
  const form = useForm<RedeliveredBatch>(
    "redeliver-failed",
    { span: "24" },
    { hidden: { idempotencyKey }, onDone: onQueued },
  );
  if (undelivered === 0 && form.problem === undefined) return null;
  const count = undelivered > counted ? `More than ${formatNumber(counted)}` : formatNumber(undelivered);
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          Redeliver failed deliveries
        </Text>
        <Text as="p" tone="subdued">
          {count} {undelivered === 1 ? "delivery" : "deliveries"} failed and {undelivered === 1 ? "was" : "were"} not
          sent again. They are sent oldest first, up to 500 at a time, after new events
          {webhook.enabled ? `. While ${receiver} fails, they wait for it to recover.` : `, once the ${noun} is on.`}
        </Text>
        <FormProblem of={[form]} />
        <InlineStack gap="300" blockAlign="end">
          <Select {...form.text("span")} label="Created" options={SPANS} />
          <Button onClick={form.submit} loading={form.busy}>
            Redeliver failed
          </Button>
        </InlineStack>
      </BlockStack>
    </Card>
  );
}
