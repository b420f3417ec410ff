import { endpoint, noParameters, dataOrFailure } from "../http/endpoint.server.ts";
import { resource } from "../http/resource.server.ts";
import { listOwner } from "../http/proxy/policies.server.ts";
import { add, addedData, itemBody, signedQuery } from "../storefront/index.server.ts";

const postAdd = endpoint({
  method: "POST",
  operationId: "saveForShopper",
  tag: "Storefront",
  summary: "Save a product",
  access: listOwner,
  params: noParameters,
  query: signedQuery,
  body: itemBody,
  data: addedData,
  handle: async ({ caller, body }) => dataOrFailure(await add(caller, body)),
});

const route = resource("/proxy/api/add", [postAdd], { cors: "same-origin" });

export const loader = route.loader;
export const action = route.action;
