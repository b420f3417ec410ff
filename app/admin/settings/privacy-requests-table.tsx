import { useRevalidator } from "@remix-run/react";
import { Badge, BlockStack, Box, Button, InlineStack, Link, Text } from "@shopify/polaris";
import { useState } from "react";
import type { CustomerNames } from "../../customers/customer-names.ts";
import type { PrivacyRequestView } from "../../privacy/views.ts";
import { downloadFile } from "../download.ts";
import { FailureText } from "../failure-text.tsx";
import { ListTable } from "../list-table.tsx";
import { useForm } from "../use-form.ts";
import { customerTitle, customerUrl } from "../wishlists/owner-labels.ts";
import { useShopDates } from "../shop-dates.tsx";

const KIND_LABELS: Record<PrivacyRequestView["kind"], string> = { data_request: "Customer data", redact: "Erasure" };

/** Returns how far a request is. A record that staff still have to send is theirs to finish in time. */
function stateOf({ kind, status, dueAt, downloadedAt, sentAt }: PrivacyRequestView, at: Date) {
  const isOverdue = dueAt < at;
  if (status === "pending")
    return isOverdue
      ? ({ label: "Overdue", tone: "critical", isOpen: true } as const)
      : ({ label: "In progress", tone: "info", isOpen: true } as const);
  if (kind === "redact") return { label: "Completed", tone: "success", isOpen: false } as const;
  if (sentAt !== null) return { label: "Sent", tone: "success", isOpen: false } as const;
  const label = downloadedAt === null ? "Ready to send" : "Downloaded";
  return { label, tone: isOverdue ? "critical" : "attention", isOpen: true } as const;
}

function Status({ request, at }: { request: PrivacyRequestView; at: Date }) {
  const { formatDate } = useShopDates();
  const { dueAt, completedAt, sentAt } = request;
  const { label, tone, isOpen } = stateOf(request, at);
  const done = sentAt ?? completedAt;
  return (
    <BlockStack gap="050" inlineAlign="start">
      <Badge tone={tone}>{label}</Badge>
      <Text as="span" tone="subdued" variant="bodySm">
        {isOpen ? `${dueAt < at ? "Was due" : "Due"} ${formatDate(dueAt)}` : done === null ? "" : formatDate(done)}
      </Text>
    </BlockStack>
  );
}

interface Row {
  request: PrivacyRequestView;
  names: CustomerNames;
  at: Date;
  onDownloaded: (succeeded: boolean) => void;
}

/** Returns a label for the customer, whose id is deleted by an erasure. */
function customerName({ request: { customerId, kind, status }, names }: Pick<Row, "request" | "names">): string {
  if (customerId !== null) return customerTitle(names, customerId);
  return kind === "redact" && status === "completed" ? "Erased customer" : "Unknown customer";
}

function Customer(row: Row) {
  const { customerId } = row.request;
  const url = customerId === null ? undefined : customerUrl(customerId);
  const name = (
    <Text as="span" fontWeight="semibold" breakWord>
      {customerName(row)}
    </Text>
  );
  return url === undefined ? (
    name
  ) : (
    <Link url={url} target="_top" monochrome removeUnderline>
      {name}
    </Link>
  );
}

/** Downloads the record, as a page to read or for programs, and notes that it was sent. */
function RecordActions(row: Row) {
  const { request, onDownloaded } = row;
  const { formatDate } = useShopDates();
  const { revalidate } = useRevalidator();
  const [downloading, setDownloading] = useState<"html" | "json">();
  const { id, hasRecord, requestedAt, sentAt } = request;
  const sent = useForm("sent", { id });
  if (!hasRecord) return null;
  const save = async (format: "html" | "json"): Promise<void> => {
    setDownloading(format);
    onDownloaded(await downloadFile(`/app/privacy/${id}?format=${format}`));
    setDownloading(undefined);
    revalidate();
  };
  const of = `data of ${customerName(row)}, requested on ${formatDate(requestedAt)}`;
  return (
    <BlockStack gap="100">
      <InlineStack gap="200" blockAlign="center">
        <Button
          onClick={() => void save("html")}
          loading={downloading === "html"}
          accessibilityLabel={`Download ${of}`}
        >
          Download
        </Button>
        <Button
          variant="plain"
          onClick={() => void save("json")}
          loading={downloading === "json"}
          accessibilityLabel={`Download as JSON: ${of}`}
        >
          JSON
        </Button>
        {sentAt === null && (
          <Button variant="plain" onClick={sent.submit} loading={sent.busy} accessibilityLabel={`Mark as sent: ${of}`}>
            Mark as sent
          </Button>
        )}
      </InlineStack>
      <FailureText text={sent.problem} />
    </BlockStack>
  );
}

function ShopifyRequest({ id }: { id: string | null }) {
  if (id === null) return null;
  return (
    <Text as="span" tone="subdued">
      Shopify request {id}
    </Text>
  );
}

function Cells(row: Row) {
  const { formatDate } = useShopDates();
  const { kind, requestedAt, shopifyRequestId } = row.request;
  return (
    <>
      <td>
        <div style={{ maxWidth: "16rem", whiteSpace: "normal" }}>
          <Customer {...row} />
        </div>
      </td>
      <td>
        <BlockStack>
          <span>{KIND_LABELS[kind]}</span>
          <ShopifyRequest id={shopifyRequestId} />
        </BlockStack>
      </td>
      <td>
        <Status request={row.request} at={row.at} />
      </td>
      <td>{formatDate(requestedAt)}</td>
      <td>
        <RecordActions {...row} />
      </td>
    </>
  );
}

function NarrowRow(row: Row) {
  const { formatDate } = useShopDates();
  const { kind, requestedAt, shopifyRequestId } = row.request;
  return (
    <Box padding="400" width="100%">
      <BlockStack gap="200">
        <InlineStack align="space-between" blockAlign="start" gap="200">
          <Customer {...row} />
          <Status request={row.request} at={row.at} />
        </InlineStack>
        <BlockStack>
          <span>{KIND_LABELS[kind]}</span>
          <ShopifyRequest id={shopifyRequestId} />
          <Text as="span" tone="subdued">
            Received {formatDate(requestedAt)}
          </Text>
        </BlockStack>
        <RecordActions {...row} />
      </BlockStack>
    </Box>
  );
}

export function PrivacyRequestsTable(props: Omit<Row, "request"> & { requests: readonly PrivacyRequestView[] }) {
  const { requests, ...shared } = props;
  return (
    <ListTable
      label="Privacy requests"
      columns={[
        { title: "Customer" },
        { title: "Request" },
        { title: "Status" },
        { title: "Received" },
        { title: "File" },
      ]}
      rows={requests.map((request) => ({
        id: request.id,
        cells: <Cells request={request} {...shared} />,
        narrow: <NarrowRow request={request} {...shared} />,
      }))}
    />
  );
}
