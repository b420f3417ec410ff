import type { z } from "zod";
import { Failure } from "../platform/failure.ts";
import { findForShopper } from "../catalog/index.server.ts";
import { addItem, addCachedProduct, readTotals, type Totals } from "../wishlists/index.server.ts";
import { callerOf, listOf, type Shopper } from "./identity.server.ts";
import { choosesLists } from "./lists.server.ts";
import { forShoppers, loginRequired, productOf, SOURCE } from "./product.server.ts";
import type { addedData, itemBody } from "./schemas.ts";
import { ownerTag } from "./tags.server.ts";

/**
 * Saves a variant, or the product's default variant. Without a variant, a product that is saved in any variant stays as it is. Products and
 * variants are looked up, as those that the store does not sell would distort the merchant's reports.
 */
export async function add(
  shopper: Shopper,
  body: z.output<typeof itemBody>,
): Promise<z.infer<typeof addedData> | Failure> {
  const to = listOf(shopper, body);
  if (!to) return loginRequired();
  const { productId, handle, variantId } = body;
  const cached = await addCachedProduct(to, { productId, handle, variantId }, SOURCE);
  if (cached instanceof Failure) return forShoppers(cached);
  if (cached) {
    const { totals, itemCount: listCount, ...saved } = cached;
    return { ...saved, listCount, ...shownTotals(shopper, totals) };
  }

  const product = await productOf(shopper, body);
  if (product instanceof Failure) return product;
  const found = await variantOf(shopper, product, variantId);
  if (found instanceof Failure) return found;
  const item = { productId: product, variantId: found, anyVariant: variantId === undefined };
  const done = await addItem(to, item, SOURCE, callerOf(shopper));
  if (done instanceof Failure) return forShoppers(done);
  const { added, variantId: savedVariant, itemCount: listCount } = done;
  return {
    added,
    productId: product,
    variantId: savedVariant,
    listCount,
    ...shownTotals(shopper, await readTotals(to)),
  };
}

function shownTotals(shopper: Shopper, { itemCount, hasNamedLists }: Totals) {
  return { choosesLists: choosesLists(shopper, hasNamedLists), itemCount, owner: ownerTag(shopper) };
}

async function variantOf(
  shopper: Shopper,
  productId: string,
  variantId: string | undefined,
): Promise<string | undefined | Failure> {
  const found = await findForShopper(shopper.shopId, { productId, variantId }, callerOf(shopper));
  if (found instanceof Failure) return forShoppers(found);
  if (found === "no-product") return new Failure("product_not_found", `The shop has no product ${productId}.`);
  if (found === "unchecked") return variantId;
  if (found !== "no-variant") return found.variantId;
  const problem = `is no variant of the product ${productId}`;
  return new Failure("invalid_request", `body.variantId ${problem}.`, {
    details: [{ path: "body.variantId", problem }],
  });
}
