import { useLoaderData } from "@remix-run/react";
import { emptyForm } from "../access/index.server.ts";
import { PageError } from "../admin/error-page.tsx";
import { keepShown, keepTyped } from "../admin/form.ts";
import { WishlistsPage } from "../admin/wishlists/wishlists-page.tsx";
import { adminAction, adminHeaders, adminLoader, customersOf, form } from "../http/admin/admin.server.ts";
import { customerNames } from "../customers/index.server.ts";
import { renewToken } from "../shopify-sessions/index.server.ts";
import { findForm, recentLists, search } from "../wishlists/index.server.ts";

/** Of a change in the log. */
const PLACE = /^\d{1,15}$/;

function placeIn(query: URLSearchParams): Parameters<typeof recentLists>[1] {
  const [before, after] = [query.get("before") ?? "", query.get("after") ?? ""];
  if (PLACE.test(before)) return { before };
  return PLACE.test(after) ? { after } : undefined;
}

export const loader = adminLoader(async (visit) => {
  const { shop, query } = visit;
  const recent = await recentLists(shop.id, placeIn(query));
  const customers = recent.lists.flatMap(({ owner }) => (owner.kind === "customer" ? [owner.customerId] : []));
  return { recent, names: await customerNames(customersOf(visit), customers) };
});

export const action = adminAction({
  // A form and no query: addresses are kept by browsers and logs, and a name or a guest's id belongs in neither.
  find: form(findForm, (sent, { who }) => search(sent.shop.id, customersOf(sent), who)),
  // The page has asked the merchant for the permission, or given it back.
  permission: form(emptyForm, async ({ shop }) => {
    await renewToken(shop.domain);
    return {};
  }),
});

export const clientAction = keepTyped;

export const shouldRevalidate = keepShown;

export default function Wishlists() {
  return <WishlistsPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
