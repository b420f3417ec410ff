import { Button, Text } from "@shopify/polaris";
import { memo, type MouseEvent } from "react";
import type { PricedItem } from "../../wishlists/staff/view.ts";
import type { Column } from "../list-table.tsx";
import { useShopDates } from "../shop-dates.tsx";
import { ItemPrice, itemTitle, itemKey, ProductSummary, StockBadge } from "./item-cells.tsx";
import { SelectableRow, SelectableTable } from "./selectable-table.tsx";
import { useSelection } from "./use-selection.ts";

const COLUMNS: readonly Column[] = [{ title: "Product" }, { title: "Price" }, { title: "Stock" }, { title: "Saved" }];

interface RowContent {
  item: PricedItem;
  currency: string | null;
}

/** Memoized apart from the row, which a selection renders again. */
const Cells = memo(function Cells({ item, currency }: RowContent) {
  const { formatDate } = useShopDates();
  return (
    <>
      <td>
        {/* A minimum width, because a title may break anywhere and would leave all of the room to the other columns. */}
        <div style={{ minWidth: "11rem", maxWidth: "26rem", whiteSpace: "normal" }}>
          <ProductSummary item={item} />
        </div>
      </td>
      <td>
        <div style={{ maxWidth: "7rem", whiteSpace: "normal" }}>
          <ItemPrice item={item} currency={currency} />
        </div>
      </td>
      <td>
        <StockBadge stock={item.stock} />
      </td>
      <td>{formatDate(item.addedAt)}</td>
    </>
  );
});

const Row = memo(function Row(
  props: RowContent & { selected: boolean; onSelect: (id: string, selected: boolean) => void },
) {
  const { item, currency, selected, onSelect } = props;
  return (
    <SelectableRow id={itemKey(item)} label={`Select ${itemTitle(item)}`} selected={selected} onSelect={onSelect}>
      <Cells item={item} currency={currency} />
    </SelectableRow>
  );
});

/** Toggles a row's checkbox on a click anywhere in the row. */
function toggleRow(event: MouseEvent<HTMLElement>): void {
  const clicked = event.target;
  if (!(clicked instanceof Element) || clicked.closest("label, input")) return;
  const { shiftKey } = event;
  clicked
    .closest("tr")
    ?.querySelector("input")
    ?.dispatchEvent(new window.MouseEvent("click", { bubbles: true, cancelable: true, shiftKey }));
}

/** Lists a page of items, which can be selected, removed and put into a draft order. */
export function ItemsTable(props: {
  items: readonly PricedItem[];
  currency: string | null;
  onRemove: (keys: readonly string[]) => void;
  /** undefined for a guest's list */
  onDraft: ((keys: readonly string[]) => void) | undefined;
}) {
  const { items, currency, onRemove, onDraft } = props;
  const selection = useSelection(items.map(itemKey));
  const { selected, selectAll } = selection;
  const bar = (
    <>
      <Text as="span" variant="bodySm" fontWeight="medium">
        {selected.length} selected
      </Text>
      {onDraft && (
        <Button
          size="micro"
          onClick={() => {
            onDraft(selected);
            selectAll(false);
          }}
        >
          Add to draft order
        </Button>
      )}
      <Button size="micro" onClick={() => onRemove(selected)}>
        Remove
      </Button>
    </>
  );
  return (
    <div className="list-table">
      <SelectableTable
        label="Items"
        allLabel="Select all items"
        columns={COLUMNS}
        rows={items}
        idOf={itemKey}
        selection={selection}
        bar={bar}
        onRowClick={toggleRow}
        renderRow={(item, id, isSelected, onSelect) => (
          <Row key={id} item={item} currency={currency} selected={isSelected} onSelect={onSelect} />
        )}
      />
    </div>
  );
}
