import { useLoaderData } from "@remix-run/react";
import { emptyForm } from "../access/index.server.ts";
import { PageError } from "../admin/error-page.tsx";
import { keepShown, keepTyped } from "../admin/form.ts";
import { WishlistPage } from "../admin/wishlists/wishlist-page.tsx";
import {
  adminAction,
  adminHeaders,
  adminLoader,
  customersOf,
  form,
  notFound,
  pageNumber,
  type Visit,
} from "../http/admin/admin.server.ts";
import { customerNames } from "../customers/index.server.ts";
import { FEATURES, hasFeature, PLANS } from "../billing/index.server.ts";
import { removeByStaff, removeForm, shareByStaff, unshareByStaff, viewList } from "../wishlists/index.server.ts";

function placeOf({ shop, staff, params }: Visit) {
  return { shopId: shop.id, staff, wishlistId: params["wishlistId"] ?? "" };
}

export const loader = adminLoader(async (visit) => {
  const { shop, query } = visit;
  const list = await viewList(shop, placeOf(visit).wishlistId, pageNumber(query));
  if (!list) throw notFound();
  const sharingNeeds = hasFeature(shop.plan, "sharing") ? undefined : PLANS[FEATURES.sharing.from].name;
  const { owner } = list;
  const customers = owner.kind === "customer" ? [owner.customerId] : [];
  return { list, names: await customerNames(customersOf(visit), customers), sharingNeeds };
});

export const action = adminAction({
  remove: form(removeForm, (sent, { items }) => removeByStaff(placeOf(sent), items)),
  share: form(emptyForm, (sent) => shareByStaff(placeOf(sent), sent.shop.plan)),
  unshare: form(emptyForm, (sent) => unshareByStaff(placeOf(sent))),
});

export const clientAction = keepTyped;

export const shouldRevalidate = keepShown;

export default function Wishlist() {
  return <WishlistPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
