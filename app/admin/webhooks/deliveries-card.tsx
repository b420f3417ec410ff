import { useNavigate } from "@remix-run/react";
import { BlockStack, Box, Button, Card, InlineGrid, InlineStack, Link, Select, Text } from "@shopify/polaris";
import { DELIVERY_KINDS, DELIVERY_STATUSES, EVENTS } from "../../webhooks/events.ts";
import type { DeliveryLog, LoggedDelivery, WatchedWebhook } from "../../webhooks/views.ts";
import { ListTable } from "../list-table.tsx";
import { useShopTime } from "../shop-time.tsx";
import { ListPages } from "../list-pages.tsx";
import { DeliveryStatusBadge } from "./state-badges.tsx";
import { EVENT_WORDS, KIND_WORDS, logPath, nextTry, outcome, pathTo, STATUS_WORDS } from "./webhook-data.ts";

const ANY = { label: "All", value: "" };
const FILTERS = [
  {
    name: "status",
    label: "Status",
    options: DELIVERY_STATUSES.map((value) => ({ value, label: STATUS_WORDS[value] })),
  },
  { name: "event", label: "Event", options: EVENTS.map((value) => ({ value, label: EVENT_WORDS[value].label })) },
  { name: "kind", label: "Kind", options: DELIVERY_KINDS.map((value) => ({ value, label: KIND_WORDS[value] })) },
] as const;

interface Row {
  delivery: LoggedDelivery;
  webhook: WatchedWebhook;
  at: Date;
}

function CreatedLink({ delivery: { deliveryId, createdAt }, webhook: { webhookId } }: Row) {
  const { minute } = useShopTime();
  return (
    <Link url={`${pathTo(webhookId)}/deliveries/${deliveryId}`} dataPrimaryLink monochrome removeUnderline>
      <Text as="span" fontWeight="semibold">
        {minute(new Date(createdAt))}
      </Text>
    </Link>
  );
}

/** The last attempt's outcome and the next attempt. */
function Outcome({ delivery, webhook, at }: Row) {
  const { minute } = useShopTime();
  const next = nextTry(delivery, webhook, at, minute);
  return (
    <>
      {delivery.last !== undefined && <div style={{ overflowWrap: "anywhere" }}>{outcome(delivery.last)}</div>}
      {next !== undefined && (
        <Text as="span" tone="subdued">
          {next}
        </Text>
      )}
    </>
  );
}

function Cells(row: Row) {
  const { delivery } = row;
  return (
    <>
      <td>
        <CreatedLink {...row} />
      </td>
      <td>
        <DeliveryStatusBadge status={delivery.status} />
      </td>
      <td>{EVENT_WORDS[delivery.event].label}</td>
      <td>{KIND_WORDS[delivery.kind]}</td>
      <td>{delivery.attempts}</td>
      <td>
        <div style={{ maxWidth: "18rem", whiteSpace: "normal" }}>
          <Outcome {...row} />
        </div>
      </td>
    </>
  );
}

function NarrowRow(row: Row) {
  const { delivery } = row;
  return (
    <Box padding="400" width="100%">
      <BlockStack gap="150">
        <InlineStack align="space-between" blockAlign="center" gap="200">
          <CreatedLink {...row} />
          <DeliveryStatusBadge status={delivery.status} />
        </InlineStack>
        <Text as="span">
          {EVENT_WORDS[delivery.event].label}
          {delivery.kind === "event" ? "" : ` (${KIND_WORDS[delivery.kind]})`}
        </Text>
        <div style={{ whiteSpace: "normal" }}>
          <Outcome {...row} />
        </div>
      </BlockStack>
    </Box>
  );
}

function NoDeliveries({ filtered, all }: { filtered: boolean; all: string }) {
  return (
    <Box padding="400">
      <BlockStack gap="200" inlineAlign="center">
        <Text as="p" tone="subdued" alignment="center">
          {filtered
            ? "No deliveries match these filters"
            : "No deliveries yet. Send a test, or save a product in your store as a customer."}
        </Text>
        {filtered && (
          <Button variant="plain" url={all}>
            Clear filters
          </Button>
        )}
      </BlockStack>
    </Box>
  );
}

/** The log of a webhook, newest first. The filters are in the URL. */
export function DeliveriesCard({ webhook, log, at }: { webhook: WatchedWebhook; log: DeliveryLog; at: Date }) {
  const navigate = useNavigate();
  const { deliveries, filter, newer, older } = log;
  const { webhookId } = webhook;
  const filtered = FILTERS.some(({ name }) => filter[name] !== undefined);
  return (
    <Card padding="0">
      <Box padding="400">
        <BlockStack gap="300">
          <Text as="h2" variant="headingMd">
            Deliveries
          </Text>
          <InlineGrid columns={{ xs: 1, sm: 3 }} gap="300">
            {FILTERS.map(({ name, label, options }) => (
              <Select
                key={name}
                label={label}
                options={[ANY, ...options]}
                value={filter[name] ?? ""}
                onChange={(value) =>
                  navigate(logPath(webhookId, { ...filter, [name]: value === "" ? undefined : value }))
                }
              />
            ))}
          </InlineGrid>
        </BlockStack>
      </Box>
      {deliveries.length === 0 ? (
        <NoDeliveries filtered={filtered} all={pathTo(webhookId)} />
      ) : (
        <ListTable
          // A filter shows other rows, so nothing animates from one to the other.
          key={logPath(webhookId, filter)}
          of="Deliveries"
          opens
          columns={[
            { title: "Created" },
            { title: "Status" },
            { title: "Event" },
            { title: "Kind" },
            { title: "Attempts" },
            { title: "Outcome" },
          ]}
          rows={deliveries.map((delivery) => ({
            id: delivery.deliveryId,
            cells: <Cells delivery={delivery} webhook={webhook} at={at} />,
            narrow: <NarrowRow delivery={delivery} webhook={webhook} at={at} />,
          }))}
        />
      )}
      <ListPages
        of="deliveries"
        previous={newer === undefined ? undefined : logPath(webhookId, filter, { after: newer })}
        next={older === undefined ? undefined : logPath(webhookId, filter, { before: older })}
      />
    </Card>
  );
}
