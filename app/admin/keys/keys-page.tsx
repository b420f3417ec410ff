import {
  BlockStack,
  Box,
  Card,
  EmptyState,
  IndexTable,
  InlineStack,
  Link,
  Text,
  useBreakpoints,
} from "@shopify/polaris";
import { AdminPage } from "../admin-page.tsx";
import { useShopTime } from "../shop-time.tsx";
import { ListPages } from "../list-pages.tsx";
import { SCOPE_WORDS, stateOf, type KeyData } from "./key-data.ts";
import { KeyStateBadge } from "./key-state-badge.tsx";

const NEW = "/app/api-keys/new";

function NoKeys() {
  return (
    <Card>
      <EmptyState heading="Let other systems in" image="" action={{ content: "Create API key", url: NEW }}>
        <p>A headless storefront, a mobile app or a back office reads and changes wishlists with an API key.</p>
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
  const { scopes, createdAt, lastUsedAt, expiresAt } = apiKey;
  return (
    <>
      <IndexTable.Cell>
        <div style={{ maxWidth: "20rem", whiteSpace: "normal" }}>
          <Title apiKey={apiKey} />
        </div>
      </IndexTable.Cell>
      <IndexTable.Cell>
        <KeyStateBadge state={stateOf(apiKey, at)} />
      </IndexTable.Cell>
      <IndexTable.Cell>
        {scopes.map((scope) => (
          <div key={scope}>{SCOPE_WORDS[scope].label}</div>
        ))}
      </IndexTable.Cell>
      <IndexTable.Cell>{day(createdAt)}</IndexTable.Cell>
      <IndexTable.Cell>{lastUsedAt === null ? "Never" : minute(lastUsedAt)}</IndexTable.Cell>
      <IndexTable.Cell>{expiresAt === null ? "Never" : minute(expiresAt)}</IndexTable.Cell>
    </>
  );
}

/** On a phone a key is a few lines, and nothing has to be pushed aside to be seen. */
function NarrowRow({ apiKey, at }: Row) {
  const { minute } = useShopTime();
  const { scopes, lastUsedAt, expiresAt } = apiKey;
  return (
    <Box padding="400" width="100%">
      <BlockStack gap="150">
        <InlineStack align="space-between" blockAlign="start" gap="200">
          <Title apiKey={apiKey} />
          <KeyStateBadge state={stateOf(apiKey, at)} />
        </InlineStack>
        <Text as="span" tone="subdued">
          {scopes.map((scope) => SCOPE_WORDS[scope].label).join(", ")}
        </Text>
        <Text as="span" tone="subdued">
          {lastUsedAt === null ? "Never used" : `Used ${minute(lastUsedAt)}`}
          {expiresAt === null ? "" : `, expires ${minute(expiresAt)}`}
        </Text>
      </BlockStack>
    </Box>
  );
}

/** All of a shop's API keys, newest first. */
export function KeysPage(props: { keys: readonly KeyData[]; at: Date; page: number; hasNext: boolean }) {
  const { keys, at, page, hasNext } = props;
  const { smDown: narrow } = useBreakpoints();
  if (keys.length === 0 && page === 1) {
    return (
      <AdminPage title="API keys">
        <NoKeys />
      </AdminPage>
    );
  }
  return (
    <AdminPage title="API keys" actions={[{ label: "Create API key", onAction: NEW, primary: true }]}>
      <Card padding="0">
        <IndexTable
          resourceName={{ singular: "API key", plural: "API keys" }}
          itemCount={keys.length}
          selectable={false}
          condensed={narrow}
          headings={[
            { title: "Name" },
            { title: "State" },
            { title: "May" },
            { title: "Created" },
            { title: "Last used" },
            { title: "Expires" },
          ]}
        >
          {keys.map((key, place) => (
            <IndexTable.Row id={key.keyId} key={key.keyId} position={place}>
              {narrow ? <NarrowRow apiKey={key} at={at} /> : <Cells apiKey={key} at={at} />}
            </IndexTable.Row>
          ))}
        </IndexTable>
        <ListPages
          of="API keys"
          previous={page > 1 ? `/app/api-keys?page=${page - 1}` : undefined}
          next={hasNext ? `/app/api-keys?page=${page + 1}` : undefined}
        />
      </Card>
    </AdminPage>
  );
}
