import { text } from "./liquid.ts";
import { script } from "./script.ts";
import style from "./wishlist.css?raw";
import { chosenWords, word, type Word } from "./words.ts";

/** Rendered by the store's theme. */
const LIQUID_TYPE = "application/liquid; charset=utf-8";

/** Liquid that makes known where the store's pages begin in the language and market of this one. */
const chosenRoot =
  "{%- assign wl_root = routes.root_url -%}{%- if wl_root == '/' -%}{%- assign wl_root = '' -%}{%- endif -%}";

/** A path of the store in the language and market of the page: prices, too, are those of the market. */
export function inStore(path: string): string {
  return `{{ wl_root | escape }}${text(path)}`;
}

/** What the script says by itself. */
const SAID = [
  "adding",
  "added",
  "all_added",
  "not_added",
  "none_available",
  "moved",
  "changed",
  "view_cart",
  "removed",
  "undo",
  "restored",
  "shared",
  "copied",
  "stopped",
  "failed",
  "not_loaded",
  "slow_down",
  "full",
  "sharing_off",
  "gone_product",
  "again",
  "one_item",
  "items",
] satisfies Word[];

export interface LiquidPage {
  document: string;
  type: string;
  status?: number;
  headers?: Record<string, string>;
}

/** What a page's root element tells the script. */
export interface RootData {
  /** where the store shows what the app answers */
  proxy: string;
  /** `guest` or a customer's tag; left out of a shared list, which is not its reader's */
  owner?: string;
  /** items in the wishlist */
  count?: number;
  page?: number;
  /** the order and the filter, unless they are the usual ones */
  sort?: string;
  available?: boolean;
  /** the level of its heading, 0 for a page that has the same heading already; 1 when left out */
  heading?: 0 | 1 | 2;
  /** whose items are not known before the script has asked */
  shell?: boolean;
}

function attributes({ proxy, ...data }: RootData): string {
  const place = ` data-proxy="${inStore(proxy)}" data-cart="{{ routes.cart_url | default: '/cart' }}" data-share-title="${word("shared_title")}"`;
  const told = Object.entries(data).map(([name, value]) => ` data-${name}="${text(String(value))}"`);
  const texts = SAID.map((name) => ` data-say-${name.replaceAll("_", "-")}="${word(name)}"`);
  return [place, ...told, ...texts].join("");
}

/** Raises each class above what a theme's style says of ids, so that no rule of its own for `button` or `svg` changes a shape. */
const protectedStyle = style.replaceAll(/\.wl(?:-[a-z-]+)?(?![\w-])/g, "$&:not(#wl)");

/**
 * A page's content with its style and script, which it brings along wherever it is put. Both are in `raw`, so that nothing in them can be
 * Liquid.
 */
function content(inner: string, data: RootData): string {
  const { heading: level = 1 } = data;
  // Without a heading of its own it is a part of the page that has one.
  const named = level === 0 ? ` role="region" aria-label="${word("title")}" tabindex="-1"` : "";
  return (
    `${chosenWords}${chosenRoot}{%- assign wl_level = ${level} -%}{%- assign wl_below = ${Math.max(level, 1) + 1} -%}<style>{% raw %}${protectedStyle}{% endraw %}</style>` +
    `<div class="wl page-width"${named} data-wishlist-root${attributes(data)}>${inner}<p class="wl-status" role="status" aria-live="polite" data-wishlist-status></p></div>` +
    `<script>{% raw %}${script}{% endraw %}</script>`
  );
}

/** A page in the theme's layout. */
export function themedPage(
  inner: string,
  data: RootData,
  more: Omit<LiquidPage, "document" | "type"> = {},
): LiquidPage {
  return { document: content(inner, data), type: LIQUID_TYPE, ...more };
}

/** The same to be put into another page. */
export function fragment(inner: string, data: RootData): LiquidPage {
  return { document: `{% layout none %}${content(inner, data)}`, type: LIQUID_TYPE };
}

/** @param count,beside HTML: the first belongs to the title, the second stands across from it */
export function heading(title: Word, count = "", beside = ""): string {
  const look = "wl-title{% if wl_level == 1 %} main-page-title page-title{% endif %}";
  const named = `{% if wl_level > 0 %}<h{{ wl_level }} class="${look}" tabindex="-1" data-wishlist-title>${word(title)}</h{{ wl_level }}>{% endif %}`;
  return `<header class="wl-header"><div class="wl-heading">${named}${count}</div>${beside}</header>`;
}

interface Notice {
  hint?: string;
  /** the way on; the store's products when left out */
  link?: string;
  more?: string;
  tag?: "h1" | "p";
}

const HEART = '<path d="M16 27C8 20 4 16 4 11a6 6 0 0 1 12-2 6 6 0 0 1 12 2c0 5-4 9-12 16z"/>';

const browseLink = `<a class="wl-button button" href="{{ routes.all_products_collection_url | default: '/collections/all' }}">${word("browse")}</a>`;

/**
 * Where there is nothing to show: says why, and where to go on.
 * @param lead,hint,link,more Liquid
 */
export function notice(lead: string, { hint = "", link = browseLink, more = "", tag = "p" }: Notice = {}): string {
  return (
    `<div class="wl-notice"><svg viewBox="0 0 32 32" width="48" height="48" fill="none" stroke="currentColor" stroke-width="1.25" aria-hidden="true">${HEART}</svg>` +
    `<${tag} class="wl-lead">${lead}</${tag}>${hint === "" ? "" : `<p>${hint}</p>`}` +
    `<p>${link}</p>${more}</div>`
  );
}
