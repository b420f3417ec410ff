import { endpoint, noParameters } from "../http/endpoint.server.ts";
import { Failure } from "../platform/failure.ts";
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
    const json = await list(caller, body);
    return json instanceof Failure ? json : { json };
  },
});

const route = resource("/proxy/api/list", [postList], { cors: "same-origin" });

export const loader = route.loader;
export const action = route.action;
