import { wakeOutbox } from "../../activity/index.server.ts";
import { now } from "../../platform/clock.server.ts";
import { runOne, shopStatement } from "../../platform/database/database.server.ts";
import type { Failure } from "../../platform/failure.ts";
import { guestLimits } from "../guests/limits.server.ts";
import type { Owner } from "../owner.ts";
import { refusal, wishlistFull } from "../refusals.server.ts";
import { storedDetails } from "./details.ts";

/** A line of the store's cart. */
interface CartLine {
  productId: string;
  variantId: string;
  quantity: number;
  properties: Record<string, string>;
}

interface SavedLine {
  /** `present`: the item had all of it already; `differs`: the variant is saved with other properties, and nothing has changed */
  outcome: "added" | "updated" | "present" | "differs";
  /** items in the default list */
  itemCount: number;
  /** of an item that was saved already */
  before: { quantity: number | null; properties: Record<string, string> | null };
}

const saveLineStatement = shopStatement<{
  outcome: SavedLine["outcome"] | "full" | null;
  count_after: number;
  quantity_before: number | null;
  properties_before: Record<string, string> | null;
}>(
  "wishlist_save_line",
  `SELECT outcome, count_after, quantity_before, properties_before
     FROM wishlist_save_line(p_shop_id => $1, p_owner_kind => $2, p_owner_id => $3, p_product_id => $4, p_variant_id => $5, p_quantity => $6,
                             p_properties => $7, p_at => $8, p_cached => $9, p_guest_limit => $10, p_guest_origins => $11)`,
);

/**
 * Saves a line of the cart in the owner's default list, with quantity and properties. An item that was saved without both takes the line's; one with
 * the same properties has the larger of both quantities afterwards.
 * @param isKnown whether the store sells the variant for certain; otherwise the catalog cache is asked
 * @returns undefined when the cache has no such variant of a published product; `wishlist_full`; for a guest also `guest_merged` or `rate_limited`
 */
export async function saveLine(
  owner: Owner,
  line: CartLine,
  isKnown: boolean,
): Promise<SavedLine | undefined | Failure> {
  const { properties } = storedDetails({ properties: line.properties });
  try {
    const row = await runOne(saveLineStatement, [
      owner.shopId,
      owner.kind,
      owner.id,
      line.productId,
      line.variantId,
      line.quantity,
      properties ? JSON.stringify(properties) : null,
      now(),
      !isKnown,
      ...guestLimits(owner),
    ]);
    if (row.outcome === null) return undefined;
    if (row.outcome === "full") return wishlistFull();
    if (row.outcome === "added" || row.outcome === "updated") wakeOutbox(owner.shopId);
    const before = { quantity: row.quantity_before, properties: row.properties_before };
    return { outcome: row.outcome, itemCount: row.count_after, before };
  } catch (error) {
    return refusal(error);
  }
}
