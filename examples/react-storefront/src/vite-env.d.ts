/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** the address of Wishlist Headless */
  readonly VITE_WISHLIST_URL: string;
  /** a publishable key with this shop front's origin: `wlp_…` */
  readonly VITE_WISHLIST_KEY: string;
  /** the store's address, such as `https://your-store.myshopify.com` */
  readonly VITE_STORE_URL: string;
  /** the public access token of the Storefront API */
  readonly VITE_STOREFRONT_TOKEN: string;
  /** the public client of the Customer Account API */
  readonly VITE_CUSTOMER_CLIENT_ID: string;
}
