import { endpoint, noParameters, outcome } from "../http/endpoint.server.ts";
import { resource } from "../http/resource.server.ts";
import { listKeeper } from "../http/proxy/policies.server.ts";
import { add, addedData, itemBody, signedQuery } from "../storefront/index.server.ts";

const postAdd = endpoint({
  method: "POST",
  operationId: "saveForShopper",
  tag: "Storefront",
  summary: "Save a product",
  access: listKeeper,
  params: noParameters,
  query: signedQuery,
  body: itemBody,
  data: addedData,
  handle: async ({ who, body }) => outcome(await add(who, body)),
});

const route = resource("/proxy/api/add", [postAdd], { readers: "same-origin" });

export const loader = route.loader;
export const action = route.action;
