import { z } from "zod";
import { wakeOutbox } from "../../activity/index.server.ts";
import { now } from "../../platform/clock.server.ts";
import { batched } from "../../platform/database/batch.server.ts";
import { runOne, shopStatement } from "../../platform/database/database.server.ts";
import type { Failure } from "../../platform/failure.ts";
import { idOf, type ListRef } from "../owner.ts";
import { refusal } from "../refusals.server.ts";
import type { Source } from "../source.ts";
import { columnsOf, SHARED, sharesTransaction, type PlainChange } from "./shared-transactions.server.ts";

export const removedSchema = z
  .strictObject({
    removed: z.boolean().meta({ description: "false when no item was removed", example: true }),
    itemCount: z.int().meta({ description: "Items in the wishlist after the request", example: 3 }),
  })
  .meta({ id: "ItemRemoved" });

interface Removed {
  removed_count: number;
  count_after: number;
}

const removeManyStatement = shopStatement<{ removed_counts: number[]; counts: number[] }>(
  "wishlist_remove_many",
  "SELECT removed_counts, counts FROM wishlist_remove_many(p_shop_id => $1, p_customer_ids => $2, p_product_ids => $3, p_variant_ids => $4, p_sources => $5, p_at => $6)",
);

const removePlain = batched<PlainChange, Removed>(async (removals) => {
  const { removed_counts, counts } = await runOne(removeManyStatement, columnsOf(removals));
  return removed_counts.map((removed_count, index) => ({ removed_count, count_after: counts[index] ?? 0 }));
}, SHARED);

const removeStatement = shopStatement<Removed>(
  "wishlist_remove",
  "SELECT removed_count, count_after FROM wishlist_remove(p_shop_id => $1, p_owner_kind => $2, p_owner_id => $3, p_product_id => $4, p_variant_id => $5, p_source => $6, p_at => $7, p_list => $8)",
);

/**
 * Removes every saved variant of a product, or the named variant.
 * @returns `list_not_found`; `guest_merged` for a merged guest
 */
export async function removeItem(
  list: ListRef,
  item: { productId: string; variantId: string | undefined },
  source: Source,
): Promise<z.infer<typeof removedSchema> | Failure> {
  try {
    const at = now();
    const { productId, variantId } = item;
    const { removed_count, count_after } = await (sharesTransaction(list)
      ? removePlain({ list, productId, variantId, source, at })
      : runOne(removeStatement, [
          list.shopId,
          list.kind,
          list.id,
          productId,
          variantId ?? null,
          source,
          at,
          idOf(list),
        ]));
    if (removed_count > 0) wakeOutbox(list.shopId);
    return { removed: removed_count > 0, itemCount: count_after };
  } catch (error) {
    return refusal(error);
  }
}
