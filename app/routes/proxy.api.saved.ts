import { LIST_BODY_LIMIT } from "../http/body.server.ts";
import { endpoint, noParameters } from "../http/endpoint.server.ts";
import { resource } from "../http/resource.server.ts";
import { listOwner } from "../http/proxy/policies.server.ts";
import { saved, savedBody, savedData, signedQuery } from "../storefront/index.server.ts";

const postSaved = endpoint({
  method: "POST",
  operationId: "findSaved",
  tag: "Storefront",
  summary: "List the saved products among those of a page",
  access: listOwner,
  bodyLimit: LIST_BODY_LIMIT,
  params: noParameters,
  query: signedQuery,
  body: savedBody,
  data: savedData,
  async handle({ caller, body }) {
    return { data: await saved(caller, body) };
  },
});

const route = resource("/proxy/api/saved", [postSaved], { cors: "same-origin" });

export const loader = route.loader;
export const action = route.action;
