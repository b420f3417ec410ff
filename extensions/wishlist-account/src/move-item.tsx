import { useRef, useState } from "preact/hooks";
import type { List } from "@wishlist-headless/sdk";
import { valueOf } from "./fields.ts";
import { nameOf } from "./messages.ts";
import { t } from "./texts.ts";

interface Props {
  id: string;
  /** of the item */
  title: string;
  /** to which it can go */
  lists: readonly List[];
  onMove: (to: List) => void;
}

/** Asks to which list an item goes. */
export function MoveItem({ id, title, lists, onMove }: Props) {
  const modal = useRef<HTMLElementTagNameMap["s-modal"]>(null);
  const [chosen, setChosen] = useState<string>();
  const to = lists.find(({ listId }) => listId === chosen) ?? lists[0];
  return (
    <s-modal id={id} ref={modal} heading={t("move_item", { title })}>
      <s-select label={t("move_to")} value={to?.listId ?? ""} onChange={(event) => setChosen(valueOf(event))}>
        {lists.map((list) => (
          <s-option key={list.listId} value={list.listId}>
            {nameOf(list)}
          </s-option>
        ))}
      </s-select>
      <s-button slot="secondary-actions" command="--hide" commandFor={id}>
        {t("cancel")}
      </s-button>
      <s-button
        slot="primary-action"
        variant="primary"
        onClick={() => {
          modal.current?.hideOverlay();
          if (to) onMove(to);
        }}
      >
        {t("move")}
      </s-button>
    </s-modal>
  );
}
