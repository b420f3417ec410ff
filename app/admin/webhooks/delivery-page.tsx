import { useNavigate } from "@remix-run/react";
import { Banner, BlockStack, Card, DescriptionList, InlineStack, Text } from "@shopify/polaris";
import { useCallback } from "react";
import type { DeliveryDetails } from "../../webhooks/views.ts";
import { AdminPage } from "../admin-page.tsx";
import { useForm } from "../form.ts";
import { useShopTime } from "../shop-time.tsx";
import { AttemptCard } from "./attempt-card.tsx";
import { CodeBlock } from "./code-block.tsx";
import { DeliveryStatusBadge } from "./state-badges.tsx";
import { useWatch } from "./watch.ts";
import { addressParts, EVENT_WORDS, isOnItsWay, KIND_WORDS, nextTry, pathTo } from "./webhook-data.ts";

function DeliveryFacts({ webhook, delivery, at }: Pick<DeliveryDetails, "webhook" | "delivery"> & { at: Date }) {
  const { minute } = useShopTime();
  const { event, kind, messageId, createdAt, redeliveredAt } = delivery;
  const next = nextTry(delivery, webhook, at, minute);
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
            { term: "Event", description: `${EVENT_WORDS[event].label} (${event})` },
            { term: "Kind", description: KIND_WORDS[kind] },
            { term: "Message", description: <span style={{ overflowWrap: "anywhere" }}>{messageId}</span> },
            { term: "Created", description: minute(new Date(createdAt)) },
            ...(next === undefined ? [] : [{ term: "Next attempt", description: next }]),
            ...(redeliveredAt === null
              ? []
              : [{ term: "Redelivered", description: `${minute(new Date(redeliveredAt))}, as a new delivery` }]),
          ]}
        />
      </BlockStack>
    </Card>
  );
}

/** One delivery with each of its attempts, the newest first. */
export function DeliveryPage(props: DeliveryDetails & { at: Date; submission: string }) {
  const { webhook, delivery, body, at, submission } = props;
  const navigate = useNavigate();
  useWatch(isOnItsWay(delivery, webhook, at));
  const log = pathTo(webhook.webhookId);
  const told = useCallback(
    ({ deliveryId }: { deliveryId: string }) => {
      shopify.toast.show("Delivery queued");
      navigate(`${log}/deliveries/${deliveryId}`);
    },
    [navigate, log],
  );
  const again = useForm<{ deliveryId: string }>("redeliver", {}, { hidden: { submission }, onDone: told });
  return (
    <AdminPage
      title="Delivery"
      back={{ label: addressParts(webhook.url).host, url: log }}
      actions={
        body === undefined ? [] : [{ label: "Redeliver", onAction: again.submit, primary: true, disabled: again.busy }]
      }
    >
      <BlockStack gap="400">
        {again.problem !== undefined && (
          <Banner tone="critical" title="The delivery wasn't queued">
            <p>{again.problem}</p>
          </Banner>
        )}
        <DeliveryFacts webhook={webhook} delivery={delivery} at={at} />
        <Card>
          <BlockStack gap="200">
            <Text as="h2" variant="headingMd">
              Body
            </Text>
            <Text as="p" tone="subdued">
              {body === undefined
                ? "The event was deleted, so this delivery can't be sent again."
                : "Exactly as it is sent, the same in every attempt."}
            </Text>
            {body !== undefined && <CodeBlock label="Body" code={body} wrap />}
          </BlockStack>
        </Card>
        {delivery.attempts.toReversed().map((attempt) => (
          <AttemptCard key={attempt.number} attempt={attempt} />
        ))}
      </BlockStack>
    </AdminPage>
  );
}
