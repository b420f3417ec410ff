import { word } from "./words.ts";

/** Shopify's `storefront_login_url` leads back to where the shopper came from. The script sees to it with the others. */
const ADDRESS =
  "{{ routes.storefront_login_url | default: routes.account_login_url | default: '/account/login' | escape }}";

/** A link to the store's login. */
export const logInLink = `<a href="${ADDRESS}" data-wishlist-log-in>${word("log_in")}</a>`;

/** The same, where there is nothing else to do. */
export const logInButton = `<a class="wl-button button" href="${ADDRESS}" data-wishlist-log-in>${word("log_in")}</a>`;

/** For guests, who share once they are logged in. */
export const logInToShare = `<a class="wl-link wl-scripted" href="${ADDRESS}" data-wishlist-log-in data-share-intent>${word("log_in_share")}</a>`;
