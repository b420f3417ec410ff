import { z } from "zod";
import { LIST_BODY_LIMIT } from "../http/body.server.ts";
import { endpoint, noParameters, dataOrFailure } from "../http/endpoint.server.ts";
import { bearer } from "../http/v1/policies.server.ts";
import { resource } from "../http/resource.server.ts";
import { ownerInPath, ownerParameter, mergeBody, mergedSchema, mergeItems } from "../wishlists/index.server.ts";

const postMerge = endpoint({
  method: "POST",
  operationId: "mergeWishlist",
  tag: "Wishlists",
  summary: "Merge a guest's list into a customer's wishlist",
  description:
    "Send it when a customer logs in. Either all items are merged or none; repeating the request changes nothing. Items that are already saved keep their time; of duplicates, the earliest is kept. An item without a variant means the product's default variant at the time of the request: the first available variant, or the first one when all are sold out.",
  access: bearer("write_wishlists"),
  bodyLimit: LIST_BODY_LIMIT,
  params: z.strictObject({ customerId: ownerParameter }),
  query: noParameters,
  body: mergeBody,
  data: mergedSchema,
  failures: ["list_not_found", "wishlist_full", "catalog_not_connected", "catalog_unavailable"],
  handle: async ({ caller, params, body }) =>
    dataOrFailure(await mergeItems({ ...ownerInPath(caller, params.customerId), listId: body.list_id }, body, "merge")),
});

const route = resource("/v1/wishlists/{customerId}/merge", [postMerge]);

export const loader = route.loader;
export const action = route.action;
