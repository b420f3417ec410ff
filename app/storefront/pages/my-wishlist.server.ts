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
async function listData(shopper: Shopper, owner: Owner | undefined, wanted: ListView): Promise<PageData> {
  const { sort, available } = wanted;
  const { page, list } = await readPage(wanted.page, (slice) => readList(owner, { ...slice, sort, available }));
  const { itemCount, matchCount } = list;
  const view = itemCount === 0 ? FIRST_PAGE : { page, sort, available };
  const customer = isCustomer(shopper) ? shopper : undefined;
  const sharing = canShare(shopper);
  return {
    proxy: shopper.storePath,
    level: 1,
    owner: ownerTag(shopper),
    customer: customer !== undefined,
    sharing,
    count: itemCount,
    matchCount,
    sort: view.sort,
    available: view.available,
    ...pagination(view, matchCount),
    showAll: queryOf({ ...FIRST_PAGE, sort }),
    sharePath: customer && sharing && itemCount > 0 ? await sharePath(customer) : "",
    removeAction: `${shopper.storePath}/items/remove`,
    token: customer ? formToken(customer) : "",
    ...(await cards(shopper.shopId, itemsOf(list.items))),
  };
}

/** Returns the path of the customer's share link; "" when there is none. */
async function sharePath(customer: Customer): Promise<string> {
  const url = await openLink(customer);
  return url === undefined ? "" : new URL(url).pathname;
}

/** Returns the shopper's own wishlist. A guest's is filled in by the page's script: the browser alone knows the guest. */
export async function myWishlist(shopper: Shopper, view: ListView): Promise<LiquidPage> {
  if (isCustomer(shopper)) {
    return themedPage("wishlist", { ...(await listData(shopper, ownerOf(shopper, undefined), view)), linked: true });
  }
  const data = { proxy: shopper.storePath, level: 1 } as const;
  if (!mayKeepList(shopper)) return themedPage("log-in", data);
  const { page, sort, available } = view;
  const guest = { owner: ownerTag(shopper), sharing: canShare(shopper), count: 0, page, sort, available, shell: true };
  return themedPage("guest", { ...data, ...guest });
}

/** Returns the same without the theme's layout, and with a guest's items. */
export async function wishlistFragment(shopper: Shopper, body: z.output<typeof fragmentBody>): Promise<LiquidPage> {
  const { heading: level, guestId } = body;
  if (!mayKeepList(shopper)) return fragment("log-in", { proxy: shopper.storePath, level });
  return fragment("wishlist", { ...(await listData(shopper, ownerOf(shopper, guestId), body)), level });
}

/**
 * Removes an item as a form of the page asks, and returns the page without it.
 * @returns `forbidden_origin` when the form was not made for this shopper, or too long ago
 */
export async function removeByForm(
  shopper: Customer,
  form: z.output<typeof removeForm>,
): Promise<LiquidPage | Failure> {
  if (!isFormToken(form.token, shopper)) {
    return new Failure(
      "forbidden_origin",
      "This form was rendered for another shopper or too long ago. Open the wishlist again.",
    );
  }
  const owner = { shopId: shopper.shopId, kind: "customer", id: shopper.customerId } as const;
  const removed = await removeItem(owner, { productId: form.product, variantId: form.variant }, "storefront");
  return removed instanceof Failure ? removed : myWishlist(shopper, form);
}
