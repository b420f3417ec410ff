import { Banner, BlockStack, Box, Card, InlineStack, Link, Text } from "@shopify/polaris";
import type { Event } from "../../webhooks/events/events.ts";
import type { Health, WebhookWithHealth } from "../../webhooks/subscriptions/views.ts";
import { AdminPage } from "../admin-page.tsx";
import { NoticeBanner } from "../notices.tsx";
import { FlowPermissionBanner } from "../customers-permission.tsx";
import { ListTable } from "../list-table.tsx";
import { useShopDates } from "../shop-dates.tsx";
import { EmptyList } from "../empty-list.tsx";
import { FlowCard } from "./flow-card.tsx";
import { WebhookStateBadge } from "./state-badges.tsx";
import { webhookNotices } from "./webhook-notices.ts";
import { EVENT_LABELS } from "./event-labels.ts";
import {
  splitUrl,
  formatDuration,
  formatAttempts,
  webhookPath,
  webhookState,
  formatSuccessRate,
} from "./webhook-data.ts";

const NEW_WEBHOOK_URL = "/app/webhooks/new";

function NoWebhooks() {
  return (
    <Card>
      <EmptyList
        glyph="arrows"
        heading="Send wishlist events to your systems"
        action={{ content: "Add webhook", url: NEW_WEBHOOK_URL }}
      >
        <p>
          When a customer saves, removes or shares a product, a signed message is sent to your email tool, CRM or
          server.
        </p>
      </EmptyList>
    </Card>
  );
}

interface Row {
  webhook: WebhookWithHealth;
}

function Title({ webhook }: Row) {
  const { webhookId, name, url } = webhook;
  const { host, path } = splitUrl(url);
  const below = name === null ? path : host + path;
  return (
    <BlockStack gap="050">
      <Link url={webhookPath(webhookId)} dataPrimaryLink monochrome removeUnderline>
        <Text as="span" fontWeight="semibold" breakWord>
          {name ?? host}
        </Text>
      </Link>
      {below !== "" && (
        <Text as="span" tone="subdued" variant="bodySm" breakWord>
          {below}
        </Text>
      )}
    </BlockStack>
  );
}

function Success({ webhook: { health } }: Row) {
  const rate = formatSuccessRate(health);
  if (rate === undefined) return <Text as="span">No attempts</Text>;
  return (
    <>
      {rate}{" "}
      <Text as="span" tone="subdued">
        {formatAttempts(health)}
      </Text>
    </>
  );
}

function formatLatency({ medianMs, p95Ms }: Health): string {
  return medianMs === null || p95Ms === null ? "–" : `${formatDuration(medianMs)} · ${formatDuration(p95Ms)}`;
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
        <WebhookStateBadge state={webhookState(webhook)} />
      </td>
      <td>
        {webhook.events.map((event) => (
          <div key={event}>{EVENT_LABELS[event].label}</div>
        ))}
      </td>
      <td>
        <Success webhook={webhook} />
      </td>
      <td>{formatLatency(webhook.health)}</td>
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
          <WebhookStateBadge state={webhookState(webhook)} />
        </InlineStack>
        <Text as="span" tone="subdued">
          {webhook.events.map((event) => EVENT_LABELS[event].label).join(", ")}
        </Text>
        <span>
          <Success webhook={webhook} />
        </span>
        {health.medianMs !== null && (
          <Text as="span" tone="subdued">
            Response time {formatLatency(health)} (median, 95%)
          </Text>
        )}
      </BlockStack>
    </Box>
  );
}

/** Lists the shop's webhooks, oldest first, and the connection to Shopify Flow, with their health in the last 24 hours. */
export function WebhooksPage(props: {
  webhooks: readonly WebhookWithHealth[];
  flow: WebhookWithHealth | undefined;
  cap: number;
  /** whether the app may read customers, which Shopify Flow needs */
  isAllowed: boolean;
  /** events that workflows wait for and don't get without that */
  withheld: readonly Event[];
}) {
  const { webhooks, flow, cap, isAllowed, withheld } = props;
  const { formatDate } = useShopDates();
  // Failing endpoints recover by themselves and have a badge.
  const monitored = flow && withheld.length === 0 ? [...webhooks, flow] : webhooks;
  const banners = (
    <>
      <FlowPermissionBanner withheld={withheld} />
      {webhookNotices(monitored, formatDate)
        .filter(({ tone }) => tone === "critical")
        .map((notice) => (
          <NoticeBanner key={notice.key} notice={notice} />
        ))}
    </>
  );
  const receiver = { label: "Receiver code", onAction: "/app/webhooks/receiver" };
  if (webhooks.length === 0) {
    return (
      <AdminPage title="Webhooks" actions={[receiver]}>
        <BlockStack gap="400">
          {banners}
          <NoWebhooks />
          <FlowCard {...{ flow, isAllowed, withheld }} />
        </BlockStack>
      </AdminPage>
    );
  }
  const full = webhooks.length >= cap;
  return (
    <AdminPage
      title="Webhooks"
      actions={[receiver, { label: "Add webhook", onAction: NEW_WEBHOOK_URL, primary: true, disabled: full }]}
    >
      <BlockStack gap="400">
        {full && (
          <Banner tone="info">
            <p>A store can have up to {cap} webhooks. Delete one to add another.</p>
          </Banner>
        )}
        {banners}
        <Card padding="0">
          <ListTable
            label="Webhooks"
            hasLinks
            columns={[
              { title: "Webhook" },
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
        <FlowCard {...{ flow, isAllowed, withheld }} />
      </BlockStack>
    </AdminPage>
  );
}
