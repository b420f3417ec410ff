import type { ComponentChildren } from "preact";
import type { Item } from "@wishlist-headless/sdk";
import { isChecked } from "./fields.ts";
import { formatMoney } from "./money.ts";
import { t } from "./texts.ts";
import { titleOf, type Entry } from "./use-entries.ts";

function priceOf({ product }: Item, moneyFormat: string | null): string | undefined {
  if (!product?.price) return undefined;
  const { price, currency } = product;
  if (currency === null) return price;
  const formatted = moneyFormat === null ? undefined : formatMoney(price, moneyFormat);
  return formatted ?? shopify.i18n.formatCurrency(Number(price), { currency });
}

interface Props {
  entry: Entry;
  /** the store's, if it is known */
  moneyFormat: string | null;
  /** the cart permalink of an item that can be bought */
  permalink: string | undefined;
  selected: boolean;
  /** the id of the dialog that changes quantity and note */
  editDialog: string;
  /** the id of the dialog that moves the item, if there is another list */
  moveDialog: string | undefined;
  /** what the customer waits for about the item */
  waitsFor: string | undefined;
  onSelect: (on: boolean) => void;
  /** called when one of these dialogs opens */
  onOpenDialog: () => void;
  onRemove: () => void;
  onUndo: () => void;
  /** the button for an alert about the item */
  children: ComponentChildren;
}

/** Shows an item with its actions. */
export function ItemRow(props: Props) {
  const {
    entry: { item, removed, busy },
    moneyFormat,
    permalink,
    selected,
    editDialog,
    moveDialog,
    waitsFor,
    onSelect,
    onOpenDialog,
    onRemove,
    onUndo,
    children,
  } = props;
  const { product, quantity = 1, note } = item;
  const title = titleOf(item);
  const gone = !product || product.deleted;
  const price = priceOf(item, moneyFormat);
  return (
    <s-stack gap="small" accessibilityRole="list-item">
      <s-divider />
      <s-grid gridTemplateColumns="24px 72px minmax(0, 1fr)" gap="base" alignItems="start">
        {permalink !== undefined && !removed ? (
          <s-checkbox
            accessibilityLabel={t("select_item", { title })}
            checked={selected}
            onChange={(event) => onSelect(isChecked(event))}
          />
        ) : (
          <s-box />
        )}
        {/* The picture of a deleted product may be gone as well. */}
        <s-product-thumbnail {...(!gone && product.imageUrl ? { src: product.imageUrl } : {})} alt="" />
        <s-stack gap="small-200">
          {gone || removed ? <s-text type="strong">{title}</s-text> : <s-link href={product.url}>{title}</s-link>}
          {product?.variantTitle && <s-text color="subdued">{product.variantTitle}</s-text>}
          <s-stack direction="inline" gap="small">
            {price !== undefined && <s-text>{price}</s-text>}
            {quantity > 1 && <s-text color="subdued">{t("quantity", { count: quantity })}</s-text>}
            {gone && <s-badge tone="critical">{t("no_longer_sold")}</s-badge>}
            {!gone && !product.available && <s-badge tone="neutral">{t("sold_out")}</s-badge>}
          </s-stack>
          {note !== undefined && <s-text color="subdued">{note}</s-text>}
          {waitsFor !== undefined && !removed && <s-text color="subdued">{waitsFor}</s-text>}
          {removed && <s-text color="subdued">{t("removed_here")}</s-text>}
        </s-stack>
      </s-grid>
      <s-stack direction="inline" gap="small">
        {/* The same button removes and takes back, and is never disabled, so that the keyboard's focus stays in its place. */}
        <s-button
          accessibilityLabel={t(removed ? "undo_item" : "remove_item", { title })}
          onClick={removed ? onUndo : onRemove}
        >
          {t(removed ? "undo" : "remove")}
        </s-button>
        {!removed && (
          <s-button
            disabled={busy}
            command="--show"
            commandFor={editDialog}
            accessibilityLabel={t("edit.item", { title })}
            onClick={onOpenDialog}
          >
            {t("edit.open")}
          </s-button>
        )}
        {moveDialog !== undefined && !removed && (
          <s-button
            disabled={busy}
            command="--show"
            commandFor={moveDialog}
            accessibilityLabel={t("move_item", { title })}
            onClick={onOpenDialog}
          >
            {t("move")}
          </s-button>
        )}
        {permalink !== undefined && !removed && (
          <s-button href={permalink} accessibilityLabel={t("add_item", { title })}>
            {t("add")}
          </s-button>
        )}
        {!removed && children}
      </s-stack>
    </s-stack>
  );
}
