import { run, shopStatement } from "../platform/database.server.ts";
import type { StoreProduct } from "./store-queries.ts";

/**
 * $2 are products as JSON, $3 is when the store was asked for them. What was asked for earlier than what is here is left out, and
 * so is what was asked for before the product was deleted. With `complete`, variants that are not among the given ones are gone.
 */
const storeStatement = shopStatement<Record<string, never>>(
  "mirror_store",
  `WITH given AS MATERIALIZED (
     SELECT * FROM jsonb_to_recordset($2::jsonb) AS g (product_id text, handle text, title text, image_url text,
                                                       default_variant_id text, updated_at timestamptz, complete boolean, variants jsonb)
   ), stored AS (
     INSERT INTO product AS t (shop_id, product_id, handle, title, image_url, default_variant_id, updated_at, seen_at)
     SELECT $1::integer, product_id, handle, title, image_url, default_variant_id, updated_at, $3::timestamptz
       FROM given ORDER BY product_id
         ON CONFLICT (shop_id, product_id) DO UPDATE
        SET handle = EXCLUDED.handle, title = EXCLUDED.title, image_url = EXCLUDED.image_url,
            default_variant_id = EXCLUDED.default_variant_id, updated_at = EXCLUDED.updated_at, seen_at = EXCLUDED.seen_at,
            deleted_at = NULL
      WHERE t.seen_at <= EXCLUDED.seen_at
     RETURNING product_id
   ), variants AS MATERIALIZED (
     SELECT g.product_id, v.*
       FROM given g JOIN stored USING (product_id)
      CROSS JOIN LATERAL jsonb_to_recordset(g.variants) AS v (variant_id text, title text, price numeric, available boolean, position integer)
   ), gone AS (
     UPDATE variant v SET deleted_at = $3::timestamptz
       FROM given g JOIN stored USING (product_id)
      WHERE v.shop_id = $1::integer AND v.product_id = g.product_id AND g.complete AND v.deleted_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM variants n WHERE n.variant_id = v.variant_id)
   )
   INSERT INTO variant (shop_id, variant_id, product_id, title, price, available, position)
   SELECT $1::integer, variant_id, product_id, title, price, available, position FROM variants ORDER BY variant_id
       ON CONFLICT (shop_id, variant_id) DO UPDATE
      SET product_id = EXCLUDED.product_id, title = EXCLUDED.title, price = EXCLUDED.price, available = EXCLUDED.available,
          position = EXCLUDED.position, deleted_at = NULL`,
);

// One that was never here is noted, too, without handle and title: an answer from before its end may still be on its way.
const deletedStatement = shopStatement<Record<string, never>>(
  "mirror_deleted",
  `INSERT INTO product AS t (shop_id, product_id, handle, title, default_variant_id, updated_at, deleted_at, seen_at)
   SELECT id, $2, '', '', '', $3::timestamptz, $3::timestamptz, $3::timestamptz FROM shop WHERE id = $1
       ON CONFLICT (shop_id, product_id) DO UPDATE SET deleted_at = EXCLUDED.deleted_at, seen_at = EXCLUDED.seen_at
    WHERE t.seen_at <= EXCLUDED.seen_at`,
);

const unseenStatement = shopStatement<Record<string, never>>(
  "mirror_unseen",
  `UPDATE product SET deleted_at = $2 WHERE shop_id = $1 AND seen_at < $2 AND deleted_at IS NULL`,
);

/** The variant that is saved when none is named: the first one. A product always has one. */
export function defaultVariant({ variants }: StoreProduct): string | undefined {
  return variants.nodes[0]?.id;
}

/** What moves while it is read page by page shows up twice, and two handles can lead to one product. The later one counts. */
function once<T extends { id: string }>(things: readonly T[]): T[] {
  return [...new Map(things.map((thing) => [thing.id, thing])).values()];
}

/**
 * Takes products over into the mirror as the store has them.
 * @param askedAt when the store was asked
 */
export async function storeProducts(shopId: number, products: readonly StoreProduct[], askedAt: Date): Promise<void> {
  const rows = once(products).flatMap((product) => {
    const variant = defaultVariant(product);
    if (variant === undefined) return [];
    return {
      product_id: product.id,
      handle: product.handle,
      title: product.title,
      image_url: product.featuredMedia?.preview?.image?.url ?? null,
      default_variant_id: variant,
      updated_at: product.updatedAt,
      complete: !product.variants.pageInfo.hasNextPage,
      variants: once(product.variants.nodes).map(({ id, title, price, availableForSale, position }) => ({
        variant_id: id,
        title,
        price,
        available: availableForSale,
        position,
      })),
    };
  });
  if (rows.length > 0) await run(storeStatement, [shopId, JSON.stringify(rows), askedAt]);
}

/** Marks a product as gone from the store. What a later answer of the store says stays. */
export async function storeDeleted(shopId: number, productId: string, askedAt: Date): Promise<void> {
  await run(deletedStatement, [shopId, productId, askedAt]);
}

/** Marks what the store has not shown since a moment as gone from it. */
export async function storeUnseen(shopId: number, since: Date): Promise<void> {
  await run(unseenStatement, [shopId, since]);
}
