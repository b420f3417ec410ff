import {
  Badge,
  Banner,
  BlockStack,
  Box,
  Button,
  Card,
  EmptyState,
  IndexTable,
  InlineStack,
  Text,
  useBreakpoints,
} from "@shopify/polaris";
import { useState } from "react";
import { AdminPage } from "../admin-page.tsx";
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

/** All of a shop's privacy requests, newest first. */
export function PrivacyPage(props: {
  requests: readonly RequestData[];
  /** the page after this one begins there */
  next: string | undefined;
  isFirst: boolean;
  at: Date;
}) {
  const { requests, next, isFirst, at } = props;
  const { day } = useShopTime();
  const { smDown: narrow } = useBreakpoints();
  const [fetching, setFetching] = useState<string>();
  const [failed, setFailed] = useState(false);
  const back = { label: "Settings", url: "/app/settings" };

  const record = ({ id, hasRecord, requestedAt }: RequestData) => {
    if (!hasRecord) return null;
    const save = async (): Promise<void> => {
      setFetching(id);
      setFailed(!(await download(`/app/privacy/${id}`)));
      setFetching(undefined);
    };
    return (
      <Button
        onClick={() => void save()}
        loading={fetching === id}
        accessibilityLabel={`Download the copy that was asked for on ${day(requestedAt)}`}
      >
        Download
      </Button>
    );
  };

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
            <IndexTable
              resourceName={{ singular: "request", plural: "requests" }}
              itemCount={requests.length}
              selectable={false}
              condensed={narrow}
              headings={[
                { title: "Asked for" },
                { title: "Status" },
                { title: "Received" },
                { title: "Due" },
                { title: "Done" },
                { title: "Copy" },
              ]}
            >
              {requests.map((request, place) => (
                <IndexTable.Row id={request.id} key={request.id} position={place}>
                  {narrow ? (
                    <Box padding="400" width="100%">
                      <BlockStack gap="200">
                        <InlineStack align="space-between" gap="200">
                          <Text as="span" fontWeight="semibold">
                            {KINDS[request.kind]}
                          </Text>
                          <Status request={request} at={at} />
                        </InlineStack>
                        <Text as="span" tone="subdued">
                          Received {day(request.requestedAt)},{" "}
                          {request.completedAt === null
                            ? `due ${day(request.dueAt)}`
                            : `done ${day(request.completedAt)}`}
                        </Text>
                        {request.hasRecord && <InlineStack>{record(request)}</InlineStack>}
                      </BlockStack>
                    </Box>
                  ) : (
                    <>
                      <IndexTable.Cell>{KINDS[request.kind]}</IndexTable.Cell>
                      <IndexTable.Cell>
                        <Status request={request} at={at} />
                      </IndexTable.Cell>
                      <IndexTable.Cell>{day(request.requestedAt)}</IndexTable.Cell>
                      <IndexTable.Cell>{day(request.dueAt)}</IndexTable.Cell>
                      <IndexTable.Cell>
                        {request.completedAt === null ? "Not yet" : day(request.completedAt)}
                      </IndexTable.Cell>
                      <IndexTable.Cell>{record(request)}</IndexTable.Cell>
                    </>
                  )}
                </IndexTable.Row>
              ))}
            </IndexTable>
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
