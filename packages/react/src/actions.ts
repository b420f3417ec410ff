import type { Input, Item, List, Output } from "@wishlist-headless/sdk";
import type { DetailName, ItemDetails } from "./changes.ts";

/** What an item can be added with. */
export type AddDetails = Pick<Input<"lists.items.add">, DetailName>;

/** An item by its ids or GIDs; without a variant, every saved variant of the product. */
export interface ItemIds {
  productId: string;
  variantId?: string | undefined;
}

/** How the items of a list change. */
export interface ItemChanges {
  /** Adds an item; without a variant, the product's default variant. @returns whether it succeeded; the promise never rejects */
  add: (item: ItemIds & AddDetails) => Promise<boolean>;
  /** Removes an item. @returns as `add` */
  remove: (item: ItemIds) => Promise<boolean>;
  /** Changes details of an item; null clears one. @returns as `add` */
  update: (item: ItemIds, details: ItemDetails) => Promise<boolean>;
  /** Moves an item to another list. @returns as `add` */
  move: (item: Pick<Item, "productId" | "variantId">, toListId: string) => Promise<boolean>;
}

/** How lists change. */
export interface ListChanges {
  /** Creates a named list, in a plan that has them. @returns undefined on failure (`plan_required`, `list_name_taken`); the promise never rejects */
  create: (name: string) => Promise<List | undefined>;
  /** Renames a list. @returns as `create` */
  rename: (listId: string, name: string) => Promise<List | undefined>;
  /** Deletes a named list with its items. @returns as `create` */
  remove: (listId: string) => Promise<Output<"lists.delete"> | undefined>;
}

/** What changes the shopper's lists and their items. */
export interface Changes {
  itemChanges: (listId: string) => ItemChanges;
  listChanges: ListChanges;
}
