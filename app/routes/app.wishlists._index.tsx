import { useLoaderData } from "@remix-run/react";
import { PageError } from "../admin/error-page.tsx";
import { keepShown, keepTyped } from "../admin/form.ts";
import { WishlistsPage } from "../admin/wishlists/wishlists-page.tsx";
import { adminAction, adminHeaders, adminLoader, form } from "../http/admin.server.ts";
import { Failure } from "../platform/failure.ts";
import { findForm, findList, recentLists } from "../wishlists/index.server.ts";

/** Of a change in the log. */
const PLACE = /^\d{1,15}$/;

function placeIn(query: URLSearchParams): Parameters<typeof recentLists>[1] {
  const [before, after] = [query.get("before") ?? "", query.get("after") ?? ""];
  if (PLACE.test(before)) return { before };
  return PLACE.test(after) ? { after } : undefined;
}

export const loader = adminLoader(async ({ shop, query }) => ({
  recent: await recentLists(shop.id, placeIn(query)),
  domain: shop.domain,
}));

export const action = adminAction({
  // A form and no query: a guest's id is theirs alone, and addresses are kept by browsers and logs.
  find: form(findForm, async ({ shop }, { who }) => {
    const wishlistId = await findList(shop.id, who);
    return wishlistId ?? new Failure("not_found", "Nothing is saved under this id.");
  }),
});

export const clientAction = keepTyped;

export const shouldRevalidate = keepShown;

export default function Wishlists() {
  return <WishlistsPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
