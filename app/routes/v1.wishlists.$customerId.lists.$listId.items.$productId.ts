import { z } from "zod";
import { dataOrFailure, endpoint, noBody } from "../http/endpoint.server.ts";
import { bearer } from "../http/v1/policies.server.ts";
import { resource } from "../http/resource.server.ts";
import {
  changedItemSchema,
  changeItem,
  changeItemBody,
  ownerInPath,
  ownerParameter,
  listIdSchema,
  productIdSchema,
  removedSchema,
  removeItem,
  variantIdSchema,
} from "../wishlists/index.server.ts";

const PARAMS = z.strictObject({ customerId: ownerParameter, listId: listIdSchema, productId: productIdSchema });

const patchItem = endpoint({
  method: "PATCH",
  operationId: "updateListItem",
  tag: "Lists",
  summary: "Change an item's details",
  description:
    "Changes the given details and leaves the others; null clears one. `variant_id` is needed when the product is saved in several variants.",
  access: bearer("write_wishlists"),
  params: PARAMS,
  query: z.strictObject({ variant_id: variantIdSchema.optional().meta({ description: "The item's variant" }) }),
  body: changeItemBody,
  data: changedItemSchema,
  failures: ["list_not_found", "item_not_found"],
  async handle({ caller, params, query, body }) {
    const list = { ...ownerInPath(caller, params.customerId), listId: params.listId };
    return dataOrFailure(
      await changeItem(list, { productId: params.productId, variantId: query.variant_id }, body, "api"),
    );
  },
});

const deleteItem = endpoint({
  method: "DELETE",
  operationId: "removeListItem",
  tag: "Lists",
  summary: "Remove an item from a list",
  description: "Removes every saved variant of the product, or only the variant given as `variant_id` in the query.",
  bodyAdvice: "send the variant in the query, as `?variant_id=`",
  access: bearer("write_wishlists"),
  params: PARAMS,
  query: z.strictObject({ variant_id: variantIdSchema.optional().meta({ description: "Removes this variant only" }) }),
  body: noBody,
  data: removedSchema,
  failures: ["list_not_found"],
  async handle({ caller, params, query }) {
    const list = { ...ownerInPath(caller, params.customerId), listId: params.listId };
    return dataOrFailure(await removeItem(list, { productId: params.productId, variantId: query.variant_id }, "api"));
  },
});

const route = resource("/v1/wishlists/{customerId}/lists/{listId}/items/{productId}", [patchItem, deleteItem]);

export const loader = route.loader;
export const action = route.action;
