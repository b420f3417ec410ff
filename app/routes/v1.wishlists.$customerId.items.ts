import { z } from "zod";
import { endpoint, noParameters } from "../http/endpoint.server.ts";
import { bearer } from "../http/v1/policies.server.ts";
import { resource } from "../http/resource.server.ts";
import { Failure } from "../platform/failure.ts";
import { addBody, addedSchema, addItem, ownerInPath, ownerParameter } from "../wishlists/index.server.ts";

const postItem = endpoint({
  method: "POST",
  operationId: "addItem",
  tag: "Wishlists",
  summary: "Add an item",
  description: "Adding an item that is already saved changes nothing and returns `added: false`.",
  access: bearer("write_wishlists"),
  params: z.strictObject({ customerId: ownerParameter }),
  query: noParameters,
  body: addBody,
  data: addedSchema,
  failures: ["wishlist_full", "product_not_found", "catalog_not_connected", "catalog_unavailable"],
  async handle({ caller, params, body: { product_id: productId, variant_id: variantId, ...details } }) {
    const owner = ownerInPath(caller, params.customerId);
    const saved = await addItem(owner, { productId, variantId, ...details }, "api");
    if (saved instanceof Failure) return saved;
    return { data: { added: saved.added, itemCount: saved.itemCount } };
  },
});

const route = resource("/v1/wishlists/{customerId}/items", [postItem]);

export const loader = route.loader;
export const action = route.action;
