import { endpoint, noParameters } from "../http/endpoint.server.ts";
import { resource } from "../http/resource.server.ts";
import { listOwner } from "../http/proxy/policies.server.ts";
import { list, listBody, listData, signedQuery } from "../storefront/index.server.ts";

const postList = endpoint({
  method: "POST",
  operationId: "listShoppersItems",
  tag: "Storefront",
  summary: "Read the shopper's list",
  access: listOwner,
  params: noParameters,
  query: signedQuery,
  body: listBody,
  data: listData,
  async handle({ caller, body }) {
    return { json: await list(caller, body) };
  },
});

const route = resource("/proxy/api/list", [postList], { cors: "same-origin" });

export const loader = route.loader;
export const action = route.action;
