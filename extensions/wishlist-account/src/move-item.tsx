import { useState } from "preact/hooks";
import type { List } from "@wishlist-headless/sdk";
import { valueOf } from "./fields.ts";
import { FormDialog } from "./form-dialog.tsx";
import { nameOf } from "./messages.ts";
import { t } from "./texts.ts";
import { useRequest } from "./use-request.ts";

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
  const request = useRequest();
  const [chosen, setChosen] = useState<string>();
  const to = lists.find(({ listId }) => listId === chosen) ?? lists[0];

  function submit(): void {
    request.close();
    if (to) onMove(to);
  }

  return (
    <FormDialog id={id} heading={t("move_item", { title })} request={request} action={t("move")} onSubmit={submit}>
      <s-select label={t("move_to")} value={to?.listId ?? ""} onChange={(event) => setChosen(valueOf(event))}>
        {lists.map((list) => (
          <s-option key={list.listId} value={list.listId}>
            {nameOf(list)}
          </s-option>
        ))}
      </s-select>
    </FormDialog>
  );
}
