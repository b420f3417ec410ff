export { createClient, type ClientOptions, type Credentials, type TokenExchange } from "./client.ts";
export { isWishlistError, WishlistError, type ErrorCode } from "./errors.ts";
export type { Method } from "./method.ts";
export type { Client } from "./methods.ts";
export type { Pages } from "./pages.ts";
export type { RequestOptions, Responding, ResponseDetails } from "./request.ts";
export {
  createStorefrontClient,
  type CustomerLogin,
  type CustomerToken,
  type Merge,
  type ShopperStorage,
  type StorefrontClient,
  type StorefrontOptions,
} from "./storefront.ts";
export type { StreamedChange } from "./stream.ts";
export type { IssuedToken } from "./tokens.ts";
export type { ApiErrorCode, Change, Input, Item, ItemProduct, List, MethodName, Output } from "./types.ts";
