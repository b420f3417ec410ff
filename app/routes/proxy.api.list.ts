import { endpoint, noParameters } from "../http/endpoint.server.ts";
import { resource } from "../http/resource.server.ts";
import { listKeeper } from "../http/proxy/policies.server.ts";
import { list, listBody, listData, signedQuery } from "../storefront/index.server.ts";

const postList = endpoint({
  method: "POST",
  operationId: "listShoppersItems",
  tag: "Storefront",
  summary: "Read the shopper's list",
  access: listKeeper,
  params: noParameters,
  query: signedQuery,
  body: listBody,
  data: listData,
  async handle({ who, body }) {
    return { json: await list(who, body) };
  },
});

const route = resource("/proxy/api/list", [postList], { readers: "same-origin" });

export const loader = route.loader;
export const action = route.action;
