import { useState } from "preact/hooks";
import type { Item } from "@wishlist-headless/sdk";
import { valueOf } from "./fields.ts";
import { FormDialog } from "./form-dialog.tsx";
import { t } from "./texts.ts";
import { titleOf, type Details } from "./use-entries.ts";
import { useRequest } from "./use-request.ts";

const MAX_QUANTITY = 999;
/** The most characters of a note. */
const MAX_NOTE = 500;

interface Props {
  id: string;
  /** undefined before the dialog has been opened */
  item: Item | undefined;
  /** @throws WishlistError */
  onSave: (item: Item, details: Details) => Promise<void>;
}

/** Lets the customer change the quantity and the note of an item. */
export function EditItem({ id, item, onSave }: Props) {
  const request = useRequest();
  const [typed, setTyped] = useState<{ quantity?: string; note?: string }>({});
  const { quantity = String(item?.quantity ?? 1), note = item?.note ?? "" } = typed;

  function submit(): void {
    if (!item) return;
    const count = Number(quantity);
    if (Number.isInteger(count) && count >= 1 && count <= MAX_QUANTITY) {
      void request.run(() => onSave(item, { quantity: count, note: note.trim() }));
    } else request.refuse(t("errors.quantity_invalid"));
  }

  return (
    <FormDialog
      id={id}
      heading={t("edit.heading")}
      request={request}
      action={t("save")}
      onHide={() => setTyped({})}
      onSubmit={submit}
    >
      {item && <s-text type="strong">{titleOf(item)}</s-text>}
      <s-number-field
        label={t("edit.quantity")}
        value={quantity}
        error={request.problem}
        min={1}
        max={MAX_QUANTITY}
        step={1}
        inputMode="numeric"
        onInput={(event) => setTyped({ ...typed, quantity: valueOf(event) })}
      />
      <s-text-area
        label={t("edit.note")}
        value={note}
        rows={3}
        maxLength={MAX_NOTE}
        autocomplete="off"
        onInput={(event) => setTyped({ ...typed, note: valueOf(event) })}
      />
    </FormDialog>
  );
}
