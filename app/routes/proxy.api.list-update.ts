import { endpoint, noParameters, dataOrFailure } from "../http/endpoint.server.ts";
import { resource } from "../http/resource.server.ts";
import { listOwner } from "../http/proxy/policies.server.ts";
import { changedListData, renameShopperList, signedQuery, updateListBody } from "../storefront/index.server.ts";

const postListUpdate = endpoint({
  method: "POST",
  operationId: "renameShoppersList",
  tag: "Storefront",
  summary: "Rename a list",
  access: listOwner,
  params: noParameters,
  query: signedQuery,
  body: updateListBody,
  data: changedListData,
  handle: async ({ caller, body }) => dataOrFailure(await renameShopperList(caller, body)),
});

const route = resource("/proxy/api/list-update", [postListUpdate], { cors: "same-origin" });

export const loader = route.loader;
export const action = route.action;
