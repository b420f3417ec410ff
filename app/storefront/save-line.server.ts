import type { z } from "zod";
import { productNotFound } from "../catalog/failures.ts";
import { findForShopper } from "../catalog/index.server.ts";
import { Failure } from "../platform/failure.ts";
import { lookupBudgetOf, readTotals, saveLine as save, type Owner } from "../wishlists/index.server.ts";
import type { ListOwner } from "./identity.server.ts";
import type { lineBody, savedLineData } from "./schemas.ts";

/**
 * Saves a line of the cart for later: its variant with quantity and properties, in the shopper's default list.
 * @returns also `product_not_found` for a variant that the store does not sell any more
 */
export async function saveLine(
  { owner }: ListOwner,
  { guestId: _, ...line }: z.output<typeof lineBody>,
): Promise<z.infer<typeof savedLineData> | Failure> {
  const done = (await save(owner, line, false)) ?? (await saveFromStore(owner, line));
  if (done instanceof Failure) return done;
  const { outcome, itemCount: listCount, before } = done;
  const { itemCount } = await readTotals(owner);
  return { outcome, before, listCount, itemCount };
}

/** Looks the variant up in the store first, because the catalog cache does not have it. */
async function saveFromStore(owner: Owner, line: Omit<z.output<typeof lineBody>, "guestId">) {
  const found = await findForShopper(owner.shopId, line, lookupBudgetOf(owner));
  if (found instanceof Failure) return found;
  const saved = found === "no-product" || found === "no-variant" ? undefined : await save(owner, line, true);
  return saved ?? productNotFound(line.productId);
}
