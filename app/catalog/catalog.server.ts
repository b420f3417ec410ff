import { LRUCache } from "lru-cache";
import { now } from "../platform/clock.server.ts";
import { run, statement } from "../platform/database/database.server.ts";
import { env } from "../platform/process/env.server.ts";
import { Failure } from "../platform/failure.ts";
import { notConnected, tooManyLookups, unavailable } from "./failures.ts";
import { isKnownToShoppersSql, isPublished, isPublishedSql, isReleased, isReleasedSql } from "./publication.ts";
import { requestRefresh } from "./product-refresh.server.ts";
import {
  defaultVariantAtStore,
  lookUp,
  withLookedUpVariants,
  type Kind,
  type LookupContext,
} from "./store-lookup.server.ts";
import type { StoreProduct } from "./queries.ts";

/**
 * Looks up products: in the catalog cache, and products that are not in the cache in the store's Admin API.
 */
export interface Catalog {
  /**
   * Returns the default variants of products, by product id. A product that does not exist is not in the map.
   * @param caller the caller whose look-up budget is used
   * @returns `catalog_not_connected`, `catalog_unavailable` or `rate_limited` when a product can't be looked up
   */
  defaultVariants(
    shopId: number,
    productIds: readonly string[],
    caller: string,
  ): Promise<ReadonlyMap<string, string> | Failure>;
}

interface ShopColumns {
  catalog: "none" | "syncing" | "ready";
  domain: string;
  /** whether there is an access token for the store */
  connected: boolean;
}

const SHOP_COLUMNS =
  "s.catalog, s.domain, EXISTS (SELECT 1 FROM session WHERE shop = s.domain AND NOT is_online) AS connected";

const defaultVariantsSql = (rule: string): string => `
  SELECT ${SHOP_COLUMNS}, p.product_id, p.default_variant_id
    FROM shop s
    LEFT JOIN product p ON p.shop_id = s.id AND p.product_id = ANY ($2::text[]) AND p.deleted_at IS NULL AND ${rule}
   WHERE s.id = $1`;

type DefaultVariantRow = ShopColumns & { product_id: string | null; default_variant_id: string };

const variantsStatement = statement<DefaultVariantRow>(
  "catalog_default_variants",
  defaultVariantsSql(isReleasedSql("p")),
);

const publishedVariantsStatement = statement<DefaultVariantRow>(
  "catalog_published_variants",
  defaultVariantsSql(isPublishedSql("p")),
);

const handlesStatement = statement<ShopColumns & { handle: string | null; product_id: string }>(
  "catalog_handles",
  // A handle can move from one product to another: the product that was refreshed last has it.
  `SELECT ${SHOP_COLUMNS}, p.handle, p.product_id
     FROM shop s
     LEFT JOIN LATERAL (SELECT DISTINCT ON (p.handle) p.handle, p.product_id FROM product p
                         WHERE p.shop_id = $1 AND p.handle = ANY ($2::text[]) AND p.deleted_at IS NULL
                           AND ${isKnownToShoppersSql("p")}
                         ORDER BY p.handle, p.seen_at DESC) AS p ON true
    WHERE s.id = $1`,
);

function lookupContext(shopId: number, shop: string, caller: string): LookupContext {
  return {
    shopId,
    shop,
    caller,
    onIncomplete: (productId) => requestRefresh(shopId, productId),
  };
}

/** Milliseconds for which a hidden product is not looked up again. */
const HIDDEN_FOR = 60_000;

/** Products that exist in the store and are not returned: drafts, and for shoppers all products that are not published. */
const hidden = new LRUCache<string, true>({ max: 20_000, ttl: HIDDEN_FOR });

/**
 * Adds products that are not in the cache. Without an access token for the store, a complete cache decides which products exist, and an
 * incomplete one is a failure.
 */
async function addMissing(
  known: Map<string, string>,
  {
    shopId,
    kind,
    keys,
    shop,
    caller,
    isVisible,
  }: {
    shopId: number;
    kind: Kind;
    keys: readonly string[];
    shop: ShopColumns | undefined;
    /** whether the caller may learn that the product exists */
    isVisible: (product: StoreProduct) => boolean;
    caller: string;
  },
): Promise<ReadonlyMap<string, string> | Failure> {
  const missing = keys.filter((key) => !known.has(key) && !hidden.has(`${shopId} ${kind} ${key}`));
  if (missing.length === 0) return known;
  if (shop?.connected !== true || !env().shopify) {
    if (shop?.catalog === "ready") return known;
    return shop?.catalog === "syncing" ? unavailable() : notConnected();
  }
  const context = lookupContext(shopId, shop.domain, caller);
  const { found, retryAfter } = await lookUp(context, kind, missing);
  for (const [key, product] of found) {
    if (product === "unreachable") return unavailable();
    if (product === "absent") continue;
    if (!isVisible(product)) {
      hidden.set(`${shopId} ${kind} ${key}`, true);
      continue;
    }
    const value = kind === "id" ? await defaultVariantAtStore(context, product) : product.id;
    if (value instanceof Failure) return value;
    if (value !== undefined) known.set(key, value);
  }
  return retryAfter === undefined ? known : tooManyLookups(retryAfter);
}

const cacheThenStore: Catalog = {
  async defaultVariants(shopId, productIds, caller) {
    const keys = [...new Set(productIds)];
    const rows = await run(variantsStatement, [shopId, keys]);
    const known = new Map(
      rows.flatMap((row) => (row.product_id === null ? [] : [[row.product_id, row.default_variant_id]])),
    );
    return addMissing(known, { shopId, kind: "id", keys, shop: rows[0], isVisible: isReleased, caller });
  },
};

export function catalog(): Catalog {
  return cacheThenStore;
}

/**
 * Returns the ids of products by their handles. A handle without a product that shoppers may see is not in the map.
 * @param caller the caller whose look-up budget is used
 * @returns `catalog_not_connected`, `catalog_unavailable` or `rate_limited` when a handle can't be looked up
 */
export async function resolveHandles(
  shopId: number,
  handles: readonly string[],
  caller: string,
): Promise<ReadonlyMap<string, string> | Failure> {
  const keys = [...new Set(handles)];
  const rows = await run(handlesStatement, [shopId, keys]);
  const known = new Map(rows.flatMap((row) => (row.handle === null ? [] : [[row.handle, row.product_id]])));
  return addMissing(known, {
    shopId,
    kind: "handle",
    keys,
    shop: rows[0],
    isVisible: (product) => isPublished(product, now()),
    caller,
  });
}

/** `unchecked`: the shop has no catalog, so the variant can't be checked. */
type ShopperLookup = { variantId: string } | "no-product" | "no-variant" | "unchecked";

/** Milliseconds for which a variant that a product does not have is not looked up again. */
const NO_VARIANT_FOR = 60_000;

const noVariants = new LRUCache<string, true>({ max: 20_000, ttl: NO_VARIANT_FOR });

/**
 * Finds a variant, or the default variant, of a published product in the store, for a shopper who saves a product that is not in the cache: it may
 * be newer than the cache.
 * @param caller the caller whose look-up budget is used
 * @returns `catalog_unavailable`, `catalog_not_connected` or `rate_limited` when the product can't be looked up
 */
export async function findForShopper(
  shopId: number,
  { productId, variantId }: { productId: string; variantId: string | undefined },
  caller: string,
): Promise<ShopperLookup | Failure> {
  const [shop] = await run(publishedVariantsStatement, [shopId, [productId]]);
  if (shop?.connected !== true || !env().shopify) {
    if (shop?.catalog === "syncing") return unavailable();
    if (shop?.catalog !== "ready") return variantId === undefined ? notConnected() : "unchecked";
    if (shop.product_id === null) return "no-product";
    return variantId === undefined ? { variantId: shop.default_variant_id } : "no-variant";
  }
  const name = `${shopId} shopper ${productId}`;
  if (hidden.has(name)) return "no-product";
  const variant = `${name} ${variantId ?? ""}`;
  if (noVariants.has(variant)) return "no-variant";
  const context = lookupContext(shopId, shop.domain, caller);
  const { found, retryAfter } = await lookUp(context, "id", [productId]);
  if (retryAfter !== undefined) return tooManyLookups(retryAfter);
  const product = found.get(productId);
  if (product === undefined || product === "absent") return "no-product";
  if (product === "unreachable") return unavailable();
  if (!isPublished(product, now())) {
    hidden.set(name, true);
    return "no-product";
  }
  if (variantId === undefined) {
    const defaultId = await defaultVariantAtStore(context, product);
    if (defaultId instanceof Failure) return defaultId;
    return defaultId === undefined ? "no-product" : { variantId: defaultId };
  }
  const complete = await withLookedUpVariants(context, product);
  if (complete instanceof Failure) return complete;
  if (complete.variants.nodes.some(({ id }) => id === variantId)) return { variantId };
  noVariants.set(variant, true);
  return "no-variant";
}
