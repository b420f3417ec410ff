import { useState } from "react";
import { DRAFT_ORDER_ITEMS, type DraftOrderOutcome } from "../../orders/draft-order.ts";
import type { ListView, PricedItem } from "../../wishlists/staff/view.ts";
import { formatCount } from "../format.ts";
import { useForm, type AdminForm } from "../use-form.ts";
import { itemKey } from "./item-cells.tsx";
import { listLabel } from "./owner-labels.ts";

/** An item that staff selected for a draft order. */
export interface DraftItem extends PricedItem {
  /** names the item among those of all lists, as the form does */
  key: string;
  listName: string;
}

export interface DraftOrder {
  items: readonly DraftItem[];
  /** says which selected items were not added; undefined for none */
  left: string | undefined;
  outcome: DraftOrderOutcome | undefined;
  form: AdminForm<DraftOrderOutcome>;
  /** Adds items of a list by their keys in it. */
  add: (list: ListView, keys: readonly string[]) => void;
  remove: (keys: readonly string[]) => void;
  clear: () => void;
  /** Removes the outcome, which is not true any more, and keeps the items. */
  dismiss: () => void;
}

/** Says how many selected items were not added, and why. */
function describeLeft(gone: number, surplus: number): string | undefined {
  const parts = [
    ...(gone === 0
      ? []
      : [`${formatCount(gone, "selected item")} can't be ordered, because your store no longer has it.`]),
    ...(surplus === 0
      ? []
      : [`A draft order takes at most ${DRAFT_ORDER_ITEMS} items: ${surplus} more were left out.`]),
  ];
  return parts.length === 0 ? undefined : parts.join(" ");
}

/** Manages the items for a draft order, which stay while staff look at other lists and pages of the customer. */
export function useDraftOrder(idempotencyKey: string): DraftOrder {
  const [items, setItems] = useState<readonly DraftItem[]>([]);
  const [left, setLeft] = useState<string>();
  const [outcome, setOutcome] = useState<DraftOrderOutcome>();
  const onDone = (done: DraftOrderOutcome): void => {
    setOutcome(done);
    if (done.state === "created") change([]);
  };
  const form = useForm<DraftOrderOutcome>("draft-order", { items: [] }, { hidden: { idempotencyKey }, onDone });
  function change(next: readonly DraftItem[]): void {
    setItems(next);
    setLeft(undefined);
    form.set(
      "items",
      next.map(({ key }) => key),
    );
  }
  return {
    items,
    left,
    outcome,
    form,
    add(list, keys) {
      const chosen = new Set(keys);
      const known = new Set(items.map(({ key }) => key));
      const selected = list.items.filter((item) => chosen.has(itemKey(item)));
      const orderable = selected
        .filter(({ stock }) => stock !== "gone")
        .map((item) => ({ ...item, key: `${list.wishlistId} ${itemKey(item)}`, listName: listLabel(list) }))
        .filter(({ key }) => !known.has(key));
      const all = [...items, ...orderable];
      change(all.slice(0, DRAFT_ORDER_ITEMS));
      const gone = selected.filter(({ stock }) => stock === "gone").length;
      setLeft(describeLeft(gone, Math.max(0, all.length - DRAFT_ORDER_ITEMS)));
      setOutcome(undefined);
    },
    remove(keys) {
      const gone = new Set(keys);
      change(items.filter(({ key }) => !gone.has(key)));
      setOutcome(undefined);
    },
    clear() {
      change([]);
      setOutcome(undefined);
      form.reset();
    },
    dismiss: () => setOutcome(undefined),
  };
}
