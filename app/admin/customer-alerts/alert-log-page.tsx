import { useNavigate } from "@remix-run/react";
import {
  Badge,
  BlockStack,
  Box,
  Card,
  EmptyState,
  InlineGrid,
  InlineStack,
  Link,
  Select,
  Text,
} from "@shopify/polaris";
import { ALERT_KINDS } from "../../alerts/kinds.ts";
import { ALERT_STATUSES, type AlertLogPage as AlertLog, type LoggedAlert } from "../../alerts/report.ts";
import { productPath } from "../../analytics/product-path.ts";
import type { CustomerNames } from "../../customers/customer-names.ts";
import { AdminPage } from "../admin-page.tsx";
import { variantTitle } from "../analytics/variant-title.ts";
import { formatPrice } from "../format.ts";
import { ListPagination } from "../list-pagination.tsx";
import { ListTable } from "../list-table.tsx";
import { useShopDates } from "../shop-dates.tsx";
import { customerTitle } from "../wishlists/owner-labels.ts";
import { ALERT_LABELS, ALERT_STATUS_LABELS, alertLogUrl, REASON_LABELS, type AlertFilter } from "./alert-labels.ts";

interface RowProps {
  alert: LoggedAlert;
  names: CustomerNames;
  currency: string | null;
}

const ALL = "";

function Filters({ filters }: { filters: AlertFilter }) {
  const navigate = useNavigate();
  return (
    <InlineGrid columns={{ xs: 1, sm: 2 }} gap="200">
      <Select
        label="Kind"
        options={[
          { value: ALL, label: "All kinds" },
          ...ALERT_KINDS.map((kind) => ({ value: kind, label: ALERT_LABELS[kind].label })),
        ]}
        value={filters.kind ?? ALL}
        onChange={(value) => navigate(alertLogUrl({ ...filters, kind: ALERT_KINDS.find((kind) => kind === value) }))}
      />
      <Select
        label="Outcome"
        options={[
          { value: ALL, label: "All outcomes" },
          ...ALERT_STATUSES.map((status) => ({ value: status, label: ALERT_STATUS_LABELS[status] })),
        ]}
        value={filters.status ?? ALL}
        onChange={(value) =>
          navigate(alertLogUrl({ ...filters, status: ALERT_STATUSES.find((status) => status === value) }))
        }
      />
    </InlineGrid>
  );
}

function Product({ alert: { productId, variantId, productTitle, variantTitle: title } }: { alert: LoggedAlert }) {
  const variant = title === null ? `Variant ${variantId}` : variantTitle(title);
  return (
    <BlockStack gap="050" inlineAlign="start">
      <Link url={productPath(productId)} monochrome removeUnderline>
        <Text as="span" fontWeight="semibold" breakWord>
          {productTitle ?? `Product ${productId}`}
        </Text>
      </Link>
      {variant !== undefined && (
        <Text as="span" tone="subdued" variant="bodySm" breakWord>
          {variant}
        </Text>
      )}
    </BlockStack>
  );
}

/** Returns the price, and of a price drop also the one before: "€99.00 → €79.00". */
function describePrice({ referencePrice, price }: LoggedAlert, currency: string | null): string {
  if (price === null) return "";
  const now = formatPrice(price, currency);
  return referencePrice === null ? now : `${formatPrice(referencePrice, currency)} → ${now}`;
}

const STATUS_TONES = { sent: "success", pending: "attention", suppressed: undefined } as const;

function Outcome({ alert }: { alert: LoggedAlert }) {
  const { status, reason, openedAt, returnedAt, cartedAt, boughtAt } = alert;
  const tone = STATUS_TONES[status];
  const steps = [
    ...(openedAt === null ? [] : ["opened"]),
    ...(returnedAt === null ? [] : ["back in store"]),
    ...(cartedAt === null ? [] : ["added to cart"]),
    ...(boughtAt === null ? [] : ["bought"]),
  ].join(", ");
  return (
    <BlockStack gap="050" inlineAlign="start">
      <Badge {...(tone ? { tone } : {})}>{ALERT_STATUS_LABELS[status]}</Badge>
      {reason !== null && (
        <Text as="span" tone="subdued" variant="bodySm" breakWord>
          {REASON_LABELS[reason]}
        </Text>
      )}
      {steps !== "" && (
        <Text as="span" variant="bodySm">
          {`${steps.slice(0, 1).toUpperCase()}${steps.slice(1)}`}
        </Text>
      )}
    </BlockStack>
  );
}

function Cells({ alert, names, currency }: RowProps) {
  const { formatDateTime } = useShopDates();
  return (
    <>
      <td>
        <div style={{ maxWidth: "18rem", whiteSpace: "normal" }}>
          <Product alert={alert} />
        </div>
      </td>
      <td>
        <BlockStack gap="050">
          <Text as="span">{ALERT_LABELS[alert.kind].label}</Text>
          <Text as="span" tone="subdued" variant="bodySm">
            {describePrice(alert, currency)}
          </Text>
        </BlockStack>
      </td>
      <td>
        <div style={{ maxWidth: "14rem", whiteSpace: "normal", overflowWrap: "anywhere" }}>
          {customerTitle(names, alert.customerId)}
        </div>
      </td>
      <td>
        <div style={{ maxWidth: "16rem", whiteSpace: "normal" }}>
          <Outcome alert={alert} />
        </div>
      </td>
      <td>{formatDateTime(alert.sentAt ?? alert.createdAt)}</td>
    </>
  );
}

function NarrowRow({ alert, names, currency }: RowProps) {
  const { formatDateTime } = useShopDates();
  return (
    <Box padding="400" width="100%">
      <BlockStack gap="150">
        <InlineStack align="space-between" blockAlign="start" gap="200">
          <Product alert={alert} />
          <Text as="span" variant="bodySm">
            {describePrice(alert, currency)}
          </Text>
        </InlineStack>
        <Outcome alert={alert} />
        <Text as="span" tone="subdued" variant="bodySm" breakWord>
          {ALERT_LABELS[alert.kind].label}, {customerTitle(names, alert.customerId)},{" "}
          {formatDateTime(alert.sentAt ?? alert.createdAt)}
        </Text>
      </BlockStack>
    </Box>
  );
}

/** Lists a shop's alerts and what became of them, newest first. */
export function AlertLogPage(
  props: AlertLog & { filters: AlertFilter; names: CustomerNames; currency: string | null },
) {
  const { alerts, hasNewer, hasOlder, filters, names, currency } = props;
  const isFiltered = filters.kind !== undefined || filters.status !== undefined;
  return (
    <AdminPage title="Alert log" back={{ label: "Alerts", url: "/app/alerts" }} fullWidth>
      <Card padding="0">
        <Box padding="400">
          <Filters filters={filters} />
        </Box>
        {alerts.length > 0 ? (
          <ListTable
            // Filters replace the rows, so a new table renders instead of reordering the old one.
            key={alertLogUrl(filters)}
            label="Alerts"
            columns={[
              { title: "Product" },
              { title: "Alert" },
              { title: "Customer" },
              { title: "Outcome" },
              { title: "Date" },
            ]}
            rows={alerts.map((alert) => ({
              id: alert.id,
              cells: <Cells alert={alert} names={names} currency={currency} />,
              narrow: <NarrowRow alert={alert} names={names} currency={currency} />,
            }))}
          />
        ) : (
          <Box paddingInline="400">
            <EmptyState
              heading={isFiltered ? "No matching alerts" : "No alerts yet"}
              image=""
              action={
                isFiltered
                  ? { content: "Clear filters", url: alertLogUrl({}) }
                  : { content: "Alert settings", url: "/app/alerts" }
              }
            >
              <p>
                {isFiltered
                  ? "Choose another kind or outcome."
                  : "Alerts appear here when a saved product changes, whether they were sent or not, and why."}
              </p>
            </EmptyState>
          </Box>
        )}
        <ListPagination
          items="alerts"
          previous={hasNewer ? alertLogUrl(filters, { after: alerts[0]?.id ?? "" }) : undefined}
          next={hasOlder ? alertLogUrl(filters, { before: alerts.at(-1)?.id ?? "" }) : undefined}
        />
      </Card>
    </AdminPage>
  );
}
