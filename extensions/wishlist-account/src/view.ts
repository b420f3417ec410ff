import type { Input } from "@wishlist-headless/sdk";

type Sorting = Required<Pick<Input<"lists.items.list">, "sort" | "direction">>;

/** The orders in which a list can be shown, as the API has them. */
export const ORDERS = {
  newest: { sort: "added_at", direction: "desc" },
  oldest: { sort: "added_at", direction: "asc" },
  price_low: { sort: "price", direction: "asc" },
  price_high: { sort: "price", direction: "desc" },
  by_title: { sort: "title", direction: "asc" },
  custom: { sort: "position", direction: "asc" },
} as const satisfies Record<string, Sorting>;

export type Order = keyof typeof ORDERS;

/** Which items of a list are shown, and in which order. */
export interface View {
  order: Order;
  /** whether only items are shown that can be bought now */
  available: boolean;
  /** what is searched for, or "" */
  q: string;
}

export const WHOLE_LIST: View = { order: "newest", available: false, q: "" };

/** Tells whether a view may leave out items. */
export function isFiltered({ available, q }: View): boolean {
  return available || q !== "";
}
