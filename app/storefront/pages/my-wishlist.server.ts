import type { z } from "zod";
import { itemsOf, readList, removeItem, type Owner } from "../../wishlists/index.server.ts";
import { Failure } from "../../platform/failure.ts";
import { isCustomer, mayKeepList, ownerOf, type Customer, type Shopper } from "../identity.server.ts";
import type { fragmentBody, removeForm } from "../schemas.ts";
import { canShare, openLink } from "../sharing.server.ts";
import { formToken, isFormToken, ownerTag } from "../tags.server.ts";
import { fragment, themedPage, type LiquidPage, type PageData } from "./liquid-page.ts";
import { cards, pagination, readPage } from "./list-page.server.ts";
import { FIRST_PAGE, queryOf, type ListView } from "./list-view.ts";

/** Returns the variables of `page-wishlist.liquid`. */
async function listData(who: Shopper, owner: Owner | undefined, wanted: ListView): Promise<PageData> {
  const { sort, available } = wanted;
  const { page, list } = await readPage(wanted.page, (slice) => readList(owner, { ...slice, sort, available }));
  const { itemCount, matchCount } = list;
  const view = itemCount === 0 ? FIRST_PAGE : { page, sort, available };
  const customer = isCustomer(who) ? who : undefined;
  const sharing = canShare(who);
  return {
    proxy: who.storePath,
    level: 1,
    owner: ownerTag(who),
    customer: customer !== undefined,
    sharing,
    count: itemCount,
    matchCount,
    sort: view.sort,
    available: view.available,
    ...pagination(view, matchCount),
    showAll: queryOf({ ...FIRST_PAGE, sort }),
    sharePath: customer && sharing && itemCount > 0 ? await sharePath(customer) : "",
    removeAction: `${who.storePath}/items/remove`,
    token: customer ? formToken(customer) : "",
    ...(await cards(who.shopId, itemsOf(list.items))),
  };
}

/** Returns the path of the customer's share link; "" when there is none. */
async function sharePath(customer: Customer): Promise<string> {
  const url = await openLink(customer);
  return url === undefined ? "" : new URL(url).pathname;
}

/** Returns the shopper's own wishlist. A guest's is filled in by the page's script: the browser alone knows the guest. */
export async function myWishlist(who: Shopper, view: ListView): Promise<LiquidPage> {
  if (isCustomer(who)) {
    return themedPage("wishlist", { ...(await listData(who, ownerOf(who, undefined), view)), linked: true });
  }
  const data = { proxy: who.storePath, level: 1 } as const;
  if (!mayKeepList(who)) return themedPage("log-in", data);
  const { page, sort, available } = view;
  const guest = { owner: ownerTag(who), sharing: canShare(who), count: 0, page, sort, available, shell: true };
  return themedPage("guest", { ...data, ...guest });
}

/** Returns the same without the theme's layout, and with a guest's items. */
export async function wishlistFragment(who: Shopper, body: z.output<typeof fragmentBody>): Promise<LiquidPage> {
  const { heading: level, guestId } = body;
  if (!mayKeepList(who)) return fragment("log-in", { proxy: who.storePath, level });
  return fragment("wishlist", { ...(await listData(who, ownerOf(who, guestId), body)), level });
}

/**
 * Removes an item as a form of the page asks, and returns the page without it.
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
