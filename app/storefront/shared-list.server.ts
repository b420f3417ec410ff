import type { z } from "zod";
import { describeToShoppers } from "../catalog/index.server.ts";
import { Failure } from "../platform/failure.ts";
import { findShared, itemsOf, operations, readTotals, type SavedItem } from "../wishlists/index.server.ts";
import type { ListOwner } from "./identity.server.ts";
import { perform } from "./operations.server.ts";
import type { savedSharedData, saveSharedBody } from "./schemas.ts";

/** The most items that are saved at once. */
const MOST = 250;

/**
 * Saves the newest 250 items of a shared list in the shopper's default list, all or none. Products that the store no longer has are left out, and
 * quantities are the other shopper's.
 * @returns `share_not_found`, `share_expired`, `wishlist_full`; for a guest also `guest_merged` or `rate_limited`
 */
export async function saveShared(
  shopper: ListOwner,
  { token }: z.output<typeof saveSharedBody>,
): Promise<z.infer<typeof savedSharedData> | Failure> {
  const { shopId, owner } = shopper;
  const shared = await findShared(token, { limit: MOST, offset: 0 }, { shopId, counted: false });
  if (shared instanceof Failure) return shared;
  const items = await soldOf(shopId, itemsOf(shared.json));
  // The newest is saved last, so that it is the newest again.
  const adds = items.toReversed().map(({ productId, variantId }) => ({ op: "add", productId, variantId }));
  const changed =
    adds.length > 0 ? await perform(operations.changeListItems, shopper, { operations: adds }) : { results: [] };
  if (changed instanceof Failure) return changed;
  const { itemCount } = await readTotals(owner);
  const addedCount = changed.results.filter((result) => result.changed).length;
  return { addedCount, itemCount };
}

async function soldOf(shopId: number, items: readonly SavedItem[]): Promise<SavedItem[]> {
  const products = await describeToShoppers(
    shopId,
    items.map(({ productId }) => productId),
  );
  return items.filter(({ productId }) => products.get(productId)?.deleted === false);
}
