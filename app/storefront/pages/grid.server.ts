import { describeProducts } from "../../shops/index.server.ts";
import type { SavedItem } from "../../wishlists/index.server.ts";
import { card, type Removal } from "./card.ts";
import { word, wordWith } from "./words.ts";

/** As many products as Liquid's `all_products` looks up in a page. */
export const PAGE_SIZE = 20;

/** Items of a page as the theme's grid. */
export async function grid(shopId: number, items: readonly SavedItem[], removal: Removal | undefined): Promise<string> {
  const products = await describeProducts(
    shopId,
    items.map(({ productId }) => productId),
  );
  const cards = items.map((item) => card(item, products.get(item.productId), removal));
  return `<ul class="wl-grid" role="list">${cards.join("")}</ul>`;
}

export function pageCount(itemCount: number): number {
  return Math.max(1, Math.ceil(itemCount / PAGE_SIZE));
}

export function countText(itemCount: number): string {
  const count = itemCount === 1 ? word("one_item") : wordWith("items", { n: itemCount });
  return `<p class="wl-count" data-wishlist-total>${count}</p>`;
}

/** Links to the pages before and after; nothing when there is one page. */
export function pagination(page: number, pages: number): string {
  if (pages <= 1) return "";
  const link = (to: number, name: "previous" | "next"): string =>
    to < 1 || to > pages
      ? ""
      : `<a class="wl-link" href="?page=${to}" rel="${name === "next" ? "next" : "prev"}" data-wishlist-to="${to}">${word(name)}</a>`;
  return `<nav class="wl-pages" aria-label="${word("pages")}"><span>${link(page - 1, "previous")}</span><span aria-current="page">${wordWith("page", { n: page, m: pages })}</span><span>${link(page + 1, "next")}</span></nav>`;
}
