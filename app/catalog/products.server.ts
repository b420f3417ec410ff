import { run, statement } from "../platform/database/database.server.ts";
import { isKnownToShoppersSql } from "./publication.ts";

/** A variant in the catalog cache. */
export interface CachedVariant {
  variantId: string;
  title: string;
  /** in the store's currency, such as "19.90" */
  price: string;
  available: boolean;
}

/** A product in the catalog cache. */
export interface CachedProduct {
  productId: string;
  handle: string;
  title: string;
  imageUrl: string | null;
  defaultVariantId: string;
  /** whether it was deleted in the store */
  deleted: boolean;
  /** in the store's order, without deleted variants */
  variants: CachedVariant[];
}

// Rows without a handle are products of which only the deletion is known.
interface DescribedRow {
  product_id: string;
  handle: string;
  title: string;
  image_url: string | null;
  default_variant_id: string;
  deleted: boolean;
  variants: CachedVariant[];
}

const DESCRIBE = `SELECT p.product_id, p.handle, p.title, p.image_url, p.default_variant_id, p.deleted_at IS NOT NULL AS deleted,
          coalesce((SELECT json_agg(json_build_object('variantId', v.variant_id, 'title', v.title, 'price', amount_text(v.price, s.currency),
                                                      'available', v.available) ORDER BY v.position, v.variant_id)
                      FROM variant v
                     WHERE v.shop_id = $1 AND v.product_id = p.product_id AND v.deleted_at IS NULL), '[]') AS variants
     FROM product p JOIN shop s ON s.id = $1
    WHERE p.shop_id = $1 AND p.product_id = ANY ($2::text[]) AND p.handle <> ''`;

const describeStatement = statement<DescribedRow>("catalog_describe", DESCRIBE);

const describeKnownStatement = statement<DescribedRow>(
  "catalog_describe_known",
  `${DESCRIBE} AND ${isKnownToShoppersSql("p")}`,
);

/**
 * Returns products for staff, by product id, including deleted products and drafts. They come from the cache only, because a page must not wait
 * for the store.
 */
export async function describeProducts(
  shopId: number,
  productIds: readonly string[],
): Promise<ReadonlyMap<string, CachedProduct>> {
  return byId(await run(describeStatement, [shopId, [...new Set(productIds)]]));
}

/** Returns products for shoppers, by product id. A product that was never published is not in the map. */
export async function describeToShoppers(
  shopId: number,
  productIds: readonly string[],
): Promise<ReadonlyMap<string, CachedProduct>> {
  return byId(await run(describeKnownStatement, [shopId, [...new Set(productIds)]]));
}

function byId(rows: readonly DescribedRow[]): Map<string, CachedProduct> {
  return new Map(
    rows.map((row) => [
      row.product_id,
      {
        productId: row.product_id,
        handle: row.handle,
        title: row.title,
        imageUrl: row.image_url,
        defaultVariantId: row.default_variant_id,
        deleted: row.deleted,
        variants: row.variants,
      },
    ]),
  );
}
