import type { z } from "zod";
import { itemsOf, readList, removeItem, type Owner } from "../../wishlists/index.server.ts";
import { Failure } from "../../platform/failure.ts";
import { isCustomer, mayKeepList, ownerOf, type Customer, type Shopper } from "../identity.server.ts";
import type { fragmentBody, removeForm } from "../schemas.ts";
import { canShare } from "../sharing.server.ts";
import { formToken, isFormToken, ownerTag } from "../tags.server.ts";
import { fragment, heading, inStore, notice, themedPage, type LiquidPage, type RootData } from "./frame.ts";
import { countText, grid, pageOf, pagination } from "./grid.server.ts";
import { logInButton, logInLink, logInToShare } from "./log-in.ts";
import { shareBox } from "./share-box.server.ts";
import { showAllLink, toolbar } from "./toolbar.ts";
import { FIRST_PAGE, type View } from "./view.ts";
import { word } from "./words.ts";

interface Content {
  inner: string;
  data: RootData;
}

function logIn(who: Shopper): string {
  const hint = word(canShare(who) ? "log_in_hint" : "log_in_keep");
  return `<p class="wl-login">${hint} ${logInLink}</p>`;
}

function rootOf(who: Shopper, { page, sort, available }: View, count: number): RootData {
  return {
    proxy: who.storePath,
    owner: ownerTag(who),
    page,
    count,
    heading: 1,
    ...(sort !== FIRST_PAGE.sort && { sort }),
    ...(available && { available }),
  };
}

/** @param path of the list's pages, as Liquid; left out, that of whatever page it is put into */
async function listed(who: Shopper, owner: Owner | undefined, wanted: View, path = ""): Promise<Content> {
  const { sort, available } = wanted;
  const { page, list } = await pageOf(wanted.page, (slice) => readList(owner, { ...slice, sort, available }));
  const { itemCount, matchCount } = list;
  const own = isCustomer(who);
  const below = own ? "" : logIn(who);
  if (itemCount === 0) return { inner: heading("title") + nothingSaved(below), data: rootOf(who, FIRST_PAGE, 0) };
  const view = { page, sort, available };
  const removal = {
    action: `${who.storePath}/items/remove`,
    token: own ? formToken(who) : undefined,
    view,
  };
  const guestSharing = canShare(who) ? logInToShare : "";
  const inner = [
    heading("title", countText(itemCount), own ? await shareBox(who) : guestSharing),
    // Of one item there is nothing to sort.
    itemCount > 1 || available ? toolbar(view, matchCount, path) : "",
    matchCount === 0
      ? notice(word("none_available"), { link: showAllLink(view, path) })
      : await grid(who.shopId, itemsOf(list.items), removal),
    pagination(view, matchCount, path),
    below,
  ].join("");
  return { inner, data: rootOf(who, view, itemCount) };
}

function nothingSaved(below: string): string {
  return notice(word("empty"), { hint: word("empty_hint"), more: below });
}

/**
 * Where the store keeps no lists for guests. The page is of no list: a list that the browser knows from before stays until it is merged at
 * the login.
 */
function logInFirst({ storePath }: Shopper): Content {
  const inner = heading("title") + notice(word("log_in_first"), { hint: word("log_in_first_hint"), link: logInButton });
  return { inner, data: { proxy: storePath } };
}

/** The shopper's own wishlist. Whose list a guest's is, the browser alone knows: its script fills the page. */
export async function myWishlist(who: Shopper, view: View): Promise<LiquidPage> {
  if (isCustomer(who)) {
    const { inner, data } = await listed(who, ownerOf(who, undefined), view, inStore(who.storePath));
    return themedPage(inner, data);
  }
  if (!mayKeepList(who)) {
    const { inner, data } = logInFirst(who);
    return themedPage(inner, data);
  }
  const waiting = `<p class="wl-waiting" data-wishlist-waiting hidden>${word("loading")}</p><noscript><p>${word("no_script")} ${logInLink}</p></noscript>`;
  const empty = `<div data-wishlist-empty hidden>${nothingSaved(logIn(who))}</div>`;
  return themedPage(heading("title") + waiting + empty, { ...rootOf(who, view, 0), shell: true });
}

/** The same without the theme's layout, for a guest, too. */
export async function wishlistFragment(who: Shopper, body: z.output<typeof fragmentBody>): Promise<LiquidPage> {
  const { inner, data } = mayKeepList(who) ? await listed(who, ownerOf(who, body.guestId), body) : logInFirst(who);
  return fragment(inner, { ...data, heading: body.heading });
}

/**
 * Removes an item as a form of the page asks, and shows the page again.
 * @returns `forbidden_origin` when the form was not made for this shopper, or too long ago
 */
export async function removeByForm(who: Customer, form: z.output<typeof removeForm>): Promise<LiquidPage | Failure> {
  if (!isFormToken(form.token, who)) {
    return new Failure("forbidden_origin", "This form is not of this page, or is too old. Open the wishlist again.");
  }
  const owner = { shopId: who.shopId, kind: "customer", id: who.customerId } as const;
  const removed = await removeItem(owner, { productId: form.product, variantId: form.variant }, "storefront");
  return removed instanceof Failure ? removed : myWishlist(who, form);
}
