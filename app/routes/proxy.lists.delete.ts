import { FORM_BODY } from "../http/body.server.ts";
import { endpoint, noParameters } from "../http/endpoint.server.ts";
import { resource } from "../http/resource.server.ts";
import { customer } from "../http/proxy/policies.server.ts";
import { getMyWishlist } from "../http/proxy/wishlist-page.server.ts";
import { deleteListByForm, deleteListForm, failurePage, signedQuery } from "../storefront/index.server.ts";

const postDeletion = endpoint({
  method: "POST",
  operationId: "deleteListByForm",
  tag: "Storefront",
  summary: "Delete a list from a browser without JavaScript",
  access: customer,
  params: noParameters,
  query: signedQuery,
  body: deleteListForm,
  format: FORM_BODY,
  data: "application/liquid",
  failurePage,
  handle: ({ caller, body }) => deleteListByForm(caller, body),
});

const route = resource("/proxy/lists/delete", [getMyWishlist, postDeletion], { cors: "same-origin" });

export const loader = route.loader;
export const action = route.action;
