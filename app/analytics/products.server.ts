import { processOutbox } from "../activity/index.server.ts";
import { run, runOne, shopStatement } from "../platform/database/database.server.ts";
import type {
  NamedProduct,
  OutOfStock,
  ProductDay,
  ProductFindings,
  RankedProduct,
  WantedVariant,
} from "./findings.ts";
import { readProductRevenue } from "./product-revenue.server.ts";
import type { Range } from "./range.server.ts";
import { readHistory, readProductStats, readTopProducts, TODAY } from "./reports.server.ts";

// Saved products and variants, with titles from the catalog cache.

// A product that was deleted before the first sync has an empty title.
const namesStatement = shopStatement<NamedProduct>(
  "analytics_names",
  `SELECT product_id AS "productId", nullif(title, '') AS title, image_url AS "imageUrl", deleted_at IS NOT NULL AS deleted
     FROM product WHERE shop_id = $1 AND product_id = ANY ($2::text[])`,
);

function unnamed(productId: string): NamedProduct {
  return { productId, title: null, imageUrl: null, deleted: false };
}

/** Adds the titles of products. */
export async function withNames<Product extends { productId: string }>(
  shopId: number,
  products: readonly Product[],
): Promise<(Product & NamedProduct)[]> {
  const names = await run(namesStatement, [shopId, products.map(({ productId }) => productId)]);
  const named = new Map(names.map((name) => [name.productId, name]));
  return products.map((product) => ({ ...(named.get(product.productId) ?? unnamed(product.productId)), ...product }));
}

export async function readRankedProducts(shopId: number, limit: number): Promise<RankedProduct[]> {
  return withNames(shopId, await readTopProducts(shopId, limit));
}

/** Returns the most saved products with their titles. */
export async function rankedProducts(shopId: number, limit: number): Promise<RankedProduct[]> {
  await processOutbox(shopId);
  return readRankedProducts(shopId, limit);
}

/** Most saved products that a figure of all saved variants covers. Bounds the query's cost in a large catalog. */
export const MOST_SAVED = 1_000;

// Each step looks rows up by key. OFFSET 0 prevents another join order, which would read whole tables.
const outOfStockStatement = shopStatement<{ searched: number; variants: OutOfStock["variants"] }>(
  "analytics_out_of_stock",
  `WITH top AS MATERIALIZED (
     SELECT product_id FROM product_stats WHERE shop_id = $1 AND wishlist_count > 0
      ORDER BY wishlist_count DESC, product_id LIMIT ${MOST_SAVED}
   ), wanted AS (
     SELECT p.product_id AS "productId", p.title AS "productTitle", p.image_url AS "imageUrl",
            v.variant_id AS "variantId", v.title, amount_text(v.price, (SELECT currency FROM shop WHERE id = $1)) AS price, s.wishlist_count AS "wishlistCount"
       FROM top
      CROSS JOIN LATERAL (SELECT v.variant_id, v.title, v.price FROM variant v
                           WHERE v.shop_id = $1 AND v.product_id = top.product_id
                             AND NOT v.available AND v.deleted_at IS NULL OFFSET 0) AS v
      CROSS JOIN LATERAL (SELECT s.wishlist_count FROM variant_stats s
                           WHERE s.shop_id = $1 AND s.product_id = top.product_id AND s.variant_id = v.variant_id
                             AND s.wishlist_count > 0 OFFSET 0) AS s
      CROSS JOIN LATERAL (SELECT p.product_id, p.title, p.image_url FROM product p
                           WHERE p.shop_id = $1 AND p.product_id = top.product_id AND p.deleted_at IS NULL OFFSET 0) AS p
      ORDER BY s.wishlist_count DESC, p.product_id, v.variant_id LIMIT $2
   )
   SELECT (SELECT count(*) FROM top) AS searched,
          coalesce((SELECT json_agg(w ORDER BY "wishlistCount" DESC, "productId", "variantId") FROM wanted w), '[]') AS variants`,
);

export async function readOutOfStock(shopId: number, limit: number): Promise<OutOfStock> {
  const { searched, variants } = await runOne(outOfStockStatement, [shopId, limit]);
  return { among: searched < MOST_SAVED ? undefined : searched, variants };
}

/** Returns the most saved variants that are out of stock. */
export async function outOfStock(shopId: number, limit: number): Promise<OutOfStock> {
  await processOutbox(shopId);
  return readOutOfStock(shopId, limit);
}

const historyStatement = shopStatement<ProductDay>(
  "analytics_product_days",
  `WITH today AS (${TODAY})
   SELECT to_char(today.day - ago, 'YYYY-MM-DD') AS date,
          coalesce(d.items_added, 0) AS "itemsAdded", coalesce(d.items_removed, 0) AS "itemsRemoved",
          coalesce(d.carted, 0) AS "addToCartFromWishlist"
     FROM today CROSS JOIN generate_series($5::integer, $5::integer + $3::integer - 1) AS ago
     LEFT JOIN product_daily d ON d.shop_id = $1 AND d.product_id = $4 AND d.day = today.day - ago
    ORDER BY ago DESC`,
);

/** Maximum variants of a product's list. */
const VARIANTS = 250;

const variantsStatement = shopStatement<WantedVariant>(
  "analytics_product_variants",
  `SELECT s.variant_id AS "variantId", v.title, amount_text(v.price, (SELECT currency FROM shop WHERE id = $1)) AS price, s.wishlist_count AS "wishlistCount",
          CASE WHEN v.variant_id IS NULL THEN 'unknown'
               WHEN v.deleted_at IS NOT NULL OR p.deleted_at IS NOT NULL THEN 'deleted'
               WHEN v.available THEN 'available' ELSE 'unavailable' END AS stock
     FROM variant_stats s
     LEFT JOIN variant v ON v.shop_id = $1 AND v.variant_id = s.variant_id AND v.product_id = s.product_id
     LEFT JOIN product p ON p.shop_id = $1 AND p.product_id = s.product_id
    WHERE s.shop_id = $1 AND s.product_id = $2 AND s.wishlist_count > 0
    ORDER BY v.available IS FALSE AND v.deleted_at IS NULL AND p.deleted_at IS NULL DESC, s.wishlist_count DESC, s.variant_id
    LIMIT ${VARIANTS + 1}`,
);

// A product whose item was saved and removed within one batch of the outbox processor has a row in product_daily and none in product_stats.
const seenStatement = shopStatement<{ seen: boolean }>(
  "analytics_product_seen",
  `SELECT EXISTS (SELECT 1 FROM product_stats WHERE shop_id = $1 AND product_id = $2)
       OR EXISTS (SELECT 1 FROM product_daily WHERE shop_id = $1 AND product_id = $2) AS seen`,
);

/** Returns a product; undefined when neither the catalog nor any wishlist has ever had it. */
export async function findProduct(shopId: number, productId: string): Promise<NamedProduct | undefined> {
  const [[name], { seen }] = await Promise.all([
    run(namesStatement, [shopId, [productId]]),
    runOne(seenStatement, [shopId, productId]),
  ]);
  return name ?? (seen ? unnamed(productId) : undefined);
}

/** Returns the analytics of one product; undefined when neither the catalog nor any wishlist has ever had it. */
export async function productFindings(
  shopId: number,
  productId: string,
  range: Range,
): Promise<ProductFindings | undefined> {
  const { at, days, ago } = range;
  await processOutbox(shopId);
  const [product, { wishlistCount }, history, variants, revenue, { since }] = await Promise.all([
    findProduct(shopId, productId),
    readProductStats(shopId, productId),
    run(historyStatement, [shopId, at, days, productId, ago]),
    run(variantsStatement, [shopId, productId]),
    readProductRevenue(shopId, range, productId),
    readHistory(shopId),
  ]);
  if (!product) return undefined;
  return {
    product,
    wishlistCount,
    revenue,
    days: history.filter(({ date }) => date >= since),
    since: since > (history[0]?.date ?? "") ? since : undefined,
    variants: variants.slice(0, VARIANTS),
    moreVariants: variants.length > VARIANTS,
  };
}
