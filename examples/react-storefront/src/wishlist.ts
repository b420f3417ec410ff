import { createStorefrontClient } from "@wishlist-headless/sdk";

/** The wishlist of the page's shopper. */
export const wishlist = createStorefrontClient({
  url: import.meta.env.VITE_WISHLIST_URL,
  publishableKey: import.meta.env.VITE_WISHLIST_KEY,
});
