// What Shopify's storefronts and themes bring to a page, as far as it is used here.

/** https://shopify.dev/docs/api/storefront-events-and-actions/events/cart-lines-update */
interface CartLinesUpdateEvent extends Event {
  action: "add" | "remove" | "update";
  lines: { merchandiseId?: string }[];
  promise?: Promise<{ cart?: { id: string } | null; userErrors?: unknown[] }>;
}

/** A variant was chosen: Shopify's `shopify:product:select`, or what themes have of their own. */
interface VariantEvent extends Event {
  promise?: Promise<{ variant?: { id: string } | null }>;
  detail?: { variant?: { id: unknown } | null } | null;
}

declare global {
  interface DocumentEventMap {
    "shopify:cart:lines-update": CartLinesUpdateEvent;
    "shopify:product:select": VariantEvent;
    "variant:change": VariantEvent;
    "wishlist:change": CustomEvent<unknown>;
  }
  /** Who is logged in, as the theme's analytics know it; both may be missing. */
  var __st: { cid?: number } | undefined;
  var ShopifyAnalytics: { meta?: { page?: { customerId?: number | string } } } | undefined;
  var Shopify: { routes?: { root?: string } } | undefined;
}

/** The customer whom the page names, or "". A hint: the service trusts the app proxy's signature alone. */
export function customer(): string {
  return String(globalThis.__st?.cid ?? globalThis.ShopifyAnalytics?.meta?.page?.customerId ?? "");
}

/** The root of the shop's addresses in the page's language. */
export function root(): string {
  return globalThis.Shopify?.routes?.root ?? "/";
}
