import { endpoint, noParameters, outcome } from "../http/endpoint.server.ts";
import { resource } from "../http/resource.server.ts";
import { listKeeper } from "../http/proxy/policies.server.ts";
import { itemBody, remove, removedData, signedQuery } from "../storefront/index.server.ts";

const postRemove = endpoint({
  method: "POST",
  operationId: "removeForShopper",
  tag: "Storefront",
  summary: "Remove a product",
  access: listKeeper,
  params: noParameters,
  query: signedQuery,
  body: itemBody,
  data: removedData,
  handle: async ({ who, body }) => outcome(await remove(who, body)),
});

const route = resource("/proxy/api/remove", [postRemove], { readers: "same-origin" });

export const loader = route.loader;
export const action = route.action;
