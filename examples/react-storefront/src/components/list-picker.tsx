import { useIsSaved, useLists } from "@wishlist-headless/react";
import type { ReactElement } from "react";
import { messageOf } from "../error-messages.ts";
import { nameOf } from "../list-name.ts";
import { Dialog } from "./dialog.tsx";
import { ListNameForm } from "./list-name-form.tsx";

/** Lets the shopper choose the lists that have a variant. */
export function ListPicker({
  productId,
  variantId,
  title,
  onClose,
}: {
  productId: string;
  variantId: string;
  title: string;
  onClose: () => void;
}): ReactElement {
  const { lists, create } = useLists();
  const { listIds, setSaved, error } = useIsSaved(productId, variantId);
  return (
    <Dialog title={`Lists with ${title}`} onClose={onClose}>
      <ul className="choices">
        {lists.map((list) => (
          <li key={list.listId}>
            <label>
              <input
                type="checkbox"
                checked={listIds.includes(list.listId)}
                onChange={(event) => void setSaved(event.target.checked, list.listId)}
              />
              {nameOf(list)}
            </label>
          </li>
        ))}
      </ul>
      <p className="error" role="alert">
        {error && messageOf(error)}
      </p>
      <ListNameForm
        label="New list"
        button="Create"
        submit={create}
        onDone={({ listId }) => void setSaved(true, listId)}
      />
    </Dialog>
  );
}
