import { Banner, BlockStack, Box, Card, EmptyState, InlineStack, Link, Text } from "@shopify/polaris";
import type { Health, WatchedWebhook } from "../../webhooks/views.ts";
import { AdminPage } from "../admin-page.tsx";
import { ListTable } from "../list-table.tsx";
import { WebhookStateBadge } from "./state-badges.tsx";
import { addressParts, duration, EVENT_WORDS, ofHowMany, pathTo, stateOf, successRate } from "./webhook-data.ts";

const NEW = "/app/webhooks/new";

function NoWebhooks() {
  return (
    <Card>
      <EmptyState heading="Send wishlist events to your systems" image="" action={{ content: "Add webhook", url: NEW }}>
        <p>
          When a customer saves, removes or shares a product, a signed message is sent to your email tool, CRM or
          server.
        </p>
      </EmptyState>
    </Card>
  );
}

interface Row {
  webhook: WatchedWebhook & { health: Health };
}

function Title({ webhook: { webhookId, url } }: Row) {
  const { host, path } = addressParts(url);
  return (
    <BlockStack gap="050">
      <Link url={pathTo(webhookId)} dataPrimaryLink monochrome removeUnderline>
        <Text as="span" fontWeight="semibold" breakWord>
          {host}
        </Text>
      </Link>
      {path !== "" && (
        <Text as="span" tone="subdued" variant="bodySm" breakWord>
          {path}
        </Text>
      )}
    </BlockStack>
  );
}

function Success({ webhook: { health } }: Row) {
  const rate = successRate(health);
  if (rate === undefined) return <Text as="span">No attempts</Text>;
  return (
    <>
      {rate}{" "}
      <Text as="span" tone="subdued">
        {ofHowMany(health)}
      </Text>
    </>
  );
}

function latency({ medianMs, p95Ms }: Health): string {
  return medianMs === null || p95Ms === null ? "–" : `${duration(medianMs)} · ${duration(p95Ms)}`;
}

function Cells({ webhook }: Row) {
  return (
    <>
      <td>
        <div style={{ maxWidth: "24rem", whiteSpace: "normal" }}>
          <Title webhook={webhook} />
        </div>
      </td>
      <td>
        <WebhookStateBadge state={stateOf(webhook)} />
      </td>
      <td>
        {webhook.events.map((event) => (
          <div key={event}>{EVENT_WORDS[event].label}</div>
        ))}
      </td>
      <td>
        <Success webhook={webhook} />
      </td>
      <td>{latency(webhook.health)}</td>
    </>
  );
}

function NarrowRow({ webhook }: Row) {
  const { health } = webhook;
  return (
    <Box padding="400" width="100%">
      <BlockStack gap="150">
        <InlineStack align="space-between" blockAlign="start" gap="200" wrap={false}>
          <Title webhook={webhook} />
          <WebhookStateBadge state={stateOf(webhook)} />
        </InlineStack>
        <Text as="span" tone="subdued">
          {webhook.events.map((event) => EVENT_WORDS[event].label).join(", ")}
        </Text>
        <span>
          <Success webhook={webhook} />
        </span>
        {health.medianMs !== null && (
          <Text as="span" tone="subdued">
            Response time {latency(health)} (median, 95%)
          </Text>
        )}
      </BlockStack>
    </Box>
  );
}

/** All of a shop's webhooks, oldest first, with their health over the last 24 hours. */
export function WebhooksPage({ webhooks, cap }: { webhooks: readonly Row["webhook"][]; cap: number }) {
  const receiver = { label: "Receiver code", onAction: "/app/webhooks/receiver" };
  if (webhooks.length === 0) {
    return (
      <AdminPage title="Webhooks" actions={[receiver]}>
        <NoWebhooks />
      </AdminPage>
    );
  }
  const full = webhooks.length >= cap;
  return (
    <AdminPage
      title="Webhooks"
      actions={[receiver, { label: "Add webhook", onAction: NEW, primary: true, disabled: full }]}
    >
      <BlockStack gap="400">
        {full && (
          <Banner tone="info">
            <p>A store can have up to {cap} webhooks. Delete one to add another.</p>
          </Banner>
        )}
        <Card padding="0">
          <ListTable
            of="Webhooks"
            opens
            columns={[
              { title: "Address" },
              { title: "Status" },
              { title: "Events" },
              { title: "Success rate, 24 hours" },
              { title: "Response time, median · 95%" },
            ]}
            rows={webhooks.map((webhook) => ({
              id: webhook.webhookId,
              cells: <Cells webhook={webhook} />,
              narrow: <NarrowRow webhook={webhook} />,
            }))}
          />
        </Card>
      </BlockStack>
    </AdminPage>
  );
}
