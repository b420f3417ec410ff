import { BlockStack, Box, Card, InlineGrid, InlineStack, Text } from "@shopify/polaris";
import type { CSSProperties } from "react";
import type { Cohort, Cohorts, CohortUnit, Revenue } from "../../analytics/findings.ts";
import { spanParameters, type Span } from "../../analytics/periods.ts";
import { formatCount, formatNumber } from "../format.ts";
import { useNarrow } from "../use-narrow.ts";
import { formatDayRange, formatDayWithYear, formatMonth, formatPeriod } from "./date-ranges.ts";
import { DownloadButton } from "./download-button.tsx";
import { describeUnknownPurchases, Figure, formatPercent } from "./figure.tsx";
import { NothingCounted } from "./nothing-counted.tsx";

const TITLE = "New shoppers";

function share(part: number, whole: number): string {
  return formatPercent(whole === 0 ? 0 : Math.round((100 * part) / whole));
}

function cohortName(cohort: Cohort, unit: CohortUnit): string {
  return unit === "month" ? formatMonth(cohort) : formatDayRange(cohort);
}

/** How many of a cohort's shoppers were active in a later week or month. */
function Cell(props: { cohort: Cohort; index: number; unit: CohortUnit; label?: string }) {
  const { cohort, index, unit, label } = props;
  const active = cohort.later[index] ?? 0;
  const isPartial = cohort.isLastPartial && index === cohort.later.length - 1;
  const style: CSSProperties & Record<"--share", string> = {
    "--share": `${cohort.shoppers === 0 ? 0 : (100 * active) / cohort.shoppers}%`,
  };
  return (
    <span className={isPartial ? "cohort-cell cohort-cell-partial" : "cohort-cell"} style={style}>
      {label !== undefined && <small>{label}</small>}
      {share(active, cohort.shoppers)}
      <small>{formatNumber(active)}</small>
      {isPartial && (
        <Text as="span" visuallyHidden>
          {` this ${unit}, so far`}
        </Text>
      )}
    </span>
  );
}

function WideTable(props: { unit: CohortUnit; cohorts: readonly Cohort[]; total: Totals; knowsOrders: boolean }) {
  const { unit, cohorts, total, knowsOrders } = props;
  const columns = Math.max(0, ...cohorts.map(({ later }) => later.length));
  const rows = columns > 0 ? 2 : 1;
  const bought = (cohort: Totals) => (knowsOrders ? <Part part={cohort.bought} whole={cohort.shoppers} /> : "–");
  return (
    <div className="list-table cohort-table">
      <table aria-label={`New shoppers by the ${unit} of their first save`}>
        <thead>
          <tr>
            <th scope="col" rowSpan={rows}>
              First save
            </th>
            <th scope="col" rowSpan={rows} className="list-table-end">
              Shoppers
            </th>
            <th scope="col" rowSpan={rows} className="list-table-end">
              Came back
            </th>
            <th scope="col" rowSpan={rows} className="list-table-end">
              Bought
            </th>
            {columns > 0 && (
              <th scope="colgroup" colSpan={columns}>
                {unit === "week" ? "Weeks later" : "Months later"}
              </th>
            )}
          </tr>
          {columns > 0 && (
            <tr>
              {Array.from({ length: columns }, (_, index) => (
                <th key={index} scope="col">
                  {index + 1}
                </th>
              ))}
            </tr>
          )}
        </thead>
        <tbody>
          {cohorts.map((cohort) => (
            <tr key={cohort.first}>
              <th scope="row">{cohortName(cohort, unit)}</th>
              <td className="list-table-end">{formatNumber(cohort.shoppers)}</td>
              <td className="list-table-end">
                <Part part={cohort.returned} whole={cohort.shoppers} />
              </td>
              <td className="list-table-end">{bought(cohort)}</td>
              {Array.from({ length: columns }, (_, index) => (
                <td key={index} className="cohort-later-cell">
                  {index < cohort.later.length && <Cell {...{ cohort, index, unit }} />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">All</th>
            <td className="list-table-end">{formatNumber(total.shoppers)}</td>
            <td className="list-table-end">
              <Part part={total.returned} whole={total.shoppers} />
            </td>
            <td className="list-table-end">{bought(total)}</td>
            {columns > 0 && <td colSpan={columns} />}
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

function NarrowList(props: { unit: CohortUnit; cohorts: readonly Cohort[]; knowsOrders: boolean }) {
  const { unit, cohorts, knowsOrders } = props;
  return (
    <div className="list-table">
      <ul aria-label={`New shoppers by the ${unit} of their first save`}>
        {cohorts.map((cohort) => (
          <li key={cohort.first}>
            <Box padding="400" width="100%">
              <BlockStack gap="100">
                <InlineStack align="space-between" gap="200">
                  <Text as="span" fontWeight="semibold">
                    {cohortName(cohort, unit)}
                  </Text>
                  <Text as="span">{formatCount(cohort.shoppers, "shopper")}</Text>
                </InlineStack>
                {cohort.shoppers > 0 && (
                  <>
                    <Text as="span" tone="subdued">
                      {`${formatNumber(cohort.returned)} came back (${share(cohort.returned, cohort.shoppers)})`}
                      {knowsOrders &&
                        `, ${formatNumber(cohort.bought)} bought (${share(cohort.bought, cohort.shoppers)})`}
                    </Text>
                    <ul className="cohort-later">
                      {cohort.later.map((_, index) => (
                        <li key={index}>
                          <Cell
                            {...{ cohort, index, unit }}
                            label={`${unit === "week" ? "Week" : "Month"} ${index + 1}`}
                          />
                        </li>
                      ))}
                    </ul>
                  </>
                )}
              </BlockStack>
            </Box>
          </li>
        ))}
      </ul>
    </div>
  );
}

type Totals = Pick<Cohort, "shoppers" | "customers" | "returned" | "bought">;

/** A count, and beside it the part of the cohort that it is. */
function Part({ part, whole }: { part: number; whole: number }) {
  return (
    <>
      {formatNumber(part)}{" "}
      <Text as="span" tone="subdued">
        {share(part, whole)}
      </Text>
    </>
  );
}

function totalOf(cohorts: readonly Cohort[]): Totals {
  const total = { shoppers: 0, customers: 0, returned: 0, bought: 0 };
  for (const cohort of cohorts) {
    total.shoppers += cohort.shoppers;
    total.customers += cohort.customers;
    total.returned += cohort.returned;
    total.bought += cohort.bought;
  }
  return total;
}

/** Shows who saved for the first time in a period, by week or month: how many came back, when, and how many bought what they had saved. */
export function CohortsCard(props: {
  cohorts: Cohorts;
  /** undefined when it couldn't be loaded */
  revenue: Revenue | undefined;
  span: Span;
}) {
  const { revenue, span } = props;
  const { unit, cohorts, since } = props.cohorts;
  const narrow = useNarrow();
  if (cohorts.length === 0 && since !== undefined) return <NothingCounted title={TITLE} since={since} />;
  const total = totalOf(cohorts);
  const ordersSince = revenue?.first ?? null;
  const knowsOrders = ordersSince !== null;
  const [oldest, newest] = [cohorts[0], cohorts.at(-1)];
  const hasLater = cohorts.some(({ later, shoppers }) => later.length > 0 && shoppers > 0);
  return (
    <Card padding="0">
      <Box padding="400">
        <BlockStack gap="400">
          <BlockStack gap="100">
            <InlineStack align="space-between" blockAlign="center" gap="200">
              <Text as="h2" variant="headingMd">
                {`${TITLE} by ${unit}`}
              </Text>
              {total.shoppers > 0 && (
                <DownloadButton query={{ table: "cohorts", ...spanParameters(span) }} content="new shoppers" />
              )}
            </InlineStack>
            <Text as="p" tone="subdued">
              {since !== undefined
                ? `Counted since ${formatDayWithYear(since)}. `
                : oldest && newest
                  ? `${formatPeriod([{ date: oldest.first }, { date: newest.last }])}. `
                  : ""}
              Shoppers who saved their first item in this period. A guest who logs in is the same shopper.
            </Text>
          </BlockStack>
          {total.shoppers === 0 ? (
            <Text as="p">No shopper saved a first item in this period.</Text>
          ) : (
            <InlineGrid columns={{ xs: 2, sm: 3 }} gap="400">
              <Figure
                label={TITLE}
                description={`${formatCount(total.customers, "customer")}, ${formatCount(total.shoppers - total.customers, "guest")}`}
                value={formatNumber(total.shoppers)}
                change={undefined}
              />
              <Figure
                label="Came back"
                description={`${share(total.returned, total.shoppers)} of them, on a later day up to now`}
                value={formatNumber(total.returned)}
                change={undefined}
              />
              <Figure
                label="Bought"
                description={
                  knowsOrders
                    ? `${share(total.bought, total.shoppers)} of them ordered an item that they had saved`
                    : describeUnknownPurchases(revenue)
                }
                value={knowsOrders ? formatNumber(total.bought) : "–"}
                change={undefined}
              />
            </InlineGrid>
          )}
          {hasLater && (
            <Text as="p" tone="subdued">
              {`${unit === "week" ? "Week" : "Month"} 1 is the ${unit} after that of the first save, and so on, with how many of the shoppers used their wishlist in it. A dashed frame is this ${unit}, so far.`}
              {ordersSince !== null &&
                ` Orders are counted since ${formatDayWithYear(ordersSince)}; guests' orders aren't known.`}
            </Text>
          )}
        </BlockStack>
      </Box>
      {total.shoppers > 0 &&
        (narrow ? (
          <NarrowList {...{ unit, cohorts, knowsOrders }} />
        ) : (
          <WideTable {...{ unit, cohorts, total, knowsOrders }} />
        ))}
    </Card>
  );
}
