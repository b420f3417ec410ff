import { FORM_BODY } from "../http/body.server.ts";
import { endpoint, noParameters } from "../http/endpoint.server.ts";
import { resource } from "../http/resource.server.ts";
import { customer } from "../http/proxy/policies.server.ts";
import { getMyWishlist } from "../http/proxy/wishlist-page.server.ts";
import { failurePage, restoreListByForm, restoreListForm, signedQuery } from "../storefront/index.server.ts";

const postRestoring = endpoint({
  method: "POST",
  operationId: "restoreListByForm",
  tag: "Storefront",
  summary: "Take the deletion of a list back from a browser without JavaScript",
  access: customer,
  params: noParameters,
  query: signedQuery,
  body: restoreListForm,
  format: FORM_BODY,
  data: "application/liquid",
  failurePage,
  handle: ({ caller, body }) => restoreListByForm(caller, body),
});

const route = resource("/proxy/lists/restore", [getMyWishlist, postRestoring], { cors: "same-origin" });

export const loader = route.loader;
export const action = route.action;
