import { BlockStack, Box, Card, EmptyState, InlineStack, Link, Text } from "@shopify/polaris";
import type { RecentList, RecentLists } from "../../wishlists/staff-view.ts";
import { AdminPage } from "../admin-page.tsx";
import { ListTable } from "../list-table.tsx";
import { useShopTime } from "../shop-time.tsx";
import { ListPages } from "../list-pages.tsx";
import { FindCard } from "./find-card.tsx";
import { countOf, nameOf } from "./owner.ts";

const CHANGES: Record<RecentList["change"], string> = { added: "Item saved", removed: "Item removed" };

function Title({ list: { wishlistId, owner } }: { list: RecentList }) {
  return (
    <Link url={`/app/wishlists/${wishlistId}`} dataPrimaryLink monochrome removeUnderline>
      <Text as="span" fontWeight="semibold" breakWord>
        {nameOf(owner, wishlistId)}
      </Text>
    </Link>
  );
}

function Cells({ list }: { list: RecentList }) {
  const { minute } = useShopTime();
  return (
    <>
      <td>
        <div style={{ maxWidth: "24rem", whiteSpace: "normal" }}>
          <Title list={list} />
        </div>
      </td>
      <td>{countOf(list.itemCount)}</td>
      <td>{CHANGES[list.change]}</td>
      <td>{minute(list.changedAt)}</td>
    </>
  );
}

function NarrowRow({ list }: { list: RecentList }) {
  const { minute } = useShopTime();
  return (
    <Box padding="400" width="100%">
      <BlockStack gap="100">
        <InlineStack align="space-between" blockAlign="start" gap="200">
          <Title list={list} />
          <Text as="span">{countOf(list.itemCount)}</Text>
        </InlineStack>
        <Text as="span" tone="subdued">
          {CHANGES[list.change]} {minute(list.changedAt)}
        </Text>
      </BlockStack>
    </Box>
  );
}

function Recent({ recent: { lists, newer, older } }: { recent: RecentLists }) {
  return (
    <Card padding="0">
      <Box padding="400">
        <Text as="h2" variant="headingMd">
          Changed last
        </Text>
      </Box>
      {lists.length === 0 ? (
        <Box padding="400" paddingBlockStart="0">
          <Text as="p" tone="subdued">
            What was changed here has been changed again since: it is on a newer page.
          </Text>
        </Box>
      ) : (
        <ListTable
          of="Wishlists"
          opens
          columns={[{ title: "Whose" }, { title: "Saved now" }, { title: "Last change" }, { title: "When" }]}
          rows={lists.map((list) => ({
            id: list.wishlistId,
            cells: <Cells list={list} />,
            narrow: <NarrowRow list={list} />,
          }))}
        />
      )}
      <ListPages
        of="wishlists"
        previous={newer === undefined ? undefined : `/app/wishlists?after=${newer}`}
        next={older === undefined ? undefined : `/app/wishlists?before=${older}`}
      />
    </Card>
  );
}

/** Where support begins: a search for somebody's list, and the lists that were changed last. */
export function WishlistsPage({ recent, domain }: { recent: RecentLists; domain: string }) {
  const empty = recent.lists.length === 0 && recent.newer === undefined && recent.older === undefined;
  return (
    <AdminPage title="Wishlists" actions={[{ label: "What staff changed", onAction: "/app/wishlists/audit" }]}>
      <BlockStack gap="400">
        <FindCard domain={domain} />
        {empty ? (
          <Card>
            <EmptyState
              heading="Nobody has saved anything yet"
              image=""
              action={{ content: "Set the heart up", url: "/app" }}
            >
              <p>When a shopper saves a product, their wishlist is here: to look at, to mend, to unshare.</p>
            </EmptyState>
          </Card>
        ) : (
          <Recent recent={recent} />
        )}
      </BlockStack>
    </AdminPage>
  );
}
