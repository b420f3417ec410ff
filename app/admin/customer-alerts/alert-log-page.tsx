import { BlockStack, Box, Card, InlineStack, Link, Text } from "@shopify/polaris";
import type { AlertFilters, AlertLogPage as AlertLog, AlertMoment } from "../../alerts/report.ts";
import { AdminPage } from "../admin-page.tsx";
import { DownloadButton } from "../analytics/download-button.tsx";
import { ProductImage } from "../analytics/product-name.tsx";
import { ListPagination } from "../list-pagination.tsx";
import { ListTable } from "../list-table.tsx";
import { useShopDates } from "../shop-dates.tsx";
import { EmptyList } from "../empty-list.tsx";
import {
  ALERT_LABELS,
  alertLogUrl,
  describePrices,
  filterParameters,
  LOG_PATH,
  momentTitle,
  momentUrl,
} from "./alert-labels.ts";
import { LogFilters } from "./log-filters.tsx";
import { figuresOf, figureTitles, summarize } from "./moment-figures.ts";

interface Props extends AlertLog {
  filters: AlertFilters;
  /** whether this is the page with the newest moments */
  isFirst: boolean;
  /** the shop's calendar day */
  today: string;
  currency: string | null;
  /** whether the merchant lets the app read orders */
  readsOrders: boolean;
}

interface RowProps extends Pick<Props, "filters" | "currency"> {
  moment: AlertMoment;
  /** whether purchases are known */
  countsPurchases: boolean;
}

function MomentLink({ moment, filters }: RowProps) {
  return (
    <Link url={momentUrl(moment.id, filters)} monochrome removeUnderline dataPrimaryLink>
      <Text as="span" fontWeight="semibold" breakWord>
        {momentTitle(moment)}
      </Text>
    </Link>
  );
}

function describeMoment({ moment, currency }: RowProps): string {
  if (moment.productId === null) return "Sent on this day";
  const prices = describePrices(moment, currency);
  return prices === "" ? ALERT_LABELS[moment.kind].label : `${ALERT_LABELS[moment.kind].label}: ${prices}`;
}

function Cells(props: RowProps) {
  const { moment } = props;
  const { formatDateTime } = useShopDates();
  return (
    <>
      <td>
        <div style={{ maxWidth: "24rem", whiteSpace: "normal" }}>
          <InlineStack gap="300" blockAlign="center" wrap={false}>
            {moment.productId !== null && <ProductImage url={moment.imageUrl} />}
            <BlockStack gap="050" inlineAlign="start">
              <MomentLink {...props} />
              <Text as="span" tone="subdued" variant="bodySm">
                {describeMoment(props)}
              </Text>
            </BlockStack>
          </InlineStack>
        </div>
      </td>
      <td>{formatDateTime(moment.at)}</td>
      {figuresOf(moment, props.currency, props.countsPurchases).map(({ title, value }) => (
        <td key={title} className="list-table-end">
          {value}
        </td>
      ))}
    </>
  );
}

function NarrowRow(props: RowProps) {
  const { moment } = props;
  const { formatDateTime } = useShopDates();
  return (
    <Box padding="400" width="100%">
      <BlockStack gap="100" inlineAlign="start">
        <MomentLink {...props} />
        <Text as="span">{describeMoment(props)}</Text>
        <Text as="span">{summarize(moment, props.currency)}</Text>
        <Text as="span" tone="subdued" variant="bodySm">
          {formatDateTime(moment.at)}
        </Text>
      </BlockStack>
    </Box>
  );
}

function NoMoments({ filters, isFirst, older }: Pick<Props, "filters" | "isFirst" | "older">) {
  const isFiltered = Object.keys(filterParameters(filters)).length > 0;
  if (!isFirst || isFiltered) {
    return (
      <EmptyList
        glyph="bell"
        heading={older === undefined ? "No matching alerts" : "No matching alerts so far"}
        action={
          isFirst
            ? { content: "Clear filters", url: alertLogUrl({}) }
            : { content: "Show the newest", url: alertLogUrl(filters) }
        }
      >
        <p>{older === undefined ? "Change the search or the filters." : "Look at older alerts, or choose dates."}</p>
      </EmptyList>
    );
  }
  return (
    <EmptyList glyph="bell" heading="No alerts yet" action={{ content: "Alert settings", url: "/app/alerts" }}>
      <p>Alerts appear here when a saved product changes, whether they were sent or not, and why.</p>
    </EmptyList>
  );
}

/** Lists the moments that alerts followed from, newest first. Each opens its customers. */
export function AlertLogPage(props: Props) {
  const { moments, newer, older, searchedTo, filters, isFirst, today, currency, readsOrders } = props;
  // What was counted before the merchant took the permission back stays.
  const countsPurchases = readsOrders || moments.some(({ bought }) => bought > 0);
  const { formatDateTime } = useShopDates();
  const parameters = filterParameters(filters);
  // Nothing can be searched in a log that is empty as a whole.
  const isEmpty = moments.length === 0 && isFirst && Object.keys(parameters).length === 0 && older === undefined;
  return (
    <AdminPage title="Alert log" back={{ label: "Alerts", url: "/app/alerts" }} fullWidth>
      <Card padding="0">
        {!isEmpty && (
          <Box padding="400">
            <BlockStack gap="300">
              <LogFilters filters={filters} today={today} />
              <InlineStack align="space-between" blockAlign="center" gap="200">
                <Text as="p" tone="subdued">
                  {Object.keys(parameters).length > 0 && searchedTo !== undefined
                    ? `Searched to ${formatDateTime(searchedTo)}. The next page looks at older alerts.`
                    : "Customers, each counted once. Open a row to see them."}
                  {!readsOrders && moments.length > 0 && (
                    <>
                      {" "}
                      {countsPurchases ? "Further purchases" : "Purchases"} aren&apos;t counted, because this app may
                      not read orders. <Link url="/app/alerts">Allow it under Alerts</Link>
                    </>
                  )}
                </Text>
                {moments.length > 0 && (
                  <DownloadButton path={`${LOG_PATH}/csv`} query={parameters} content="alerts by customer" />
                )}
              </InlineStack>
            </BlockStack>
          </Box>
        )}
        {moments.length > 0 ? (
          <ListTable
            // Filters replace the rows, so a new table renders instead of reordering the old one.
            key={alertLogUrl(filters)}
            label="Alerts"
            hasLinks
            columns={[
              { title: "Product" },
              { title: "Date" },
              ...figureTitles(countsPurchases).map((title) => ({ title, alignment: "end" as const })),
            ]}
            rows={moments.map((moment) => ({
              id: String(moment.id),
              cells: <Cells {...{ moment, filters, currency, countsPurchases }} />,
              narrow: <NarrowRow {...{ moment, filters, currency, countsPurchases }} />,
            }))}
          />
        ) : (
          <Box paddingInline="400">
            <NoMoments {...props} />
          </Box>
        )}
        <ListPagination
          items="alerts"
          previous={newer === undefined ? undefined : alertLogUrl(filters, { after: String(newer) })}
          next={older === undefined ? undefined : alertLogUrl(filters, { before: String(older) })}
        />
      </Card>
    </AdminPage>
  );
}
