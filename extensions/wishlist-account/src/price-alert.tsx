import { useState } from "preact/hooks";
import type { Item } from "@wishlist-headless/sdk";
import { valueOf } from "./fields.ts";
import { FormDialog } from "./form-dialog.tsx";
import { t } from "./texts.ts";
import { titleOf } from "./use-entries.ts";
import { useRequest } from "./use-request.ts";

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
  const request = useRequest({ invalid_request: "errors.price_invalid" });
  const [typed, setTyped] = useState<string>();
  const price = typed ?? targetPrice;

  function submit(): void {
    if (item) void request.run(() => onAsk(item, price.trim() || undefined));
  }

  function stop(): void {
    request.close();
    if (item) onStop(item);
  }

  return (
    <FormDialog
      id={id}
      heading={t("ask.drop")}
      request={request}
      action={t("ask.submit")}
      secondary={
        isOn ? (
          <s-button slot="secondary-actions" tone="critical" onClick={stop}>
            {t("ask.stop")}
          </s-button>
        ) : undefined
      }
      onHide={() => setTyped(undefined)}
      onSubmit={submit}
    >
      {item && <s-text type="strong">{titleOf(item)}</s-text>}
      <s-number-field
        label={t("ask.target", { currency: item?.product?.currency ?? "" })}
        value={price}
        error={request.problem}
        inputMode="decimal"
        onInput={(event) => setTyped(valueOf(event))}
      />
    </FormDialog>
  );
}
