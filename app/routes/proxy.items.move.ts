import { FORM_BODY } from "../http/body.server.ts";
import { endpoint, noParameters } from "../http/endpoint.server.ts";
import { resource } from "../http/resource.server.ts";
import { customer } from "../http/proxy/policies.server.ts";
import { getMyWishlist } from "../http/proxy/wishlist-page.server.ts";
import { failurePage, moveItemByForm, moveItemForm, signedQuery } from "../storefront/index.server.ts";

const postMove = endpoint({
  method: "POST",
  operationId: "moveItemByForm",
  tag: "Storefront",
  summary: "Move or copy an item from a browser without JavaScript",
  access: customer,
  params: noParameters,
  query: signedQuery,
  body: moveItemForm,
  format: FORM_BODY,
  data: "application/liquid",
  failurePage,
  handle: ({ caller, body }) => moveItemByForm(caller, body),
});

const route = resource("/proxy/items/move", [getMyWishlist, postMove], { cors: "same-origin" });

export const loader = route.loader;
export const action = route.action;
