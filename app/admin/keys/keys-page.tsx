import { BlockStack, Box, Card, EmptyState, InlineStack, Link, Text } from "@shopify/polaris";
import { AdminPage } from "../admin-page.tsx";
import { ListTable } from "../list-table.tsx";
import { useShopTime } from "../shop-time.tsx";
import { ListPages } from "../list-pages.tsx";
import { KIND_LABELS, SCOPE_WORDS, stateOf, type KeyData } from "./key-data.ts";
import { KeyStateBadge } from "./key-state-badge.tsx";

const NEW = "/app/api-keys/new";
const SETTINGS = { label: "Settings", url: "/app/settings" };

function NoKeys() {
  return (
    <Card>
      <EmptyState heading="Connect a storefront or app" image="" action={{ content: "Create API key", url: NEW }}>
        <p>Create an API key so a headless storefront, mobile app, or back-office system can use wishlists.</p>
      </EmptyState>
    </Card>
  );
}

interface Row {
  apiKey: KeyData;
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
  const { day, minute } = useShopTime();
  const { kind, scopes, createdAt, lastUsedAt, expiresAt } = apiKey;
  return (
    <>
      <td>
        <div style={{ maxWidth: "20rem", whiteSpace: "normal" }}>
          <Title apiKey={apiKey} />
        </div>
      </td>
      <td>
        <KeyStateBadge state={stateOf(apiKey, at)} />
      </td>
      <td>{KIND_LABELS[kind]}</td>
      <td>
        {scopes.map((scope) => (
          <div key={scope}>{SCOPE_WORDS[scope].label}</div>
        ))}
      </td>
      <td>{day(createdAt)}</td>
      <td>{lastUsedAt === null ? "Never" : minute(lastUsedAt)}</td>
      <td>{expiresAt === null ? "Never" : minute(expiresAt)}</td>
    </>
  );
}

function NarrowRow({ apiKey, at }: Row) {
  const { minute } = useShopTime();
  const { kind, scopes, lastUsedAt, expiresAt } = apiKey;
  return (
    <Box padding="400" width="100%">
      <BlockStack gap="150">
        <InlineStack align="space-between" blockAlign="start" gap="200">
          <Title apiKey={apiKey} />
          <KeyStateBadge state={stateOf(apiKey, at)} />
        </InlineStack>
        <Text as="span" tone="subdued">
          {KIND_LABELS[kind]}: {scopes.map((scope) => SCOPE_WORDS[scope].label.toLowerCase()).join(", ")}
        </Text>
        <Text as="span" tone="subdued">
          {lastUsedAt === null ? "Never used" : `Last used ${minute(lastUsedAt)}`}
          {expiresAt === null ? "" : `, expires ${minute(expiresAt)}`}
        </Text>
      </BlockStack>
    </Box>
  );
}

/** A page of the shop's API keys, newest first. */
export function KeysPage(props: { keys: readonly KeyData[]; at: Date; page: number; hasNext: boolean }) {
  const { keys, at, page, hasNext } = props;
  if (keys.length === 0 && page === 1) {
    return (
      <AdminPage title="API keys" back={SETTINGS}>
        <NoKeys />
      </AdminPage>
    );
  }
  return (
    <AdminPage title="API keys" back={SETTINGS} actions={[{ label: "Create API key", onAction: NEW, primary: true }]}>
      <Card padding="0">
        <ListTable
          of="API keys"
          opens
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
        <ListPages
          of="API keys"
          previous={page > 1 ? `/app/api-keys?page=${page - 1}` : undefined}
          next={hasNext ? `/app/api-keys?page=${page + 1}` : undefined}
        />
      </Card>
    </AdminPage>
  );
}
