import { endpoint, noParameters } from "../http/endpoint.server.ts";
import { resource } from "../http/resource.server.ts";
import { customer } from "../http/proxy/policies.server.ts";
import { nothingBody, signedQuery, unshare, unsharedData } from "../storefront/index.server.ts";

const postUnshare = endpoint({
  method: "POST",
  operationId: "unshareForShopper",
  tag: "Storefront",
  summary: "End the share link",
  access: customer,
  params: noParameters,
  query: signedQuery,
  body: nothingBody,
  data: unsharedData,
  async handle({ caller }) {
    return { data: await unshare(caller) };
  },
});

const route = resource("/proxy/api/unshare", [postUnshare], { cors: "same-origin" });

export const loader = route.loader;
export const action = route.action;
