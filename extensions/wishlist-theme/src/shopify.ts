// What Shopify's storefronts and themes bring to a page, as far as it is used here, and what the script adds to it.
import type { api } from "./api.ts";
import { fields, text } from "./checked.ts";
import { setup } from "./page.ts";
import type { Preset } from "./presets.ts";
import type { paint } from "./buttons.ts";
import type { arrive as track, onChanges, unobserved } from "./changes.ts";
import type { sayRefused } from "./message.ts";
import type { post } from "./proxy.ts";
import type { send, wishlist as wishlistState } from "./wishlist.ts";

/** https://shopify.dev/docs/api/storefront-events-and-actions/events/cart-lines-update */
interface CartLinesUpdateEvent extends Event {
  action: "add" | "remove" | "update";
  lines: { merchandiseId?: string }[];
  promise?: Promise<{ cart?: { id: string } | null; userErrors?: unknown[] }>;
}

/** What the parts of the script that are loaded apart need of it. */
export interface Core {
  setup: typeof setup;
  wishlist: typeof wishlistState;
  send: typeof send;
  post: typeof post;
  sayRefused: typeof sayRefused;
  onChanges: typeof onChanges;
  unobserved: typeof unobserved;
  /** takes up the buttons and counters in an element that the script has added */
  track: typeof track;
  productButtons: ReadonlySet<HTMLElement>;
  preset: typeof preset;
  paint: typeof paint;
  /** paints hearts that have come, and asks about their products */
  arrive: (fresh: readonly HTMLElement[]) => void;
}

declare global {
  interface DocumentEventMap {
    "shopify:cart:lines-update": CartLinesUpdateEvent;
    "shopify:product:select": Event;
    "variant:change": Event;
    "wishlist:change": CustomEvent<unknown>;
  }
  /** Who is logged in, as the theme's analytics know it; both may be missing. */
  var __st: { cid?: number } | undefined;
  var ShopifyAnalytics: { meta?: { page?: { customerId?: number | string } } } | undefined;
  var Shopify: { routes?: { root?: string }; designMode?: boolean; theme?: { schema_name?: string } } | undefined;
  var wishlist: typeof api;
  var wishlistCore: Core;
}

/** The customer whom the page names, or "". A hint: the service trusts the app proxy's signature alone. */
export function customer(): string {
  return String(globalThis.__st?.cid ?? globalThis.ShopifyAnalytics?.meta?.page?.customerId ?? "");
}

/** The root of the shop's addresses in the page's language. */
export function root(): string {
  return globalThis.Shopify?.routes?.root ?? "/";
}

/** What is known of the page's theme by its name (presets.ts); "" when nothing is. For where its elements do not tell. */
export async function preset(what: keyof Preset): Promise<string> {
  try {
    // A module, for its content is wanted and not its effect; from Shopify's CDN, which lets every shop read it.
    const presets: unknown = await import(/* @vite-ignore */ setup("presetsPart"));
    const name = text(globalThis.Shopify?.theme?.schema_name);
    return text(fields(fields(fields(presets)["default"])[name])[what]);
  } catch {
    return "";
  }
}
