/** Whether the store is the demo's on this machine, which has no certificate and serves the pictures of Shopify's CDN itself. */
export const IS_DEMO_STORE = new URL(import.meta.env.VITE_STORE_URL).hostname === "127.0.0.1";
