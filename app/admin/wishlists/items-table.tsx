import { Button, Checkbox, Text } from "@shopify/polaris";
import { memo, useCallback, useEffect, useRef, type MouseEvent } from "react";
import type { ListedItem } from "../../wishlists/staff-view.ts";
import { useShopTime } from "../shop-time.tsx";
import { itemName, keyOf, Product, StockBadge } from "./item-parts.tsx";
import { useSelection, type Selection } from "./selection.ts";

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
        <Checkbox label={`Select ${itemName(item)}`} labelHidden checked={chosen} onChange={(on) => onChoose(id, on)} />
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

/** Polaris says of a box that stands for some of them that it is mixed, but not to the browser: then the one contradicts the other. */
function AllBox({ of, selection: { chosen, chooseAll } }: { of: number; selection: Selection }) {
  const place = useRef<HTMLDivElement>(null);
  const mixed = chosen.length > 0 && chosen.length < of;
  useEffect(() => {
    const box = place.current?.querySelector("input");
    if (box) box.indeterminate = mixed;
  }, [mixed]);
  return (
    <div ref={place}>
      <Checkbox
        label="Select all items"
        labelHidden
        checked={mixed ? "indeterminate" : chosen.length > 0}
        onChange={() => chooseAll(chosen.length === 0 || mixed)}
      />
    </div>
  );
}

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
  const selection = useSelection(items.map(keyOf));
  const { chosen, choose } = selection;
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
              <AllBox of={items.length} selection={selection} />
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
