import { Failure } from "../../platform/failure.ts";
import { findShared, itemsOf } from "../../wishlists/index.server.ts";
import type { Shopper } from "../identity.server.ts";
import { heading, notice, themedPage, type LiquidPage } from "./frame.ts";
import { countText, grid, pageOf, pagination } from "./grid.server.ts";
import { FIRST_PAGE } from "./view.ts";
import { word } from "./words.ts";

/** A page that few should find: the link is all that protects it. */
const HEADERS = { "X-Robots-Tag": "noindex", "Referrer-Policy": "same-origin" };

/** The list behind a share link of this store, without anything about its owner. */
export async function sharedWishlist(
  who: Shopper,
  token: string,
  wanted: number,
  counted: boolean,
): Promise<LiquidPage | Failure> {
  const { page, list } = await pageOf(wanted, (slice) => findShared(token, slice, { shopId: who.shopId, counted }));
  if (list instanceof Failure) return list;
  const { itemCount } = list;
  const data = { proxy: who.storePath, count: itemCount, page };
  if (itemCount === 0) {
    return themedPage(heading("shared_title") + notice(word("shared_empty")), data, { headers: HEADERS });
  }
  const inner = [
    heading("shared_title", countText(itemCount)),
    await grid(who.shopId, itemsOf(list.items), undefined),
    pagination({ ...FIRST_PAGE, page }, itemCount),
  ].join("");
  return themedPage(inner, data, { headers: HEADERS });
}
