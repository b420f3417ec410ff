import { BlockStack, Box, Card, EmptyState, InlineStack, Link, Text } from "@shopify/polaris";
import type { CustomerNames } from "../../customers/customer-names.ts";
import type { RecentList, RecentLists } from "../../wishlists/staff-view.ts";
import { AdminPage } from "../admin-page.tsx";
import { ListTable } from "../list-table.tsx";
import { useShopTime } from "../shop-time.tsx";
import { ListPages } from "../list-pages.tsx";
import { FindCard } from "./find-card.tsx";
import { AskForNames, NamesUnavailable, StopShowingNames } from "./names-card.tsx";
import { countOf, nameIn, nameOf } from "./owner.ts";

const CHANGES: Record<RecentList["change"], string> = { added: "Item saved", removed: "Item removed" };

interface Row {
  list: RecentList;
  names: CustomerNames;
}

function Title({ list: { wishlistId, owner }, names }: Row) {
  const email = owner.kind === "customer" ? nameIn(names, owner.customerId)?.email : undefined;
  return (
    <BlockStack gap="050">
      <Link url={`/app/wishlists/${wishlistId}`} dataPrimaryLink monochrome removeUnderline>
        <Text as="span" fontWeight="semibold" breakWord>
          {nameOf(owner, wishlistId, names)}
        </Text>
      </Link>
      {email !== undefined && (
        <Text as="span" tone="subdued" variant="bodySm" breakWord>
          {email}
        </Text>
      )}
    </BlockStack>
  );
}

function Cells({ list, names }: Row) {
  const { minute } = useShopTime();
  return (
    <>
      <td>
        <div style={{ maxWidth: "24rem", whiteSpace: "normal" }}>
          <Title list={list} names={names} />
        </div>
      </td>
      <td>{countOf(list.itemCount)}</td>
      <td>{CHANGES[list.change]}</td>
      <td>{minute(list.changedAt)}</td>
    </>
  );
}

function NarrowRow({ list, names }: Row) {
  const { minute } = useShopTime();
  return (
    <Box padding="400" width="100%">
      <BlockStack gap="100">
        <InlineStack align="space-between" blockAlign="start" gap="200">
          <Title list={list} names={names} />
          <Text as="span">{countOf(list.itemCount)}</Text>
        </InlineStack>
        <Text as="span" tone="subdued">
          {CHANGES[list.change]} {minute(list.changedAt)}
        </Text>
      </BlockStack>
    </Box>
  );
}

function Recent({ recent: { lists, newer, older }, names }: { recent: RecentLists; names: CustomerNames }) {
  return (
    <Card padding="0">
      <Box padding="400">
        <BlockStack gap="100">
          <Text as="h2" variant="headingMd">
            Recently updated
          </Text>
          <NamesUnavailable names={names} />
        </BlockStack>
      </Box>
      {lists.length === 0 ? (
        <Box padding="400" paddingBlockStart="0">
          <Text as="p" tone="subdued">
            These wishlists have been updated again. They are on a newer page.
          </Text>
        </Box>
      ) : (
        <ListTable
          of="Wishlists"
          opens
          columns={[{ title: "Customer" }, { title: "Items" }, { title: "Last change" }, { title: "Date" }]}
          rows={lists.map((list) => ({
            id: list.wishlistId,
            cells: <Cells list={list} names={names} />,
            narrow: <NarrowRow list={list} names={names} />,
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

/** Where support begins: a search for a customer's or guest's list, and the lists that were updated last. */
export function WishlistsPage({ recent, names }: { recent: RecentLists; names: CustomerNames }) {
  const empty = recent.lists.length === 0 && recent.newer === undefined && recent.older === undefined;
  return (
    <AdminPage title="Wishlists" actions={[{ label: "Staff activity", onAction: "/app/wishlists/audit" }]}>
      <BlockStack gap="400">
        <FindCard names={names} />
        {names.state === "not_permitted" && <AskForNames />}
        {empty ? (
          <Card>
            <EmptyState
              heading="No wishlists yet"
              image=""
              action={{ content: "Add wishlist buttons to your theme", url: "/app" }}
            >
              <p>When a shopper saves a product, their wishlist appears here.</p>
            </EmptyState>
          </Card>
        ) : (
          <Recent recent={recent} names={names} />
        )}
        {names.state !== "not_permitted" && <StopShowingNames />}
      </BlockStack>
    </AdminPage>
  );
}
