import { Banner, BlockStack, Button, Card, InlineStack, Select, Text } from "@shopify/polaris";
import { useCallback } from "react";
import type { Backlog, WatchedWebhook } from "../../webhooks/views.ts";
import { useForm } from "../form.ts";
import { readable } from "../numbers.ts";

const SPANS = [
  { label: "in the last hour", value: "1" },
  { label: "in the last day", value: "24" },
  { label: "in the last 7 days", value: "168" },
  { label: "in the last 30 days", value: "720" },
];

interface Batch {
  queued: number;
  more: boolean;
}

function said({ queued, more }: Batch): string {
  if (queued === 0) return "Nothing failed in that time";
  const some = `${readable(queued)} ${queued === 1 ? "delivery" : "deliveries"} queued`;
  return more ? `${some}, and there are more: redeliver again for the next` : some;
}

/** Sends again what has failed for good, oldest first. */
export function RedeliverCard(props: { webhook: WatchedWebhook; backlog: Backlog; submission: string }) {
  const { webhook, backlog, submission } = props;
  const { undelivered, counted } = backlog;
  const told = useCallback((batch: Batch) => {
    shopify.toast.show(said(batch));
  }, []);
  const form = useForm<Batch>("redeliver-failed", { span: "24" }, { hidden: { submission }, onDone: told });
  if (undelivered === 0 && form.problem === undefined) return null;
  const count = undelivered > counted ? `More than ${readable(counted)}` : readable(undelivered);
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          Redeliver what failed
        </Text>
        <Text as="p" tone="subdued">
          {count} {undelivered === 1 ? "delivery has" : "deliveries have"} failed for good and{" "}
          {undelivered === 1 ? "was" : "were"} not sent again. They go out oldest first, up to 500 at a time, after what
          happens now
          {webhook.enabled ? ", and one by one while the receiver fails." : ", once the webhook is on again."}
        </Text>
        {form.problem !== undefined && (
          <Banner tone="critical">
            <p>{form.problem}</p>
          </Banner>
        )}
        <InlineStack gap="300" blockAlign="end">
          <Select {...form.text("span")} label="Made" options={SPANS} />
          <Button onClick={form.submit} loading={form.busy}>
            Redeliver failed
          </Button>
        </InlineStack>
      </BlockStack>
    </Card>
  );
}
