import { run, shopStatement } from "../platform/database.server.ts";
import { defaultVariant } from "./default-variant.ts";
import { isPublishedSql } from "./publication.ts";
import type { StoreProduct } from "./queries.ts";

/** SQL that counts a write to the catalog cache of the shop $1: pages in memory that show its data are read anew. */
const COUNTED = `INSERT INTO catalog_version AS c (shop_id, version) VALUES ($1::bigint, 1)
         ON CONFLICT (shop_id) DO UPDATE SET version = c.version + 1`;

/**
 * Stores products. $2 are products as JSON, $3 is the time of the query to the store. A product is left out when a later query has stored or
 * deleted it. With `complete`, variants that are not among the given ones are marked as deleted. A product that is no longer published keeps the
 * names and the picture that shoppers have seen.
 */
const storeStatement = shopStatement<Record<string, never>>(
  "catalog_store",
  `WITH given AS MATERIALIZED (
     SELECT * FROM jsonb_to_recordset($2::jsonb) AS g (product_id text, handle text, title text, image_url text,
                                                       default_variant_id text, updated_at timestamptz, status text, published_at timestamptz,
                                                       complete boolean, variants jsonb)
   ), stored AS (
     INSERT INTO product AS t (shop_id, product_id, handle, title, image_url, default_variant_id, updated_at, seen_at, status,
                                published_at, ever_published)
     SELECT $1::bigint, product_id, handle, title, image_url, default_variant_id, updated_at, $3::timestamptz, status,
            published_at, coalesce(${isPublishedSql("given", "$3::timestamptz")}, false)
       FROM given ORDER BY product_id
         ON CONFLICT (shop_id, product_id) DO UPDATE
        SET handle = CASE WHEN t.ever_published AND NOT EXCLUDED.ever_published THEN t.handle ELSE EXCLUDED.handle END,
            title = CASE WHEN t.ever_published AND NOT EXCLUDED.ever_published THEN t.title ELSE EXCLUDED.title END,
            image_url = CASE WHEN t.ever_published AND NOT EXCLUDED.ever_published THEN t.image_url ELSE EXCLUDED.image_url END,
            default_variant_id = EXCLUDED.default_variant_id, updated_at = EXCLUDED.updated_at, seen_at = EXCLUDED.seen_at,
            status = EXCLUDED.status, published_at = EXCLUDED.published_at,
            ever_published = t.ever_published OR EXCLUDED.ever_published, deleted_at = NULL
      WHERE t.seen_at <= EXCLUDED.seen_at
     RETURNING t.product_id, t.ever_published AND ${isPublishedSql("t", "$3::timestamptz")} IS NOT TRUE AS withdrawn
   ), variants AS MATERIALIZED (
     SELECT g.product_id, stored.withdrawn, v.*
       FROM given g JOIN stored USING (product_id)
      CROSS JOIN LATERAL jsonb_to_recordset(g.variants) AS v (variant_id text, title text, price numeric, available boolean, position integer)
   ), gone AS (
     UPDATE variant v SET deleted_at = $3::timestamptz
       FROM given g JOIN stored USING (product_id)
      WHERE v.shop_id = $1::bigint AND v.product_id = g.product_id AND g.complete AND v.deleted_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM variants n WHERE n.variant_id = v.variant_id)
   ), counted AS (
     ${COUNTED}
   )
   INSERT INTO variant (shop_id, variant_id, product_id, title, price, available, position)
   SELECT $1::bigint, n.variant_id, n.product_id, CASE WHEN n.withdrawn THEN coalesce(k.title, n.title) ELSE n.title END, n.price,
          n.available, n.position
     FROM variants n
     LEFT JOIN variant k ON n.withdrawn AND k.shop_id = $1::bigint AND k.variant_id = n.variant_id
    ORDER BY n.variant_id
       ON CONFLICT (shop_id, variant_id) DO UPDATE
      SET product_id = EXCLUDED.product_id, title = EXCLUDED.title, price = EXCLUDED.price, available = EXCLUDED.available,
          position = EXCLUDED.position, deleted_at = NULL`,
);

// An unknown product is recorded as well, without handle and title, because the response to an earlier query may still arrive.
const deletedStatement = shopStatement<Record<string, never>>(
  "catalog_delete",
  `WITH counted AS (${COUNTED})
   INSERT INTO product AS t (shop_id, product_id, handle, title, default_variant_id, updated_at, deleted_at, seen_at, status)
   SELECT id, $2, '', '', '', $3::timestamptz, $3::timestamptz, $3::timestamptz, 'ARCHIVED' FROM shop WHERE id = $1
       ON CONFLICT (shop_id, product_id) DO UPDATE SET deleted_at = EXCLUDED.deleted_at, seen_at = EXCLUDED.seen_at
    WHERE t.seen_at <= EXCLUDED.seen_at`,
);

const unseenStatement = shopStatement<Record<string, never>>(
  "catalog_delete_unseen",
  `WITH counted AS (${COUNTED})
   UPDATE product SET deleted_at = $2 WHERE shop_id = $1 AND seen_at < $2 AND deleted_at IS NULL`,
);

/** Keeps the last object of each id. An object that moves between pages is read twice, and two handles can lead to one product. */
function deduplicate<T extends { id: string }>(objects: readonly T[]): T[] {
  return [...new Map(objects.map((object) => [object.id, object])).values()];
}

/**
 * Stores products of the store in the catalog cache.
 * @param products each with all its variants, or with enough of them to determine its default variant
 * @param queriedAt time of the query to the store
 */
export async function storeProducts(shopId: number, products: readonly StoreProduct[], queriedAt: Date): Promise<void> {
  const rows = deduplicate(products).flatMap((product) => {
    const variant = defaultVariant(product);
    if (variant === undefined) return [];
    return {
      product_id: product.id,
      handle: product.handle,
      title: product.title,
      image_url: product.featuredMedia?.preview?.image?.url ?? null,
      default_variant_id: variant,
      updated_at: product.updatedAt,
      status: product.status,
      published_at: product.publishedAt,
      complete: !product.variants.pageInfo.hasNextPage,
      variants: deduplicate(product.variants.nodes).map(({ id, title, price, availableForSale, position }) => ({
        variant_id: id,
        title,
        price,
        available: availableForSale,
        position,
      })),
    };
  });
  if (rows.length > 0) await run(storeStatement, [shopId, JSON.stringify(rows), queriedAt]);
}

/** Marks a product as deleted, unless a later query has stored it. */
export async function storeDeleted(shopId: number, productId: string, queriedAt: Date): Promise<void> {
  await run(deletedStatement, [shopId, productId, queriedAt]);
}

/** Marks products as deleted that no query has returned since a time. */
export async function storeUnseen(shopId: number, since: Date): Promise<void> {
  await run(unseenStatement, [shopId, since]);
}
