import { run, runOne, shopStatement } from "../platform/database/database.server.ts";
import { ofOne, setAside } from "../set-aside/index.server.ts";
import { defaultVariant, type StoreProduct } from "./queries.ts";

/** SQL that counts a write to the catalog cache of the shop $1: pages in memory that show its data are read anew. */
const COUNTED = `INSERT INTO catalog_version AS c (shop_id, version) VALUES ($1::bigint, 1)
         ON CONFLICT (shop_id) DO UPDATE SET version = c.version + 1`;

const storeStatement = shopStatement<{ changed: boolean }>(
  "catalog_store",
  "SELECT catalog_store(p_shop_id => $1, p_products => $2::jsonb, p_seen_at => $3) AS changed",
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
      variants: deduplicate(product.variants.nodes).map((variant) => ({
        variant_id: variant.id,
        title: variant.title,
        price: variant.price,
        compare_at_price: variant.compareAtPrice,
        available: variant.availableForSale,
        // Where the store does not count the inventory, its number means nothing.
        inventory: variant.inventoryItem.tracked ? variant.inventoryQuantity : null,
        inventory_item_id: variant.inventoryItem.id,
        position: variant.position,
      })),
    };
  });
  if (rows.length === 0) return;
  const store = async (some: typeof rows): Promise<void> => {
    const { changed } = await runOne(storeStatement, [shopId, JSON.stringify(some), queriedAt]);
    if (changed) notifyChanged(shopId);
  };
  const reason = await ofOne(() => store(rows));
  if (reason === undefined) return;
  for (const row of rows) {
    const bad = rows.length === 1 ? reason : await ofOne(() => store([row]));
    if (bad !== undefined) await setProductAside(shopId, row.product_id, queriedAt, bad);
  }
}

const stillThereStatement = shopStatement<Record<string, never>>(
  "catalog_still_there",
  "UPDATE product SET seen_at = $3 WHERE shop_id = $1 AND product_id = $2 AND seen_at < $3 AND deleted_at IS NULL",
);

/** Sets a product aside that the store has. The catalog cache keeps what it has of it. */
export async function setProductAside(
  shopId: number,
  productId: string,
  queriedAt: Date,
  reason: string,
): Promise<void> {
  await setAside(shopId, "product", productId, reason);
  // A full sync must not take it for deleted.
  await run(stillThereStatement, [shopId, productId, queriedAt]);
}

const storableStatement = shopStatement<Record<string, never>>(
  "catalog_storable",
  "DELETE FROM set_aside WHERE shop_id = $1 AND kind = 'product' AND at < $2",
);

/** Deletes the records of products that were set aside before a full sync: it has stored them, or not found them. */
export async function deleteSetAsideProducts(shopId: number, before: Date): Promise<void> {
  await run(storableStatement, [shopId, before]);
}

let notifyChanged: (shopId: number) => void = () => undefined;

/** Sets the listener for changes of variants that were in the catalog cache before. */
export function onVariantsChanged(listener: (shopId: number) => void): void {
  notifyChanged = listener;
}

/** Marks a product as deleted, unless a later query has stored it. */
export async function storeDeleted(shopId: number, productId: string, queriedAt: Date): Promise<void> {
  await run(deletedStatement, [shopId, productId, queriedAt]);
}

/** Marks products as deleted that no query has returned since a time. */
export async function storeUnseen(shopId: number, since: Date): Promise<void> {
  await run(unseenStatement, [shopId, since]);
}
