import { endpoint, noParameters } from "../http/endpoint.server.ts";
import { resource } from "../http/resource.server.ts";
import { shopper } from "../http/proxy/policies.server.ts";
import { fragmentBody, signedQuery, wishlistFragment } from "../storefront/index.server.ts";

const postPage = endpoint({
  method: "POST",
  operationId: "showWishlistFragment",
  tag: "Storefront",
  summary: "The shopper's wishlist without the theme's layout, to be put into a page",
  access: shopper,
  params: noParameters,
  query: signedQuery,
  body: fragmentBody,
  data: "application/liquid",
  handle: ({ caller, body }) => wishlistFragment(caller, body),
});

const route = resource("/proxy/api/page", [postPage], { cors: "same-origin" });

export const loader = route.loader;
export const action = route.action;
