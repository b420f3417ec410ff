import type { z } from "zod";
import { Failure } from "../platform/failure.ts";
import { guestOwner, mergeGuest, readList, readSaved, recordCart, removeItem } from "../wishlists/index.server.ts";
import { ownerOf, type Customer, type Shopper } from "./identity.server.ts";
import {
  isHandle,
  type cartBody,
  type cartData,
  type itemBody,
  type listBody,
  type mergeBody,
  type mergedData,
  type removedData,
  type savedBody,
  type savedData,
} from "./schemas.ts";
import { loginRequired, productOf, SOURCE } from "./product.server.ts";
import { ownerTag } from "./tags.server.ts";

/** Returns a slice of the shopper's list as JSON text. */
export async function list(shopper: Shopper, body: z.output<typeof listBody>): Promise<string> {
  const { json, itemCount, matchCount } = await readList(ownerOf(shopper, body.guestId), body);
  return `{"items":${json},"itemCount":${itemCount},"matchCount":${matchCount},"owner":"${ownerTag(shopper)}"}`;
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
  const owner = ownerOf(shopper, body.guestId);
  if (!owner) return loginRequired();
  const productId = await productOf(shopper, body);
  if (productId instanceof Failure) return productId;
  const done = await removeItem(owner, { productId, variantId: body.variantId }, SOURCE);
  return done instanceof Failure ? done : { ...done, owner: ownerTag(shopper) };
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
