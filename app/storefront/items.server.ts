import type { z } from "zod";
import { Failure } from "../platform/failure.ts";
import { resolveHandles } from "../shops/index.server.ts";
import {
  addItem,
  foldGuest,
  guestOwner,
  readList,
  readSaved,
  recordCart,
  removeItem,
  type Owner,
} from "../wishlists/index.server.ts";
import { ownerOf, type Customer, type Shopper } from "./identity.server.ts";
import type {
  addedData,
  cartBody,
  cartData,
  itemBody,
  listBody,
  mergeBody,
  mergedData,
  removedData,
  savedBody,
  savedData,
} from "./schemas.ts";
import { ownerTag } from "./tags.server.ts";

const SOURCE = "storefront";

/** The page that sent it may have been loaded before the shopper's session ended. */
function nobody(): Failure {
  return new Failure("login_required", "Nobody is logged in. Log in, or send a `guestId`.");
}

/** A slice of the shopper's list as JSON text. */
export async function list(who: Shopper, body: z.output<typeof listBody>): Promise<string> {
  const { json, itemCount } = await readList(ownerOf(who, body.guestId), body);
  return `{"items":${json},"itemCount":${itemCount},"owner":"${ownerTag(who)}"}`;
}

/** Which of the products of a page are saved. */
export async function saved(who: Shopper, body: z.output<typeof savedBody>): Promise<z.infer<typeof savedData>> {
  const owner = ownerOf(who, body.guestId);
  const found = owner ? await readSaved(owner, body) : { saved: [], itemCount: 0 };
  return { ...found, owner: ownerTag(who) };
}

/** The product that is meant, by its id or its handle. */
async function productOf(
  { shopId }: Shopper,
  { productId, handle = "" }: z.output<typeof itemBody>,
): Promise<string | Failure> {
  if (productId !== undefined) return productId;
  const found = await resolveHandles(shopId, [handle]);
  if (found instanceof Failure) return found;
  return found.get(handle) ?? new Failure("product_not_found", `The shop has no product with the handle ${handle}.`);
}

async function itemOf(
  who: Shopper,
  body: z.output<typeof itemBody>,
): Promise<{ owner: Owner; item: { productId: string; variantId: string | undefined } } | Failure> {
  const owner = ownerOf(who, body.guestId);
  if (!owner) return nobody();
  const productId = await productOf(who, body);
  return productId instanceof Failure ? productId : { owner, item: { productId, variantId: body.variantId } };
}

/** Saves a variant, or the product's default variant. */
export async function add(who: Shopper, body: z.output<typeof itemBody>): Promise<z.infer<typeof addedData> | Failure> {
  const meant = await itemOf(who, body);
  if (meant instanceof Failure) return meant;
  const done = await addItem(meant.owner, meant.item, SOURCE);
  return done instanceof Failure ? done : { ...done, productId: meant.item.productId, owner: ownerTag(who) };
}

/** Removes a variant, or all of the product. */
export async function remove(
  who: Shopper,
  body: z.output<typeof itemBody>,
): Promise<z.infer<typeof removedData> | Failure> {
  const meant = await itemOf(who, body);
  if (meant instanceof Failure) return meant;
  const done = await removeItem(meant.owner, meant.item, SOURCE);
  return done instanceof Failure ? done : { ...done, owner: ownerTag(who) };
}

/** Folds the guest's list into the customer's, exactly once, and says which of the products of the page are saved then. */
export async function merge(
  who: Customer,
  body: z.output<typeof mergeBody>,
): Promise<z.infer<typeof mergedData> | Failure> {
  const customer = { shopId: who.shopId, kind: "customer", id: who.customerId } as const;
  const folded = await foldGuest(guestOwner(who.shopId, body.guestId), customer);
  if (folded instanceof Failure) return folded;
  return { merged: true, addedCount: folded.addedCount, ...(await saved(who, body)) };
}

/** Records that saved variants were put into the cart. */
export async function cart(who: Shopper, body: z.output<typeof cartBody>): Promise<z.infer<typeof cartData> | Failure> {
  const owner = ownerOf(who, body.guestId);
  if (!owner) return nobody();
  const recorded = await recordCart(owner, body, SOURCE);
  return recorded instanceof Failure ? recorded : { recorded, owner: ownerTag(who) };
}
