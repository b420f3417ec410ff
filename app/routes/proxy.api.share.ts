import { endpoint, noParameters, dataOrFailure } from "../http/endpoint.server.ts";
import { resource } from "../http/resource.server.ts";
import { customer } from "../http/proxy/policies.server.ts";
import { nothingBody, share, sharedData, signedQuery } from "../storefront/index.server.ts";

const postShare = endpoint({
  method: "POST",
  operationId: "shareForShopper",
  tag: "Storefront",
  summary: "Share the customer's list by link",
  access: customer,
  params: noParameters,
  query: signedQuery,
  body: nothingBody,
  data: sharedData,
  handle: async ({ caller }) => dataOrFailure(await share(caller)),
});

const route = resource("/proxy/api/share", [postShare], { cors: "same-origin" });

export const loader = route.loader;
export const action = route.action;
