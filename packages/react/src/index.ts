"use client";

export type { AddDetails, ItemIds } from "./actions.ts";
export { WishlistButton, type WishlistButtonProps } from "./button.ts";
export type { Status } from "./cell.ts";
export type { ItemDetails } from "./changes.ts";
export {
  useAlertRequest,
  useIsSaved,
  useLists,
  useWishlist,
  useWishlistClient,
  WishlistProvider,
  type AlertRequest,
  type Heart,
  type ShopperLists,
  type WantedAlert,
  type Wishlist,
  type WishlistOptions,
  type WishlistProviderProps,
} from "./hooks.ts";
