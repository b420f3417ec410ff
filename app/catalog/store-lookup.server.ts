import { LRUCache } from "lru-cache";
import { now, nowMs } from "../platform/clock.server.ts";
import { log } from "../platform/log.server.ts";
import { Failure } from "../platform/failure.ts";
import { queryAdminApi } from "../admin-api/index.server.ts";
import { tooManyLookups, unavailable } from "./failures.ts";
import { defaultVariant, tellsDefaultVariant } from "./default-variant.ts";
import { takeCost, takeLookups, type LookupCaller } from "./lookup-budget.server.ts";
import { storeProducts } from "./cache.server.ts";
import {
  PRODUCTS_BY_ID,
  productGid,
  productsByHandle,
  productsByHandleSchema,
  productsByIdSchema,
  type StoreProduct,
} from "./queries.ts";
import { withAllVariants } from "./product-variants.server.ts";

/** Milliseconds that somebody who waits for an answer is kept waiting by Shopify. */
const RESPONSE_TIMEOUT = 2_000;
/**
 * Milliseconds for which a product that does not exist is not asked for again: as long as a merge of 500 of them takes to get through the budget.
 * One that is created meanwhile comes by webhook.
 */
const ABSENT_FOR = 30 * 60_000;
/** Variants that come with a product here: more would make the question costly. A product that has more is refreshed in the background. */
const VARIANTS = 10;
/** What the further variants of a product cost of the budget, beside its own look-up. */
const FURTHER_VARIANTS = 15;
/** Products asked for in a question. */
const PRODUCTS_PER_QUERY = 50;

/** What is asked for: products by their ids, or by their handles. */
export type Kind = "id" | "handle";

/** `unreachable`: whether it exists can't be told now. */
type Found = StoreProduct | "absent" | "unreachable";

export interface LookupContext extends LookupCaller {
  shop: string;
  /** A product turned out to have more variants than came with it. */
  onIncomplete: (productId: string) => Promise<void>;
}

/** When what was absent may be asked for again, by shop, kind and key. */
const absentUntil = new LRUCache<string, number>({ max: 20_000 });
/** Shoppers who wait for the same product share one question. */
const inFlight = new Map<string, Promise<Found>>();

async function requestProducts(
  shop: string,
  kind: Kind,
  keys: readonly string[],
): Promise<Map<string, StoreProduct> | undefined> {
  if (kind === "id") {
    const answered = await queryAdminApi(shop, PRODUCTS_BY_ID, {
      variables: { ids: keys.map(productGid), variants: VARIANTS },
      answer: productsByIdSchema,
      within: RESPONSE_TIMEOUT,
    });
    return answered && new Map(answered.data.nodes.flatMap((product) => (product ? [[product.id, product]] : [])));
  }
  const answered = await queryAdminApi(shop, productsByHandle(keys.length), {
    variables: { variants: VARIANTS, ...Object.fromEntries(keys.map((handle, place) => [`h${place}`, handle])) },
    answer: productsByHandleSchema,
    within: RESPONSE_TIMEOUT,
  });
  return (
    answered &&
    new Map(
      keys.flatMap((handle, place) => {
        const product = answered.data[`h${place}`];
        return product ? [[handle, product]] : [];
      }),
    )
  );
}

async function queryProducts(
  looker: LookupContext,
  kind: Kind,
  keys: readonly string[],
): Promise<(key: string) => Found> {
  const { shopId, shop } = looker;
  const askedAt = now();
  try {
    const products = await requestProducts(shop, kind, keys);
    if (!products) return () => "unreachable";
    // The refresh stores the others: until then the cache would give out a sold-out variant as their default.
    await storeProducts(shopId, [...products.values()].filter(tellsDefaultVariant), askedAt);
    for (const product of products.values()) {
      if (product.variants.pageInfo.hasNextPage) await looker.onIncomplete(product.id);
    }
    return (key) => {
      const product = products.get(key);
      if (product) return product;
      absentUntil.set(`${shopId} ${kind} ${key}`, nowMs() + ABSENT_FOR);
      return "absent";
    };
  } catch (error) {
    log.warn({ shop, err: error }, "the store can't be asked for a product");
    return () => "unreachable";
  }
}

/** Could a store have such a product? Its ids are numbers, and its handles have neither spaces nor capitals. */
const conceivable: Record<Kind, RegExp> = { id: /^[1-9]\d{0,18}$/, handle: /^[^\sA-Z]{1,255}$/ };

export interface LookUp {
  /** by key; keys for which the budget did not suffice are missing */
  found: Map<string, Found>;
  /** seconds after which the budget suffices for more */
  retryAfter: number | undefined;
}

/**
 * Asks the store for products that the mirror does not know, as many as the caller's budget allows, and takes what it learns over into the
 * mirror: a caller who repeats the call gets further each time. It takes no longer than two seconds, and never throws.
 */
export async function lookUp(looker: LookupContext, kind: Kind, keys: readonly string[]): Promise<LookUp> {
  const name = (key: string): string => `${looker.shopId} ${kind} ${key}`;
  const isAbsent = (key: string): boolean =>
    !conceivable[kind].test(key) || (absentUntil.get(name(key)) ?? 0) > nowMs();

  const open = [...new Set(keys)].filter((key) => !isAbsent(key));
  const unasked = open.filter((key) => !inFlight.has(name(key)));
  const { granted, retryAfter } = takeLookups(looker, unasked.length);
  const deferred = new Set(unasked.splice(granted));
  for (let from = 0; from < unasked.length; from += PRODUCTS_PER_QUERY) {
    const part = unasked.slice(from, from + PRODUCTS_PER_QUERY);
    const asking = queryProducts(looker, kind, part);
    for (const key of part) {
      inFlight.set(
        name(key),
        asking.then((answer) => answer(key)).finally(() => inFlight.delete(name(key))),
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
 * Completes a product that the store has just described.
 * @returns `rate_limited` or `catalog_unavailable` when its further variants can't be read
 */
export async function withLookedUpVariants(
  looker: LookupContext,
  product: StoreProduct,
): Promise<StoreProduct | Failure> {
  if (!product.variants.pageInfo.hasNextPage) return product;
  const wait = takeCost(looker, FURTHER_VARIANTS);
  if (wait !== undefined) return tooManyLookups(wait);
  try {
    const whole = await withAllVariants(looker.shop, product, AbortSignal.timeout(RESPONSE_TIMEOUT), RESPONSE_TIMEOUT);
    return whole.variants.pageInfo.hasNextPage ? unavailable() : whole;
  } catch (error) {
    log.warn({ shop: looker.shop, err: error }, "the store can't be asked for a product's variants");
    return unavailable();
  }
}

/**
 * Finds the default variant of a product that the store has just described. Further variants are read only when all of the first
 * ones are sold out.
 * @returns undefined for a product without variants; `rate_limited` or `catalog_unavailable` when its further variants can't be read
 */
export async function defaultVariantAtStore(
  looker: LookupContext,
  product: StoreProduct,
): Promise<string | undefined | Failure> {
  if (tellsDefaultVariant(product)) return defaultVariant(product);
  const whole = await withLookedUpVariants(looker, product);
  return whole instanceof Failure ? whole : defaultVariant(whole);
}
