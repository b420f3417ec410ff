import { useRef, useState } from "preact/hooks";
import type { Item } from "@wishlist-headless/sdk";
import { valueOf } from "./fields.ts";
import { messageOf } from "./messages.ts";
import { failureOf } from "./service.ts";
import { t } from "./texts.ts";
import { keyOf, titleOf, type Details } from "./use-entries.ts";

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
  const modal = useRef<HTMLElementTagNameMap["s-modal"]>(null);
  /** With the item, because the dialog is shown before it is rendered for another one. */
  const [typed, setTyped] = useState<{ key: string; quantity?: string; note?: string }>();
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const key = item ? keyOf(item) : "";
  const own = typed?.key === key ? typed : undefined;
  const quantity = own?.quantity ?? String(item?.quantity ?? 1);
  const note = own?.note ?? item?.note ?? "";

  function restart(): void {
    setTyped(undefined);
    setProblem("");
  }

  async function submit(): Promise<void> {
    if (!item) return;
    const count = Number(quantity);
    if (!Number.isInteger(count) || count < 1 || count > MAX_QUANTITY) {
      setProblem(t("errors.quantity_invalid"));
      return;
    }
    setBusy(true);
    setProblem("");
    try {
      await onSave(item, { quantity: count, note: note.trim() });
      modal.current?.hideOverlay();
    } catch (error) {
      setProblem(messageOf(failureOf(error)));
    } finally {
      setBusy(false);
    }
  }

  return (
    <s-modal id={id} ref={modal} heading={t("edit.heading")} onShow={restart}>
      <s-stack gap="base">
        {item && <s-text type="strong">{titleOf(item)}</s-text>}
        <s-form onSubmit={() => void submit()}>
          <s-stack gap="base">
            <s-number-field
              label={t("edit.quantity")}
              value={quantity}
              error={problem}
              min={1}
              max={MAX_QUANTITY}
              step={1}
              inputMode="numeric"
              onInput={(event) => setTyped({ ...own, key, quantity: valueOf(event) })}
            />
            <s-text-area
              label={t("edit.note")}
              value={note}
              rows={3}
              maxLength={MAX_NOTE}
              autocomplete="off"
              onInput={(event) => setTyped({ ...own, key, note: valueOf(event) })}
            />
          </s-stack>
        </s-form>
      </s-stack>
      <s-button slot="secondary-actions" command="--hide" commandFor={id}>
        {t("cancel")}
      </s-button>
      <s-button slot="primary-action" variant="primary" loading={busy} onClick={() => void submit()}>
        {t("save")}
      </s-button>
    </s-modal>
  );
}
