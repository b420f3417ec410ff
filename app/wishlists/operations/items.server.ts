import { z } from "zod";
import { dataOrFailure, Failure } from "../../platform/failure.ts";
import { listIdSchema, productIdSchema, variantIdSchema } from "../identifiers.ts";
import { mergeBody, mergedSchema, mergeItems } from "../guests/merge.server.ts";
import { addBody, addedSchema, addItem as add } from "../items/add.server.ts";
import { batchBody, batchSchema, changeTogether, keptBatch } from "../items/batch.server.ts";
import { cartBody, recordCart as record, recordedCartSchema } from "../items/cart.server.ts";
import { moveBody, movedSchema, moveItems } from "../items/move.server.ts";
import { itemsQuery, PAGE_LIMIT, pageSchema, toItemsQuery } from "../items/page.ts";
import { readPage } from "../items/read.server.ts";
import { removedSchema, removeItem as remove } from "../items/remove.server.ts";
import { changedItemSchema, changeItem, changeItemBody } from "../items/update.server.ts";
import { noBody, none, operation, textOrFailure, type Named } from "./operation.ts";

/** Bytes of an input with up to 250 items. */
const ITEMS_LIMIT = 256 * 1024;

const ofList = z.strictObject({ listId: listIdSchema });
const ofItem = z.strictObject({ listId: listIdSchema, productId: productIdSchema });

/** Reads a page of a list. */
function readItems<Ids extends z.ZodObject>(declared: Named<Ids>) {
  return operation({
    ...declared,
    effect: "read",
    options: itemsQuery(PAGE_LIMIT.default),
    body: noBody,
    data: pageSchema,
    handle: async ({ list, options, knownTags }) =>
      textOrFailure(await readPage(list, toItemsQuery(options), knownTags)),
  });
}

export const getWishlist = readItems({
  operationId: "getWishlist",
  sdkMethod: "wishlists.get",
  tag: "Wishlists",
  summary: "Read a customer's wishlist",
  description:
    "Newest first, unless `sort` says otherwise. A customer without saved items has an empty wishlist. Send the `ETag` of an earlier response as `If-None-Match` to get 304 while nothing has changed.",
  ids: none,
});

export const getListItems = readItems({
  operationId: "getListItems",
  sdkMethod: "lists.items.list",
  tag: "Lists",
  summary: "Read the items of a list",
  description: "As `GET /v1/wishlists/{customerId}`, of any list.",
  ids: ofList,
  failures: ["list_not_found"],
});

/** Adds an item to a list. */
function addTo<Ids extends z.ZodObject>(declared: Named<Ids>) {
  return operation({
    ...declared,
    effect: "write",
    options: none,
    body: addBody,
    data: addedSchema,
    async handle({ caller, list, body: { product_id: productId, variant_id: variantId, ...details } }) {
      const saved = await add(list, { productId, variantId, details }, caller.source);
      if (saved instanceof Failure) return saved;
      return { data: { added: saved.added, itemCount: saved.itemCount } };
    },
  });
}

export const addItem = addTo({
  operationId: "addItem",
  sdkMethod: "wishlists.items.add",
  tag: "Wishlists",
  summary: "Add an item",
  description: "Adding an item that is already saved changes nothing and returns `added: false`.",
  ids: none,
  failures: ["wishlist_full", "product_not_found", "catalog_not_connected", "catalog_unavailable"],
});

export const addListItem = addTo({
  operationId: "addListItem",
  sdkMethod: "lists.items.add",
  tag: "Lists",
  summary: "Add an item to a list",
  description: "Adding an item that the list has changes nothing, its details included, and returns `added: false`.",
  ids: ofList,
  failures: ["list_not_found", "wishlist_full", "product_not_found", "catalog_not_connected", "catalog_unavailable"],
});

export const removeItem = operation({
  operationId: "removeItem",
  sdkMethod: "wishlists.items.remove",
  tag: "Wishlists",
  summary: "Remove an item",
  description:
    "Removes every saved variant of the product, or only the variant given as `variant_id` in the query. A request body is refused, so that a variant given there does not remove all variants.",
  effect: "write",
  ids: z.strictObject({ productId: productIdSchema }),
  options: z.strictObject({
    variant_id: variantIdSchema.optional().meta({ description: "Removes this variant only", "x-additive": true }),
  }),
  body: noBody,
  data: removedSchema,
  async handle({ caller, list, ids: { productId }, options: { variant_id: variantId } }) {
    return dataOrFailure(await remove(list, { productId, variantId }, caller.source));
  },
});

export const removeListItem = operation({
  ...removeItem,
  operationId: "removeListItem",
  sdkMethod: "lists.items.remove",
  tag: "Lists",
  summary: "Remove an item from a list",
  description: "Removes every saved variant of the product, or only the variant given as `variant_id` in the query.",
  ids: ofItem,
  options: z.strictObject({
    variant_id: variantIdSchema.optional().meta({ description: "Removes this variant only" }),
  }),
  failures: ["list_not_found"],
});

export const updateListItem = operation({
  operationId: "updateListItem",
  sdkMethod: "lists.items.update",
  tag: "Lists",
  summary: "Change an item's details",
  description:
    "Changes the given details and leaves the others; null clears one. `variant_id` is needed when the product is saved in several variants.",
  effect: "write",
  ids: ofItem,
  options: z.strictObject({ variant_id: variantIdSchema.optional().meta({ description: "The item's variant" }) }),
  body: changeItemBody,
  data: changedItemSchema,
  failures: ["list_not_found", "item_not_found"],
  async handle({ caller, list, ids: { productId }, options: { variant_id: variantId }, body }) {
    return dataOrFailure(await changeItem(list, { productId, variantId }, body, caller.source));
  },
});

export const moveListItems = operation({
  operationId: "moveListItems",
  sdkMethod: "lists.items.move",
  tag: "Lists",
  summary: "Move or copy items to another list",
  description:
    "All items or none. An item that the other list has is there once afterwards, as it was there. A moved item keeps its time and details; a copy is saved now, with the details. Repeating a move changes nothing.",
  effect: "write",
  inputLimit: ITEMS_LIMIT,
  ids: ofList,
  options: none,
  body: moveBody,
  data: movedSchema,
  failures: ["list_not_found", "item_not_found", "wishlist_full"],
  async handle({ caller, list, body }) {
    return dataOrFailure(await moveItems(list, body, caller.source));
  },
});

export const changeListItems = operation({
  operationId: "changeListItems",
  sdkMethod: "lists.items.batch",
  tag: "Lists",
  summary: "Apply many operations at once",
  description:
    "Adds, removes and updates up to 250 items, in the given order, all or none, as one version of the list. An added item without a variant means the product's default variant.",
  effect: "write",
  inputLimit: ITEMS_LIMIT,
  ids: ofList,
  options: none,
  body: batchBody,
  data: batchSchema,
  idempotent: true,
  keptForm: keptBatch,
  failures: [
    "list_not_found",
    "item_not_found",
    "wishlist_full",
    "product_not_found",
    "catalog_not_connected",
    "catalog_unavailable",
  ],
  async handle({ caller, list, body, execution }) {
    return dataOrFailure(await changeTogether(list, body, caller.source, execution));
  },
});

export const mergeWishlist = operation({
  operationId: "mergeWishlist",
  sdkMethod: "wishlists.merge",
  tag: "Wishlists",
  summary: "Merge a guest's list into a customer's wishlist",
  description:
    "Send it when a customer logs in. Either all items are merged or none; repeating the request changes nothing. Items that are already saved keep their time; of duplicates, the earliest is kept. An item without a variant means the product's default variant at the time of the request: the first available variant, or the first one when all are sold out.",
  effect: "write",
  inputLimit: ITEMS_LIMIT,
  ids: none,
  options: none,
  body: mergeBody,
  data: mergedSchema,
  failures: ["list_not_found", "wishlist_full", "catalog_not_connected", "catalog_unavailable"],
  async handle({ list, body }) {
    return dataOrFailure(await mergeItems({ ...list, listId: body.list_id }, body, "merge"));
  },
});

export const recordCart = operation({
  operationId: "recordCart",
  sdkMethod: "wishlists.recordCart",
  tag: "Wishlists",
  summary: "Record that saved items were put into the cart",
  description:
    "Send what a shopper puts into the cart, for the wishlist-to-cart rate. Each variant that is in one of the owner's lists counts once for an `event_id`; others are ignored. Repeating the request changes nothing.",
  effect: "write",
  inputLimit: 64 * 1024,
  ids: none,
  options: none,
  body: cartBody,
  data: recordedCartSchema,
  async handle({ caller, list, body: { event_id: eventId, items } }) {
    const variants = items.map(({ product_id: productId, variant_id: variantId }) => ({ productId, variantId }));
    const recorded = await record(list, { eventId, items: variants }, caller.source);
    return recorded instanceof Failure ? recorded : { data: { recorded } };
  },
});
