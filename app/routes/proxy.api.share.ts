import { endpoint, noParameters, dataOrFailure } from "../http/endpoint.server.ts";
import { resource } from "../http/resource.server.ts";
import { customer } from "../http/proxy/policies.server.ts";
import { share, shareBody, sharedData, signedQuery } from "../storefront/index.server.ts";

const postShare = endpoint({
  method: "POST",
  operationId: "shareForShopper",
  tag: "Storefront",
  summary: "Share a list of the customer by link",
  access: customer,
  params: noParameters,
  query: signedQuery,
  body: shareBody,
  data: sharedData,
  handle: async ({ caller, body }) => dataOrFailure(await share(caller, body)),
});

const route = resource("/proxy/api/share", [postShare], { cors: "same-origin" });

export const loader = route.loader;
export const action = route.action;
