import { createStorefrontClient } from "@wishlist-headless/sdk";
import { getAccessToken, isLoggedIn } from "./customer-login.ts";

/** The wishlist of the page's shopper, who may have logged in before. */
export const client = createStorefrontClient({
  url: import.meta.env.VITE_WISHLIST_URL,
  publishableKey: import.meta.env.VITE_WISHLIST_KEY,
  customer: isLoggedIn() ? getAccessToken : undefined,
});
