import { z } from "zod";
import { wakeRelay } from "../activity/index.server.ts";
import { now } from "../platform/clock.server.ts";
import { runOne, statement } from "../platform/database.server.ts";
import { Failure } from "../platform/failure.ts";
import { catalog } from "../shops/index.server.ts";
import type { Owner } from "./read.server.ts";
import { productIdSchema, variantIdSchema } from "./identifiers.ts";
import { refusal, wishlistFull } from "./refusals.ts";

/** Which door a change came through; design: it decides what the reports and webhooks make of it. */
export type Source = "api" | "storefront" | "merge";

export const addBody = z
  .strictObject({
    product_id: productIdSchema.meta({ description: "The product to save" }),
    variant_id: variantIdSchema
      .optional()
      .meta({ description: "The variant to save; the product's default variant when left out" }),
  })
  .meta({ id: "AddItem" });

export const addedSchema = z
  .strictObject({
    added: z.boolean().meta({ description: "false when it was saved already", example: true }),
    itemCount: z.int().meta({ description: "Items in the wishlist after the call", example: 4 }),
  })
  .meta({ id: "ItemAdded" });

export const removedSchema = z
  .strictObject({
    removed: z.boolean().meta({ description: "false when there was nothing to remove", example: true }),
    itemCount: z.int().meta({ description: "Items in the wishlist after the call", example: 3 }),
  })
  .meta({ id: "ItemRemoved" });

const addStatement = statement<{ outcome: "added" | "present" | "full"; count_after: number }>(
  "wishlist_add",
  "SELECT outcome, count_after FROM wishlist_add(p_shop_id => $1, p_owner_kind => $2, p_owner_id => $3, p_product_id => $4, p_variant_id => $5, p_source => $6, p_at => $7)",
);

/**
 * Saves a variant, or the product's default variant when none is named. Saving it again changes nothing.
 * @returns `wishlist_full`, `product_not_found`, why the default variant can't be told, or, of a guest, `guest_folded`
 */
export async function addItem(
  owner: Owner,
  item: { productId: string; variantId: string | undefined },
  source: Source,
): Promise<(z.infer<typeof addedSchema> & { variantId: string }) | Failure> {
  const variantId = item.variantId ?? (await defaultVariant(owner.shopId, item.productId));
  if (variantId instanceof Failure) return variantId;
  try {
    const { outcome, count_after } = await runOne(addStatement, [
      owner.shopId,
      owner.kind,
      owner.id,
      item.productId,
      variantId,
      source,
      now(),
    ]);
    if (outcome === "full") return wishlistFull();
    if (outcome === "added") wakeRelay(owner.shopId);
    return { added: outcome === "added", itemCount: count_after, variantId };
  } catch (error) {
    return refusal(error);
  }
}

async function defaultVariant(shopId: number, productId: string): Promise<string | Failure> {
  const variants = await catalog().defaultVariants(shopId, [productId]);
  if (variants instanceof Failure) return variants;
  return (
    variants.get(productId) ??
    new Failure(
      "product_not_found",
      `The shop has no product ${productId}. Check the id, or send \`variant_id\` to save it unchecked.`,
    )
  );
}

const removeStatement = statement<{ removed_count: number; count_after: number }>(
  "wishlist_remove",
  "SELECT removed_count, count_after FROM wishlist_remove(p_shop_id => $1, p_owner_kind => $2, p_owner_id => $3, p_product_id => $4, p_variant_id => $5, p_source => $6, p_at => $7)",
);

/**
 * Removes every saved variant of a product, or the one named.
 * @returns of a guest's list `guest_folded`
 */
export async function removeItem(
  owner: Owner,
  item: { productId: string; variantId: string | undefined },
  source: Source,
): Promise<z.infer<typeof removedSchema> | Failure> {
  try {
    const { removed_count, count_after } = await runOne(removeStatement, [
      owner.shopId,
      owner.kind,
      owner.id,
      item.productId,
      item.variantId ?? null,
      source,
      now(),
    ]);
    if (removed_count > 0) wakeRelay(owner.shopId);
    return { removed: removed_count > 0, itemCount: count_after };
  } catch (error) {
    return refusal(error);
  }
}
