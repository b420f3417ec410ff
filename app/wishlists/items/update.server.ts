import { z } from "zod";
import { wakeOutbox } from "../../activity/index.server.ts";
import { now } from "../../platform/clock.server.ts";
import { runOne, shopStatement } from "../../platform/database/database.server.ts";
import { Failure } from "../../platform/failure.ts";
import { idOf, type ListRef } from "../owner.ts";
import { refusal } from "../refusals.server.ts";
import type { Source } from "../source.ts";
import { changedDetails, itemDetails, shownDetailsSchema, storedDetails, type Details } from "./details.ts";

export const changeItemBody = z
  .strictObject(changedDetails)
  .refine((given) => Object.keys(given).length > 0, "needs at least one detail")
  .meta({ id: "UpdateItem", description: "Details that change; null clears one", minProperties: 1 });

export const changedItemSchema = z
  .strictObject({
    updated: z.boolean().meta({ description: "false when the item had these details already", example: true }),
    productId: z.string().meta({ example: "8401930311165" }),
    variantId: z.string().meta({ example: "44003118551387" }),
    addedAt: z.iso.datetime({ precision: 3 }).meta({ example: "2026-11-20T09:30:00.000Z" }),
    ...itemDetails,
  })
  .meta({ id: "ItemUpdated", description: "The item after the request" });

interface UpdatedItem {
  updated: boolean;
  variant_id: string;
  added_at: Date;
  details: unknown;
}

const updateStatement = shopStatement<UpdatedItem>(
  "wishlist_update_item",
  `SELECT updated, variant_id, added_at, details
     FROM wishlist_update_item(p_shop_id => $1, p_owner_kind => $2, p_owner_id => $3, p_product_id => $4, p_variant_id => $5, p_changes => $6,
                               p_source => $7, p_at => $8, p_list => $9)`,
);

/**
 * Changes details of an item. Without a variant, the product must be saved in one variant only.
 * @returns `list_not_found`, `item_not_found`, `invalid_request` for a product in several variants; for a guest also `guest_merged`
 */
export async function changeItem(
  list: ListRef,
  { productId, variantId }: { productId: string; variantId: string | undefined },
  changes: Details,
  source: Source,
): Promise<z.infer<typeof changedItemSchema> | Failure> {
  try {
    const item = await runOne(updateStatement, [
      list.shopId,
      list.kind,
      list.id,
      productId,
      variantId ?? null,
      JSON.stringify(storedDetails(changes)),
      source,
      now(),
      idOf(list),
    ]);
    if (item.updated) wakeOutbox(list.shopId);
    const { updated, variant_id: variant, added_at, details } = item;
    return {
      updated,
      productId,
      variantId: variant,
      addedAt: added_at.toISOString(),
      ...shownDetailsSchema.parse(details),
    };
  } catch (error) {
    const refused = refusal(error);
    if (refused.code === "item_not_found") return new Failure("item_not_found", refused.message);
    if (refused.code !== "invalid_request") return refused;
    const problem = "is needed, because the product is saved in several variants";
    return new Failure("invalid_request", `query.variant_id ${problem}.`, {
      details: [{ path: "query.variant_id", problem }],
    });
  }
}
