import { Button, Text } from "@shopify/polaris";
import { memo, useCallback, useEffect, useRef, type MouseEvent } from "react";
import type { ListedItem } from "../../wishlists/staff-view.ts";
import { useShopTime } from "../shop-time.tsx";
import { itemName, keyOf, Product, StockBadge } from "./item-parts.tsx";
import { useSelection } from "./selection.ts";

/** As Polaris draws it, of one element instead of ten: there are many. */
function Box(props: { label: string; checked: boolean; mixed?: boolean; onChange: (on: boolean) => void }) {
  const { label, checked, mixed = false, onChange } = props;
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = mixed;
  }, [mixed]);
  return (
    <label>
      <input
        ref={box}
        type="checkbox"
        aria-label={label}
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
    </label>
  );
}

interface RowProps {
  item: ListedItem;
  chosen: boolean;
  onChoose: (id: string, on: boolean) => void;
}

const Row = memo(function Row({ item, chosen, onChoose }: RowProps) {
  const { minute } = useShopTime();
  const id = keyOf(item);
  return (
    <tr {...(chosen ? { className: "list-table-chosen" } : {})}>
      <td className="list-table-box">
        <Box label={`Select ${itemName(item)}`} checked={chosen} onChange={(on) => onChoose(id, on)} />
      </td>
      <td>
        <div style={{ maxWidth: "26rem", whiteSpace: "normal" }}>
          <Product item={item} />
        </div>
      </td>
      <td>
        <StockBadge stock={item.stock} />
      </td>
      <td>{minute(item.addedAt)}</td>
    </tr>
  );
});

/** A press anywhere in a row ticks its box. */
function tick(event: MouseEvent<HTMLElement>): void {
  const pressed = event.target;
  if (!(pressed instanceof Element) || pressed.closest("label, input")) return;
  const { shiftKey } = event;
  pressed
    .closest("tr")
    ?.querySelector("input")
    ?.dispatchEvent(new window.MouseEvent("click", { bubbles: true, cancelable: true, shiftKey }));
}

/** With the shift key, the boxes between are meant, not the text. */
function keepText(event: MouseEvent): void {
  if (event.shiftKey) event.preventDefault();
}

/** The items of a page, of which some can be chosen and removed. */
export function ItemsTable(props: { items: readonly ListedItem[]; onRemove: (keys: readonly string[]) => void }) {
  const { items, onRemove } = props;
  const { chosen, choose, chooseAll } = useSelection(items.map(keyOf));
  const ticked = new Set(chosen);
  // A box tells that it was ticked, but not which keys were held.
  const through = useRef(false);
  const onChoose = useCallback((id: string, on: boolean) => choose(id, on, through.current), [choose]);
  return (
    <div className="list-table">
      {chosen.length > 0 && (
        <div className="list-table-bar">
          <div>
            <Text as="span" variant="bodySm" fontWeight="medium">
              {chosen.length} selected
            </Text>
            <Button size="micro" onClick={() => onRemove(chosen)}>
              Remove
            </Button>
          </div>
        </div>
      )}
      <table aria-label="Items">
        <thead>
          <tr>
            <th scope="col" className="list-table-box">
              <Box
                label="Select all items"
                checked={chosen.length === items.length}
                mixed={chosen.length > 0 && chosen.length < items.length}
                onChange={chooseAll}
              />
            </th>
            <th scope="col">Product</th>
            <th scope="col">Stock</th>
            <th scope="col">Saved</th>
          </tr>
        </thead>
        <tbody
          onClickCapture={({ shiftKey }) => {
            through.current = shiftKey;
          }}
          onMouseDown={keepText}
          onClick={tick}
        >
          {items.map((item) => (
            <Row key={keyOf(item)} item={item} chosen={ticked.has(keyOf(item))} onChoose={onChoose} />
          ))}
        </tbody>
      </table>
    </div>
  );
}
