import { Badge, BlockStack, Box, Button, InlineStack, Text } from "@shopify/polaris";
import { useState } from "react";
import type { PrivacyRequestView } from "../../privacy/views.ts";
import { downloadFile } from "../download.ts";
import { ListTable } from "../list-table.tsx";
import { useShopDates } from "../shop-dates.tsx";

const KIND_LABELS: Record<PrivacyRequestView["kind"], string> = { data_request: "Customer data", redact: "Erasure" };

function Status({ request, at }: { request: PrivacyRequestView; at: Date }) {
  if (request.status === "completed") return <Badge tone="success">Completed</Badge>;
  return request.dueAt < at ? <Badge tone="critical">Overdue</Badge> : <Badge tone="attention">In progress</Badge>;
}

interface Row {
  request: PrivacyRequestView;
  at: Date;
  onDownloaded: (succeeded: boolean) => void;
}

/** Returns a label for the customer, whose id is deleted by an erasure. */
function customerName({ customerId, kind, status }: PrivacyRequestView): string {
  if (customerId !== null) return `Customer ${customerId}`;
  return kind === "redact" && status === "completed" ? "Erased customer" : "Unknown customer";
}

function DownloadRecord({ request, onDownloaded }: Row) {
  const { formatDate } = useShopDates();
  const [downloading, setDownloading] = useState(false);
  const { id, hasRecord, requestedAt } = request;
  if (!hasRecord) return null;
  const save = async (): Promise<void> => {
    setDownloading(true);
    onDownloaded(await downloadFile(`/app/privacy/${id}`));
    setDownloading(false);
  };
  return (
    <Button
      onClick={() => void save()}
      loading={downloading}
      accessibilityLabel={`Download data of ${customerName(request)}, requested on ${formatDate(requestedAt)}`}
    >
      Download
    </Button>
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
  const { kind, requestedAt, dueAt, completedAt, shopifyRequestId } = row.request;
  return (
    <>
      <td>
        <Text as="span" fontWeight="semibold">
          {customerName(row.request)}
        </Text>
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
      <td>{formatDate(dueAt)}</td>
      <td>{completedAt === null ? "–" : formatDate(completedAt)}</td>
      <td>
        <DownloadRecord {...row} />
      </td>
    </>
  );
}

function NarrowRow(row: Row) {
  const { formatDate } = useShopDates();
  const { kind, requestedAt, dueAt, completedAt, hasRecord, shopifyRequestId } = row.request;
  return (
    <Box padding="400" width="100%">
      <BlockStack gap="200">
        <InlineStack align="space-between" gap="200">
          <Text as="span" fontWeight="semibold">
            {customerName(row.request)}
          </Text>
          <Status request={row.request} at={row.at} />
        </InlineStack>
        <BlockStack>
          <span>{KIND_LABELS[kind]}</span>
          <ShopifyRequest id={shopifyRequestId} />
          <Text as="span" tone="subdued">
            Received {formatDate(requestedAt)},{" "}
            {completedAt === null ? `due ${formatDate(dueAt)}` : `completed ${formatDate(completedAt)}`}
          </Text>
        </BlockStack>
        {hasRecord && (
          <InlineStack>
            <DownloadRecord {...row} />
          </InlineStack>
        )}
      </BlockStack>
    </Box>
  );
}

export function PrivacyRequestsTable(props: Omit<Row, "request"> & { requests: readonly PrivacyRequestView[] }) {
  const { requests, at, onDownloaded } = props;
  return (
    <ListTable
      label="Privacy requests"
      columns={[
        { title: "Customer" },
        { title: "Request" },
        { title: "Status" },
        { title: "Received" },
        { title: "Due" },
        { title: "Completed" },
        { title: "File" },
      ]}
      rows={requests.map((request) => ({
        id: request.id,
        cells: <Cells request={request} at={at} onDownloaded={onDownloaded} />,
        narrow: <NarrowRow request={request} at={at} onDownloaded={onDownloaded} />,
      }))}
    />
  );
}
