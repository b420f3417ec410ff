import { Badge, BlockStack, Box, Card, InlineGrid, InlineStack, Link, Text } from "@shopify/polaris";
import type { AlertFilters, AlertMoment, LoggedAlert, MomentPage as Moment } from "../../alerts/report.ts";
import { productPath } from "../../analytics/product-path.ts";
import type { CustomerNames } from "../../customers/customer-names.ts";
import { AdminPage } from "../admin-page.tsx";
import { DownloadButton } from "../analytics/download-button.tsx";
import { variantTitle } from "../analytics/variant-title.ts";
import { formatPrice } from "../format.ts";
import { ListPagination } from "../list-pagination.tsx";
import { ListTable } from "../list-table.tsx";
import { useShopDates } from "../shop-dates.tsx";
import { customerTitle } from "../wishlists/owner-labels.ts";
import { useChoices } from "../use-choices.ts";
import { EmptyList } from "../empty-list.tsx";
import {
  ALERT_LABELS,
  alertLogUrl,
  describePrices,
  filterParameters,
  LOG_PATH,
  momentTitle,
  momentUrl,
  OTHER_REASON,
  OUTCOME_LABELS,
  REASON_LABELS,
} from "./alert-labels.ts";
import { OutcomeSelect } from "./log-filters.tsx";
import { summarize } from "./moment-figures.ts";

interface RowProps {
  alert: LoggedAlert;
  names: CustomerNames;
  currency: string | null;
}

/** Shows the variant, and of a reminder its product. */
function Item({ alert }: { alert: LoggedAlert }) {
  const { kind, productId, variantId, productTitle, variantTitle: title } = alert;
  const variant = title === null ? `Variant ${variantId}` : variantTitle(title);
  const product = productTitle ?? `Product ${productId}`;
  return (
    <Text as="span" breakWord>
      {kind === "reminder_due" ? [product, variant].filter((text) => text !== undefined).join(", ") : (variant ?? "–")}
    </Text>
  );
}

/** Returns the price, and of a price drop also the one before: "€99.00 → €79.00". */
function describePrice({ referencePrice, price }: LoggedAlert, currency: string | null): string {
  if (price === null) return "";
  const now = formatPrice(price, currency);
  return referencePrice === null ? now : `${formatPrice(referencePrice, currency)} → ${now}`;
}

const STATUS_TONES = { sent: "success", pending: "attention", suppressed: undefined } as const;

/** A refunded purchase has no revenue, nor has one that counts for a later alert. */
function describePurchase({ revenue }: LoggedAlert, currency: string | null): string {
  return Number(revenue) > 0 ? `bought for ${formatPrice(revenue ?? "", currency)}` : "bought";
}

const CHANNEL_NAMES: Readonly<Record<string, string>> = { email: "Email", flow: "Shopify Flow", klaviyo: "Klaviyo" };

const DELIVERY_LABELS: Readonly<Record<string, string>> = { pending: "waiting", succeeded: "sent", failed: "not sent" };

/** Says what became of an alert by a channel: "Email: not sent, the customer has no email address". */
function describeDelivery({ channel, status, error }: LoggedAlert["deliveries"][number]): string {
  const outcome = `${CHANNEL_NAMES[channel] ?? channel}: ${DELIVERY_LABELS[status] ?? status}`;
  return error === null ? outcome : `${outcome}, ${error}`;
}

function Outcome({ alert, currency }: Omit<RowProps, "names">) {
  const { status, reason, openedAt, returnedAt, addedToCartAt, boughtAt } = alert;
  const tone = STATUS_TONES[status];
  const steps = [
    ...(openedAt === null ? [] : ["opened the link"]),
    ...(returnedAt === null ? [] : ["visited"]),
    ...(addedToCartAt === null ? [] : ["added to cart"]),
    ...(boughtAt === null ? [] : [describePurchase(alert, currency)]),
  ].join(", ");
  return (
    <BlockStack gap="050" inlineAlign="start">
      <Badge {...(tone ? { tone } : {})}>{OUTCOME_LABELS[status]}</Badge>
      {status === "suppressed" && (
        <Text as="span" tone="subdued" variant="bodySm" breakWord>
          {reason === null ? OTHER_REASON : REASON_LABELS[reason]}
        </Text>
      )}
      {alert.deliveries.map((delivery) => (
        <Text as="span" key={delivery.channel} tone="subdued" variant="bodySm" breakWord>
          {describeDelivery(delivery)}
        </Text>
      ))}
      {steps !== "" && (
        <Text as="span" variant="bodySm">
          {`${steps.slice(0, 1).toUpperCase()}${steps.slice(1)}`}
        </Text>
      )}
    </BlockStack>
  );
}

/** Names the customer, with a link to the list that has the item. */
function Customer({ alert: { customerId, wishlistId }, names }: Omit<RowProps, "currency">) {
  const title = (
    <Text as="span" fontWeight="semibold" breakWord>
      {customerTitle(names, customerId)}
    </Text>
  );
  if (wishlistId === null) return title;
  return (
    <Link url={`/app/wishlists/${wishlistId}`} monochrome removeUnderline dataPrimaryLink>
      {title}
    </Link>
  );
}

function Cells({ alert, names, currency }: RowProps) {
  const { formatDateTime } = useShopDates();
  return (
    <>
      <td>
        <div style={{ maxWidth: "16rem", whiteSpace: "normal" }}>
          <Customer alert={alert} names={names} />
        </div>
      </td>
      <td>
        <div style={{ maxWidth: "16rem", whiteSpace: "normal" }}>
          <Item alert={alert} />
        </div>
      </td>
      <td>{describePrice(alert, currency)}</td>
      <td>
        <div style={{ maxWidth: "20rem", whiteSpace: "normal" }}>
          <Outcome alert={alert} currency={currency} />
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
          <Customer alert={alert} names={names} />
          <Text as="span" variant="bodySm">
            {describePrice(alert, currency)}
          </Text>
        </InlineStack>
        <Item alert={alert} />
        <Outcome alert={alert} currency={currency} />
        <Text as="span" tone="subdued" variant="bodySm">
          {formatDateTime(alert.sentAt ?? alert.createdAt)}
        </Text>
      </BlockStack>
    </Box>
  );
}

function Summary({ moment, currency }: { moment: AlertMoment; currency: string | null }) {
  const { formatDateTime } = useShopDates();
  const prices = describePrices(moment, currency);
  return (
    <BlockStack gap="100">
      <Text as="h2" variant="headingMd">
        {moment.productId === null ? (
          momentTitle(moment)
        ) : (
          <Link url={productPath(moment.productId)} monochrome removeUnderline>
            {momentTitle(moment)}
          </Link>
        )}
      </Text>
      <Text as="p" tone="subdued">
        {ALERT_LABELS[moment.kind].label}
        {prices === "" ? "" : `: ${prices}`}, {formatDateTime(moment.at)}
      </Text>
      <Text as="p">Customers: {summarize(moment, currency)}</Text>
      {moment.bought > 0 && moment.revenue === null && (
        <Text as="p" tone="subdued">
          What these customers paid is no longer known: orders are kept for 90 days.
        </Text>
      )}
    </BlockStack>
  );
}

/** Lists the customers of a moment with the outcome of each alert, newest first. */
export function MomentPage(
  props: Moment & {
    moment: AlertMoment;
    /** those of the log, of which the outcome applies here */
    filters: AlertFilters;
    names: CustomerNames;
    currency: string | null;
  },
) {
  const { moment, alerts, hasNewer, hasOlder, filters, names, currency } = props;
  const { status } = filters;
  const { chosen, choose } = useChoices(filters, (choices) => momentUrl(moment.id, choices));
  return (
    <AdminPage title={momentTitle(moment)} back={{ label: "Alert log", url: alertLogUrl(filters) }} fullWidth>
      <Card padding="0">
        <Box padding="400">
          <BlockStack gap="300">
            <Summary moment={moment} currency={currency} />
            <InlineStack align="space-between" blockAlign="end" gap="200">
              <InlineGrid columns={1}>
                <OutcomeSelect value={chosen.status} onChange={(outcome) => choose({ status: outcome })} />
              </InlineGrid>
              {alerts.length > 0 && (
                <DownloadButton
                  path={`${LOG_PATH}/csv`}
                  query={{ moment: String(moment.id), ...filterParameters({ status }) }}
                  content="alerts of this moment"
                />
              )}
            </InlineStack>
          </BlockStack>
        </Box>
        {alerts.length > 0 ? (
          <ListTable
            // Another outcome replaces the rows, so a new table renders instead of reordering the old one.
            key={status}
            label="Customers"
            hasLinks
            columns={[
              { title: "Customer" },
              { title: moment.productId === null ? "Product" : "Variant" },
              { title: "Price" },
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
            <EmptyList
              glyph="bell"
              heading={status === undefined ? "No customers" : "No matching customers"}
              {...(status === undefined
                ? {}
                : {
                    action: {
                      content: "All outcomes",
                      url: momentUrl(moment.id, { ...filters, status: undefined }),
                    },
                  })}
            >
              <p>
                {status === undefined
                  ? "The data of the customers who got these alerts has been erased."
                  : "Choose another outcome."}
              </p>
            </EmptyList>
          </Box>
        )}
        <ListPagination
          items="customers"
          previous={hasNewer ? momentUrl(moment.id, filters, { after: alerts[0]?.id ?? "" }) : undefined}
          next={hasOlder ? momentUrl(moment.id, filters, { before: alerts.at(-1)?.id ?? "" }) : undefined}
        />
      </Card>
    </AdminPage>
  );
}
