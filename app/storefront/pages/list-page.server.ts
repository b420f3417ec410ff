import { Failure } from "../../platform/failure.ts";
import { readSinceSaved, type SinceSaved } from "../../alerts/index.server.ts";
import { describeToShoppers, type CachedProduct } from "../../catalog/index.server.ts";
import type { ListRef, SavedItem } from "../../wishlists/index.server.ts";
import { queryOf, type ListView } from "./list-view.ts";

/** As many products as Liquid's `all_products` looks up in a page. */
const PAGE_SIZE = 20;

/**
 * Reads a page of a list, or the last one if items that were on later pages have been removed.
 * @param wanted from 1
 */
export async function readPage<List extends { itemCount: number; matchCount?: number } | Failure>(
  wanted: number,
  read: (slice: { limit: number; offset: number }) => Promise<List>,
): Promise<{ page: number; list: List }> {
  const page = Math.max(1, wanted);
  const list = await read({ limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE });
  const last = list instanceof Failure ? page : pageCount(list.matchCount ?? list.itemCount);
  return page > last ? readPage(last, read) : { page, list };
}

function pageCount(matchCount: number): number {
  return Math.max(1, Math.ceil(matchCount / PAGE_SIZE));
}

/** Returns the variables of `pagination.liquid`. @param matchCount items on all pages of the view */
export function pagination(view: ListView, matchCount: number) {
  const { page } = view;
  const pages = pageCount(matchCount);
  return {
    page,
    pages,
    previous: page > 1 ? queryOf({ ...view, page: page - 1 }) : "",
    next: page < pages ? queryOf({ ...view, page: page + 1 }) : "",
  };
}

/** What a shopper can ask for about an item. */
export interface ItemAlert {
  /** the kinds of alerts that the shop offers for single items */
  kinds: readonly ("back_in_stock" | "price_dropped")[];
  /** those that the customer waits for */
  on: readonly ("back_in_stock" | "price_dropped")[];
  /** at which price the customer is told, as decimal text in the shop's currency; null for every lower price */
  targetPrice: string | null;
}

/**
 * Returns the variables of `grid.liquid` for the items of a page.
 * @param ownList the list, if it is the shopper's own: its cards show what has changed since the shopper saved the items
 * @param alerts by the items' index
 */
export async function cards(
  shopId: number,
  items: readonly SavedItem[],
  ownList?: ListRef,
  alerts?: readonly (ItemAlert | undefined)[],
) {
  const ids = items.map(({ productId }) => productId);
  const [products, changes] = await Promise.all([
    ids.length > 0 ? describeToShoppers(shopId, ids) : new Map<string, CachedProduct>(),
    ownList ? readSinceSaved(ownList, items) : [],
  ]);
  // They are about what the owner ordered.
  const shown = ownList ? items : items.map((item) => ({ ...item, properties: {} }));
  return columns(shown, products, changes, alerts);
}

/** Returns an array for each property of the items' cards, as Liquid has no other way to write a list. */
export function columns(
  items: readonly SavedItem[],
  products: ReadonlyMap<string, CachedProduct>,
  changes: readonly (SinceSaved | undefined)[] = [],
  alerts: readonly (ItemAlert | undefined)[] = [],
) {
  const rows = items.map(({ productId, variantId }) => {
    const product = products.get(productId);
    const variants = product?.variants ?? [];
    const variant = variants.length > 1 ? variants.find((one) => one.variantId === variantId) : undefined;
    return { productId, variantId, product, variantTitle: variant?.title ?? "" };
  });
  const properties = items.map((item) => Object.entries(item.properties ?? {}));
  return {
    productIds: rows.map(({ productId }) => productId),
    variantIds: rows.map(({ variantId }) => variantId),
    handles: rows.map(({ product }) => product?.handle ?? ""),
    titles: rows.map(({ product }) => product?.title ?? ""),
    variantTitles: rows.map(({ variantTitle }) => variantTitle),
    pictures: rows.map(({ product }) => pictureOf(product?.imageUrl)),
    quantities: items.map(({ quantity = 1 }) => (quantity > 1 ? String(quantity) : "")),
    notes: items.map(({ note = "" }) => note),
    properties: items.map((item, index) => (properties[index]?.[0] ? JSON.stringify(item.properties) : "")),
    propertyNames: properties.flatMap((of) => of.map(([name]) => name)),
    propertyValues: properties.flatMap((of) => of.map(([, value]) => value)),
    propertyEnds: properties.map((_, index) => String(properties.slice(0, index + 1).flat().length)),
    positions: items.map(({ position }) => String(position ?? "")),
    // Liquid's amounts are in hundredths, too.
    cachedPrices: items.map((_, index) => String(changes[index]?.price ?? "")),
    priceDrops: items.map((_, index) => String(changes[index]?.priceDrop ?? "")),
    backs: items.map((_, index) => (changes[index]?.isBack === true ? "1" : "")),
    fewLefts: items.map((_, index) => String(changes[index]?.fewLeft ?? "")),
    alertKinds: items.map((_, index) => alerts[index]?.kinds.join(" ") ?? ""),
    alertOns: items.map((_, index) => alerts[index]?.on.join(" ") ?? ""),
    alertTargets: items.map((_, index) => alerts[index]?.targetPrice ?? ""),
  };
}

/** Pictures come over HTTPS only. */
function pictureOf(url: string | null | undefined): string {
  return url && URL.parse(url)?.protocol === "https:" ? url : "";
}
