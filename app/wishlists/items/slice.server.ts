import { countCache } from "../../platform/metrics/caches.server.ts";
import { run, statement } from "../../platform/database/database.server.ts";
import type { Failure } from "../../platform/failure.ts";
import { PAGE_BYTES } from "../../platform/text/page-size.ts";
import { textCache } from "../../platform/text-cache.ts";
import { isKnownToShoppersSql } from "../../catalog/index.server.ts";
import { recordGuestUse } from "../guests/guests.server.ts";
import { itemsJson } from "./item-text.ts";
import type { ListQuery, Slice } from "./page.ts";
import { readArranged } from "./arranged.server.ts";
import { guestUseOutdated, guestUseThreshold } from "../guests/use.server.ts";
import { DEFAULT_LIST, idOf, type ListRef, type Owner } from "../owner.ts";
import { findPage } from "./read.server.ts";
import { listNotFound } from "../refusals.server.ts";
import { savedCountSql } from "../totals.server.ts";

export interface ListSlice {
  /** in the requested order and the format of `itemsText` */
  items: string;
  /** in the format of `detailsText` */
  details: string | null;
  /** the items as a JSON array */
  json: string;
  /** items in the whole wishlist */
  itemCount: number;
  /** items that match the filter; all items without a filter */
  matchCount: number;
}

interface CachedList extends ListSlice {
  /** id and version of the wishlist */
  version: string;
}

// Like `pageCache`: every read compares the wishlist's version with PostgreSQL.
export const listCache = textCache<CachedList>(
  { bytes: 24 * 1024 * 1024, entries: 50_000 },
  ({ version, items, details, json }) => version.length + items.length + (details?.length ?? 0) + json.length,
);

const cacheUse = countCache("lists", () => listCache.size);

const EMPTY_LIST: ListSlice = { items: "", details: null, json: "[]", itemCount: 0, matchCount: 0 };

/**
 * Reads a slice of a shopper's own list, a guest's or a customer's. An owner who saved nothing has an empty default list.
 * @param list undefined for a guest without an id
 * @returns `list_not_found`
 */
export async function readList(
  list: ListRef | undefined,
  { sort = "newest", available = false, ...slice }: ListQuery,
): Promise<ListSlice | Failure> {
  if (!list) return EMPTY_LIST;
  // Prices and stock change without the wishlist's version, so only the plain list can be cached by version.
  if (sort === "newest" && !available) return readNewest(list, slice);
  const row = await readArranged(list, { ...slice, sort, available });
  if (!row) return emptyOrMissing(list);
  if (row.use_outdated) await recordGuestUse(list);
  const { items, details, item_count: itemCount, match_count: matchCount } = row;
  return { items, details, json: itemsJson(items, details), itemCount, matchCount };
}

function emptyOrMissing(list: ListRef): ListSlice | Failure {
  return idOf(list) === DEFAULT_LIST ? EMPTY_LIST : listNotFound();
}

async function readNewest(list: ListRef, slice: Slice): Promise<ListSlice | Failure> {
  const cacheKey = `${list.shopId} ${list.kind} ${slice.limit} ${slice.offset} ${idOf(list)} ${list.id}`;
  const cached = listCache.get(cacheKey);
  const row = await findPage({ list, slice, cachedVersion: cached?.version });
  if (!row) return emptyOrMissing(list);
  if (row.use_outdated) await recordGuestUse(list);
  const { version } = row;
  if (cached?.version === version) {
    cacheUse.hits++;
    return cached;
  }
  cacheUse.misses++;
  const items = row.items ?? "";
  // Flattened, as in `renderPage`.
  const json = Buffer.from(itemsJson(items, row.details)).toString();
  const read = { version, items, details: row.details, json, itemCount: row.item_count, matchCount: row.item_count };
  if (items !== "") listCache.set(cacheKey, read);
  return read;
}

export interface SavedProduct {
  productId: string;
  /** the handle in the request */
  handle?: string;
  /** those saved in any list, newest first */
  variantIds: string[];
  /** the lists that have the product, when it is in others than the default list */
  listIds?: string[];
}

const savedStatement = statement<{
  item_count: number | null;
  use_outdated: boolean | null;
  saved: SavedProduct[] | null;
}>(
  "wishlist_saved",
  // Starts from the items of the owner's lists, which are few, so that handles of other products are never looked up, least of all in the store.
  `WITH lists AS MATERIALIZED (
     SELECT w.id, w.handle, w.item_count, ${guestUseOutdated("$6")} AS use_outdated FROM wishlist w
      WHERE w.shop_id = $1 AND w.owner_kind = $2 AND w.owner_id = $3 AND w.deleted_at IS NULL
   )
   SELECT (SELECT ${savedCountSql()} FROM lists w) AS item_count,
          (SELECT bool_or(use_outdated AND handle = '${DEFAULT_LIST}') FROM lists) AS use_outdated,
          (SELECT json_agg(json_strip_nulls(json_build_object('productId', s.product_id, 'handle', s.handle, 'variantIds', s.variants, 'listIds', s.lists)))
             FROM (SELECT f.product_id, max(f.handle) AS handle,
                          json_agg(f.variant_id ORDER BY f.added_at DESC, f.seq DESC) AS variants,
                          CASE WHEN bool_or(f.list <> '${DEFAULT_LIST}') THEN json_agg(DISTINCT f.list) END AS lists
                     FROM (SELECT i.product_id, i.variant_id, i.added_at, i.seq, l.handle AS list, p.handle,
                                  sum(octet_length(i.product_id) + octet_length(i.variant_id) + octet_length(l.handle)) OVER (ORDER BY i.added_at DESC, i.seq DESC) AS bytes
                             FROM lists l
                             JOIN wishlist_item i ON i.shop_id = $1 AND i.wishlist_id = l.id
                             LEFT JOIN product p ON p.shop_id = $1 AND p.product_id = i.product_id
                                  AND p.handle = ANY ($5::text[]) AND p.deleted_at IS NULL AND ${isKnownToShoppersSql("p")}
                            WHERE i.product_id = ANY ($4::text[]) OR p.handle IS NOT NULL) AS f
                    WHERE f.bytes <= ${PAGE_BYTES}
                    GROUP BY f.product_id) AS s) AS saved`,
);

/**
 * Returns which of the given products a shopper has saved in any list, in which variants, and how many variants the shopper has saved. Beyond a megabyte,
 * the items that were saved first are left out.
 */
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
  if (row?.use_outdated === true) await recordGuestUse(owner);
  const saved = (row?.saved ?? []).map((product) => ({ ...product, variantIds: [...new Set(product.variantIds)] }));
  return { saved, itemCount: row?.item_count ?? 0 };
}
