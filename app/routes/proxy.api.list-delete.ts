import { endpoint, noParameters, dataOrFailure } from "../http/endpoint.server.ts";
import { resource } from "../http/resource.server.ts";
import { listOwner } from "../http/proxy/policies.server.ts";
import { deletedListData, deleteListBody, deleteShopperList, signedQuery } from "../storefront/index.server.ts";

const postListDelete = endpoint({
  method: "POST",
  operationId: "deleteShoppersList",
  tag: "Storefront",
  summary: "Delete a named list",
  access: listOwner,
  params: noParameters,
  query: signedQuery,
  body: deleteListBody,
  data: deletedListData,
  handle: async ({ caller, body }) => dataOrFailure(await deleteShopperList(caller, body)),
});

const route = resource("/proxy/api/list-delete", [postListDelete], { cors: "same-origin" });

export const loader = route.loader;
export const action = route.action;
