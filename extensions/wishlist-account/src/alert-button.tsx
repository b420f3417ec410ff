import type { Item } from "@wishlist-headless/sdk";
import { kindOf, requestFor, type Requests } from "./alerts.ts";
import { t } from "./texts.ts";
import { titleOf } from "./use-entries.ts";

interface Props {
  item: Item;
  ofItems: Requests;
  /** the id of the dialog for a lower price */
  priceDialog: string;
  /** called when that dialog opens */
  onOpen: () => void;
  onAsk: () => void;
  onStop: () => void;
}

/** Asks for the alert that makes sense for an item: back in stock, or a lower price. Shows nothing where the shop offers none. */
export function AlertButton({ item, ofItems, priceDialog, onOpen, onAsk, onStop }: Props) {
  const kind = kindOf(item);
  const isOn = requestFor(item, ofItems) !== undefined;
  if (!kind || (!isOn && !ofItems.offered.includes(kind))) return null;
  const title = titleOf(item);
  if (kind === "back_in_stock") {
    const text = isOn ? "ask.stop" : "ask.back";
    return (
      <s-button accessibilityLabel={t(`${text}_item`, { title })} onClick={isOn ? onStop : onAsk}>
        {t(text)}
      </s-button>
    );
  }
  const text = isOn ? "ask.change" : "ask.price";
  return (
    <s-button
      command="--show"
      commandFor={priceDialog}
      accessibilityLabel={t(`${text}_item`, { title })}
      onClick={onOpen}
    >
      {t(text)}
    </s-button>
  );
}
