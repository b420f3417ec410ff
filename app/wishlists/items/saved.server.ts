import { run, statement } from "../../platform/database/database.server.ts";
import { PAGE_BYTES } from "../../platform/text/page-size.ts";
import { isKnownToShoppersSql } from "../../catalog/index.server.ts";
import { guestUseOutdated, guestUseThreshold, recordGuestUse } from "../guests/guests.server.ts";
import { DEFAULT_LIST, type Owner } from "../owner.ts";
import { savedCountSql } from "../totals.server.ts";

export interface SavedProduct {
  productId: string;
  /** the handle in the request */
  handle?: string;
  /** those saved in any list, newest first */
  variantIds: string[];
  /** the lists that have the product, when it is in others than the default list */
  listIds?: string[];
}

const savedStatement = statement<{
  item_count: number | null;
  use_outdated: boolean | null;
  saved: SavedProduct[] | null;
}>(
  "wishlist_saved",
  // Starts from the items of the owner's lists, which are few, so that handles of other products are never looked up, least of all in the store.
  `WITH lists AS MATERIALIZED (
     SELECT w.id, w.handle, w.item_count, ${guestUseOutdated("$6")} AS use_outdated FROM wishlist w
      WHERE w.shop_id = $1 AND w.owner_kind = $2 AND w.owner_id = $3 AND w.deleted_at IS NULL
   )
   SELECT (SELECT ${savedCountSql()} FROM lists w) AS item_count,
          (SELECT bool_or(use_outdated AND handle = '${DEFAULT_LIST}') FROM lists) AS use_outdated,
          (SELECT json_agg(json_strip_nulls(json_build_object('productId', s.product_id, 'handle', s.handle, 'variantIds', s.variants, 'listIds', s.lists)))
             FROM (SELECT f.product_id, max(f.handle) AS handle,
                          json_agg(f.variant_id ORDER BY f.added_at DESC, f.seq DESC) AS variants,
                          CASE WHEN bool_or(f.list <> '${DEFAULT_LIST}') THEN json_agg(DISTINCT f.list) END AS lists
                     FROM (SELECT i.product_id, i.variant_id, i.added_at, i.seq, l.handle AS list, p.handle,
                                  sum(octet_length(i.product_id) + octet_length(i.variant_id) + octet_length(l.handle)) OVER (ORDER BY i.added_at DESC, i.seq DESC) AS bytes
                             FROM lists l
                             JOIN wishlist_item i ON i.shop_id = $1 AND i.wishlist_id = l.id
                             LEFT JOIN product p ON p.shop_id = $1 AND p.product_id = i.product_id
                                  AND p.handle = ANY ($5::text[]) AND p.deleted_at IS NULL AND ${isKnownToShoppersSql("p")}
                            WHERE i.product_id = ANY ($4::text[]) OR p.handle IS NOT NULL) AS f
                    WHERE f.bytes <= ${PAGE_BYTES}
                    GROUP BY f.product_id) AS s) AS saved`,
);

/**
 * Returns which of the given products a shopper has saved in any list, in which variants, and how many variants the shopper has saved. Beyond a megabyte,
 * the items that were saved first are left out.
 */
export async function readSaved(
  owner: Owner,
  products: { productIds: readonly string[]; handles: readonly string[] },
): Promise<{ saved: SavedProduct[]; itemCount: number }> {
  const [row] = await run(savedStatement, [
    owner.shopId,
    owner.kind,
    owner.id,
    products.productIds,
    products.handles,
    guestUseThreshold(),
  ]);
  if (row?.use_outdated === true) await recordGuestUse(owner);
  const saved = (row?.saved ?? []).map((product) => ({ ...product, variantIds: [...new Set(product.variantIds)] }));
  return { saved, itemCount: row?.item_count ?? 0 };
}
