import { LIST_BODY_LIMIT } from "../http/body.server.ts";
import { endpoint, noParameters, dataOrFailure } from "../http/endpoint.server.ts";
import { resource } from "../http/resource.server.ts";
import { customer } from "../http/proxy/policies.server.ts";
import { merge, mergeBody, mergedData, signedQuery } from "../storefront/index.server.ts";

const postMerge = endpoint({
  method: "POST",
  operationId: "foldGuest",
  tag: "Storefront",
  summary: "Merge the guest's list into the customer's at login",
  access: customer,
  bodyLimit: LIST_BODY_LIMIT,
  params: noParameters,
  query: signedQuery,
  body: mergeBody,
  data: mergedData,
  handle: async ({ caller, body }) => dataOrFailure(await merge(caller, body)),
});

const route = resource("/proxy/api/merge", [postMerge], { cors: "same-origin" });

export const loader = route.loader;
export const action = route.action;
