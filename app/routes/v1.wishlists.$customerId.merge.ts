import { z } from "zod";
import { LIST_BODY_LIMIT } from "../http/body.server.ts";
import { endpoint, noParameters, dataOrFailure } from "../http/endpoint.server.ts";
import { bearer } from "../http/v1/policies.server.ts";
import { resource } from "../http/resource.server.ts";
import { customerIdSchema, mergeBody, mergedSchema, mergeItems } from "../wishlists/index.server.ts";

const postMerge = endpoint({
  method: "POST",
  operationId: "mergeWishlist",
  tag: "Wishlists",
  summary: "Fold a guest's list into a customer's wishlist",
  description:
    "For the moment a customer logs in. All or nothing; repeating it changes nothing. Items saved already keep their time, duplicates fold to the earliest. An item without a variant means the product's default variant at the time of the call: the first available one, or the first when all are sold out.",
  access: bearer("write_wishlists"),
  bodyLimit: LIST_BODY_LIMIT,
  params: z.strictObject({ customerId: customerIdSchema }),
  query: noParameters,
  body: mergeBody,
  data: mergedSchema,
  failures: ["wishlist_full", "catalog_not_connected", "catalog_unavailable"],
  handle: async ({ caller, params, body }) =>
    dataOrFailure(await mergeItems({ shopId: caller.shopId, kind: "customer", id: params.customerId }, body, "merge")),
});

const route = resource("/v1/wishlists/{customerId}/merge", [postMerge]);

export const loader = route.loader;
export const action = route.action;
