import { Badge, BlockStack, Box, InlineStack, Link, Text } from "@shopify/polaris";
import { memo, type ReactNode } from "react";
import type { CustomerNames } from "../../customers/customer-names.ts";
import type { IndexedList } from "../../wishlists/staff/view.ts";
import { formatCount, formatNumber, formatPrice } from "../format.ts";
import { openRow, type Column } from "../list-table.tsx";
import { useShopDates } from "../shop-dates.tsx";
import { useNarrow } from "../use-narrow.ts";
import { findCustomerName, listLabel, wishlistTitle } from "./owner-labels.ts";
import { SelectableRow, SelectableTable } from "./selectable-table.tsx";
import type { Selection } from "./use-selection.ts";

const COLUMNS: readonly Column[] = [
  { title: "Owner" },
  { title: "Items", alignment: "end" },
  { title: "Value", alignment: "end" },
  { title: "Stock" },
  { title: "Status" },
  { title: "Last activity" },
];

interface RowContent {
  list: IndexedList;
  names: CustomerNames;
  currency: string | null;
}

function Title({ list: { wishlistId, owner, name }, names }: RowContent) {
  const email = owner.kind === "customer" ? findCustomerName(names, owner.customerId)?.email : undefined;
  return (
    <BlockStack gap="050">
      <Link url={`/app/wishlists/${wishlistId}`} dataPrimaryLink monochrome removeUnderline>
        <Text as="span" fontWeight="semibold" breakWord>
          {wishlistTitle(owner, wishlistId, names)}
        </Text>
      </Link>
      {(!name.isDefault || name.name !== undefined) && (
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

function Stock({ list: { itemCount, outOfStock } }: RowContent) {
  if (itemCount === 0) return null;
  if (outOfStock === 0) return <Text as="span">All in stock</Text>;
  return <Badge tone="warning">{`${formatNumber(outOfStock)} of ${formatNumber(itemCount)} out of stock`}</Badge>;
}

function Marks({ list: { priceDropped, isShared, hasAlerts } }: RowContent) {
  return (
    <InlineStack gap="100">
      {priceDropped > 0 && <Badge tone="info">{formatCount(priceDropped, "price drop")}</Badge>}
      {isShared && <Badge tone="success">Shared</Badge>}
      {hasAlerts && <Badge>Alerts</Badge>}
    </InlineStack>
  );
}

/** Memoized apart from the row, which a selection renders again. */
const Cells = memo(function Cells(props: RowContent) {
  const { list, currency } = props;
  const { formatDateTime } = useShopDates();
  return (
    <>
      <td>
        <div style={{ maxWidth: "20rem", whiteSpace: "normal" }}>
          <Title {...props} />
        </div>
      </td>
      <td className="list-table-end">{formatNumber(list.itemCount)}</td>
      <td className="list-table-end">{formatPrice(list.value, currency)}</td>
      <td>
        <Stock {...props} />
      </td>
      <td>
        <Marks {...props} />
      </td>
      <td>{formatDateTime(list.activeAt)}</td>
    </>
  );
});

const Row = memo(function Row(
  props: RowContent & { selected: boolean; onSelect: (id: string, selected: boolean) => void },
) {
  const { list, names, currency, selected, onSelect } = props;
  return (
    <SelectableRow
      id={list.wishlistId}
      label={`Select ${wishlistTitle(list.owner, list.wishlistId, names)}, ${listLabel(list.name)}`}
      selected={selected}
      onSelect={onSelect}
    >
      <Cells list={list} names={names} currency={currency} />
    </SelectableRow>
  );
});

function NarrowRow(props: RowContent) {
  const { list, currency } = props;
  const { formatDateTime } = useShopDates();
  return (
    <Box padding="400" width="100%">
      <BlockStack gap="150">
        <InlineStack align="space-between" blockAlign="start" gap="200" wrap={false}>
          <Title {...props} />
          <Text as="span">{formatPrice(list.value, currency)}</Text>
        </InlineStack>
        <InlineStack gap="100">
          {list.outOfStock > 0 && <Stock {...props} />}
          <Marks {...props} />
        </InlineStack>
        <Text as="span" tone="subdued" variant="bodySm">
          {formatCount(list.itemCount, "item")}, {formatDateTime(list.activeAt)}
        </Text>
      </BlockStack>
    </Box>
  );
}

/** Lists a page of wishlists. On a wide screen they can be selected; `bar` is shown above the headings while some are. */
export function IndexTable(props: {
  lists: readonly IndexedList[];
  names: CustomerNames;
  currency: string | null;
  selection: Selection;
  bar: ReactNode;
}) {
  const { lists, names, currency, selection, bar } = props;
  const narrow = useNarrow();
  if (narrow) {
    return (
      <div className="list-table list-table-links">
        <ul aria-label="Wishlists" onClick={openRow}>
          {lists.map((list) => (
            <li key={list.wishlistId}>
              <NarrowRow list={list} names={names} currency={currency} />
            </li>
          ))}
        </ul>
      </div>
    );
  }
  return (
    <div className="list-table list-table-links">
      <SelectableTable
        label="Wishlists"
        allLabel="Select all wishlists on this page"
        columns={COLUMNS}
        rows={lists}
        idOf={({ wishlistId }) => wishlistId}
        selection={selection}
        bar={bar}
        onRowClick={openRow}
        renderRow={(list, id, selected, onSelect) => (
          <Row key={id} list={list} names={names} currency={currency} selected={selected} onSelect={onSelect} />
        )}
      />
    </div>
  );
}
