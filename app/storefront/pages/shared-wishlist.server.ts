import { Failure } from "../../platform/failure.ts";
import { findShared, itemsOf } from "../../wishlists/index.server.ts";
import { mayKeepList, type Shopper } from "../identity.server.ts";
import { ownerTag } from "../tags.server.ts";
import { themedPage, type LiquidPage } from "./liquid-page.ts";
import { cards, pagination, readPage } from "./list-page.server.ts";
import { FIRST_PAGE } from "./list-view.ts";

/** The link is all that protects the page: it is kept out of search engines and of other sites' logs. */
const HEADERS = { "X-Robots-Tag": "noindex", "Referrer-Policy": "same-origin" };

const ALIKE: Readonly<Record<string, string>> = {
  "'": "’",
  '"': "”",
  "<": "‹",
  ">": "›",
  "{": "(",
  "}": ")",
  "\\": "/",
};

/** Returns a name for the page's title, with characters that look alike in place of those that must be escaped. */
function titleText(name: string): string {
  return name.replaceAll(/['"<>{}\\]/g, (character) => ALIKE[character] ?? "");
}

/** Returns the list behind a share link of this store, without anything about its owner but the name given with the link. */
export async function sharedWishlist(
  shopper: Shopper,
  token: string,
  wanted: number,
  counted: boolean,
): Promise<LiquidPage | Failure> {
  const { page, list } = await readPage(wanted, (slice) =>
    findShared(token, slice, { shopId: shopper.shopId, counted }),
  );
  if (list instanceof Failure) return list;
  const { itemCount } = list;
  const data = {
    proxy: shopper.storePath,
    level: 1,
    listCount: itemCount,
    listName: list.name ?? "",
    sharedBy: list.sharedBy ?? "",
    titleName: titleText(list.name ?? ""),
    titleSharer: titleText(list.sharedBy ?? ""),
    ...(mayKeepList(shopper) && { reader: ownerTag(shopper) }),
    shareToken: token,
    ...pagination({ ...FIRST_PAGE, page }, itemCount),
    ...(await cards(shopper.shopId, itemsOf(list.json))),
  } as const;
  return { ...themedPage("shared", data), headers: HEADERS };
}
