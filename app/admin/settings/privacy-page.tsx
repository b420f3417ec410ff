import { Badge, Banner, BlockStack, Box, Button, Card, EmptyState, InlineStack, Text } from "@shopify/polaris";
import { useState } from "react";
import { AdminPage } from "../admin-page.tsx";
import { ListTable } from "../list-table.tsx";
import { useShopTime } from "../shop-time.tsx";
import { ListPages } from "../list-pages.tsx";
import { download } from "../download.ts";

/** A request as the page shows it. */
export interface RequestData {
  id: string;
  /** null once the customer has been erased */
  customerId: string | null;
  /** of a data request */
  shopifyRequestId: string | null;
  kind: "data_request" | "redact";
  status: "pending" | "completed";
  requestedAt: Date;
  dueAt: Date;
  completedAt: Date | null;
  hasRecord: boolean;
}

const PATH = "/app/settings/privacy";

const KINDS: Record<RequestData["kind"], string> = { data_request: "Customer data", redact: "Erasure" };

function Status({ request, at }: { request: RequestData; at: Date }) {
  if (request.status === "completed") return <Badge tone="success">Completed</Badge>;
  return request.dueAt < at ? <Badge tone="critical">Overdue</Badge> : <Badge tone="attention">In progress</Badge>;
}

function Guidance() {
  return (
    <Card>
      <BlockStack gap="200">
        <Text as="h2" variant="headingMd">
          How privacy requests work
        </Text>
        <Text as="p">
          Shopify forwards the requests that your customers make. They're completed automatically, before the 30 days
          that the law allows are over.
        </Text>
        <Text as="p">
          <b>Customer data</b>: download the file and send it to the customer. It's available for 60 days.{" "}
          <b>Erasure</b>: you don't need to do anything. The customer's wishlists, share links and history are deleted,
          and so is the customer ID.
        </Text>
      </BlockStack>
    </Card>
  );
}

interface Row {
  request: RequestData;
  at: Date;
  /** called when a download has ended */
  onSaved: (done: boolean) => void;
}

/** The customer as far as it is kept: an id in Shopify, or that there is none any more. */
function customerName({ customerId, kind, status }: RequestData): string {
  if (customerId !== null) return `Customer ${customerId}`;
  return kind === "redact" && status === "completed" ? "Erased customer" : "Unknown customer";
}

function Copy({ request, onSaved }: Row) {
  const { day } = useShopTime();
  const [fetching, setFetching] = useState(false);
  const { id, hasRecord, requestedAt } = request;
  if (!hasRecord) return null;
  const save = async (): Promise<void> => {
    setFetching(true);
    onSaved(await download(`/app/privacy/${id}`));
    setFetching(false);
  };
  return (
    <Button
      onClick={() => void save()}
      loading={fetching}
      accessibilityLabel={`Download data of ${customerName(request)}, requested on ${day(requestedAt)}`}
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
  const { day } = useShopTime();
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
          <span>{KINDS[kind]}</span>
          <ShopifyRequest id={shopifyRequestId} />
        </BlockStack>
      </td>
      <td>
        <Status request={row.request} at={row.at} />
      </td>
      <td>{day(requestedAt)}</td>
      <td>{day(dueAt)}</td>
      <td>{completedAt === null ? "–" : day(completedAt)}</td>
      <td>
        <Copy {...row} />
      </td>
    </>
  );
}

function NarrowRow(row: Row) {
  const { day } = useShopTime();
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
          <span>{KINDS[kind]}</span>
          <ShopifyRequest id={shopifyRequestId} />
          <Text as="span" tone="subdued">
            Received {day(requestedAt)}, {completedAt === null ? `due ${day(dueAt)}` : `completed ${day(completedAt)}`}
          </Text>
        </BlockStack>
        {hasRecord && (
          <InlineStack>
            <Copy {...row} />
          </InlineStack>
        )}
      </BlockStack>
    </Box>
  );
}

/** All of a shop's privacy requests, newest first. */
export function PrivacyPage(props: {
  requests: readonly RequestData[];
  /** the page after this one begins there */
  next: string | undefined;
  isFirst: boolean;
  at: Date;
}) {
  const { requests, next, isFirst, at } = props;
  const [failed, setFailed] = useState(false);
  const back = { label: "Settings", url: "/app/settings" };
  const saved = (done: boolean): void => setFailed(!done);
  return (
    <AdminPage title="Privacy requests" back={back}>
      <BlockStack gap="400">
        {failed && (
          <Banner tone="critical" title="Couldn't download the file" onDismiss={() => setFailed(false)}>
            <p>Files are deleted after 60 days. Reload the page and try again.</p>
          </Banner>
        )}
        <Guidance />
        {requests.length === 0 && isFirst ? (
          <Card>
            <EmptyState heading="No privacy requests yet" image="">
              <p>Requests that Shopify forwards from your customers appear here.</p>
            </EmptyState>
          </Card>
        ) : (
          <Card padding="0">
            <ListTable
              of="Privacy requests"
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
                cells: <Cells request={request} at={at} onSaved={saved} />,
                narrow: <NarrowRow request={request} at={at} onSaved={saved} />,
              }))}
            />
            <ListPages
              of="privacy requests"
              label={isFirst ? "" : "Back to the newest"}
              previous={isFirst ? undefined : PATH}
              next={next === undefined ? undefined : `${PATH}?after=${next}`}
            />
          </Card>
        )}
      </BlockStack>
    </AdminPage>
  );
}
