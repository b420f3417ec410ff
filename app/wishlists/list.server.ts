import { countCache } from "../platform/cache-metrics.server.ts";
import { run, statement } from "../platform/database.server.ts";
import { textCache } from "../platform/text-cache.ts";
import { isKnownToShoppersSql } from "../catalog/index.server.ts";
import { recordGuestUse } from "./guests.server.ts";
import { itemsJson } from "./items.ts";
import type { ListQuery, Slice } from "./page.ts";
import { findPage, guestUseThreshold, guestUseOutdated, type Owner } from "./read.server.ts";
import { readArranged } from "./arranged-list.server.ts";

export interface List {
  /** in the requested order and the format of `itemsText` */
  items: string;
  /** the items as a JSON array */
  json: string;
  /** items in the whole wishlist */
  itemCount: number;
  /** items that match the filter; all items without a filter */
  matchCount: number;
}

interface CachedList extends List {
  /** id and version of the wishlist */
  version: string;
}

// Like `pageCache`: every read compares the wishlist's version with PostgreSQL.
export const listCache = textCache<CachedList>(
  { bytes: 24 * 1024 * 1024, entries: 50_000 },
  ({ version, items, json }) => version.length + items.length + json.length,
);

const cacheUse = countCache("lists", () => listCache.size);

const EMPTY_LIST: List = { items: "", json: "[]", itemCount: 0, matchCount: 0 };

/**
 * Reads a slice of a shopper's own list, a guest's or a customer's. An owner who saved nothing has an empty list.
 * @param owner undefined for a guest without an id
 */
export async function readList(
  owner: Owner | undefined,
  { sort = "newest", available = false, ...slice }: ListQuery,
): Promise<List> {
  if (!owner) return EMPTY_LIST;
  // Prices and stock change without the wishlist's version, so only the plain list can be cached by version.
  if (sort === "newest" && !available) return readNewest(owner, slice);
  const row = await readArranged(owner, { ...slice, sort, available });
  if (!row) return EMPTY_LIST;
  if (row.use_outdated) await recordGuestUse(owner);
  const { items, item_count: itemCount, match_count: matchCount } = row;
  return { items, json: itemsJson(items), itemCount, matchCount };
}

async function readNewest(owner: Owner, slice: Slice): Promise<List> {
  const place = `${owner.shopId} ${owner.kind} ${slice.limit} ${slice.offset} ${owner.id}`;
  const cached = listCache.get(place);
  const row = await findPage({ owner, slice, cachedVersion: cached?.version });
  if (!row) return EMPTY_LIST;
  if (row.use_outdated) await recordGuestUse(owner);
  const version = `${row.id}.${row.version}`;
  if (cached?.version === version) {
    cacheUse.hits++;
    return cached;
  }
  cacheUse.misses++;
  const items = row.items ?? "";
  // Flattened, as in `renderPage`.
  const json = Buffer.from(itemsJson(items)).toString();
  const list = { version, items, json, itemCount: row.item_count, matchCount: row.item_count };
  if (items !== "") listCache.set(place, list);
  return list;
}

export interface SavedProduct {
  productId: string;
  /** the handle in the request */
  handle?: string;
  /** newest first */
  variantIds: string[];
}

const savedStatement = statement<{ item_count: number; use_outdated: boolean; saved: SavedProduct[] | null }>(
  "wishlist_saved",
  // Starts from the wishlist's items, which are few, so that handles of other products are never looked up, least of all in the store.
  `SELECT w.item_count, ${guestUseOutdated("$6")} AS use_outdated,
          (SELECT json_agg(json_strip_nulls(json_build_object('productId', s.product_id, 'handle', s.handle, 'variantIds', s.variants)))
             FROM (SELECT i.product_id, max(p.handle) AS handle,
                          json_agg(i.variant_id ORDER BY i.added_at DESC, i.seq DESC) AS variants
                     FROM wishlist_item i
                     LEFT JOIN product p ON p.shop_id = $1 AND p.product_id = i.product_id
                          AND p.handle = ANY ($5::text[]) AND p.deleted_at IS NULL AND ${isKnownToShoppersSql("p")}
                    WHERE i.shop_id = $1 AND i.wishlist_id = w.id
                      AND (i.product_id = ANY ($4::text[]) OR p.handle IS NOT NULL)
                    GROUP BY i.product_id) AS s) AS saved
     FROM wishlist w
    WHERE w.shop_id = $1 AND w.owner_kind = $2 AND w.owner_id = $3 AND w.handle = 'default'`,
);

/** Returns which of the given products a shopper has saved, and in which variants. */
export async function readSaved(
  owner: Owner,
  products: { productIds: readonly string[]; handles: readonly string[] },
): Promise<{ saved: SavedProduct[]; itemCount: number }> {
  const [row] = await run(savedStatement, [
    owner.shopId,
    owner.kind,
    owner.id,
    products.productIds,
    products.handles,
    guestUseThreshold(),
  ]);
  if (row?.use_outdated) await recordGuestUse(owner);
  return { saved: row?.saved ?? [], itemCount: row?.item_count ?? 0 };
}
