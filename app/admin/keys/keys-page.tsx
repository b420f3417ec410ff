import { BlockStack, Card, EmptyState, IndexTable, Link, Pagination, Text } from "@shopify/polaris";
import { AdminPage } from "../admin-page.tsx";
import { useShopTime } from "../shop-time.tsx";
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

/** All of a shop's API keys, newest first. */
export function KeysPage(props: { keys: readonly KeyData[]; at: Date; page: number; hasNext: boolean }) {
  const { keys, at, page, hasNext } = props;
  const { day, minute } = useShopTime();
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
              <IndexTable.Cell>
                <BlockStack gap="050">
                  <Link url={`/app/api-keys/${key.keyId}`} dataPrimaryLink monochrome removeUnderline>
                    <Text as="span" fontWeight="semibold" breakWord>
                      {key.name}
                    </Text>
                  </Link>
                  <Text as="span" tone="subdued" variant="bodySm">
                    {key.keyId}
                  </Text>
                </BlockStack>
              </IndexTable.Cell>
              <IndexTable.Cell>
                <KeyStateBadge state={stateOf(key, at)} />
              </IndexTable.Cell>
              <IndexTable.Cell>
                {key.scopes.map((scope) => (
                  <div key={scope}>{SCOPE_WORDS[scope].label}</div>
                ))}
              </IndexTable.Cell>
              <IndexTable.Cell>{day(key.createdAt)}</IndexTable.Cell>
              <IndexTable.Cell>{key.lastUsedAt === null ? "Never" : minute(key.lastUsedAt)}</IndexTable.Cell>
              <IndexTable.Cell>{key.expiresAt === null ? "Never" : minute(key.expiresAt)}</IndexTable.Cell>
            </IndexTable.Row>
          ))}
        </IndexTable>
        {(page > 1 || hasNext) && (
          <Pagination
            type="table"
            hasPrevious={page > 1}
            previousURL={`/app/api-keys?page=${page - 1}`}
            hasNext={hasNext}
            nextURL={`/app/api-keys?page=${page + 1}`}
            accessibilityLabel="Pages of API keys"
          />
        )}
      </Card>
    </AdminPage>
  );
}
