import { useRef, useState } from "preact/hooks";
import type { Item } from "@wishlist-headless/sdk";
import { valueOf } from "./fields.ts";
import { messageOf } from "./messages.ts";
import { failureOf } from "./service.ts";
import { t } from "./texts.ts";
import { keyOf, titleOf } from "./use-entries.ts";

interface Props {
  id: string;
  /** undefined before the dialog has been opened */
  item: Item | undefined;
  /** at which the customer is told now, or "" */
  targetPrice: string;
  /** whether the customer waits for a lower price already */
  isOn: boolean;
  /** @throws WishlistError */
  onAsk: (item: Item, targetPrice: string | undefined) => Promise<void>;
  onStop: (item: Item) => void;
}

/** Asks for an alert about a lower price of an item, from a price on if the customer names one. */
export function PriceAlert({ id, item, targetPrice, isOn, onAsk, onStop }: Props) {
  const modal = useRef<HTMLElementTagNameMap["s-modal"]>(null);
  /** With the item, because the dialog is shown before it is rendered for another one. */
  const [typed, setTyped] = useState<{ key: string; price: string }>();
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const key = item ? keyOf(item) : "";
  const price = typed?.key === key ? typed.price : targetPrice;

  function restart(): void {
    setTyped(undefined);
    setProblem("");
  }

  async function submit(): Promise<void> {
    if (!item) return;
    setBusy(true);
    try {
      await onAsk(item, price.trim() || undefined);
      modal.current?.hideOverlay();
    } catch (error) {
      const failure = failureOf(error);
      setProblem(failure.code === "invalid_request" ? t("errors.price_invalid") : messageOf(failure));
    } finally {
      setBusy(false);
    }
  }

  return (
    <s-modal id={id} ref={modal} heading={t("ask.drop")} onShow={restart}>
      <s-stack gap="base">
        {item && <s-text type="strong">{titleOf(item)}</s-text>}
        <s-form onSubmit={() => void submit()}>
          <s-number-field
            label={t("ask.target", { currency: item?.product?.currency ?? "" })}
            value={price}
            error={problem}
            inputMode="decimal"
            onInput={(event) => setTyped({ key, price: valueOf(event) })}
          />
        </s-form>
      </s-stack>
      {isOn && (
        <s-button
          slot="secondary-actions"
          tone="critical"
          onClick={() => {
            modal.current?.hideOverlay();
            if (item) onStop(item);
          }}
        >
          {t("ask.stop")}
        </s-button>
      )}
      <s-button slot="primary-action" variant="primary" loading={busy} onClick={() => void submit()}>
        {t("ask.submit")}
      </s-button>
    </s-modal>
  );
}
