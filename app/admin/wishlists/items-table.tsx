import { Button, Text } from "@shopify/polaris";
import { memo, useCallback, useRef, type MouseEvent } from "react";
import type { PricedItem } from "../../wishlists/staff/view.ts";
import { useShopDates } from "../shop-dates.tsx";
import { ItemPrice, itemTitle, itemKey, ProductSummary, StockBadge } from "./item-cells.tsx";
import { preventTextSelection, RowCheckbox } from "./row-checkbox.tsx";
import { useSelection } from "./use-selection.ts";

interface RowProps {
  item: PricedItem;
  currency: string | null;
  selected: boolean;
  onSelect: (id: string, selected: boolean) => void;
}

const Row = memo(function Row({ item, currency, selected, onSelect }: RowProps) {
  const { formatDateTime } = useShopDates();
  const id = itemKey(item);
  return (
    <tr {...(selected ? { className: "list-table-selected" } : {})}>
      <td className="list-table-checkbox">
        <RowCheckbox
          label={`Select ${itemTitle(item)}`}
          checked={selected}
          onChange={(checked) => onSelect(id, checked)}
        />
      </td>
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
      <td>
        <div style={{ minWidth: "6rem", whiteSpace: "normal" }}>{formatDateTime(item.addedAt)}</div>
      </td>
    </tr>
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
  const { selected, select, selectAll } = useSelection(items.map(itemKey));
  const selectedIds = new Set(selected);
  // A change event does not report modifier keys.
  const shiftPressed = useRef(false);
  const onSelect = useCallback((id: string, checked: boolean) => select(id, checked, shiftPressed.current), [select]);
  return (
    <div className="list-table">
      {selected.length > 0 && (
        <div className="list-table-bar">
          <div>
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
          </div>
        </div>
      )}
      <table aria-label="Items">
        <thead>
          <tr>
            <th scope="col" className="list-table-checkbox">
              <RowCheckbox
                label="Select all items"
                checked={selected.length === items.length}
                mixed={selected.length > 0 && selected.length < items.length}
                onChange={selectAll}
              />
            </th>
            <th scope="col">Product</th>
            <th scope="col">Price</th>
            <th scope="col">Stock</th>
            <th scope="col">Saved</th>
          </tr>
        </thead>
        <tbody
          onClickCapture={({ shiftKey }) => {
            shiftPressed.current = shiftKey;
          }}
          onMouseDown={preventTextSelection}
          onClick={toggleRow}
        >
          {items.map((item) => (
            <Row
              key={itemKey(item)}
              item={item}
              currency={currency}
              selected={selectedIds.has(itemKey(item))}
              onSelect={onSelect}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}
