import { Badge, BlockStack, Box, Button, Card, InlineStack, Link, Text } from "@shopify/polaris";
import { useState } from "react";
import type { ListView, OwnersList } from "../../wishlists/staff/view.ts";
import { formatCount } from "../format.ts";
import { ListTable } from "../list-table.tsx";
import { useShopDates } from "../shop-dates.tsx";
import { listLabel } from "./owner-labels.ts";

/** Lists that are shown before the merchant asks for all. */
const SHOWN = 6;

interface Row {
  list: OwnersList;
  isCurrent: boolean;
}

function Name({ list, isCurrent }: Row) {
  const name = (
    <Text as="span" fontWeight="semibold" breakWord>
      {listLabel(list)}
    </Text>
  );
  if (!isCurrent) {
    return (
      <Link url={`/app/wishlists/${list.wishlistId}`} dataPrimaryLink monochrome removeUnderline>
        {name}
      </Link>
    );
  }
  return (
    <span aria-current="page">
      <InlineStack gap="200" blockAlign="center">
        {name}
        <Badge tone="info">Shown</Badge>
      </InlineStack>
    </span>
  );
}

function Shared({ list }: { list: OwnersList }) {
  return list.shared ? <Badge tone="success">Shared</Badge> : null;
}

function Cells({ list, isCurrent }: Row) {
  const { formatDateTime } = useShopDates();
  return (
    <>
      <td>
        <div style={{ maxWidth: "20rem", whiteSpace: "normal" }}>
          <Name list={list} isCurrent={isCurrent} />
        </div>
      </td>
      <td>{formatCount(list.itemCount, "item")}</td>
      <td>{formatDateTime(list.updatedAt)}</td>
      <td>
        <Shared list={list} />
      </td>
    </>
  );
}

function NarrowRow({ list, isCurrent }: Row) {
  const { formatDateTime } = useShopDates();
  return (
    <Box paddingInline="400" paddingBlock="300" width="100%">
      <BlockStack gap="100">
        <InlineStack align="space-between" blockAlign="start" gap="200">
          <Name list={list} isCurrent={isCurrent} />
          <Text as="span">{formatCount(list.itemCount, "item")}</Text>
        </InlineStack>
        <InlineStack gap="200" blockAlign="center">
          <Text as="span" tone="subdued" variant="bodySm">
            {formatDateTime(list.updatedAt)}
          </Text>
          <Shared list={list} />
        </InlineStack>
      </BlockStack>
    </Box>
  );
}

/** Lists all lists of a customer or guest, of which the page shows one. */
export function ListsCard({ view: { lists, wishlistId } }: { view: ListView }) {
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? lists : lists.filter((list, index) => index < SHOWN || list.wishlistId === wishlistId);
  return (
    <Card padding="0">
      <Box padding="400">
        <Text as="h2" variant="headingMd">
          Lists
        </Text>
      </Box>
      <ListTable
        label="Lists"
        hasLinks
        columns={[{ title: "Name" }, { title: "Items" }, { title: "Last updated" }, { title: "Share link" }]}
        rows={shown.map((list) => {
          const row = { list, isCurrent: list.wishlistId === wishlistId };
          return { id: list.wishlistId, cells: <Cells {...row} />, narrow: <NarrowRow {...row} /> };
        })}
      />
      {shown.length < lists.length && (
        <Box padding={{ xs: "400", sm: "300" }}>
          <Button variant="plain" onClick={() => setShowsAll(true)}>
            {`Show all ${lists.length} lists`}
          </Button>
        </Box>
      )}
    </Card>
  );
}
