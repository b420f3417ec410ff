import { run, statement } from "../platform/database.server.ts";
import { isKnownToShoppersSql } from "./publication.ts";

/** A variant as the store's catalogue had it when it was mirrored. */
export interface CachedVariant {
  variantId: string;
  title: string;
  /** in the store's currency, such as "19.90" */
  price: string;
  available: boolean;
}

/** A product as the store's catalogue had it when it was mirrored. */
export interface CachedProduct {
  productId: string;
  handle: string;
  title: string;
  imageUrl: string | null;
  defaultVariantId: string;
  /** it was in the catalogue once and is no longer */
  deleted: boolean;
  /** in the store's order, without those that are gone */
  variants: CachedVariant[];
}

// Without a handle it is one of which nothing but its end was heard.
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
          coalesce((SELECT json_agg(json_build_object('variantId', v.variant_id, 'title', v.title, 'price', v.price::text,
                                                      'available', v.available) ORDER BY v.position, v.variant_id)
                      FROM variant v
                     WHERE v.shop_id = p.shop_id AND v.product_id = p.product_id AND v.deleted_at IS NULL), '[]') AS variants
     FROM product p
    WHERE p.shop_id = $1 AND p.product_id = ANY ($2::text[]) AND p.handle <> ''`;

const describeStatement = statement<DescribedRow>("catalog_describe", DESCRIBE);

const describeKnownStatement = statement<DescribedRow>(
  "catalog_describe_known",
  `${DESCRIBE} AND ${isKnownToShoppersSql("p")}`,
);

/**
 * Describes products to staff, by product id, deleted ones and drafts included. The store is not asked: what is shown in a page may be a
 * little old, but must not wait.
 */
export async function describeProducts(
  shopId: number,
  productIds: readonly string[],
): Promise<ReadonlyMap<string, CachedProduct>> {
  return byId(await run(describeStatement, [shopId, [...new Set(productIds)]]));
}

/** Describes products to shoppers. A product that was never published is not in the map. */
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
