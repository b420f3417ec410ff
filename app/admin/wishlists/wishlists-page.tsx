import { BlockStack, Box, Card, EmptyState, InlineStack, Link, Text } from "@shopify/polaris";
import type { CustomerNames } from "../../customers/customer-names.ts";
import type { Event } from "../../webhooks/events/events.ts";
import type { RecentList, RecentLists } from "../../wishlists/staff/view.ts";
import { formatCount } from "../format.ts";
import { AdminPage } from "../admin-page.tsx";
import { ListTable } from "../list-table.tsx";
import { useShopDates } from "../shop-dates.tsx";
import { ListPagination } from "../list-pagination.tsx";
import { SearchCard } from "./search-card.tsx";
import { AllowNamesCard, NamesUnavailable, NamesSettings } from "./customer-names-card.tsx";
import { findCustomerName, listLabel, wishlistTitle } from "./owner-labels.ts";

const CHANGE_LABELS: Record<RecentList["change"], string> = {
  added: "Item saved",
  removed: "Item removed",
  updated: "Item changed",
  list_created: "List created",
  list_renamed: "List renamed",
  list_moved: "List reordered",
  list_deleted: "List deleted",
};

interface Row {
  list: RecentList;
  names: CustomerNames;
}

function Title({ list: { wishlistId, owner, name }, names }: Row) {
  const email = owner.kind === "customer" ? findCustomerName(names, owner.customerId)?.email : undefined;
  return (
    <BlockStack gap="050">
      <Link url={`/app/wishlists/${wishlistId}`} dataPrimaryLink monochrome removeUnderline>
        <Text as="span" fontWeight="semibold" breakWord>
          {wishlistTitle(owner, wishlistId, names)}
        </Text>
      </Link>
      {!name.isDefault && (
        <Text as="span" variant="bodySm" breakWord>
          {listLabel(name)}
        </Text>
      )}
      {email !== undefined && (
        <Text as="span" tone="subdued" variant="bodySm" breakWord>
          {email}
        </Text>
      )}
    </BlockStack>
  );
}

function Cells({ list, names }: Row) {
  const { formatDateTime } = useShopDates();
  return (
    <>
      <td>
        <div style={{ maxWidth: "24rem", whiteSpace: "normal" }}>
          <Title list={list} names={names} />
        </div>
      </td>
      <td>{formatCount(list.itemCount, "item")}</td>
      <td>{CHANGE_LABELS[list.change]}</td>
      <td>{formatDateTime(list.changedAt)}</td>
    </>
  );
}

function NarrowRow({ list, names }: Row) {
  const { formatDateTime } = useShopDates();
  return (
    <Box padding="400" width="100%">
      <BlockStack gap="100">
        <InlineStack align="space-between" blockAlign="start" gap="200">
          <Title list={list} names={names} />
          <Text as="span">{formatCount(list.itemCount, "item")}</Text>
        </InlineStack>
        <Text as="span" tone="subdued">
          {CHANGE_LABELS[list.change]} {formatDateTime(list.changedAt)}
        </Text>
      </BlockStack>
    </Box>
  );
}

function RecentWishlists({ recent: { lists, newer, older }, names }: { recent: RecentLists; names: CustomerNames }) {
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
          label="Wishlists"
          hasLinks
          columns={[{ title: "Customer" }, { title: "Items" }, { title: "Last change" }, { title: "Date" }]}
          rows={lists.map((list) => ({
            id: list.wishlistId,
            cells: <Cells list={list} names={names} />,
            narrow: <NarrowRow list={list} names={names} />,
          }))}
        />
      )}
      <ListPagination
        items="wishlists"
        previous={newer === undefined ? undefined : `/app/wishlists?after=${newer}`}
        next={older === undefined ? undefined : `/app/wishlists?before=${older}`}
      />
    </Card>
  );
}

/** Shows the search for a wishlist and the recently updated wishlists. */
export function WishlistsPage(props: {
  recent: RecentLists;
  names: CustomerNames;
  /** events that workflows of Shopify Flow use */
  flowEvents: readonly Event[];
}) {
  const { recent, names, flowEvents } = props;
  const empty = recent.lists.length === 0 && recent.newer === undefined && recent.older === undefined;
  return (
    <AdminPage title="Wishlists" actions={[{ label: "Staff activity", onAction: "/app/wishlists/audit" }]}>
      <BlockStack gap="400">
        <SearchCard names={names} />
        {names.state === "not_permitted" && <AllowNamesCard />}
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
          <RecentWishlists recent={recent} names={names} />
        )}
        {names.state !== "not_permitted" && <NamesSettings names={names} flowEvents={flowEvents} />}
      </BlockStack>
    </AdminPage>
  );
}
