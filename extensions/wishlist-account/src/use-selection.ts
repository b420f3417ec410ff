import { useState } from "preact/hooks";
import type { Item } from "@wishlist-headless/sdk";
import { keyOf } from "./use-entries.ts";

/** Keeps which items a shopper has selected. */
export function useSelection(): { isSelected: (item: Item) => boolean; select: (item: Item, on: boolean) => void } {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  return {
    isSelected: (item) => selected.has(keyOf(item)),
    select(item, on) {
      setSelected((before) => {
        const after = new Set(before);
        if (on) after.add(keyOf(item));
        else after.delete(keyOf(item));
        return after;
      });
    },
  };
}
