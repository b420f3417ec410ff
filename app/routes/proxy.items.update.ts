import { FORM_BODY } from "../http/body.server.ts";
import { endpoint, noParameters } from "../http/endpoint.server.ts";
import { resource } from "../http/resource.server.ts";
import { customer } from "../http/proxy/policies.server.ts";
import { getMyWishlist } from "../http/proxy/wishlist-page.server.ts";
import { failurePage, signedQuery, updateItemByForm, updateItemForm } from "../storefront/index.server.ts";

const postUpdate = endpoint({
  method: "POST",
  operationId: "updateItemByForm",
  tag: "Storefront",
  summary: "Change the quantity and the note of an item from a browser without JavaScript",
  access: customer,
  params: noParameters,
  query: signedQuery,
  body: updateItemForm,
  format: FORM_BODY,
  data: "application/liquid",
  failurePage,
  handle: ({ caller, body }) => updateItemByForm(caller, body),
});

const route = resource("/proxy/items/update", [getMyWishlist, postUpdate], { cors: "same-origin" });

export const loader = route.loader;
export const action = route.action;
