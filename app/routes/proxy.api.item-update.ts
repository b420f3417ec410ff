import { endpoint, noParameters, dataOrFailure } from "../http/endpoint.server.ts";
import { resource } from "../http/resource.server.ts";
import { listOwner } from "../http/proxy/policies.server.ts";
import { signedQuery, updatedItemData, updateItem, updateItemBody } from "../storefront/index.server.ts";

const postItemUpdate = endpoint({
  method: "POST",
  operationId: "updateShoppersItem",
  tag: "Storefront",
  summary: "Change the quantity or the note of an item",
  access: listOwner,
  params: noParameters,
  query: signedQuery,
  body: updateItemBody,
  data: updatedItemData,
  handle: async ({ caller, body }) => dataOrFailure(await updateItem(caller, body)),
});

const route = resource("/proxy/api/item-update", [postItemUpdate], { cors: "same-origin" });

export const loader = route.loader;
export const action = route.action;
