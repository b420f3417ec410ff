import { BlockStack, Box, Card, InlineStack, Link, Text } from "@shopify/polaris";
import type { ApiKey } from "../../access/views.ts";
import { AdminPage } from "../admin-page.tsx";
import { ListTable } from "../list-table.tsx";
import { useShopDates } from "../shop-dates.tsx";
import { ListPagination } from "../list-pagination.tsx";
import { EmptyList } from "../empty-list.tsx";
import { KIND_LABELS, SCOPE_LABELS, keyState } from "./key-data.ts";
import { KeyStateBadge } from "./key-state-badge.tsx";

const NEW_KEY_URL = "/app/api-keys/new";
const SETTINGS_LINK = { label: "Settings", url: "/app/settings" };

function NoKeys() {
  return (
    <Card>
      <EmptyList
        glyph="key"
        heading="Connect a storefront or app"
        action={{ content: "Create API key", url: NEW_KEY_URL }}
      >
        <p>Create an API key so a headless storefront, mobile app, or back-office system can use wishlists.</p>
      </EmptyList>
    </Card>
  );
}

interface Row {
  apiKey: ApiKey;
  at: Date;
}

function Title({ apiKey: { keyId, name } }: Pick<Row, "apiKey">) {
  return (
    <BlockStack gap="050">
      <Link url={`/app/api-keys/${keyId}`} dataPrimaryLink monochrome removeUnderline>
        <Text as="span" fontWeight="semibold" breakWord>
          {name}
        </Text>
      </Link>
      <Text as="span" tone="subdued" variant="bodySm" breakWord>
        {keyId}
      </Text>
    </BlockStack>
  );
}

function Cells({ apiKey, at }: Row) {
  const { formatDate, formatDateTime } = useShopDates();
  const { kind, scopes, createdAt, lastUsedAt, expiresAt } = apiKey;
  return (
    <>
      <td>
        <div style={{ maxWidth: "20rem", whiteSpace: "normal" }}>
          <Title apiKey={apiKey} />
        </div>
      </td>
      <td>
        <KeyStateBadge state={keyState(apiKey, at)} />
      </td>
      <td>{KIND_LABELS[kind]}</td>
      <td>
        {kind === "publishable" ? (
          <div>Each shopper&apos;s own lists</div>
        ) : (
          scopes.map((scope) => <div key={scope}>{SCOPE_LABELS[scope].label}</div>)
        )}
      </td>
      <td>{formatDate(createdAt)}</td>
      <td>{lastUsedAt === null ? "Never" : formatDateTime(lastUsedAt)}</td>
      <td>{expiresAt === null ? "Never" : formatDateTime(expiresAt)}</td>
    </>
  );
}

function NarrowRow({ apiKey, at }: Row) {
  const { formatDateTime } = useShopDates();
  const { kind, scopes, lastUsedAt, expiresAt } = apiKey;
  return (
    <Box padding="400" width="100%">
      <BlockStack gap="150">
        <InlineStack align="space-between" blockAlign="start" gap="200">
          <Title apiKey={apiKey} />
          <KeyStateBadge state={keyState(apiKey, at)} />
        </InlineStack>
        <Text as="span" tone="subdued">
          {KIND_LABELS[kind]}:{" "}
          {kind === "publishable"
            ? "each shopper's own lists"
            : scopes.map((scope) => SCOPE_LABELS[scope].label.toLowerCase()).join(", ")}
        </Text>
        <Text as="span" tone="subdued">
          {lastUsedAt === null ? "Never used" : `Last used ${formatDateTime(lastUsedAt)}`}
          {expiresAt === null ? "" : `, expires ${formatDateTime(expiresAt)}`}
        </Text>
      </BlockStack>
    </Box>
  );
}

/** Lists the shop's API keys, newest first. */
export function KeysPage(props: { keys: readonly ApiKey[]; at: Date; page: number; hasNext: boolean }) {
  const { keys, at, page, hasNext } = props;
  if (keys.length === 0 && page === 1) {
    return (
      <AdminPage title="API keys" back={SETTINGS_LINK}>
        <NoKeys />
      </AdminPage>
    );
  }
  return (
    <AdminPage
      title="API keys"
      back={SETTINGS_LINK}
      actions={[{ label: "Create API key", onAction: NEW_KEY_URL, primary: true }]}
    >
      <Card padding="0">
        <ListTable
          label="API keys"
          hasLinks
          columns={[
            { title: "Name" },
            { title: "Status" },
            { title: "Type" },
            { title: "Permissions" },
            { title: "Created" },
            { title: "Last used" },
            { title: "Expires" },
          ]}
          rows={keys.map((key) => ({
            id: key.keyId,
            cells: <Cells apiKey={key} at={at} />,
            narrow: <NarrowRow apiKey={key} at={at} />,
          }))}
        />
        <ListPagination
          items="API keys"
          previous={page > 1 ? `/app/api-keys?page=${page - 1}` : undefined}
          next={hasNext ? `/app/api-keys?page=${page + 1}` : undefined}
        />
      </Card>
    </AdminPage>
  );
}
