import { BlockStack, Box, Button, InlineGrid, InlineStack, Link, List, Text } from "@shopify/polaris";
import { ALERT_KINDS, type AlertKind } from "../../alerts/kinds.ts";
import { RESULTS_DAYS, RESULTS_LIMIT, type AlertResults, type ConsentCounts } from "../../alerts/report.ts";
import { Disclosure } from "../disclosure.tsx";
import { formatPercent } from "../analytics/figure.tsx";
import { ListCard } from "../analytics/list-card.tsx";
import { formatNumber, formatPrice } from "../format.ts";
import { ListTable } from "../list-table.tsx";
import { AllowOrdersButton } from "../orders-permission.tsx";
import { ALERT_LABELS, alertLogUrl, OTHER_REASON, REASON_LABELS } from "./alert-labels.ts";

type Group = AlertKind | "all";

interface Props {
  results: AlertResults;
  /** customers who ask, by kind; undefined when the merchant is responsible for the consent */
  consents: Readonly<Record<Group, ConsentCounts>> | undefined;
  /** ISO 4217; null when unknown */
  currency: string | null;
  /** whether the merchant lets the app read orders */
  readsOrders: boolean;
}

/** Title of the card. */
export const RESULTS_TITLE = `Last ${RESULTS_DAYS} days`;

const GROUPS: readonly Group[] = [...ALERT_KINDS, "all"];

const labelOf = (group: Group): string => (group === "all" ? "All alerts" : ALERT_LABELS[group].label);

const statusUrl = (group: Group, status: "sent" | "suppressed"): string =>
  alertLogUrl({ kind: group === "all" ? undefined : group, status });

/** A step of the funnel in the table. */
interface Step {
  title: string;
  value: string;
  /** such as "12%", and further figures; undefined without any */
  note: string | undefined;
  /** page with the customers */
  url?: string | undefined;
}

function rateOf(part: number, whole: number): string | undefined {
  return whole === 0 ? undefined : formatPercent(Math.round((1000 * part) / whole) / 10);
}

const atLeast = (value: number, more: boolean): string => `${more ? "More than " : ""}${formatNumber(value)}`;

function visitNote(opened: number, rate: string | undefined): string | undefined {
  return rate === undefined ? undefined : `${rate}, ${formatNumber(opened)} opened`;
}

function stepsOf(group: Group, { results, consents, currency, readsOrders }: Props): Step[] {
  const { sent, notSent, visited, opened, addedToCart, bought, revenue, moreSent, moreNotSent } = results[group];
  const consented = consents?.[group].consentedOrSent;
  const isKnown = readsOrders || bought > 0;
  return [
    ...(consented === undefined ? [] : [{ title: "Asked", value: formatNumber(consented), note: undefined }]),
    {
      title: "Sent",
      value: atLeast(sent, moreSent),
      note: consented === undefined ? undefined : rateOf(sent, consented),
      url: sent > 0 ? statusUrl(group, "sent") : undefined,
    },
    {
      title: "Not sent",
      value: atLeast(notSent, moreNotSent),
      note: undefined,
      url: notSent > 0 ? statusUrl(group, "suppressed") : undefined,
    },
    { title: "Visited", value: formatNumber(visited), note: visitNote(opened, rateOf(visited, sent)) },
    { title: "In cart", value: formatNumber(addedToCart), note: rateOf(addedToCart, sent) },
    {
      title: "Bought",
      value: isKnown ? formatNumber(bought) : "Not counted",
      note: isKnown ? rateOf(bought, sent) : undefined,
    },
    { title: "Revenue", value: isKnown ? formatPrice(revenue, currency) : "Not counted", note: undefined },
  ];
}

function StepValue({ value, url }: Step) {
  return url === undefined ? (
    <Text as="span" numeric>
      {value}
    </Text>
  ) : (
    <Link url={url}>{value}</Link>
  );
}

function GroupTitle({ group }: { group: Group }) {
  return (
    <Text as="span" fontWeight="semibold">
      {labelOf(group)}
    </Text>
  );
}

function Funnel(props: Props) {
  const rows = GROUPS.map((group) => ({ group, steps: stepsOf(group, props) }));
  return (
    <ListTable
      label="Alerts by kind"
      columns={[
        { title: "Kind" },
        ...(rows[0]?.steps ?? []).map(({ title }) => ({ title, alignment: "end" as const })),
      ]}
      rows={rows.map(({ group, steps }) => ({
        id: group,
        cells: (
          <>
            <td style={{ verticalAlign: "top" }}>
              <GroupTitle group={group} />
            </td>
            {steps.map((step) => (
              <td key={step.title} className="list-table-end">
                <BlockStack>
                  <StepValue {...step} />
                  {/* Reserves the line, so that the figures of a row align. */}
                  <Text as="span" tone="subdued" variant="bodySm" numeric>
                    {step.note ?? "\u{A0}"}
                  </Text>
                </BlockStack>
              </td>
            ))}
          </>
        ),
        narrow: (
          <Box padding="400" width="100%">
            <BlockStack gap="200">
              <GroupTitle group={group} />
              <InlineGrid columns={2} gap="100">
                {steps.map((step) => (
                  <span key={step.title}>
                    {step.title}: <StepValue {...step} />
                    {step.note !== undefined && (
                      <Text as="span" tone="subdued">
                        {" "}
                        ({step.note})
                      </Text>
                    )}
                  </span>
                ))}
              </InlineGrid>
            </BlockStack>
          </Box>
        ),
      }))}
    />
  );
}

/** A reason, with its customers of each kind and of all. */
interface ReasonRow {
  id: string;
  label: string;
  customers: (group: Group) => number;
}

function reasonRows(results: AlertResults): ReasonRow[] {
  // A customer who got no alert of one kind may have got one of another, so each group has reasons that others do not have.
  const given = new Set(GROUPS.toReversed().flatMap((group) => results[group].reasons.map(({ reason }) => reason)));
  const rows: ReasonRow[] = [...given].map((reason) => ({
    id: reason ?? "other",
    label: reason === null ? OTHER_REASON : REASON_LABELS[reason],
    customers: (group) => results[group].reasons.find((of) => of.reason === reason)?.customers ?? 0,
  }));
  const waiting: ReasonRow = {
    id: "waiting",
    label: "It waits: for the digest, the end of quiet hours, or its turn.",
    customers: (group) => results[group].waiting,
  };
  return GROUPS.some((group) => results[group].waiting > 0) ? [...rows, waiting] : rows;
}

function Reasons({ results }: { results: AlertResults }) {
  const groups: Group[] = ALERT_KINDS.filter((kind) => results[kind].notSent + results[kind].waiting > 0);
  groups.push("all");
  return (
    <ListTable
      label="Reasons why alerts were not sent"
      columns={[
        { title: "Not sent because" },
        ...groups.map((group) => ({ title: labelOf(group), alignment: "end" as const })),
      ]}
      rows={reasonRows(results).map(({ id, label, customers }) => ({
        id,
        cells: (
          <>
            <td>
              <div style={{ whiteSpace: "normal" }}>{label}</div>
            </td>
            {groups.map((group) => (
              <td key={group} className="list-table-end">
                {formatNumber(customers(group))}
              </td>
            ))}
          </>
        ),
        narrow: (
          <Box padding="400" width="100%">
            <BlockStack gap="100">
              <InlineStack align="space-between" gap="200" wrap={false}>
                <Text as="span">{label}</Text>
                <Text as="span" fontWeight="semibold" numeric>
                  {formatNumber(customers("all"))}
                </Text>
              </InlineStack>
              <Text as="span" tone="subdued" variant="bodySm">
                {ALERT_KINDS.filter((kind) => customers(kind) > 0)
                  .map((kind) => `${ALERT_LABELS[kind].label}: ${formatNumber(customers(kind))}`)
                  .join(", ")}
              </Text>
            </BlockStack>
          </Box>
        ),
      }))}
    />
  );
}

/** Opens the reasons below the funnel. */
function NotSent({ results }: { results: AlertResults }) {
  if (GROUPS.every((group) => results[group].notSent + results[group].waiting === 0)) return null;
  return (
    <Box borderBlockStartWidth="025" borderColor="border-secondary">
      <Disclosure label="Why alerts were not sent" isInset>
        <Box paddingInline="400" paddingBlockEnd="400">
          <Text as="p" tone="subdued">
            Customers to whom no alert of the kind was sent, each by the newest reason.
          </Text>
        </Box>
        <Reasons results={results} />
      </Disclosure>
    </Box>
  );
}

/** Explains the steps of the funnel below it. */
function Counting({ hasConsents }: { hasConsents: boolean }) {
  return (
    <Box borderBlockStartWidth="025" borderColor="border-secondary">
      <Disclosure label="How customers are counted" isInset>
        <Box paddingInline="400" paddingBlockEnd="400">
          <List>
            <List.Item>
              Percentages are of the customers to whom an alert was sent
              {hasConsents ? "; under Sent, of those who asked" : ""}.
            </List.Item>
            <List.Item>Those who opened the link of an alert, or came to the store otherwise, visited.</List.Item>
            <List.Item>A customer who bought counts in the steps before as well.</List.Item>
            <List.Item>
              Revenue is what they paid for the product within 30 days, less refunds. An order counts for the latest
              alert.
            </List.Item>
          </List>
        </Box>
      </Disclosure>
    </Box>
  );
}

/** Says that purchases are not counted, with the way to turn that on. */
function OrdersNotRead({ hasBought }: { hasBought: boolean }) {
  return (
    <Box padding="400" borderBlockStartWidth="025" borderColor="border-secondary">
      <BlockStack gap="200">
        <Text as="p" tone="subdued">
          {hasBought
            ? "Further purchases aren't counted, because this app may no longer read orders."
            : "Purchases and revenue aren't counted, because this app may not read orders. Orders count from the time that you allow it."}
        </Text>
        <AllowOrdersButton />
      </BlockStack>
    </Box>
  );
}

/** Shows what became of the alerts of the last 30 days, by kind, as a funnel of customers. */
export function ResultsCard(props: Props) {
  const { results, consents, readsOrders } = props;
  const isCut = results.all.moreSent || results.all.moreNotSent;
  return (
    <ListCard
      title={RESULTS_TITLE}
      description={
        <>
          Customers, each counted once, and what they did after an alert.
          {isCut ? ` Of each kind, the newest ${formatNumber(RESULTS_LIMIT)} alerts are counted.` : ""}
        </>
      }
      actions={<Button url={alertLogUrl({})}>View alerts</Button>}
    >
      <Funnel {...props} />
      <NotSent results={results} />
      <Counting hasConsents={consents !== undefined} />
      {!readsOrders && <OrdersNotRead hasBought={results.all.bought > 0} />}
    </ListCard>
  );
}
