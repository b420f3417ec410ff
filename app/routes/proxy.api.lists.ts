import { endpoint, noParameters, dataOrFailure } from "../http/endpoint.server.ts";
import { resource } from "../http/resource.server.ts";
import { listOwner } from "../http/proxy/policies.server.ts";
import { listsBody, listsData, showLists, signedQuery } from "../storefront/index.server.ts";

const postLists = endpoint({
  method: "POST",
  operationId: "listShoppersLists",
  tag: "Storefront",
  summary: "Read the shopper's lists",
  access: listOwner,
  params: noParameters,
  query: signedQuery,
  body: listsBody,
  data: listsData,
  handle: async ({ caller, body }) => dataOrFailure(await showLists(caller, body)),
});

const route = resource("/proxy/api/lists", [postLists], { cors: "same-origin" });

export const loader = route.loader;
export const action = route.action;
