import type { z } from "zod";
import { noticeCustomer } from "../contacts/index.server.ts";
import { Failure } from "../platform/failure.ts";
import {
  guestOwner,
  mergeGuest,
  operations,
  readListAndTotal,
  readSaved,
  readTotals,
} from "../wishlists/index.server.ts";
import { isCustomer, type ListOwner, type Shopper } from "./identity.server.ts";
import { perform } from "./operations.server.ts";
import {
  isHandle,
  type itemBody,
  type listBody,
  type mergeBody,
  type mergedData,
  type removedData,
  type savedBody,
  type savedData,
} from "./schemas.ts";
import { productOf } from "./product.server.ts";
import { ownerTag } from "./tags.server.ts";

/** Returns a slice of one of the shopper's lists as JSON text. */
export async function list(shopper: Shopper, body: z.output<typeof listBody>): Promise<string | Failure> {
  const { owner } = shopper;
  const read = await readListAndTotal(owner && { ...owner, listId: body.listId }, { ...body, searchesDetails: true });
  if (read instanceof Failure) return read;
  const { json, itemCount: listCount, matchCount, ownerItemCount: itemCount } = read;
  return `{"items":${json},"itemCount":${itemCount},"listCount":${listCount},"matchCount":${matchCount},"owner":"${ownerTag(shopper)}"}`;
}

/** Returns which of a page's products are saved. */
export async function saved(shopper: Shopper, body: z.output<typeof savedBody>): Promise<z.infer<typeof savedData>> {
  const { shopId, owner } = shopper;
  const lookup = { productIds: body.productIds, handles: body.handles.filter(isHandle) };
  if (isCustomer(shopper)) noticeCustomer(shopId, shopper.owner.id);
  const found = owner ? await readSaved(owner, lookup) : { saved: [], itemCount: 0 };
  return { ...found, owner: ownerTag(shopper) };
}

/** Removes a variant, or all variants of a product. */
export async function remove(
  shopper: ListOwner,
  body: z.output<typeof itemBody>,
): Promise<z.infer<typeof removedData> | Failure> {
  const { listId, variantId: variant_id } = body;
  const productId = await productOf(shopper, body);
  if (productId instanceof Failure) return productId;
  const done = await perform(operations.removeListItem, shopper, { listId, productId, variant_id });
  if (done instanceof Failure) return done;
  const { itemCount } = await readTotals(shopper.owner);
  return { removed: done.removed, itemCount, listCount: done.itemCount };
}

/** Merges the guest's list into the customer's, exactly once, and returns which of the page's products are saved then. */
export async function merge(
  shopper: ListOwner,
  body: z.output<typeof mergeBody>,
): Promise<z.infer<typeof mergedData> | Failure> {
  const merged = await mergeGuest(guestOwner(shopper.shopId, body.guestId), shopper.owner);
  if (merged instanceof Failure) return merged;
  return { merged: true, addedCount: merged.addedCount, ...(await saved(shopper, body)) };
}
