import { Failure } from "../../platform/failure.ts";
import { findShared, itemsOf } from "../../wishlists/index.server.ts";
import type { Shopper } from "../identity.server.ts";
import { heading, notice, themedPage, type LiquidPage } from "./frame.ts";
import { countText, grid, PAGE_SIZE, pageCount, pagination } from "./grid.server.ts";

/** A page that few should find: the link is all that protects it. */
const HEADERS = { "X-Robots-Tag": "noindex", "Referrer-Policy": "same-origin" };

/** The list behind a share link of this store, without anything about its owner. */
export async function sharedWishlist(
  who: Shopper,
  token: string,
  page: number,
  counted: boolean,
): Promise<LiquidPage | Failure> {
  const wanted = Math.max(1, page);
  const slice = { limit: PAGE_SIZE, offset: (wanted - 1) * PAGE_SIZE };
  const shared = await findShared(token, slice, { shopId: who.shopId, counted });
  if (shared instanceof Failure) return shared;
  const data = { proxy: who.storePath, count: shared.itemCount, page: wanted };
  if (shared.itemCount === 0) {
    return themedPage(heading("shared_title") + notice("shared_empty", undefined), data, { headers: HEADERS });
  }
  const inner = [
    heading("shared_title", countText(shared.itemCount)),
    await grid(who.shopId, itemsOf(shared.items), undefined),
    pagination(wanted, pageCount(shared.itemCount)),
  ].join("");
  return themedPage(inner, data, { headers: HEADERS });
}
