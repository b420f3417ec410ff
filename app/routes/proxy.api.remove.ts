import { endpoint, noParameters, dataOrFailure } from "../http/endpoint.server.ts";
import { resource } from "../http/resource.server.ts";
import { listOwner } from "../http/proxy/policies.server.ts";
import { itemBody, remove, removedData, signedQuery } from "../storefront/index.server.ts";

const postRemove = endpoint({
  method: "POST",
  operationId: "removeForShopper",
  tag: "Storefront",
  summary: "Remove a product",
  access: listOwner,
  params: noParameters,
  query: signedQuery,
  body: itemBody,
  data: removedData,
  handle: async ({ caller, body }) => dataOrFailure(await remove(caller, body)),
});

const route = resource("/proxy/api/remove", [postRemove], { cors: "same-origin" });

export const loader = route.loader;
export const action = route.action;
