import { z } from "zod";
import { LIST_BODY_LIMIT } from "../../http/body.server.ts";
import { endpoint, noBody, tagged, noParameters, dataOrFailure } from "../../http/endpoint.server.ts";
import { runOnce } from "../../http/idempotency.server.ts";
import { bearer } from "../../http/v1/policies.server.ts";
import { Failure } from "../../platform/failure.ts";
import type { Execution } from "../../platform/transaction.server.ts";
import {
  ownerInPath,
  ownerParameter,
  itemsQuery,
  PAGE_LIMIT,
  pageSchema,
  readPage,
  toItemsQuery,
  addBody,
  addedSchema,
  addItem,
  productIdSchema,
  removedSchema,
  removeItem,
  variantIdSchema,
  mergeBody,
  mergedSchema,
  mergeItems,
  containsQuery,
  containsSchema,
  findContaining,
  listIdSchema,
  changedItemSchema,
  changeItem,
  changeItemBody,
  moveBody,
  movedSchema,
  moveItems,
  batchBody,
  batchSchema,
  cartBody,
  recordCart,
  recordedCartSchema,
  changeTogether,
  keptBatch,
} from "../../wishlists/index.server.ts";

export const getWishlist = endpoint({
  operationId: "getWishlist",
  sdkMethod: "wishlists.get",
  tag: "Wishlists",
  summary: "Read a customer's wishlist",
  description:
    "Newest first, unless `sort` says otherwise. A customer without saved items has an empty wishlist. Send the `ETag` of an earlier response as `If-None-Match` to get 304 while nothing has changed.",
  access: bearer("read_wishlists"),
  compressed: true,
  params: z.strictObject({ customerId: ownerParameter }),
  query: itemsQuery(PAGE_LIMIT.default),
  body: noBody,
  data: pageSchema,
  async handle({ caller, params, query, knownTags }) {
    const list = ownerInPath(caller, params.customerId);
    return tagged(await readPage(list, toItemsQuery(query), knownTags));
  },
});

export const postItem = endpoint({
  operationId: "addItem",
  sdkMethod: "wishlists.items.add",
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

export const deleteItem = endpoint({
  operationId: "removeItem",
  sdkMethod: "wishlists.items.remove",
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

export const postMerge = endpoint({
  operationId: "mergeWishlist",
  sdkMethod: "wishlists.merge",
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

export const getContaining = endpoint({
  operationId: "getListsContaining",
  sdkMethod: "lists.containing",
  tag: "Lists",
  summary: "Find the lists that have products",
  description: "Returns which lists have the given products, by variant.",
  access: bearer("read_wishlists"),
  compressed: true,
  params: z.strictObject({ customerId: ownerParameter }),
  query: containsQuery,
  body: noBody,
  data: containsSchema,
  async handle({ caller, params, query }) {
    const owner = ownerInPath(caller, params.customerId);
    return { data: await findContaining(owner, query.product_id) };
  },
});

export const getListItems = endpoint({
  operationId: "getListItems",
  sdkMethod: "lists.items.list",
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

export const postListItem = endpoint({
  operationId: "addListItem",
  sdkMethod: "lists.items.add",
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

const LIST_ITEM = z.strictObject({ customerId: ownerParameter, listId: listIdSchema, productId: productIdSchema });

export const patchListItem = endpoint({
  operationId: "updateListItem",
  sdkMethod: "lists.items.update",
  tag: "Lists",
  summary: "Change an item's details",
  description:
    "Changes the given details and leaves the others; null clears one. `variant_id` is needed when the product is saved in several variants.",
  access: bearer("write_wishlists"),
  params: LIST_ITEM,
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

export const deleteListItem = endpoint({
  operationId: "removeListItem",
  sdkMethod: "lists.items.remove",
  tag: "Lists",
  summary: "Remove an item from a list",
  description: "Removes every saved variant of the product, or only the variant given as `variant_id` in the query.",
  bodyAdvice: "send the variant in the query, as `?variant_id=`",
  access: bearer("write_wishlists"),
  params: LIST_ITEM,
  query: z.strictObject({ variant_id: variantIdSchema.optional().meta({ description: "Removes this variant only" }) }),
  body: noBody,
  data: removedSchema,
  failures: ["list_not_found"],
  async handle({ caller, params, query }) {
    const list = { ...ownerInPath(caller, params.customerId), listId: params.listId };
    return dataOrFailure(await removeItem(list, { productId: params.productId, variantId: query.variant_id }, "api"));
  },
});

export const postMove = endpoint({
  operationId: "moveListItems",
  sdkMethod: "lists.items.move",
  tag: "Lists",
  summary: "Move or copy items to another list",
  description:
    "All items or none. An item that the other list has is there once afterwards, as it was there. A moved item keeps its time and details; a copy is saved now, with the details. Repeating a move changes nothing.",
  access: bearer("write_wishlists"),
  bodyLimit: LIST_BODY_LIMIT,
  params: z.strictObject({ customerId: ownerParameter, listId: listIdSchema }),
  query: noParameters,
  body: moveBody,
  data: movedSchema,
  failures: ["list_not_found", "item_not_found", "wishlist_full"],
  async handle({ caller, params, body }) {
    const list = { ...ownerInPath(caller, params.customerId), listId: params.listId };
    return dataOrFailure(await moveItems(list, body, "api"));
  },
});

export const postBatch = endpoint({
  operationId: "changeListItems",
  sdkMethod: "lists.items.batch",
  tag: "Lists",
  summary: "Apply many operations at once",
  description:
    "Adds, removes and updates up to 250 items, in the given order, all or none, as one version of the list. An added item without a variant means the product's default variant.",
  access: bearer("write_wishlists"),
  bodyLimit: LIST_BODY_LIMIT,
  params: z.strictObject({ customerId: ownerParameter, listId: listIdSchema }),
  query: noParameters,
  body: batchBody,
  data: batchSchema,
  idempotent: true,
  failures: [
    "list_not_found",
    "item_not_found",
    "wishlist_full",
    "product_not_found",
    "catalog_not_connected",
    "catalog_unavailable",
  ],
  handle(call) {
    const { caller, params, body } = call;
    const list = { ...ownerInPath(caller, params.customerId), listId: params.listId };
    const change = (execution: Execution) => changeTogether(list, body, "api", execution);
    return runOnce(call, "changeListItems", change, keptBatch);
  },
});

export const postCart = endpoint({
  operationId: "recordCart",
  sdkMethod: "wishlists.recordCart",
  tag: "Wishlists",
  summary: "Record that saved items were put into the cart",
  description:
    "Send what a shopper puts into the cart, for the wishlist-to-cart rate. Each variant that is in one of the owner's lists counts once for an `event_id`; others are ignored. Repeating the request changes nothing.",
  access: bearer("write_wishlists"),
  bodyLimit: 64 * 1024,
  params: z.strictObject({ customerId: ownerParameter }),
  query: noParameters,
  body: cartBody,
  data: recordedCartSchema,
  async handle({ caller, params, body: { event_id: eventId, items } }) {
    const event = {
      eventId,
      items: items.map(({ product_id: productId, variant_id: variantId }) => ({ productId, variantId })),
    };
    const recorded = await recordCart(ownerInPath(caller, params.customerId), event, "api");
    return recorded instanceof Failure ? recorded : { data: { recorded } };
  },
});
