"use client";

export { WishlistButton, type WishlistButtonProps } from "./button.ts";
export type { ItemDetails } from "./changes.ts";
export {
  useIsSaved,
  useLists,
  useWishlist,
  useWishlistClient,
  WishlistProvider,
  type Heart,
  type ShopperLists,
  type Wishlist,
  type WishlistOptions,
  type WishlistProviderProps,
} from "./hooks.ts";
export type { AddDetails, ItemIds, Status } from "./store.ts";
