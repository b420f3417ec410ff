import type { z } from "zod";
import { Failure } from "../platform/failure.ts";
import { findForShopper } from "../catalog/index.server.ts";
import { addItem, addCachedProduct } from "../wishlists/index.server.ts";
import { callerOf, ownerOf, type Shopper } from "./identity.server.ts";
import { inOurWords, nobody, productOf, SOURCE } from "./product.server.ts";
import type { addedData, itemBody } from "./schemas.ts";
import { ownerTag } from "./tags.server.ts";

/**
 * Saves a variant, or the product's default variant. Without a named variant, a product that is saved in any variant stays as it is. Whatever a visitor sends is looked up: what is not sold would turn up in the merchant's
 * reports.
 */
export async function add(who: Shopper, body: z.output<typeof itemBody>): Promise<z.infer<typeof addedData> | Failure> {
  const owner = ownerOf(who, body.guestId);
  if (!owner) return nobody();
  const { productId, handle, variantId } = body;
  const mirrored = await addCachedProduct(owner, { productId, handle, variantId }, SOURCE);
  if (mirrored instanceof Failure) return mirrored;
  if (mirrored) return { ...mirrored, owner: ownerTag(who) };

  const product = await productOf(who, body);
  if (product instanceof Failure) return product;
  const found = await variantOf(who, product, variantId);
  if (found instanceof Failure) return found;
  const item = { productId: product, variantId: found, anyVariant: variantId === undefined };
  const done = await addItem(owner, item, SOURCE, callerOf(who));
  return done instanceof Failure ? done : { ...done, productId: product, owner: ownerTag(who) };
}

async function variantOf(
  who: Shopper,
  productId: string,
  variantId: string | undefined,
): Promise<string | undefined | Failure> {
  const found = await findForShopper(who.shopId, { productId, variantId }, callerOf(who));
  if (found instanceof Failure) return inOurWords(found);
  if (found === "no-product") return new Failure("product_not_found", `The shop has no product ${productId}.`);
  if (found === "unchecked") return variantId;
  if (found !== "no-variant") return found.variantId;
  const problem = `is no variant of the product ${productId}`;
  return new Failure("invalid_request", `body.variantId ${problem}.`, {
    details: [{ path: "body.variantId", problem }],
  });
}
