import { endpoint, noParameters, dataOrFailure } from "../http/endpoint.server.ts";
import { resource } from "../http/resource.server.ts";
import { listOwner } from "../http/proxy/policies.server.ts";
import { move, moveBody, movedData, signedQuery } from "../storefront/index.server.ts";

const postMove = endpoint({
  method: "POST",
  operationId: "moveShoppersItems",
  tag: "Storefront",
  summary: "Move or copy items to another list",
  access: listOwner,
  bodyLimit: 64 * 1024,
  params: noParameters,
  query: signedQuery,
  body: moveBody,
  data: movedData,
  handle: async ({ caller, body }) => dataOrFailure(await move(caller, body)),
});

const route = resource("/proxy/api/move", [postMove], { cors: "same-origin" });

export const loader = route.loader;
export const action = route.action;
