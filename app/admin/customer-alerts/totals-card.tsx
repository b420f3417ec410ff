import { BlockStack, Box, Button, Card, InlineGrid, InlineStack, Text } from "@shopify/polaris";
import { ALERT_KINDS, type AlertKind } from "../../alerts/kinds.ts";
import { TOTALS_DAYS, TOTALS_LIMIT, type AlertTotals } from "../../alerts/report.ts";
import { formatNumber } from "../format.ts";
import { ListTable } from "../list-table.tsx";
import { ALERT_LABELS, alertLogUrl } from "./alert-labels.ts";

const COLUMNS = [
  { title: "Sent", key: "sent" },
  { title: "Opened", key: "opened" },
  { title: "Back in store", key: "returned" },
  { title: "Added to cart", key: "carted" },
  { title: "Bought", key: "bought" },
] as const;

function Figure({ of: totals, metric }: { of: AlertTotals; metric: (typeof COLUMNS)[number]["key"] }) {
  return (
    <Text as="span" numeric>
      {metric === "sent" && totals.more ? "More than " : ""}
      {formatNumber(totals[metric])}
    </Text>
  );
}

function NarrowRow({
  kind,
  totals,
  consented,
}: {
  kind: AlertKind;
  totals: AlertTotals;
  consented: number | undefined;
}) {
  return (
    <Box padding="400" width="100%">
      <BlockStack gap="200">
        <Text as="span" fontWeight="semibold">
          {ALERT_LABELS[kind].label}
        </Text>
        <InlineGrid columns={2} gap="100">
          {consented !== undefined && <Text as="span">Customers who asked: {formatNumber(consented)}</Text>}
          {COLUMNS.map(({ title, key }) => (
            <span key={key}>
              {title}: <Figure of={totals} metric={key} />
            </span>
          ))}
        </InlineGrid>
      </BlockStack>
    </Box>
  );
}

/** Shows what became of the alerts of the last 30 days, by kind. */
export function TotalsCard(props: {
  totals: Readonly<Record<AlertKind, AlertTotals>>;
  /** customers who have asked, by kind; undefined when the merchant is responsible for the consent */
  consented: Readonly<Record<AlertKind, number>> | undefined;
}) {
  const { totals, consented } = props;
  const isCut = ALERT_KINDS.some((kind) => totals[kind].more);
  return (
    <Card padding="0">
      <Box padding="400">
        <BlockStack gap="100">
          <InlineStack align="space-between" blockAlign="center" gap="200">
            <Text as="h2" variant="headingMd">
              Last {TOTALS_DAYS} days
            </Text>
            <Button url={alertLogUrl({})}>View alerts</Button>
          </InlineStack>
          <Text as="p" tone="subdued">
            What customers did after an alert.
            {isCut ? ` Of each kind, the newest ${formatNumber(TOTALS_LIMIT)} alerts are counted.` : ""}
          </Text>
        </BlockStack>
      </Box>
      <ListTable
        label="Alerts by kind"
        columns={[
          { title: "Kind" },
          ...(consented ? [{ title: "Customers who asked", alignment: "end" as const }] : []),
          ...COLUMNS.map(({ title }) => ({ title, alignment: "end" as const })),
        ]}
        rows={ALERT_KINDS.map((kind) => ({
          id: kind,
          cells: (
            <>
              <td>
                <Text as="span" fontWeight="semibold">
                  {ALERT_LABELS[kind].label}
                </Text>
              </td>
              {consented && <td className="list-table-end">{formatNumber(consented[kind])}</td>}
              {COLUMNS.map(({ key }) => (
                <td key={key} className="list-table-end">
                  <Figure of={totals[kind]} metric={key} />
                </td>
              ))}
            </>
          ),
          narrow: <NarrowRow kind={kind} totals={totals[kind]} consented={consented?.[kind]} />,
        }))}
      />
    </Card>
  );
}
