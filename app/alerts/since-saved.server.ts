import { run, statement } from "../platform/database/database.server.ts";
import { DEFAULT_LIST, type ListRef, type SavedItem } from "../wishlists/index.server.ts";
import { DEFAULT_ALERT_SETTINGS } from "./settings-form.ts";

/**
 * What has changed about a saved variant since the shopper saved it. Amounts are in hundredths of the shop's currency, as Liquid
 * counts in every currency; with decimals where the currency has three. */
export interface SinceSaved {
  /** the variant's price in the catalog cache */
  price: number;
  /** by how much the price is lower now; undefined unless it is */
  priceDrop: number | undefined;
  /** whether the variant was sold out meanwhile, and is available again */
  isBack: boolean;
  /** how many are left, where that is few; undefined where the store does not count or sells on */
  fewLeft: number | undefined;
}

interface Row {
  product_id: string;
  variant_id: string;
  price: number;
  price_drop: number | null;
  is_back: boolean;
  few_left: number | null;
}

// A price from before a change of the shop's currency is not comparable.
const sinceSavedStatement = statement<Row>(
  "items_since_saved",
  `SELECT i.product_id, i.variant_id, (v.price * 100)::double precision AS price,
          CASE WHEN i.saved_price > v.price AND (s.currency_changed_at IS NULL OR s.currency_changed_at < i.added_at)
               THEN ((i.saved_price - v.price) * 100)::double precision END AS price_drop,
          v.available AND EXISTS (SELECT 1 FROM variant_change c
                                   WHERE c.shop_id = $1 AND c.variant_id = i.variant_id AND c.available <> c.old_available
                                     AND c.available AND c.at > i.added_at) AS is_back,
          CASE WHEN v.available AND v.inventory BETWEEN 1 AND coalesce(
                 (SELECT a.low_stock_quantity FROM alert_settings a WHERE a.shop_id = $1), $7) THEN v.inventory END AS few_left
     FROM wishlist w
     JOIN shop s ON s.id = $1
     JOIN wishlist_item i ON i.shop_id = $1 AND i.wishlist_id = w.id
     JOIN variant v ON v.shop_id = $1 AND v.variant_id = i.variant_id AND v.product_id = i.product_id AND v.deleted_at IS NULL
    WHERE w.shop_id = $1 AND w.owner_kind = $2 AND w.owner_id = $3 AND w.handle = $4
      AND i.product_id = ANY ($5) AND i.variant_id = ANY ($6)`,
);

/** Returns what has changed about items of a list since they were saved, in their order; undefined for an item that the catalog cache does not have. */
export async function readSinceSaved(
  { shopId, kind, id, listId = DEFAULT_LIST }: ListRef,
  items: readonly SavedItem[],
): Promise<(SinceSaved | undefined)[]> {
  if (items.length === 0) return [];
  const productIds = items.map(({ productId }) => productId);
  const variantIds = items.map(({ variantId }) => variantId);
  const { lowStockQuantity } = DEFAULT_ALERT_SETTINGS;
  const rows = await run(sinceSavedStatement, [shopId, kind, id, listId, productIds, variantIds, lowStockQuantity]);
  const found = new Map(rows.map((row) => [`${row.product_id} ${row.variant_id}`, row]));
  return items.map(({ productId, variantId }) => {
    const row = found.get(`${productId} ${variantId}`);
    if (!row) return undefined;
    return {
      price: row.price,
      priceDrop: row.price_drop ?? undefined,
      isBack: row.is_back,
      fewLeft: row.few_left ?? undefined,
    };
  });
}
