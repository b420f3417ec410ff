import type { z } from "zod";
import { productNotFound } from "../catalog/failures.ts";
import { findForShopper } from "../catalog/index.server.ts";
import { Failure } from "../platform/failure.ts";
import { addItem, addCachedProduct, lookupBudgetOf, readTotals, type Totals } from "../wishlists/index.server.ts";
import type { ListOwner } from "./identity.server.ts";
import { choosesLists } from "./lists.server.ts";
import { productOf } from "./product.server.ts";
import type { addedData, itemBody } from "./schemas.ts";

/**
 * Saves a variant, or the product's default variant. Without a variant, a product that is saved in any variant stays as it is. Products and
 * variants are looked up, as those that the store does not sell would distort the merchant's reports.
 */
export async function add(
  shopper: ListOwner,
  body: z.output<typeof itemBody>,
): Promise<z.infer<typeof addedData> | Failure> {
  const { productId, handle, variantId, listId } = body;
  const { owner, source } = shopper;
  const to = { ...owner, listId };
  const cached = await addCachedProduct(to, { productId, handle, variantId }, source);
  if (cached instanceof Failure) return cached;
  if (cached) {
    const { totals, itemCount: listCount, ...saved } = cached;
    return { ...saved, listCount, ...shownTotals(shopper, totals) };
  }

  const product = await productOf(shopper, body);
  if (product instanceof Failure) return product;
  const found = await variantOf(shopper, product, variantId);
  if (found instanceof Failure) return found;
  const item = { productId: product, variantId: found, anyVariant: variantId === undefined };
  const done = await addItem(to, item, source);
  if (done instanceof Failure) return done;
  const { added, variantId: savedVariant, itemCount: listCount } = done;
  const totals = await readTotals(owner);
  return { added, productId: product, variantId: savedVariant, listCount, ...shownTotals(shopper, totals) };
}

function shownTotals(shopper: ListOwner, { itemCount, hasNamedLists }: Totals) {
  return { choosesLists: choosesLists(shopper, hasNamedLists), itemCount };
}

async function variantOf(
  { shopId, owner }: ListOwner,
  productId: string,
  variantId: string | undefined,
): Promise<string | undefined | Failure> {
  const found = await findForShopper(shopId, { productId, variantId }, lookupBudgetOf(owner));
  if (found instanceof Failure) return found;
  if (found === "no-product") return productNotFound(productId);
  if (found === "unchecked") return variantId;
  if (found !== "no-variant") return found.variantId;
  const problem = `is no variant of the product ${productId}`;
  return new Failure("invalid_request", `body.variantId ${problem}.`, {
    details: [{ path: "body.variantId", problem }],
  });
}
