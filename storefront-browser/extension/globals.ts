// What the page says of the shopper and the theme, and what the script adds to the page.
import { fields, text } from "../shared/checked.ts";
import type { api } from "./api.ts";
import type { paint } from "./buttons.ts";
import type { arrive as track, onChanges, unobserved } from "./changes.ts";
import type { sayRefused } from "./messages.ts";
import type { Preset } from "./presets.ts";
import { setup } from "./setup.ts";
import type { Target } from "../shared/saved-list.ts";
import type { callProxy, change, send, wishlist as wishlistState } from "./wishlist.ts";

/** What the main script offers to the parts that are loaded apart. They take it from `wishlistCore` and from nowhere else. */
export interface Core {
  setup: typeof setup;
  wishlist: typeof wishlistState;
  send: typeof send;
  change: typeof change;
  /** the product for which the shopper chooses lists */
  choice?: Target;
  post: typeof callProxy;
  sayRefused: typeof sayRefused;
  onChanges: typeof onChanges;
  unobserved: typeof unobserved;
  /** registers the buttons and counters in an element that the script has added */
  track: typeof track;
  productButtons: ReadonlySet<HTMLElement>;
  preset: typeof preset;
  paint: typeof paint;
  /** paints new hearts and looks their products up */
  arrive: (fresh: readonly HTMLElement[]) => void;
}

declare global {
  /** Public: docs/theme-api.md. */
  var wishlist: typeof api;
  var wishlistCore: Core;
}

/** Returns the customer whom the page names, or "". A hint: the service trusts the app proxy's signature alone. */
export function customer(): string {
  return String(window.__st?.cid ?? window.ShopifyAnalytics?.meta?.page?.customerId ?? "");
}

/** Returns a selector for the page's theme by its name (presets.ts), or "". */
export async function preset(what: keyof Preset): Promise<string> {
  try {
    // A module of Shopify's CDN, which every shop may import.
    const presets: unknown = await import(/* @vite-ignore */ setup("presetsPart"));
    const name = window.Shopify?.theme?.schema_name ?? "";
    return text(fields(fields(fields(presets)["default"])[name])[what]);
  } catch {
    return "";
  }
}
