import { z } from "zod";
import { wakeOutbox } from "../../activity/index.server.ts";
import { now } from "../../platform/clock.server.ts";
import { runOne, shopStatement } from "../../platform/database/database.server.ts";
import { Failure } from "../../platform/failure.ts";
import { catalog } from "../../catalog/index.server.ts";
import type { Source } from "../source.ts";
import { listIdSchema, productIdSchema, variantIdSchema } from "../identifiers.ts";
import { detailsOfNewItem, newItemDetails } from "../items/details.ts";
import { lookupBudgetOf, idOf, type ListRef } from "../owner.ts";
import { refusal } from "../refusals.server.ts";
import { guestLimits } from "./limits.server.ts";

/** The most items in a merge request. */
const MERGE_CAP = 500;

const EARLIEST = Date.UTC(1970, 0, 1);

export const addedAtSchema = z.iso
  .datetime({
    offset: true,
    error: "must be an ISO 8601 time with its zone, such as 2026-11-20T09:30:00.000Z",
    abort: true,
  })
  .refine((text) => Date.parse(text) >= EARLIEST, "must not be before 1970")
  .meta({
    description: "When the guest saved the item; a time in the future counts as now",
    example: "2026-11-19T18:02:11.000Z",
  });

export const mergeBody = z
  .strictObject({
    items: z
      .array(
        z.strictObject({
          productId: productIdSchema,
          variantId: variantIdSchema.optional().meta({ "x-additive": true }),
          addedAt: addedAtSchema,
          ...newItemDetails,
        }),
      )
      .max(MERGE_CAP, `holds more than ${MERGE_CAP} items; send them in several calls`),
    list_id: listIdSchema.optional().meta({
      description: "The list into which the items are merged; by default the default list",
      "x-additive": true,
    }),
  })
  .meta({ id: "MergeWishlist" });

export const mergedSchema = z
  .strictObject({
    merged: z.literal(true).meta({ description: "The items are merged; the guest's copy can be cleared" }),
    itemCount: z.int().meta({ description: "Items in the wishlist after the request", example: 5 }),
    addedCount: z
      .int()
      .meta({ description: "Items that were not in the wishlist before", example: 2, "x-additive": true }),
    skipped: z
      .array(z.strictObject({ productId: z.string(), reason: z.literal("product_not_found") }))
      .meta({ description: "Items that could not be merged", example: [], "x-additive": true }),
  })
  .meta({ id: "WishlistMerged" });

const mergeStatement = shopStatement<{ added_count: number; count_after: number }>(
  "wishlist_merge",
  "SELECT added_count, count_after FROM wishlist_merge(p_shop_id => $1, p_owner_kind => $2, p_owner_id => $3, p_product_ids => $4, p_variant_ids => $5, p_added_at => $6, p_source => $7, p_at => $8, p_list => $9, p_details => $10, p_guest_limit => $11, p_guest_origins => $12)",
);

/**
 * Merges items into a list, all or none. Repeating a merge changes nothing. Items without a variant get the product's default variant, found
 * in one look-up. Only products that do not exist according to the catalog are skipped.
 * @returns `list_not_found`, `wishlist_full`, for a guest `guest_merged` or `rate_limited`, or the failure of the look-up; then nothing is stored, so that the
 *   guest's copy is not cleared
 */
export async function mergeItems(
  list: ListRef,
  { items }: Pick<z.output<typeof mergeBody>, "items">,
  source: Source,
): Promise<z.infer<typeof mergedSchema> | Failure> {
  const unresolved = items.flatMap(({ productId, variantId }) => (variantId === undefined ? [productId] : []));
  const variants =
    unresolved.length > 0
      ? await catalog().defaultVariants(list.shopId, unresolved, lookupBudgetOf(list))
      : new Map<string, string>();
  if (variants instanceof Failure) return variants;

  const at = now();
  const skipped = new Set<string>();
  const rows = items.flatMap(({ productId, variantId, addedAt, ...given }) => {
    const variant = variantId ?? variants.get(productId);
    // Capped at the present, because the end of 9999 west of Greenwich is a year that PostgreSQL can't parse in ISO 8601.
    const time = new Date(Math.min(Date.parse(addedAt), at.getTime())).toISOString();
    if (variant !== undefined) return [{ productId, variant, addedAt: time, details: detailsOfNewItem(given) }];
    skipped.add(productId);
    return [];
  });
  try {
    const { added_count, count_after } = await runOne(mergeStatement, [
      list.shopId,
      list.kind,
      list.id,
      rows.map(({ productId }) => productId),
      rows.map(({ variant }) => variant),
      rows.map(({ addedAt }) => addedAt),
      source,
      at,
      idOf(list),
      rows.map(({ details }) => details),
      ...guestLimits(list),
    ]);
    if (added_count > 0) wakeOutbox(list.shopId);
    return {
      merged: true,
      itemCount: count_after,
      addedCount: added_count,
      skipped: [...skipped].map((productId) => ({ productId, reason: "product_not_found" as const })),
    };
  } catch (error) {
    return refusal(error);
  }
}
