import { LRUCache } from "lru-cache";
import { now } from "../platform/clock.server.ts";
import { run, statement } from "../platform/database.server.ts";
import { env } from "../platform/env.server.ts";
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
 * Where products are looked up. The mirror in our database is asked first; a source behind it (the store's own API) is asked for what
 * the mirror does not know.
 */
export interface Catalog {
  /**
   * The default variants of products, by product id. A product that does not exist is not in the map.
   * @param caller whose budget of look-ups at the store is used
   * @returns `catalog_not_connected`, `catalog_unavailable` or `rate_limited` when some product's existence can't be told
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
  /** it has let us into its store */
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
  // A handle can pass from one product to another: the one that was heard of last has it.
  `SELECT ${SHOP_COLUMNS}, p.handle, p.product_id
     FROM shop s
     LEFT JOIN LATERAL (SELECT DISTINCT ON (p.handle) p.handle, p.product_id FROM product p
                         WHERE p.shop_id = s.id AND p.handle = ANY ($2::text[]) AND p.deleted_at IS NULL
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

/** Milliseconds for which the store is not asked again for a product that it keeps to itself. */
const HIDDEN_FOR = 60_000;

/** Products that the store has and that are not to be found: drafts, or for shoppers all that are not published. */
const hidden = new LRUCache<string, true>({ max: 20_000, ttl: HIDDEN_FOR });

/**
 * Adds what the mirror lacks. A shop without a connection to its store has nobody else to ask: what a complete mirror lacks does not exist
 * then, and can't be told otherwise.
 */
async function complete(
  known: Map<string, string>,
  {
    shopId,
    kind,
    wanted,
    shop,
    caller,
    isShown,
  }: {
    shopId: number;
    kind: Kind;
    wanted: readonly string[];
    shop: ShopColumns | undefined;
    /** may whoever asks know of the product? */
    isShown: (product: StoreProduct) => boolean;
    caller: string;
  },
): Promise<ReadonlyMap<string, string> | Failure> {
  const missing = wanted.filter((key) => !known.has(key) && !hidden.has(`${shopId} ${kind} ${key}`));
  if (missing.length === 0) return known;
  if (shop?.connected !== true || !env().shopify) {
    if (shop?.catalog === "ready") return known;
    return shop?.catalog === "syncing" ? unavailable() : notConnected();
  }
  const who = lookupContext(shopId, shop.domain, caller);
  const { found, retryAfter } = await lookUp(who, kind, missing);
  for (const [key, product] of found) {
    if (product === "unreachable") return unavailable();
    if (product === "absent") continue;
    if (!isShown(product)) {
      hidden.set(`${shopId} ${kind} ${key}`, true);
      continue;
    }
    const value = kind === "id" ? await defaultVariantAtStore(who, product) : product.id;
    if (value instanceof Failure) return value;
    if (value !== undefined) known.set(key, value);
  }
  return retryAfter === undefined ? known : tooManyLookups(retryAfter);
}

const cacheThenStore: Catalog = {
  async defaultVariants(shopId, productIds, caller) {
    const wanted = [...new Set(productIds)];
    const rows = await run(variantsStatement, [shopId, wanted]);
    const known = new Map(
      rows.flatMap((row) => (row.product_id === null ? [] : [[row.product_id, row.default_variant_id]])),
    );
    return complete(known, { shopId, kind: "id", wanted, shop: rows[0], isShown: isReleased, caller });
  },
};

export function catalog(): Catalog {
  return cacheThenStore;
}

/**
 * The ids of products that shoppers know, by their handles. A handle that no such product has is not in the map.
 * @param caller whose budget of look-ups at the store is used
 * @returns `catalog_not_connected`, `catalog_unavailable` or `rate_limited` when some handle's product can't be told
 */
export async function resolveHandles(
  shopId: number,
  handles: readonly string[],
  caller: string,
): Promise<ReadonlyMap<string, string> | Failure> {
  const wanted = [...new Set(handles)];
  const rows = await run(handlesStatement, [shopId, wanted]);
  const known = new Map(rows.flatMap((row) => (row.handle === null ? [] : [[row.handle, row.product_id]])));
  return complete(known, {
    shopId,
    kind: "handle",
    wanted,
    shop: rows[0],
    isShown: (product) => isPublished(product, now()),
    caller,
  });
}

/** `unchecked`: the shop has no catalogue that could tell. */
type ShopperFinds = { variantId: string } | "no-product" | "no-variant" | "unchecked";

/** Milliseconds for which the store is not asked again for a variant that a product does not have. */
const NO_VARIANT_FOR = 60_000;

const noVariants = new LRUCache<string, true>({ max: 20_000, ttl: NO_VARIANT_FOR });

/**
 * Finds a variant, or the default variant, of a published product, for a shopper who wants to save what the mirror does not know: it may be
 * newer than what was heard from the store.
 * @param caller whose budget of look-ups at the store is used
 * @returns `catalog_unavailable`, `catalog_not_connected` or `rate_limited` when that can't be told
 */
export async function findForShopper(
  shopId: number,
  { productId, variantId }: { productId: string; variantId: string | undefined },
  caller: string,
): Promise<ShopperFinds | Failure> {
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
  const who = lookupContext(shopId, shop.domain, caller);
  const { found, retryAfter } = await lookUp(who, "id", [productId]);
  if (retryAfter !== undefined) return tooManyLookups(retryAfter);
  const product = found.get(productId);
  if (product === undefined || product === "absent") return "no-product";
  if (product === "unreachable") return unavailable();
  if (!isPublished(product, now())) {
    hidden.set(name, true);
    return "no-product";
  }
  if (variantId === undefined) {
    const found = await defaultVariantAtStore(who, product);
    if (found instanceof Failure) return found;
    return found === undefined ? "no-product" : { variantId: found };
  }
  const whole = await withLookedUpVariants(who, product);
  if (whole instanceof Failure) return whole;
  if (whole.variants.nodes.some(({ id }) => id === variantId)) return { variantId };
  noVariants.set(variant, true);
  return "no-variant";
}
