import { endpoint, noParameters, dataOrFailure } from "../http/endpoint.server.ts";
import { resource } from "../http/resource.server.ts";
import { listOwner } from "../http/proxy/policies.server.ts";
import { changedListData, restoreListBody, restoreShopperList, signedQuery } from "../storefront/index.server.ts";

const postListRestore = endpoint({
  method: "POST",
  operationId: "restoreShoppersList",
  tag: "Storefront",
  summary: "Take the deletion of a list back",
  access: listOwner,
  params: noParameters,
  query: signedQuery,
  body: restoreListBody,
  data: changedListData,
  handle: async ({ caller, body }) => dataOrFailure(await restoreShopperList(caller, body)),
});

const route = resource("/proxy/api/list-restore", [postListRestore], { cors: "same-origin" });

export const loader = route.loader;
export const action = route.action;
