import { z } from "zod";
import { endpoint, noBody, noParameters, tagged } from "../http/endpoint.server.ts";
import { bearer } from "../http/v1/policies.server.ts";
import { resource } from "../http/resource.server.ts";
import { Failure } from "../platform/failure.ts";
import {
  addBody,
  addedSchema,
  addItem,
  ownerInPath,
  ownerParameter,
  itemsQuery,
  listIdSchema,
  PAGE_LIMIT,
  pageSchema,
  readPage,
  toItemsQuery,
} from "../wishlists/index.server.ts";

const getItems = endpoint({
  method: "GET",
  operationId: "getListItems",
  tag: "Lists",
  summary: "Read the items of a list",
  description: "As `GET /v1/wishlists/{customerId}`, of any list.",
  access: bearer("read_wishlists"),
  compressed: true,
  params: z.strictObject({ customerId: ownerParameter, listId: listIdSchema }),
  query: itemsQuery(PAGE_LIMIT.default),
  body: noBody,
  data: pageSchema,
  failures: ["list_not_found"],
  async handle({ caller, params, query, knownTags }) {
    const list = { ...ownerInPath(caller, params.customerId), listId: params.listId };
    return tagged(await readPage(list, toItemsQuery(query), knownTags));
  },
});

const postItem = endpoint({
  method: "POST",
  operationId: "addListItem",
  tag: "Lists",
  summary: "Add an item to a list",
  description: "Adding an item that the list has changes nothing, its details included, and returns `added: false`.",
  access: bearer("write_wishlists"),
  params: z.strictObject({ customerId: ownerParameter, listId: listIdSchema }),
  query: noParameters,
  body: addBody,
  data: addedSchema,
  failures: ["list_not_found", "wishlist_full", "product_not_found", "catalog_not_connected", "catalog_unavailable"],
  async handle({ caller, params, body: { product_id: productId, variant_id: variantId, ...details } }) {
    const list = { ...ownerInPath(caller, params.customerId), listId: params.listId };
    const saved = await addItem(list, { productId, variantId, ...details }, "api");
    if (saved instanceof Failure) return saved;
    return { data: { added: saved.added, itemCount: saved.itemCount } };
  },
});

const route = resource("/v1/wishlists/{customerId}/lists/{listId}/items", [getItems, postItem]);

export const loader = route.loader;
export const action = route.action;
