import { z } from "zod";
import { endpoint, noBody, dataOrFailure } from "../http/endpoint.server.ts";
import { bearer } from "../http/v1/policies.server.ts";
import { resource } from "../http/resource.server.ts";
import {
  ownerInPath,
  ownerParameter,
  productIdSchema,
  removedSchema,
  removeItem,
  variantIdSchema,
} from "../wishlists/index.server.ts";

const deleteItem = endpoint({
  method: "DELETE",
  operationId: "removeItem",
  tag: "Wishlists",
  summary: "Remove an item",
  description:
    "Removes every saved variant of the product, or only the variant given as `variant_id` in the query. A request body is refused, so that a variant given there does not remove all variants.",
  bodyAdvice: "send the variant in the query, as `?variant_id=`",
  access: bearer("write_wishlists"),
  params: z.strictObject({ customerId: ownerParameter, productId: productIdSchema }),
  query: z.strictObject({
    variant_id: variantIdSchema.optional().meta({ description: "Removes this variant only", "x-additive": true }),
  }),
  body: noBody,
  data: removedSchema,
  async handle({ caller, params, query }) {
    const owner = ownerInPath(caller, params.customerId);
    return dataOrFailure(await removeItem(owner, { productId: params.productId, variantId: query.variant_id }, "api"));
  },
});

const route = resource("/v1/wishlists/{customerId}/items/{productId}", [deleteItem]);

export const loader = route.loader;
export const action = route.action;
