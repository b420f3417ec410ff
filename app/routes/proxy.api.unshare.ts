import { dataOrFailure, endpoint, noParameters } from "../http/endpoint.server.ts";
import { resource } from "../http/resource.server.ts";
import { customer } from "../http/proxy/policies.server.ts";
import { shareBody, signedQuery, unshare, unsharedData } from "../storefront/index.server.ts";

const postUnshare = endpoint({
  method: "POST",
  operationId: "unshareForShopper",
  tag: "Storefront",
  summary: "End the share link of a list",
  access: customer,
  params: noParameters,
  query: signedQuery,
  body: shareBody,
  data: unsharedData,
  async handle({ caller, body }) {
    return dataOrFailure(await unshare(caller, body));
  },
});

const route = resource("/proxy/api/unshare", [postUnshare], { cors: "same-origin" });

export const loader = route.loader;
export const action = route.action;
