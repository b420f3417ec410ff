import type { z } from "zod";
import { itemsOf, readList, removeItem, type Owner } from "../../wishlists/index.server.ts";
import { Failure } from "../../platform/failure.ts";
import { isCustomer, mayKeepList, ownerOf, type Customer, type Shopper } from "../identity.server.ts";
import type { fragmentBody } from "../schemas.ts";
import { canShare, openLink } from "../sharing.server.ts";
import { formToken, isFormToken, ownerTag } from "../tags.server.ts";
import { fragment, heading, inStore, notice, themedPage, type LiquidPage, type RootData } from "./frame.ts";
import { countText, grid, pageOf, pagination } from "./grid.server.ts";
import { text } from "./liquid.ts";
import { logInButton, logInLink } from "./log-in.ts";
import { word } from "./words.ts";

function logIn(who: Shopper): string {
  const hint = word(canShare(who) ? "log_in_hint" : "log_in_keep");
  return `<p class="wl-login">${hint} ${logInLink}</p>`;
}

/** Hidden until the script is there, without which it could do nothing. */
async function sharing(who: Customer): Promise<string> {
  if (!canShare(who)) return "";
  const url = await openLink(who);
  const path = url === undefined ? "" : new URL(url).pathname;
  return (
    `<div class="wl-share" data-wishlist-share data-path="${text(path)}" hidden>` +
    `<button type="button" class="wl-button button button--secondary" data-share="start">${word("share")}</button>` +
    `<div class="wl-open" data-share-open hidden><input class="wl-field" type="text" readonly aria-label="${word("link")}" data-share-link>` +
    `<button type="button" class="wl-button button" data-share="copy">${word("copy")}</button>` +
    `<button type="button" class="wl-link" data-share="stop">${word("stop")}</button><p class="wl-hint">${word("share_hint")}</p></div></div>`
  );
}

function rootOf(who: Shopper, page: number, count: number): RootData {
  return { proxy: who.storePath, owner: ownerTag(who), page, count, heading: 1 };
}

/** @param path of the list's pages, as Liquid; left out, that of whatever page it is put into */
async function listed(
  who: Shopper,
  owner: Owner | undefined,
  wanted: number,
  path?: string,
): Promise<{ inner: string; data: RootData }> {
  const { page, list } = await pageOf(wanted, (slice) => readList(owner, slice));
  const { itemCount } = list;
  const own = isCustomer(who);
  const below = own ? "" : logIn(who);
  if (itemCount === 0) return { inner: heading("title") + nothingSaved(below), data: rootOf(who, 1, 0) };
  const removal = {
    action: `${who.storePath}/items/remove`,
    token: own ? formToken(who) : undefined,
    page,
  };
  const inner = [
    heading("title", countText(itemCount), own ? await sharing(who) : ""),
    await grid(who.shopId, itemsOf(list.items), removal),
    pagination(page, itemCount, path),
    below,
  ].join("");
  return { inner, data: rootOf(who, page, itemCount) };
}

function nothingSaved(below: string): string {
  return notice(word("empty"), { hint: word("empty_hint"), more: below });
}

/**
 * Where the store keeps no lists for guests. It is nobody's list: what the browser knows of one from before stays, until it is folded in at
 * the login.
 */
function logInFirst({ storePath }: Shopper): { inner: string; data: RootData } {
  const inner = heading("title") + notice(word("log_in_first"), { hint: word("log_in_first_hint"), link: logInButton });
  return { inner, data: { proxy: storePath } };
}

/** The shopper's own wishlist. Whose list a guest's is, the browser alone knows: its script fills the page. */
export async function myWishlist(who: Shopper, page: number): Promise<LiquidPage> {
  if (isCustomer(who)) {
    const { inner, data } = await listed(who, ownerOf(who, undefined), page, inStore(who.storePath));
    return themedPage(inner, data);
  }
  if (!mayKeepList(who)) {
    const { inner, data } = logInFirst(who);
    return themedPage(inner, data);
  }
  const waiting = `<p class="wl-waiting" data-wishlist-waiting hidden>${word("loading")}</p><noscript><p>${word("no_script")} ${logInLink}</p></noscript>`;
  const empty = `<div data-wishlist-empty hidden>${nothingSaved(logIn(who))}</div>`;
  return themedPage(heading("title") + waiting + empty, { ...rootOf(who, page, 0), shell: true });
}

/** The same without the theme's layout, for a guest, too. */
export async function wishlistFragment(who: Shopper, body: z.output<typeof fragmentBody>): Promise<LiquidPage> {
  const { inner, data } = mayKeepList(who) ? await listed(who, ownerOf(who, body.guestId), body.page) : logInFirst(who);
  return fragment(inner, { ...data, heading: body.heading });
}

/**
 * Removes an item as a form of the page asks, and shows the page again.
 * @returns `forbidden_origin` when the form was not made for this shopper, or too long ago
 */
export async function removeByForm(
  who: Customer,
  form: { token: string; product: string; variant: string; page: number },
): Promise<LiquidPage | Failure> {
  if (!isFormToken(form.token, who)) {
    return new Failure("forbidden_origin", "This form is not of this page, or is too old. Open the wishlist again.");
  }
  const owner = { shopId: who.shopId, kind: "customer", id: who.customerId } as const;
  const removed = await removeItem(owner, { productId: form.product, variantId: form.variant }, "storefront");
  return removed instanceof Failure ? removed : myWishlist(who, form.page);
}
