import { LIST_SORTS, type ListSort } from "../../wishlists/index.server.ts";
import { FIRST_PAGE, queryOf, type View } from "./view.ts";
import { word, type Word } from "./words.ts";

const SORTS: Record<ListSort, Word> = {
  newest: "newest",
  oldest: "oldest",
  price_asc: "price_low",
  price_desc: "price_high",
  title: "by_title",
};

/**
 * Order, filter and what can be done with all items. Without JavaScript it is a form with a button; the script needs none.
 * @param matchCount items on all pages of the view
 * @param path of the list's pages, as Liquid; the page that it is in when ""
 */
export function toolbar({ sort, available }: View, matchCount: number, path: string): string {
  const options = LIST_SORTS.map(
    (one) => `<option value="${one}"${one === sort ? " selected" : ""}>${word(SORTS[one])}</option>`,
  );
  const addAll = `<button type="button" class="wl-button button wl-scripted" data-wishlist-add-all>${word("add_all")}</button>`;
  return (
    `<form class="wl-tools" method="get" action="${path}" autocomplete="off" data-wishlist-view>` +
    `<label class="wl-sort"><span>${word("sort")}</span><select class="wl-select" name="sort">${options.join("")}</select></label>` +
    `<label class="wl-check"><input type="checkbox" name="available" value="1"${available ? " checked" : ""}><span>${word("only_available")}</span></label>` +
    `<button type="submit" class="wl-button button button--secondary wl-scriptless">${word("apply")}</button>` +
    `${matchCount > 0 ? addAll : ""}</form>`
  );
}

/** The way from a filter that lets nothing through to the whole list. */
export function showAllLink(view: View, path: string): string {
  const href = path + queryOf({ ...FIRST_PAGE, sort: view.sort });
  return `<a class="wl-button button" href="${href}" data-wishlist-to="all">${word("show_all")}</a>`;
}
