import { z } from "zod";
import { wakeOutbox } from "../../activity/index.server.ts";
import { productNotFound } from "../../catalog/failures.ts";
import { catalog } from "../../catalog/index.server.ts";
import { now } from "../../platform/clock.server.ts";
import { batched } from "../../platform/database/batch.server.ts";
import { runOne, shopStatement } from "../../platform/database/database.server.ts";
import { SINGLE, type Execution } from "../../platform/database/transaction.server.ts";
import { Failure } from "../../platform/failure.ts";
import { guestLimits } from "../guests/limits.server.ts";
import { productIdSchema, variantIdSchema } from "../identifiers.ts";
import { lookupBudgetOf, idOf, type ListRef } from "../owner.ts";
import { refusal, wishlistFull } from "../refusals.server.ts";
import type { Source } from "../source.ts";
import type { Totals } from "../totals.server.ts";
import { detailsOfNewItem, newItemDetails, type Details } from "./details.ts";
import { columnsOf, SHARED, sharesTransaction, type PlainChange } from "./shared-transactions.server.ts";

export const addBody = z
  .strictObject({
    product_id: productIdSchema.meta({ description: "The product to save" }),
    variant_id: variantIdSchema.optional().meta({
      description:
        "The variant to save; by default the product's default variant: the first available variant, or the first one when all are sold out",
    }),
    ...newItemDetails,
  })
  .meta({ id: "AddItem" });

export const addedSchema = z
  .strictObject({
    added: z.boolean().meta({ description: "false when the item was already saved", example: true }),
    itemCount: z.int().meta({ description: "Items in the wishlist after the request", example: 4 }),
  })
  .meta({ id: "ItemAdded" });

type AddOutcome = "added" | "present" | "full";

/** `saved_variant_id`: the variant that was added or was saved before; null when the list is full. */
interface Added {
  outcome: AddOutcome;
  count_after: number;
  saved_variant_id: string | null;
}

const addStatement = shopStatement<Added>(
  "wishlist_add",
  "SELECT outcome, count_after, saved_variant_id FROM wishlist_add(p_shop_id => $1, p_owner_kind => $2, p_owner_id => $3, p_product_id => $4, p_variant_id => $5, p_source => $6, p_at => $7, p_guest_limit => $8, p_guest_origins => $9, p_any_variant => $10, p_list => $11, p_details => $12)",
);

const addManyStatement = shopStatement<{ outcomes: AddOutcome[]; counts: number[]; saved_variant_ids: string[] }>(
  "wishlist_add_many",
  "SELECT outcomes, counts, saved_variant_ids FROM wishlist_add_many(p_shop_id => $1, p_customer_ids => $2, p_product_ids => $3, p_variant_ids => $4, p_sources => $5, p_at => $6)",
);

/** Adds an item without details. */
const addPlain = batched<PlainChange, Added>(async (adds) => {
  const { outcomes, counts, saved_variant_ids } = await runOne(addManyStatement, columnsOf(adds));
  return outcomes.map((outcome, index) => ({
    outcome,
    count_after: counts[index] ?? 0,
    saved_variant_id: saved_variant_ids[index] ?? null,
  }));
}, SHARED);

/**
 * Saves a variant, or the product's default variant when none is named, with its details. Saving it again changes nothing.
 * @param item.anyVariant with true, nothing is added when the product is saved in another variant
 * @param caller the caller whose look-up budget is used
 * @param execution by default a statement of its own, which items of other customers may share
 * @returns `list_not_found`, `wishlist_full`, `product_not_found`, the failure of the look-up of the default variant; for a guest also `guest_merged` or
 *   `rate_limited`
 */
export async function addItem(
  list: ListRef,
  item: { productId: string; variantId: string | undefined; anyVariant?: boolean; details?: Details },
  source: Source,
  caller = lookupBudgetOf(list),
  execution: Execution = SINGLE,
): Promise<(z.infer<typeof addedSchema> & { variantId: string }) | Failure> {
  const { productId, anyVariant = false } = item;
  const variantId = item.variantId ?? (await defaultVariant(list.shopId, productId, caller));
  if (variantId instanceof Failure) return variantId;
  const details = detailsOfNewItem(item.details ?? {});
  const at = now();
  try {
    const isPlain = execution === SINGLE && !anyVariant && details === null && sharesTransaction(list);
    const shared = isPlain ? addPlain({ list, productId, variantId, source, at }) : undefined;
    const { outcome, count_after, saved_variant_id } = await (shared ??
      execution.runOne(addStatement, [
        list.shopId,
        list.kind,
        list.id,
        productId,
        variantId,
        source,
        at,
        ...guestLimits(list),
        anyVariant,
        idOf(list),
        details,
      ]));
    if (outcome === "full") return wishlistFull();
    if (outcome === "added") execution.afterCommit(() => wakeOutbox(list.shopId));
    return { added: outcome === "added", itemCount: count_after, variantId: saved_variant_id ?? variantId };
  } catch (error) {
    return refusal(error);
  }
}

interface AddedCached extends Added {
  product_id: string | null;
  variant_id: string;
  total_after: number;
  has_named_lists: boolean;
}

const addCachedStatement = shopStatement<AddedCached>(
  "wishlist_add_cached",
  `SELECT product_id, variant_id, outcome, count_after, saved_variant_id, total_after, has_named_lists
     FROM wishlist_add_cached(p_shop_id => $1, p_owner_kind => $2, p_owner_id => $3, p_product_id => $4, p_handle => $5, p_variant_id => $6,
                              p_source => $7, p_at => $8, p_guest_limit => $9, p_guest_origins => $10, p_list => $11)`,
);

interface AddedForShopper {
  added: boolean;
  productId: string;
  variantId: string;
  /** items in the list */
  itemCount: number;
  totals: Totals;
}

/**
 * Saves a variant, or the default variant, of a product that is published according to the catalog cache, by its id or its handle, in one
 * statement. Without a named variant, nothing is added when the product is saved in any variant, so that an outdated page does not save it twice.
 * @returns undefined when the cache has no such published product or variant; `list_not_found`, `wishlist_full`; for a guest also `guest_merged` or
 *   `rate_limited`
 */
export async function addCachedProduct(
  list: ListRef,
  item: { productId: string | undefined; handle: string | undefined; variantId: string | undefined },
  source: Source,
): Promise<AddedForShopper | undefined | Failure> {
  const at = now();
  try {
    const row = await runOne(addCachedStatement, [
      list.shopId,
      list.kind,
      list.id,
      item.productId ?? null,
      item.handle ?? null,
      item.variantId ?? null,
      source,
      at,
      ...guestLimits(list),
      idOf(list),
    ]);
    if (row.product_id === null) return undefined;
    if (row.outcome === "full") return wishlistFull();
    const added = row.outcome === "added";
    if (added) wakeOutbox(list.shopId);
    const variantId = row.saved_variant_id ?? row.variant_id;
    const totals = { itemCount: row.total_after, hasNamedLists: row.has_named_lists };
    return { added, productId: row.product_id, variantId, itemCount: row.count_after, totals };
  } catch (error) {
    return refusal(error);
  }
}

async function defaultVariant(shopId: number, productId: string, caller: string): Promise<string | Failure> {
  const variants = await catalog().defaultVariants(shopId, [productId], caller);
  if (variants instanceof Failure) return variants;
  return variants.get(productId) ?? productNotFound(productId);
}
