import { Failure } from "../../platform/failure.ts";
import { describeToShoppers } from "../../catalog/index.server.ts";
import type { SavedItem } from "../../wishlists/index.server.ts";
import { card, type Removal } from "./card.ts";
import { queryOf, type View } from "./view.ts";
import { word, wordWith } from "./words.ts";

/** As many products as Liquid's `all_products` looks up in a page. */
const PAGE_SIZE = 20;

/** Items of a page as the theme's grid. */
export async function grid(shopId: number, items: readonly SavedItem[], removal: Removal | undefined): Promise<string> {
  const products = await describeToShoppers(
    shopId,
    items.map(({ productId }) => productId),
  );
  const cards = items.map((item) => card(item, products.get(item.productId), removal));
  return `<ul class="wl-grid" role="list">${cards.join("")}</ul>`;
}

/**
 * A page of a list, or the last one: what was on the pages after it has been removed.
 * @param wanted from 1
 */
export async function pageOf<List extends { itemCount: number; matchCount?: number } | Failure>(
  wanted: number,
  read: (slice: { limit: number; offset: number }) => Promise<List>,
): Promise<{ page: number; list: List }> {
  const page = Math.max(1, wanted);
  const list = await read({ limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE });
  const last = list instanceof Failure ? page : pageCount(list.matchCount ?? list.itemCount);
  return page > last ? pageOf(last, read) : { page, list };
}

function pageCount(matchCount: number): number {
  return Math.max(1, Math.ceil(matchCount / PAGE_SIZE));
}

export function countText(itemCount: number): string {
  const count = itemCount === 1 ? word("one_item") : wordWith("items", { n: itemCount });
  return `<p class="wl-count" data-wishlist-total>${count}</p>`;
}

/**
 * Links to the pages before and after; nothing when there is one page.
 * @param matchCount items on all pages of the view
 * @param path of the list's pages, as Liquid; the page that it is in when left out
 */
export function pagination(view: View, matchCount: number, path = ""): string {
  const pages = pageCount(matchCount);
  const { page } = view;
  if (pages <= 1) return "";
  const link = (to: number, name: "previous" | "next"): string =>
    to < 1 || to > pages
      ? ""
      : `<a class="wl-link" href="${path}${queryOf({ ...view, page: to }).replaceAll("&", "&amp;")}" rel="${name === "next" ? "next" : "prev"}" data-wishlist-to="${to}">${word(name)}</a>`;
  return `<nav class="wl-pages" aria-label="${word("pages")}"><span>${link(page - 1, "previous")}</span><span aria-current="page">${wordWith("page", { n: page, m: pages })}</span><span>${link(page + 1, "next")}</span></nav>`;
}
