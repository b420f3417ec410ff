import { FORM_BODY } from "../http/body.server.ts";
import { endpoint, noParameters } from "../http/endpoint.server.ts";
import { resource } from "../http/resource.server.ts";
import { customer } from "../http/proxy/policies.server.ts";
import { getMyWishlist } from "../http/proxy/wishlist-page.server.ts";
import { failurePage, renameListByForm, renameListForm, signedQuery } from "../storefront/index.server.ts";

const postRenaming = endpoint({
  method: "POST",
  operationId: "renameListByForm",
  tag: "Storefront",
  summary: "Rename a list from a browser without JavaScript",
  access: customer,
  params: noParameters,
  query: signedQuery,
  body: renameListForm,
  format: FORM_BODY,
  data: "application/liquid",
  failurePage,
  handle: ({ caller, body }) => renameListByForm(caller, body),
});

const route = resource("/proxy/lists/rename", [getMyWishlist, postRenaming], { cors: "same-origin" });

export const loader = route.loader;
export const action = route.action;
