import { useLists, type ItemDetails } from "@wishlist-headless/react";
import type { Item, List } from "@wishlist-headless/sdk";
import { useState, type ReactElement } from "react";
import { nameOf } from "../list-name.ts";
import { notify } from "../notices.ts";
import { cartUrl } from "../storefront-api.ts";
import { Dialog } from "./dialog.tsx";
import { ItemProductLink } from "./item-product-link.tsx";
import { ListNameForm } from "./list-name-form.tsx";

/** A saved item, with what the shopper can change of it. */
export function WishlistRow({
  item,
  otherLists,
  onRemove,
  update,
  move,
}: {
  item: Item;
  otherLists: readonly List[];
  onRemove: () => void;
  update: (details: ItemDetails) => Promise<boolean>;
  move: (listId: string) => Promise<boolean>;
}): ReactElement {
  const [isMoving, setMoving] = useState(false);
  const { product, quantity = 1, note = "" } = item;
  const title = product?.title ?? "this product";

  async function moveTo(list: List): Promise<void> {
    setMoving(false);
    if (await move(list.listId)) notify(`${title} was moved to ${nameOf(list)}.`);
  }

  return (
    <li className="row">
      <ItemProductLink item={item} />
      <div className="details">
        <QuantitySelect title={title} quantity={quantity} onChange={(value) => void update({ quantity: value })} />
        <NoteInput title={title} note={note} onChange={(value) => void update({ note: value || null })} />
      </div>
      <div className="actions">
        {product?.available && (
          <a className="button" href={cartUrl([item])} aria-label={`Add to cart: ${title}`}>
            Add to cart
          </a>
        )}
        <button onClick={() => setMoving(true)} aria-label={`Move ${title}`}>
          Move
        </button>
        <button onClick={onRemove} aria-label={`Remove ${title}`}>
          Remove
        </button>
      </div>
      {isMoving && (
        <MoveDialog
          title={title}
          lists={otherLists}
          moveTo={(list) => void moveTo(list)}
          onClose={() => setMoving(false)}
        />
      )}
    </li>
  );
}

function QuantitySelect(props: { title: string; quantity: number; onChange: (value: number) => void }): ReactElement {
  const { title, quantity, onChange } = props;
  const choices = Array.from({ length: Math.max(10, quantity) }, (_, index) => index + 1);
  return (
    <label>
      Quantity
      <select
        aria-label={`Quantity of ${title}`}
        value={quantity}
        onChange={(event) => onChange(Number(event.target.value))}
      >
        {choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    </label>
  );
}

/** Saves the note when the shopper leaves the field. */
function NoteInput(props: { title: string; note: string; onChange: (value: string) => void }): ReactElement {
  const { title, note, onChange } = props;
  return (
    <input
      key={note}
      className="note"
      defaultValue={note}
      maxLength={500}
      placeholder="Add a note"
      aria-label={`Note on ${title}`}
      onBlur={({ target }) => target.value !== note && onChange(target.value)}
      onKeyDown={({ key, currentTarget }) => key === "Enter" && currentTarget.blur()}
    />
  );
}

function MoveDialog(props: {
  title: string;
  lists: readonly List[];
  moveTo: (list: List) => void;
  onClose: () => void;
}): ReactElement {
  const { title, lists, moveTo, onClose } = props;
  const { create } = useLists();
  return (
    <Dialog title={`Move ${title} to`} onClose={onClose}>
      <ul className="choices">
        {lists.map((list) => (
          <li key={list.listId}>
            <button onClick={() => moveTo(list)}>{nameOf(list)}</button>
          </li>
        ))}
      </ul>
      <ListNameForm label="New list" button="Create and move" submit={create} onDone={moveTo} />
    </Dialog>
  );
}
