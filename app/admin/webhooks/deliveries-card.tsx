import { BlockStack, Box, Button, Card, InlineGrid, InlineStack, Link, Select, Text } from "@shopify/polaris";
import { EMAIL, FLOW_ENDPOINT } from "../../webhooks/delivery/endpoint-key.ts";
import { DELIVERY_KINDS, DELIVERY_STATUSES } from "../../webhooks/delivery/kinds.ts";
import type { Event } from "../../webhooks/events/events.ts";
import type { DeliveryLog, LoggedDelivery, MerchantWebhook } from "../../webhooks/subscriptions/views.ts";
import { ListTable } from "../list-table.tsx";
import { useShopDates } from "../shop-dates.tsx";
import { ListPagination } from "../list-pagination.tsx";
import { useChoices } from "../use-choices.ts";
import { EVENT_LABELS } from "./event-labels.ts";
import { DeliveryStatusBadge } from "./state-badges.tsx";
import {
  eventOptions,
  KIND_LABELS,
  logPath,
  describeNextAttempt,
  describeOutcome,
  webhookPath,
  STATUS_LABELS,
} from "./webhook-data.ts";

const ALL = { label: "All", value: "" };

/** Returns the filters of the log of an endpoint that can get these events. */
function filtersOf(events: readonly Event[] | undefined) {
  return [
    {
      name: "status",
      label: "Status",
      options: DELIVERY_STATUSES.map((value) => ({ value, label: STATUS_LABELS[value] })),
    },
    { name: "event", label: "Event", options: eventOptions(events) },
    { name: "kind", label: "Kind", options: DELIVERY_KINDS.map((value) => ({ value, label: KIND_LABELS[value] })) },
  ] as const;
}

interface Row {
  delivery: LoggedDelivery;
  webhook: MerchantWebhook;
  at: Date;
}

function CreatedLink({ delivery: { deliveryId, createdAt }, webhook: { webhookId } }: Row) {
  const { formatDateTime } = useShopDates();
  return (
    <Link url={`${webhookPath(webhookId)}/deliveries/${deliveryId}`} dataPrimaryLink monochrome removeUnderline>
      <Text as="span" fontWeight="semibold">
        {formatDateTime(new Date(createdAt))}
      </Text>
    </Link>
  );
}

/** Describes the last attempt and the next one. */
function Outcome({ delivery, webhook, at }: Row) {
  const { formatDateTime } = useShopDates();
  const next = describeNextAttempt(delivery, webhook, at, formatDateTime);
  return (
    <>
      {delivery.last !== undefined && (
        <div style={{ overflowWrap: "anywhere" }}>{describeOutcome(delivery.last, webhook)}</div>
      )}
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
      <td>{EVENT_LABELS[delivery.event].label}</td>
      <td>{KIND_LABELS[delivery.kind]}</td>
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
          {EVENT_LABELS[delivery.event].label}
          {delivery.kind === "event" ? "" : ` (${KIND_LABELS[delivery.kind]})`}
        </Text>
        <div style={{ whiteSpace: "normal" }}>
          <Outcome {...row} />
        </div>
      </BlockStack>
    </Box>
  );
}

function NoDeliveries({ isFiltered, webhookId }: { isFiltered: boolean; webhookId: string }) {
  const begin =
    {
      [FLOW_ENDPOINT]: "They begin with the next event that starts a workflow.",
      [EMAIL.endpointId]: "They begin with the next alert that is emailed.",
    }[webhookId] ?? "Send a test, or save a product in your store as a customer.";
  return (
    <Box padding="400">
      <BlockStack gap="200" inlineAlign="center">
        <Text as="p" tone="subdued" alignment="center">
          {isFiltered ? "No deliveries match these filters" : `No deliveries yet. ${begin}`}
        </Text>
        {isFiltered && (
          <Button variant="plain" url={webhookPath(webhookId)}>
            Clear filters
          </Button>
        )}
      </BlockStack>
    </Box>
  );
}

/** Lists the deliveries of a webhook or of Shopify Flow, newest first. The filters are in the URL. */
export function DeliveriesCard(props: {
  webhook: MerchantWebhook;
  log: DeliveryLog;
  at: Date;
  /** the events that the endpoint can get: by default, those of webhooks */
  events?: readonly Event[];
}) {
  const { webhook, log, at, events } = props;
  const { deliveries, filter, newer, older } = log;
  const { webhookId } = webhook;
  const { chosen, choose } = useChoices(filter, (choices) => logPath(webhookId, choices));
  const filters = filtersOf(events);
  const isFiltered = filters.some(({ name }) => filter[name] !== undefined);
  return (
    <Card padding="0">
      <Box padding="400">
        <BlockStack gap="300">
          <Text as="h2" variant="headingMd">
            Deliveries
          </Text>
          <InlineGrid columns={{ xs: 1, sm: 3 }} gap="300">
            {filters.map(({ name, label, options }) => (
              <Select
                key={name}
                label={label}
                options={[ALL, ...options]}
                value={chosen[name] ?? ""}
                onChange={(value) => choose({ [name]: value === "" ? undefined : value })}
              />
            ))}
          </InlineGrid>
        </BlockStack>
      </Box>
      {deliveries.length === 0 ? (
        <NoDeliveries isFiltered={isFiltered} webhookId={webhookId} />
      ) : (
        <ListTable
          // Filters replace the rows, so a new table renders instead of reordering the old one.
          key={logPath(webhookId, filter)}
          label="Deliveries"
          hasLinks
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
      <ListPagination
        items="deliveries"
        previous={newer === undefined ? undefined : logPath(webhookId, filter, { after: newer })}
        next={older === undefined ? undefined : logPath(webhookId, filter, { before: older })}
      />
    </Card>
  );
}
