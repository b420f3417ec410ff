import { FORM_BODY } from "../http/body.server.ts";
import { endpoint, noParameters } from "../http/endpoint.server.ts";
import { resource } from "../http/resource.server.ts";
import { customer } from "../http/proxy/policies.server.ts";
import { getMyWishlist } from "../http/proxy/wishlist-page.server.ts";
import { failurePage, removeByForm, removeForm, signedQuery } from "../storefront/index.server.ts";

const postRemoval = endpoint({
  method: "POST",
  operationId: "removeByForm",
  tag: "Storefront",
  summary: "Remove an item from a browser without JavaScript, and show the page again",
  access: customer,
  params: noParameters,
  query: signedQuery,
  body: removeForm,
  format: FORM_BODY,
  data: "application/liquid",
  failurePage,
  handle: ({ caller, body }) => removeByForm(caller, body),
});

const route = resource("/proxy/items/remove", [getMyWishlist, postRemoval], { cors: "same-origin" });

export const loader = route.loader;
export const action = route.action;
