// What the page says of the shopper and the theme, and what the script adds to the page.
import type { api } from "./api.ts";
import type { paint, refuse, wish } from "./buttons.ts";
import type { arrive as track, onChanges, unobserved } from "./changes.ts";
import type { say } from "./messages.ts";
import type { Preset } from "./presets.ts";
import { importPart, type setup } from "./setup.ts";
import type { callProxy, change, lookUp, needsService, send, wishlist as wishlistState } from "./wishlist.ts";

/** What the main script offers to the parts that are loaded apart. They take it from `wishlistCore` and from nowhere else. */
export interface Core {
  setup: typeof setup;
  wishlist: typeof wishlistState;
  send: typeof send;
  change: typeof change;
  lookUp: typeof lookUp;
  needsService: typeof needsService;
  post: typeof callProxy;
  refuse: typeof refuse;
  say: typeof say;
  wish: typeof wish;
  onChanges: typeof onChanges;
  unobserved: typeof unobserved;
  /** registers the buttons and counters in an element that the script has added */
  track: typeof track;
  productButtons: ReadonlySet<HTMLElement>;
  preset: typeof preset;
  /** the part for product pages sets it: returns the variant that a button stands for now */
  variantOf?: (button: HTMLElement) => string;
  /** the same part: waits until it is known which variant a button stands for */
  awaitChoice?: (button: HTMLElement) => Promise<void>;
  /** the same part: returns the visible add-to-cart button of the form that is nearest to an element */
  submitNear?: (element: Element | null) => HTMLElement | undefined;
  /** the same part: gives an element the look of that button */
  dress?: (element: HTMLElement) => void;
  /** the part for alerts sets it: called when another variant may have been chosen */
  onChoice?: () => void;
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
  return (await importPart("presets"))?.[what] ?? "";
}
