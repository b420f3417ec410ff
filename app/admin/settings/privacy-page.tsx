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
  kind: "data_request" | "redact";
  status: "pending" | "completed";
  requestedAt: Date;
  dueAt: Date;
  completedAt: Date | null;
  hasRecord: boolean;
}

const PATH = "/app/settings/privacy";

const KINDS: Record<RequestData["kind"], string> = { data_request: "Copy of their data", redact: "Erasure" };

function Status({ request, at }: { request: RequestData; at: Date }) {
  if (request.status === "completed") return <Badge tone="success">Done</Badge>;
  return request.dueAt < at ? <Badge tone="critical">Overdue</Badge> : <Badge tone="attention">Being done</Badge>;
}

function Guidance() {
  return (
    <Card>
      <BlockStack gap="200">
        <Text as="h2" variant="headingMd">
          What is asked for
        </Text>
        <Text as="p">
          A customer who asks you for their data, or to be forgotten, does so through Shopify, which passes it on. It is
          done here by itself, well within the 30 days that the law gives.
        </Text>
        <Text as="p">
          <b>A copy of their data</b> waits here for 60 days. Download it and send it to the customer. <b>An erasure</b>{" "}
          needs nothing from you: lists, links and history of the customer are gone, and so is who it was.
        </Text>
      </BlockStack>
    </Card>
  );
}

interface Row {
  request: RequestData;
  at: Date;
  /** a copy has come, or has not */
  onSaved: (done: boolean) => void;
}

function Copy({ request: { id, hasRecord, requestedAt }, onSaved }: Row) {
  const { day } = useShopTime();
  const [fetching, setFetching] = useState(false);
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
      accessibilityLabel={`Download the copy that was asked for on ${day(requestedAt)}`}
    >
      Download
    </Button>
  );
}

function Cells(row: Row) {
  const { day } = useShopTime();
  const { kind, requestedAt, dueAt, completedAt } = row.request;
  return (
    <>
      <td>{KINDS[kind]}</td>
      <td>
        <Status request={row.request} at={row.at} />
      </td>
      <td>{day(requestedAt)}</td>
      <td>{day(dueAt)}</td>
      <td>{completedAt === null ? "Not yet" : day(completedAt)}</td>
      <td>
        <Copy {...row} />
      </td>
    </>
  );
}

function NarrowRow(row: Row) {
  const { day } = useShopTime();
  const { kind, requestedAt, dueAt, completedAt, hasRecord } = row.request;
  return (
    <Box padding="400" width="100%">
      <BlockStack gap="200">
        <InlineStack align="space-between" gap="200">
          <Text as="span" fontWeight="semibold">
            {KINDS[kind]}
          </Text>
          <Status request={row.request} at={row.at} />
        </InlineStack>
        <Text as="span" tone="subdued">
          Received {day(requestedAt)}, {completedAt === null ? `due ${day(dueAt)}` : `done ${day(completedAt)}`}
        </Text>
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
          <Banner tone="critical" title="The copy could not be downloaded" onDismiss={() => setFailed(false)}>
            <p>It may be older than 60 days. Reload the page, or try again in a moment.</p>
          </Banner>
        )}
        <Guidance />
        {requests.length === 0 && isFirst ? (
          <Card>
            <EmptyState heading="Nobody has asked yet" image="">
              <p>Requests of your customers appear here by themselves, each with its copy and its date.</p>
            </EmptyState>
          </Card>
        ) : (
          <Card padding="0">
            <ListTable
              of="Privacy requests"
              columns={[
                { title: "Asked for" },
                { title: "Status" },
                { title: "Received" },
                { title: "Due" },
                { title: "Done" },
                { title: "Copy" },
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
