import { endpoint, noParameters, dataOrFailure } from "../http/endpoint.server.ts";
import { resource } from "../http/resource.server.ts";
import { listOwner } from "../http/proxy/policies.server.ts";
import { changedListData, createListBody, createShopperList, signedQuery } from "../storefront/index.server.ts";

const postListCreate = endpoint({
  method: "POST",
  operationId: "createShoppersList",
  tag: "Storefront",
  summary: "Create a named list",
  access: listOwner,
  params: noParameters,
  query: signedQuery,
  body: createListBody,
  data: changedListData,
  handle: async ({ caller, body }) => dataOrFailure(await createShopperList(caller, body)),
});

const route = resource("/proxy/api/list-create", [postListCreate], { cors: "same-origin" });

export const loader = route.loader;
export const action = route.action;
