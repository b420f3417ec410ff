import type { z } from "zod";
import { findForShopper } from "../catalog/index.server.ts";
import { Failure } from "../platform/failure.ts";
import { readTotals, saveLine as save, type ListRef } from "../wishlists/index.server.ts";
import { callerOf, ownerOf, type Shopper } from "./identity.server.ts";
import { forShoppers, loginRequired } from "./product.server.ts";
import type { lineBody, savedLineData } from "./schemas.ts";
import { ownerTag } from "./tags.server.ts";

/**
 * Saves a line of the cart for later: its variant with quantity and properties, in the shopper's default list.
 * @returns also `product_not_found` for a variant that the store does not sell any more
 */
export async function saveLine(
  shopper: Shopper,
  { guestId, ...line }: z.output<typeof lineBody>,
): Promise<z.infer<typeof savedLineData> | Failure> {
  const owner = ownerOf(shopper, guestId);
  if (!owner) return loginRequired();
  const done = (await save(owner, line, false)) ?? (await saveFromStore(shopper, owner, line));
  if (done instanceof Failure) return forShoppers(done);
  const { outcome, itemCount: listCount, before } = done;
  const { itemCount } = await readTotals(owner);
  return { outcome, before, listCount, itemCount, owner: ownerTag(shopper) };
}

/** Looks the variant up in the store first, because the catalog cache does not have it. */
async function saveFromStore(shopper: Shopper, owner: ListRef, line: Omit<z.output<typeof lineBody>, "guestId">) {
  const found = await findForShopper(shopper.shopId, line, callerOf(shopper));
  if (found instanceof Failure) return found;
  const saved = found === "no-product" || found === "no-variant" ? undefined : await save(owner, line, true);
  return saved ?? new Failure("product_not_found", `The store does not sell the variant ${line.variantId}.`);
}
