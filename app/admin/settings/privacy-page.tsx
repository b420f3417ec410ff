import { Banner, BlockStack, Card, List, Text } from "@shopify/polaris";
import { useState } from "react";
import type { CustomerNames } from "../../customers/customer-names.ts";
import type { PrivacyRequestView } from "../../privacy/views.ts";
import { AdminPage } from "../admin-page.tsx";
import { ListPagination } from "../list-pagination.tsx";
import { usePolling } from "../use-polling.ts";
import { EmptyList } from "../empty-list.tsx";
import { PrivacyRequestsTable } from "./privacy-requests-table.tsx";
import { PersonRequestCard } from "./person-request-card.tsx";

/** Milliseconds between two looks at a request that was just made. */
const POLL_MS = 2_000;

const PATH = "/app/settings/privacy";

function Guidance() {
  return (
    <Card>
      <BlockStack gap="200">
        <Text as="h2" variant="headingMd">
          How privacy requests work
        </Text>
        <Text as="p">Shopify forwards the requests that your customers make. The law allows 30 days.</Text>
        <List>
          <List.Item>
            <b>Customer data</b>: download the file, send it to the customer, and mark it as sent. It&apos;s available
            for 60 days.
          </List.Item>
          <List.Item>
            <b>Erasure</b>: you don&apos;t need to do anything. The customer&apos;s wishlists, share links and history
            are deleted, and so is the customer ID.
          </List.Item>
        </List>
      </BlockStack>
    </Card>
  );
}

/** Lists the shop's privacy requests, newest first. */
export function PrivacyPage(props: {
  requests: readonly PrivacyRequestView[];
  /** cursor of the next page */
  next: string | undefined;
  isFirst: boolean;
  names: CustomerNames;
  at: Date;
}) {
  const { requests, next, isFirst, names, at } = props;
  // A request of staff is fulfilled in seconds.
  usePolling(
    requests.some(({ status, requestedAt }) => status === "pending" && at.getTime() - requestedAt.getTime() < 60_000),
    POLL_MS,
  );
  const [failed, setFailed] = useState(false);
  const back = { label: "Settings", url: "/app/settings" };
  const onDownloaded = (succeeded: boolean): void => setFailed(!succeeded);
  return (
    <AdminPage title="Privacy requests" back={back}>
      <BlockStack gap="400">
        {failed && (
          <Banner tone="critical" title="Couldn't download the file" onDismiss={() => setFailed(false)}>
            <p>Files are deleted after 60 days. Reload the page and try again.</p>
          </Banner>
        )}
        {requests.length === 0 && isFirst ? (
          <Card>
            <EmptyList glyph="shield" heading="No privacy requests yet">
              <p>Requests that Shopify forwards from your customers appear here.</p>
            </EmptyList>
          </Card>
        ) : (
          <Card padding="0">
            <PrivacyRequestsTable {...{ requests, names, at, onDownloaded }} />
            <ListPagination
              items="privacy requests"
              label={isFirst ? "" : "Back to newest"}
              previous={isFirst ? undefined : PATH}
              next={next === undefined ? undefined : `${PATH}?after=${next}`}
            />
          </Card>
        )}
        <PersonRequestCard />
        <Guidance />
      </BlockStack>
    </AdminPage>
  );
}
