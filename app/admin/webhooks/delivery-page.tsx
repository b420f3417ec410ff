import { BlockStack, Card, DescriptionList, InlineStack, Link, Text } from "@shopify/polaris";
import { useCallback } from "react";
import type { Redelivered } from "../../webhooks/subscriptions/form-results.ts";
import type { DeliveryDetails } from "../../webhooks/subscriptions/views.ts";
import { productPath } from "../../analytics/product-path.ts";
import { AdminPage } from "../admin-page.tsx";
import { customerUrl } from "../wishlists/owner-labels.ts";
import { useForm } from "../use-form.ts";
import { useShopDates } from "../shop-dates.tsx";
import { usePolling } from "../use-polling.ts";
import type { OpenPage } from "../use-result-page.ts";
import { FormProblem } from "../form-problem.tsx";
import { AttemptCard } from "./attempt-card.tsx";
import { CodeBlock } from "./code-block.tsx";
import { DeliveryStatusBadge } from "./state-badges.tsx";
import { EVENT_LABELS } from "./event-labels.ts";
import {
  isSentSoon,
  KIND_LABELS,
  POLL_INTERVAL_MS,
  describeNextAttempt,
  webhookPath,
  wordsOf,
} from "./webhook-data.ts";

function DeliveryFacts({ webhook, delivery, at }: Pick<DeliveryDetails, "webhook" | "delivery"> & { at: Date }) {
  const { formatDateTime } = useShopDates();
  const { event, kind, messageId, createdAt, redeliveredAt } = delivery;
  const next = describeNextAttempt(delivery, webhook, at, formatDateTime);
  return (
    <Card>
      <BlockStack gap="200">
        <InlineStack align="space-between" blockAlign="center" gap="200">
          <Text as="h2" variant="headingMd">
            Delivery
          </Text>
          <DeliveryStatusBadge status={delivery.status} />
        </InlineStack>
        <DescriptionList
          gap="tight"
          items={[
            { term: "Event", description: `${EVENT_LABELS[event].label} (${event})` },
            { term: "Kind", description: KIND_LABELS[kind] },
            { term: "Message", description: <span style={{ overflowWrap: "anywhere" }}>{messageId}</span> },
            { term: "Created", description: formatDateTime(new Date(createdAt)) },
            ...(next === undefined ? [] : [{ term: "Next attempt", description: next }]),
            ...(redeliveredAt === null
              ? []
              : [
                  { term: "Redelivered", description: `${formatDateTime(new Date(redeliveredAt))}, as a new delivery` },
                ]),
          ]}
        />
      </BlockStack>
    </Card>
  );
}

/** Returns a body as people read it. A body that is no JSON stays as it is. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/** Links to the customer and the product of an event, where it has them. */
function SubjectLinks({ subject: { customerId, productId } }: { subject: DeliveryDetails["subject"] }) {
  const url = customerId === null ? undefined : customerUrl(customerId);
  return (
    <InlineStack gap="400">
      {url !== undefined && (
        <Link url={url} target="_top">
          View customer in Shopify
        </Link>
      )}
      {productId !== null && <Link url={productPath(productId)}>View product</Link>}
    </InlineStack>
  );
}

/** Shows a delivery with its attempts, newest first. */
export function DeliveryPage(props: DeliveryDetails & { at: Date; idempotencyKey: string }) {
  const { webhook, delivery, subject, body, at, idempotencyKey } = props;
  usePolling(isSentSoon(delivery, webhook, at), POLL_INTERVAL_MS);
  const logUrl = webhookPath(webhook.webhookId);
  const onQueued = useCallback(
    ({ deliveryId }: Redelivered, open: OpenPage) => {
      shopify.toast.show("Delivery queued");
      open(`${logUrl}/deliveries/${deliveryId}`);
    },
    [logUrl],
  );
  const redelivery = useForm<Redelivered>("redeliver", {}, { hidden: { idempotencyKey }, onDone: onQueued });
  return (
    <AdminPage
      title="Delivery"
      back={{ label: wordsOf(webhook).name, url: logUrl }}
      actions={
        body === undefined
          ? []
          : [{ label: "Redeliver", onAction: redelivery.submit, primary: true, disabled: redelivery.busy }]
      }
    >
      <BlockStack gap="400">
        <FormProblem of={[redelivery]} title="The delivery wasn't queued" />
        <DeliveryFacts webhook={webhook} delivery={delivery} at={at} />
        <Card>
          <BlockStack gap="200">
            <Text as="h2" variant="headingMd">
              Body
            </Text>
            <Text as="p" tone="subdued">
              {body === undefined
                ? "The event was deleted, so this delivery can't be sent again."
                : webhook.batch
                  ? "A batch holds this event with its id, the message above."
                  : "Every attempt sends this body, in one line."}
            </Text>
            <SubjectLinks subject={subject} />
            {body !== undefined && <CodeBlock label="Body" code={readable(body)} wrap />}
          </BlockStack>
        </Card>
        {delivery.attempts.toReversed().map((attempt) => (
          <AttemptCard key={attempt.number} attempt={attempt} />
        ))}
      </BlockStack>
    </AdminPage>
  );
}
