// What Shopify and themes bring to a page of the store, as far as the scripts use it.

export interface CartLine {
  merchandiseId?: string;
  quantity?: number;
  attributes?: { key: string; value: string }[];
}

export interface UserError {
  message: string;
  /** the path of the input, such as ["lines", "0", "merchandiseId"] */
  field?: string[];
}

interface CartUpdate {
  cart?: { id: string } | null;
  userErrors?: UserError[];
  warnings?: { code: string; message: string }[];
}

/** https://shopify.dev/docs/api/storefront-events-and-actions/events/cart-lines-update */
interface CartLinesUpdateEvent extends Event {
  action: "add" | "remove" | "update";
  lines: CartLine[];
  promise?: Promise<CartUpdate>;
}

/** https://shopify.dev/docs/api/storefront-events-and-actions/events/product-select */
interface ProductSelectEvent extends Event {
  /** resolves with null where the chosen options are no variant */
  promise?: Promise<{ variant?: { id: string } | null }>;
}

declare global {
  interface DocumentEventMap {
    "shopify:cart:lines-update": CartLinesUpdateEvent;
    "shopify:product:select": ProductSelectEvent;
    "variant:change": Event;
    visitorConsentCollected: Event;
    "wishlist:change": CustomEvent<unknown>;
  }
  /** The customer who is logged in, as the theme's analytics know it; both may be missing. */
  var __st: { cid?: number } | undefined;
  var ShopifyAnalytics: { meta?: { page?: { customerId?: number | string } } } | undefined;
  var Shopify:
    | {
        routes?: { root?: string };
        designMode?: boolean;
        /** the currency that the visitor sees */
        currency?: { active?: string };
        theme?: { id?: number | null; schema_name?: string };
        loadFeatures?: (features: { name: string; version: string }[], loaded: (error?: unknown) => void) => void;
        /** https://shopify.dev/docs/api/customer-privacy, once `loadFeatures` has loaded it */
        customerPrivacy?: { preferencesProcessingAllowed: () => boolean };
        /** https://shopify.dev/docs/api/storefront-events-and-actions */
        actions?: { updateCart?: (change: { lines: CartLine[] }) => Promise<CartUpdate> };
      }
    | undefined;
}
