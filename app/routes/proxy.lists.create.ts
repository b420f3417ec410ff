import { FORM_BODY } from "../http/body.server.ts";
import { endpoint, noParameters } from "../http/endpoint.server.ts";
import { resource } from "../http/resource.server.ts";
import { customer } from "../http/proxy/policies.server.ts";
import { getMyWishlist } from "../http/proxy/wishlist-page.server.ts";
import { createListByForm, createListForm, failurePage, signedQuery } from "../storefront/index.server.ts";

const postCreation = endpoint({
  method: "POST",
  operationId: "createListByForm",
  tag: "Storefront",
  summary: "Create a list from a browser without JavaScript",
  access: customer,
  params: noParameters,
  query: signedQuery,
  body: createListForm,
  format: FORM_BODY,
  data: "application/liquid",
  failurePage,
  handle: ({ caller, body }) => createListByForm(caller, body),
});

const route = resource("/proxy/lists/create", [getMyWishlist, postCreation], { cors: "same-origin" });

export const loader = route.loader;
export const action = route.action;
