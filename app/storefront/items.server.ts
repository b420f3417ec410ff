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
import { nobody, productOf, SOURCE } from "./product.server.ts";
import { ownerTag } from "./tags.server.ts";

/** A slice of the shopper's list as JSON text. */
export async function list(who: Shopper, body: z.output<typeof listBody>): Promise<string> {
  const { json, itemCount, matchCount } = await readList(ownerOf(who, body.guestId), body);
  return `{"items":${json},"itemCount":${itemCount},"matchCount":${matchCount},"owner":"${ownerTag(who)}"}`;
}

/** Which of the products of a page are saved. */
export async function saved(who: Shopper, body: z.output<typeof savedBody>): Promise<z.infer<typeof savedData>> {
  const owner = ownerOf(who, body.guestId);
  const asked = { productIds: body.productIds, handles: body.handles.filter(isHandle) };
  const found = owner ? await readSaved(owner, asked) : { saved: [], itemCount: 0 };
  return { ...found, owner: ownerTag(who) };
}

/** Removes a variant, or all of the product. */
export async function remove(
  who: Shopper,
  body: z.output<typeof itemBody>,
): Promise<z.infer<typeof removedData> | Failure> {
  const owner = ownerOf(who, body.guestId);
  if (!owner) return nobody();
  const productId = await productOf(who, body);
  if (productId instanceof Failure) return productId;
  const done = await removeItem(owner, { productId, variantId: body.variantId }, SOURCE);
  return done instanceof Failure ? done : { ...done, owner: ownerTag(who) };
}

/** Merges the guest's list into the customer's, exactly once, and returns which of the page's products are saved then. */
export async function merge(
  who: Customer,
  body: z.output<typeof mergeBody>,
): Promise<z.infer<typeof mergedData> | Failure> {
  const customer = { shopId: who.shopId, kind: "customer", id: who.customerId } as const;
  const merged = await mergeGuest(guestOwner(who.shopId, body.guestId), customer);
  if (merged instanceof Failure) return merged;
  return { merged: true, addedCount: merged.addedCount, ...(await saved(who, body)) };
}

/** Records that saved variants were put into the cart. */
export async function cart(who: Shopper, body: z.output<typeof cartBody>): Promise<z.infer<typeof cartData> | Failure> {
  const owner = ownerOf(who, body.guestId);
  if (!owner) return nobody();
  const recorded = await recordCart(owner, body, SOURCE);
  return recorded instanceof Failure ? recorded : { recorded, owner: ownerTag(who) };
}
