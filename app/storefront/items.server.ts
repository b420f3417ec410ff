import type { z } from "zod";
import { Failure } from "../platform/failure.ts";
import {
  changeItem,
  guestOwner,
  mergeGuest,
  moveItems,
  readList,
  readSaved,
  readTotals,
  recordCart,
  removeItem,
} from "../wishlists/index.server.ts";
import { listOf, ownerOf, type Customer, type Shopper } from "./identity.server.ts";
import {
  isHandle,
  type cartBody,
  type cartData,
  type itemBody,
  type listBody,
  type mergeBody,
  type mergedData,
  type moveBody,
  type movedData,
  type removedData,
  type savedBody,
  type savedData,
  type updatedItemData,
  type updateItemBody,
} from "./schemas.ts";
import { forShoppers, loginRequired, productOf, SOURCE } from "./product.server.ts";
import { ownerTag } from "./tags.server.ts";

/** Returns a slice of one of the shopper's lists as JSON text. */
export async function list(shopper: Shopper, body: z.output<typeof listBody>): Promise<string | Failure> {
  const of = listOf(shopper, body);
  const [read, totals] = await Promise.all([readList(of, body), of && readTotals(of)]);
  if (read instanceof Failure) return forShoppers(read);
  const { json, itemCount: listCount, matchCount } = read;
  const itemCount = totals?.itemCount ?? 0;
  return `{"items":${json},"itemCount":${itemCount},"listCount":${listCount},"matchCount":${matchCount},"owner":"${ownerTag(shopper)}"}`;
}

/** Returns which of a page's products are saved. */
export async function saved(shopper: Shopper, body: z.output<typeof savedBody>): Promise<z.infer<typeof savedData>> {
  const owner = ownerOf(shopper, body.guestId);
  const lookup = { productIds: body.productIds, handles: body.handles.filter(isHandle) };
  const found = owner ? await readSaved(owner, lookup) : { saved: [], itemCount: 0 };
  return { ...found, owner: ownerTag(shopper) };
}

/** Removes a variant, or all variants of a product. */
export async function remove(
  shopper: Shopper,
  body: z.output<typeof itemBody>,
): Promise<z.infer<typeof removedData> | Failure> {
  const from = listOf(shopper, body);
  if (!from) return loginRequired();
  const productId = await productOf(shopper, body);
  if (productId instanceof Failure) return productId;
  const done = await removeItem(from, { productId, variantId: body.variantId }, SOURCE);
  if (done instanceof Failure) return forShoppers(done);
  const { itemCount } = await readTotals(from);
  return { removed: done.removed, itemCount, listCount: done.itemCount, owner: ownerTag(shopper) };
}

/** Moves or copies items to another list, all or none. */
export async function move(
  shopper: Shopper,
  body: z.output<typeof moveBody>,
): Promise<z.infer<typeof movedData> | Failure> {
  const from = listOf(shopper, body);
  if (!from) return loginRequired();
  const moved = await moveItems(from, body, SOURCE);
  if (moved instanceof Failure) return forShoppers(moved);
  const { itemCount } = await readTotals(from);
  const { movedCount, addedCount } = moved;
  return { movedCount, addedCount, itemCount, owner: ownerTag(shopper) };
}

/** Changes the quantity or the note of an item. */
export async function updateItem(
  shopper: Shopper,
  body: z.output<typeof updateItemBody>,
): Promise<z.infer<typeof updatedItemData> | Failure> {
  const of = listOf(shopper, body);
  if (!of) return loginRequired();
  const { productId, variantId, quantity, note } = body;
  const done = await changeItem(of, { productId, variantId }, { quantity, note }, SOURCE);
  if (done instanceof Failure) return forShoppers(done);
  const { updated, addedAt: _, properties: __, position: ___, ...item } = done;
  return { updated, ...item, owner: ownerTag(shopper) };
}

/** Merges the guest's list into the customer's, exactly once, and returns which of the page's products are saved then. */
export async function merge(
  shopper: Customer,
  body: z.output<typeof mergeBody>,
): Promise<z.infer<typeof mergedData> | Failure> {
  const customer = { shopId: shopper.shopId, kind: "customer", id: shopper.customerId } as const;
  const merged = await mergeGuest(guestOwner(shopper.shopId, body.guestId), customer);
  if (merged instanceof Failure) return merged;
  return { merged: true, addedCount: merged.addedCount, ...(await saved(shopper, body)) };
}

/** Records that saved variants were added to the cart. */
export async function cart(
  shopper: Shopper,
  body: z.output<typeof cartBody>,
): Promise<z.infer<typeof cartData> | Failure> {
  const owner = ownerOf(shopper, body.guestId);
  if (!owner) return loginRequired();
  const recorded = await recordCart(owner, body, SOURCE);
  return recorded instanceof Failure ? recorded : { recorded, owner: ownerTag(shopper) };
}
