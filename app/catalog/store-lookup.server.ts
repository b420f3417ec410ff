import { LRUCache } from "lru-cache";
import { now, nowMs } from "../platform/clock.server.ts";
import { log } from "../platform/log/log.server.ts";
import { counter } from "../platform/metrics/metrics.server.ts";
import { Failure } from "../platform/failure.ts";
import { queryAdminApi } from "../admin-api/index.server.ts";
import { tooManyLookups, unavailable } from "./failures.ts";
import { takeCost, takeLookups, type LookupCaller } from "./lookup-budget.server.ts";
import { storeProducts } from "./cache.server.ts";
import {
  defaultVariant,
  determinesDefaultVariant,
  productGid,
  PRODUCTS_BY_ID,
  productsByHandle,
  productsByHandleSchema,
  productsByIdSchema,
  type StoreProduct,
} from "./queries.ts";
import { withAllVariants } from "./product-variants.server.ts";

/** Milliseconds that a request of a shopper or an API client waits for Shopify. */
const RESPONSE_TIMEOUT = 2_000;
/**
 * Milliseconds for which a product that does not exist is not looked up again: as long as the budget needs for a merge of 500 such products. A
 * product that is created in the meantime enters the cache by webhook.
 */
const ABSENT_FOR = 30 * 60_000;
/** Variants that are read with a product: more would make the query costly. A product with more variants is refreshed in the background. */
const VARIANTS = 10;
/** The cost of reading the further variants of a product, in addition to the product's look-up. */
const FURTHER_VARIANTS = 15;
/** Products per query. */
const PRODUCTS_PER_QUERY = 50;

/** The kind of a look-up: products by their ids, or by their handles. */
export type Kind = "id" | "handle";

/** `unreachable`: the store did not respond. */
type Found = StoreProduct | "absent" | "unreachable";

export interface LookupContext extends LookupCaller {
  shop: string;
  /** called for a product with more variants than were read with it */
  onIncomplete: (productId: string) => Promise<void>;
}

const lookups = counter(
  "catalog_lookups_total",
  "Products that were not in the catalog cache, by what a look-up in the store found; `over_budget` were not looked up",
  { outcome: ["found", "absent", "known_absent", "unreachable", "over_budget"] },
);

/** The times at which absent products may be looked up again, by shop, kind and key. */
const absentUntil = new LRUCache<string, number>({ max: 20_000 });
/** Queries in progress, by shop, kind and key: concurrent look-ups of a product share a query. */
const inFlight = new Map<string, Promise<Found>>();

async function requestProducts(
  shop: string,
  kind: Kind,
  keys: readonly string[],
): Promise<Map<string, StoreProduct> | undefined> {
  if (kind === "id") {
    const result = await queryAdminApi(shop, PRODUCTS_BY_ID, {
      variables: { ids: keys.map(productGid), variants: VARIANTS },
      schema: productsByIdSchema,
      within: RESPONSE_TIMEOUT,
    });
    return result && new Map(result.data.nodes.flatMap((product) => (product ? [[product.id, product]] : [])));
  }
  const result = await queryAdminApi(shop, productsByHandle(keys.length), {
    variables: { variants: VARIANTS, ...Object.fromEntries(keys.map((handle, index) => [`h${index}`, handle])) },
    schema: productsByHandleSchema,
    within: RESPONSE_TIMEOUT,
  });
  return (
    result &&
    new Map(
      keys.flatMap((handle, index) => {
        const product = result.data[`h${index}`];
        return product ? [[handle, product]] : [];
      }),
    )
  );
}

async function queryProducts(
  context: LookupContext,
  kind: Kind,
  keys: readonly string[],
): Promise<(key: string) => Found> {
  const { shopId, shop } = context;
  const queriedAt = now();
  try {
    const products = await requestProducts(shop, kind, keys);
    if (!products) return () => "unreachable";
    // The refresh stores the other products: stored now, they would have a sold-out variant as their default.
    await storeProducts(shopId, [...products.values()].filter(determinesDefaultVariant), queriedAt);
    for (const product of products.values()) {
      if (product.variants.pageInfo.hasNextPage) await context.onIncomplete(product.id);
    }
    return (key) => {
      const product = products.get(key);
      if (product) return product;
      absentUntil.set(`${shopId} ${kind} ${key}`, nowMs() + ABSENT_FOR);
      return "absent";
    };
  } catch (error) {
    log.warn({ shop, err: error }, "could not look up products in the store");
    return () => "unreachable";
  }
}

/** The formats of ids and handles; a store has no product with another one. */
const KEY_FORMATS: Record<Kind, RegExp> = { id: /^[1-9]\d{0,18}$/, handle: /^[^\sA-Z]{1,255}$/ };

export interface LookUp {
  /** by key; keys that exceed the budget are missing */
  found: Map<string, Found>;
  /** seconds after which more keys can be looked up */
  retryAfter: number | undefined;
}

/**
 * Looks up products in the store, as many as the caller's budget allows, and stores them in the cache, so that a caller who repeats the request
 * gets further each time. It takes at most two seconds and never throws.
 */
export async function lookUp(context: LookupContext, kind: Kind, keys: readonly string[]): Promise<LookUp> {
  const name = (key: string): string => `${context.shopId} ${kind} ${key}`;
  const isAbsent = (key: string): boolean =>
    !KEY_FORMATS[kind].test(key) || (absentUntil.get(name(key)) ?? 0) > nowMs();

  const open = [...new Set(keys)].filter((key) => !isAbsent(key));
  const queried = open.filter((key) => !inFlight.has(name(key)));
  const { granted, retryAfter } = takeLookups(context, queried.length);
  const deferred = new Set(queried.splice(granted));
  lookups.inc({ outcome: "known_absent" }, keys.length - open.length);
  lookups.inc({ outcome: "over_budget" }, deferred.size);
  for (let from = 0; from < queried.length; from += PRODUCTS_PER_QUERY) {
    const part = queried.slice(from, from + PRODUCTS_PER_QUERY);
    const query = queryProducts(context, kind, part);
    for (const key of part) {
      inFlight.set(
        name(key),
        query
          .then((find) => {
            const found = find(key);
            lookups.inc({ outcome: typeof found === "string" ? found : "found" });
            return found;
          })
          .finally(() => inFlight.delete(name(key))),
      );
    }
  }
  const found = await Promise.all(
    keys
      .filter((key) => !deferred.has(key))
      .map(async (key): Promise<[string, Found]> => [key, (await inFlight.get(name(key))) ?? "absent"]),
  );
  return { found: new Map(found), retryAfter };
}

/**
 * Completes a product that was just looked up with its further variants.
 * @returns `rate_limited` or `catalog_unavailable` when its further variants can't be read
 */
export async function withLookedUpVariants(
  context: LookupContext,
  product: StoreProduct,
): Promise<StoreProduct | Failure> {
  if (!product.variants.pageInfo.hasNextPage) return product;
  const wait = takeCost(context, FURTHER_VARIANTS);
  if (wait !== undefined) return tooManyLookups(wait);
  try {
    const signal = AbortSignal.timeout(RESPONSE_TIMEOUT);
    const complete = await withAllVariants(context.shop, product, signal, RESPONSE_TIMEOUT);
    return complete.variants.pageInfo.hasNextPage ? unavailable() : complete;
  } catch (error) {
    log.warn({ shop: context.shop, err: error }, "could not look up a product's variants in the store");
    return unavailable();
  }
}

/**
 * Finds the default variant of a product that was just looked up. Further variants are read only when all of the first
 * ones are sold out.
 * @returns undefined for a product without variants; `rate_limited` or `catalog_unavailable` when its further variants can't be read
 */
export async function defaultVariantAtStore(
  context: LookupContext,
  product: StoreProduct,
): Promise<string | undefined | Failure> {
  if (determinesDefaultVariant(product)) return defaultVariant(product);
  const complete = await withLookedUpVariants(context, product);
  return complete instanceof Failure ? complete : defaultVariant(complete);
}
