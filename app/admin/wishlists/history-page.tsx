import { Badge, BlockStack, Box, Card, InlineStack, Link, Text } from "@shopify/polaris";
import type { CustomerNames } from "../../customers/customer-names.ts";
import type { HistoryView, VersionView } from "../../wishlists/staff/view.ts";
import { AdminPage } from "../admin-page.tsx";
import { formatCount } from "../format.ts";
import { ListPagination } from "../list-pagination.tsx";
import { ListTable } from "../list-table.tsx";
import { useShopDates } from "../shop-dates.tsx";
import { EmptyList } from "../empty-list.tsx";
import { describeProducts, describeSource, describeVersion } from "./history-labels.ts";
import { listLabel, wishlistTitle } from "./owner-labels.ts";

interface Row {
  version: VersionView;
  history: HistoryView;
}

/** Whether the list is now as this version left it. */
function isCurrent({ version, history }: Row): boolean {
  return version.version === history.current && history.deletedAt === undefined;
}

function Change({ version, history }: Row) {
  const text = (
    <Text as="span" fontWeight="semibold" breakWord>
      {describeVersion(version)}
    </Text>
  );
  const products = describeProducts(version);
  const url = `/app/wishlists/${history.wishlistId}/history/${version.version}`;
  return (
    <BlockStack gap="050">
      {version.restorable && !isCurrent({ version, history }) ? (
        <Link url={url} dataPrimaryLink monochrome removeUnderline>
          {text}
        </Link>
      ) : (
        text
      )}
      {products !== "" && (
        <Text as="span" tone="subdued" variant="bodySm" breakWord>
          {products}
        </Text>
      )}
    </BlockStack>
  );
}

function State(row: Row) {
  if (isCurrent(row)) return <Badge tone="success">Current</Badge>;
  return row.version.restorable ? null : <Badge>Can&apos;t be restored</Badge>;
}

function Cells({ version, history }: Row) {
  const { formatDateTime } = useShopDates();
  return (
    <>
      <td>
        <div style={{ maxWidth: "28rem", whiteSpace: "normal" }}>
          <Change version={version} history={history} />
        </div>
      </td>
      <td>{describeSource(version, history.owner)}</td>
      <td>{formatCount(version.itemCount, "item")}</td>
      <td>{formatDateTime(version.at)}</td>
      <td>
        <State version={version} history={history} />
      </td>
    </>
  );
}

function NarrowRow({ version, history }: Row) {
  const { formatDateTime } = useShopDates();
  return (
    <Box padding="400" width="100%">
      <BlockStack gap="100">
        <InlineStack align="space-between" blockAlign="start" gap="200">
          <Change version={version} history={history} />
          <State version={version} history={history} />
        </InlineStack>
        <Text as="span" tone="subdued" variant="bodySm">
          {describeSource(version, history.owner)}, {formatDateTime(version.at)}.{" "}
          {formatCount(version.itemCount, "item")} afterwards.
        </Text>
      </BlockStack>
    </Box>
  );
}

function pageUrl(wishlistId: string, before: string | undefined): string | undefined {
  const url = `/app/wishlists/${wishlistId}/history`;
  if (before === undefined) return undefined;
  return before === "" ? url : `${url}?before=${before}`;
}

/** Shows the versions of a list, newest first. */
export function HistoryPage({ history, names }: { history: HistoryView; names: CustomerNames }) {
  const { wishlistId, versions, newer, older } = history;
  const hasLost = versions.some(({ restorable }) => !restorable);
  return (
    <AdminPage title="History" back={{ label: "Wishlist", url: `/app/wishlists/${wishlistId}` }}>
      <BlockStack gap="400">
        <Card padding="0">
          <Box padding="400">
            <BlockStack gap="100">
              <Text as="h2" variant="headingMd" breakWord>
                {wishlistTitle(history.owner, wishlistId, names)}, {listLabel(history)}
              </Text>
              <Text as="p" tone="subdued">
                Choose a change to see the list as it was after it, and to restore it.
              </Text>
            </BlockStack>
          </Box>
          {versions.length === 0 ? (
            <Box paddingInline="400">
              <EmptyList glyph="clock" heading="No changes are kept">
                <p>The changes of this list are older than the history that the app keeps.</p>
              </EmptyList>
            </Box>
          ) : (
            <ListTable
              label="Versions"
              hasLinks
              columns={[
                { title: "Change" },
                { title: "Made by" },
                { title: "Items afterwards" },
                { title: "Date" },
                { title: "State" },
              ]}
              rows={versions.map((version) => ({
                id: String(version.version),
                cells: <Cells version={version} history={history} />,
                narrow: <NarrowRow version={version} history={history} />,
              }))}
            />
          )}
          <ListPagination items="versions" previous={pageUrl(wishlistId, newer)} next={pageUrl(wishlistId, older)} />
        </Card>
        {hasLost && (
          <Box paddingInline={{ xs: "400", sm: "0" }}>
            <Text as="p" tone="subdued" variant="bodySm">
              A version can&apos;t be restored when the app no longer keeps all changes after it.
            </Text>
          </Box>
        )}
      </BlockStack>
    </AdminPage>
  );
}
