import { z } from "zod";
import { wakeOutbox } from "../../activity/index.server.ts";
import { now } from "../../platform/clock.server.ts";
import { runOne, shopStatement } from "../../platform/database/database.server.ts";
import { Failure } from "../../platform/failure.ts";
import { listIdSchema, productIdSchema, variantIdSchema } from "../identifiers.ts";
import { idOf, type ListRef } from "../owner.ts";
import { refusal } from "../refusals.server.ts";
import type { Source } from "../source.ts";

/** The most items of a move. */
const MOVE_CAP = 250;

export const moveBody = z
  .strictObject({
    items: z
      .array(z.strictObject({ productId: productIdSchema, variantId: variantIdSchema.optional() }))
      .min(1, "must not be empty")
      .max(MOVE_CAP, `holds more than ${MOVE_CAP} items; send them in several calls`)
      .meta({ description: "An item without a variant means every saved variant of the product" }),
    to: listIdSchema.meta({ description: "The id of the list to which the items go", example: "default" }),
    copy: z.boolean().default(false).meta({ description: "Whether the items stay in this list, too", example: false }),
  })
  .meta({ id: "MoveItems" });

export const movedSchema = z
  .strictObject({
    movedCount: z.int().meta({
      description: "Items that left this list, or with `copy` those that the other list did not have",
      example: 2,
    }),
    addedCount: z.int().meta({ description: "Items that the other list did not have", example: 2 }),
    itemCount: z.int().meta({ description: "Items in this list after the request", example: 3 }),
    targetItemCount: z.int().meta({ description: "Items in the other list after the request", example: 5 }),
  })
  .meta({ id: "ItemsMoved" });

const moveStatement = shopStatement<{ changed: number; from_count: number; to_count: number; gained: number }>(
  "wishlist_move_items",
  `SELECT changed, from_count, to_count, gained
     FROM wishlist_move_items(p_shop_id => $1, p_owner_kind => $2, p_owner_id => $3, p_from => $4, p_to => $5, p_product_ids => $6,
                              p_variant_ids => $7, p_copy => $8, p_source => $9, p_at => $10)`,
);

/**
 * Moves or copies items to another list of the owner, all or none. An item that the other list has is there once afterwards; repeating a move
 * changes nothing.
 * @returns `list_not_found`, `item_not_found` for an item that neither list has, `wishlist_full`, `invalid_request` for a move into the same list; for a
 *   guest also `guest_merged`
 */
export async function moveItems(
  list: ListRef,
  { items, to, copy }: z.output<typeof moveBody>,
  source: Source,
): Promise<z.infer<typeof movedSchema> | Failure> {
  if (to === idOf(list)) {
    const problem = "is the list that has the items; name another one";
    return new Failure("invalid_request", `body.to ${problem}.`, { details: [{ path: "body.to", problem }] });
  }
  try {
    const { changed, from_count, to_count, gained } = await runOne(moveStatement, [
      list.shopId,
      list.kind,
      list.id,
      idOf(list),
      to,
      items.map(({ productId }) => productId),
      items.map(({ variantId }) => variantId ?? null),
      copy,
      source,
      now(),
    ]);
    if (changed > 0) wakeOutbox(list.shopId);
    return { movedCount: changed, addedCount: gained, itemCount: from_count, targetItemCount: to_count };
  } catch (error) {
    return refusal(error, "body.items");
  }
}
