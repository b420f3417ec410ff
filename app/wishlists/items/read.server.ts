import { createHmac } from "node:crypto";
import { countCache } from "../../platform/metrics/caches.server.ts";
import { batched } from "../../platform/database/batch.server.ts";
import { nowMs } from "../../platform/clock.server.ts";
import { run, statement, type Statement } from "../../platform/database/database.server.ts";
import { entityTag } from "../../platform/text/entity-tag.ts";
import { secrets } from "../../platform/process/env.server.ts";
import type { Failure } from "../../platform/failure.ts";
import { textCache } from "../../platform/text-cache.ts";
import { readArranged } from "./arranged.server.ts";
import { guestUseOutdated, guestUseThreshold } from "../guests/use.server.ts";
import { countItems, detailsText, expandedItemsJoin, itemsJson, itemsText } from "./item-text.ts";
import { DEFAULT_LIST, idOf, type ListRef } from "../owner.ts";
import { isPlain, type ItemsQuery, type Slice } from "./page.ts";
import { listNotFound } from "../refusals.server.ts";

interface PageRequest {
  list: ListRef;
  slice: Slice;
  /** version of the page in memory; its items are not read again */
  cachedVersion: string | undefined;
}

interface PageRow {
  /** id and version of the list; with the data of products also the versions of the catalog cache and of the shop */
  version: string;
  item_count: number;
  /** in the format of `itemsText`; null when this version is in memory */
  items: string | null;
  /** in the format of `detailsText`; null when no item of the list has details */
  details: string | null;
  /** when the data of products changes by itself; null when it does not */
  until: Date | null;
  /** whether the recorded use of a guest's list is older than `GUEST_USE_RESOLUTION` */
  use_outdated: boolean;
}

const SLICE = ["r.slice_limit", "r.slice_offset", "$1"] as const;

/**
 * Returns a statement that reads count, version and items of lists together, so that they agree.
 * @param version SQL for the version of the page of the list `w`
 * @param items SQL for its columns `items`, `details` and `until`
 * @param joins SQL that joins what they are made of
 */
function pagesStatement(
  name: string,
  { version, items, joins = "" }: { version: string; items: (isCached: string) => string; joins?: string },
): Statement<PageRow & { ordinal: number }> {
  return statement(
    name,
    `SELECT r.ordinal, p.version, p.item_count, p.items, p.details, p.until, p.use_outdated
     FROM unnest($2::text[], $3::text[], $4::text[], $5::int[], $6::int[], $7::text[])
          WITH ORDINALITY AS r (owner_kind, owner_id, list_id, slice_limit, slice_offset, cached_version, ordinal)
    CROSS JOIN LATERAL
          (SELECT ${version} AS version, w.item_count, ${items(`r.cached_version = ${version}`)}, ${guestUseOutdated("$8")} AS use_outdated
             FROM wishlist w ${joins}
            WHERE w.shop_id = $1 AND w.owner_kind = r.owner_kind AND w.owner_id = r.owner_id AND w.handle = r.list_id AND w.deleted_at IS NULL
            -- LIMIT 1 makes the planner look up each wishlist by its key, whatever the statistics of the table say.
            LIMIT 1) p`,
  );
}

const LIST_VERSION = "w.id || '.' || w.version";

const plainStatement = pagesStatement("wishlist_pages", {
  version: LIST_VERSION,
  items: (isCached) =>
    `CASE WHEN ${isCached} THEN NULL ELSE ${itemsText(...SLICE)} END AS items,
     CASE WHEN NOT w.has_details OR ${isCached} THEN NULL ELSE ${detailsText(...SLICE)} END AS details, NULL::timestamptz AS until`,
});

const EXPANDED_VERSION = `${LIST_VERSION} || '.' || coalesce(c.version, 0) || '.' || date_part('epoch', s.changed_at)`;

const expandedStatement = pagesStatement("wishlist_pages_expanded", {
  version: EXPANDED_VERSION,
  items: () => "x.items, x.details, x.until",
  joins: `JOIN shop s ON s.id = $1
     LEFT JOIN catalog_version c ON c.shop_id = $1
     ${expandedItemsJoin(...SLICE, { condition: ` AND r.cached_version <> ${EXPANDED_VERSION}` })}`,
});

function findPagesBy(of: Statement<PageRow & { ordinal: number }>) {
  return async (requests: readonly PageRequest[]): Promise<(PageRow | undefined)[]> => {
    const rows = await run(of, [
      requests[0]?.list.shopId,
      requests.map(({ list }) => list.kind),
      requests.map(({ list }) => list.id),
      requests.map(({ list }) => idOf(list)),
      requests.map(({ slice }) => slice.limit),
      requests.map(({ slice }) => slice.offset),
      requests.map(({ cachedVersion }) => cachedVersion ?? ""),
      guestUseThreshold(),
    ]);
    const found = requests.map((): PageRow | undefined => undefined);
    for (const row of rows) found[row.ordinal - 1] = row;
    return found;
  };
}

// The overhead of a statement is more than half of the cost of a page, so concurrent requests of a shop share a statement.
const BATCHES = { concurrency: 2, size: 16, group: ({ list }: PageRequest) => list.shopId };

export const findPage = batched(findPagesBy(plainStatement), BATCHES);
const findExpandedPage = batched(findPagesBy(expandedStatement), BATCHES);

export interface PageText {
  /** the entity tag of list, version and slice */
  tag: string;
  /** a wishlist page as JSON text, or null when the caller's copy is current */
  json: string | null;
}

/** Stands for id and version when the owner has no wishlist. */
const NO_WISHLIST = "0.0";

/**
 * Returns a page as JSON text.
 * @param items in the format of `itemsText`
 * @param details in the format of `detailsText`
 */
export function pageJson(
  { items, details = null }: { items: string; details?: string | null },
  total: number,
  { offset }: Slice,
  more = "",
): string {
  const count = countItems(items);
  return `{"items":${itemsJson(items, details)},"count":${count},"total":${total},"has_more":${offset + count < total}${more}}`;
}

interface CachedPage {
  /** `PageRow.version` */
  version: string;
  tag: string;
  json: string;
  /** milliseconds since 1970 after which the page must be read again; undefined when its version alone decides */
  until?: number;
}

// Pages are read far more often than they change. A cached page is sent only when its wishlist still has the same version in PostgreSQL, which
// every read checks, so that a page is never older than its request.
export const pageCache = textCache<CachedPage>(
  { bytes: 32 * 1024 * 1024, entries: 50_000 },
  ({ version, tag, json }) => version.length + tag.length + json.length,
);

const cacheUse = countCache("pages", () => pageCache.size);

/** Returns an entity tag. It is keyed, because wishlist ids are counted over all shops and must not be revealed. */
export function keyedTag(text: string): string {
  const hmac = createHmac("sha256", `page tag ${secrets().tokenSecrets[0]}`);
  return entityTag(hmac.update(text).digest());
}

/**
 * Returns a page of a list's items; an empty page for an owner without a wishlist.
 * @param knownTags entity tags of the caller's copies; `*` matches every tag
 * @returns `list_not_found` when the owner has no such named list
 */
export async function readPage(
  list: ListRef,
  query: ItemsQuery,
  knownTags: readonly string[],
): Promise<PageText | Failure> {
  const page = await pageOf(list, query);
  if (!page) return listNotFound();
  const { tag, json } = page;
  return { tag, json: knownTags.includes(tag) || knownTags.includes("*") ? null : json };
}

function pageOf(list: ListRef, query: ItemsQuery): Promise<{ tag: string; json: string } | undefined> {
  if (isPlain(query)) return plainPage(list, query);
  const isNewest = isPlain({ ...query, expanded: false });
  return isNewest ? expandedPage(list, query) : arrangedPage(list, query);
}

/** A page whose order and content follow from the list's version alone, so that it can be kept in memory. */
async function plainPage(list: ListRef, slice: Slice): Promise<CachedPage | undefined> {
  const cacheKey = `${list.shopId} ${list.kind} ${slice.limit} ${slice.offset} ${idOf(list)} ${list.id}`;
  const cached = pageCache.get(cacheKey);
  const row = await findPage({ list, slice, cachedVersion: cached?.version });
  if (!row && idOf(list) !== DEFAULT_LIST) return undefined;
  const version = row?.version ?? NO_WISHLIST;
  const page = cached?.version === version ? cached : renderPage(version, cacheKey, row, slice);
  if (page === cached) cacheUse.hits++;
  else cacheUse.misses++;
  // Empty pages are not cached, because a caller can request any number of them.
  if (page !== cached && row?.items) pageCache.set(cacheKey, page);
  return page;
}

function renderPage(version: string, cacheKey: string, row: PageRow | undefined, slice: Slice): CachedPage {
  const json = pageJson({ items: row?.items ?? "", details: row?.details ?? null }, row?.item_count ?? 0, slice);
  // V8 keeps a concatenated string as a tree and would flatten it each time it is sent; the buffer flattens it once.
  return { version, tag: keyedTag(`${version} ${cacheKey}`), json: Buffer.from(json).toString() };
}

const expandedCache = textCache<CachedPage>(
  { bytes: 32 * 1024 * 1024, entries: 10_000 },
  ({ version, tag, json }) => version.length + tag.length + json.length,
);

const expandedUse = countCache("expanded_pages", () => expandedCache.size);

/** A page with the data of products: its version covers the catalog cache, too. */
async function expandedPage(list: ListRef, slice: Slice): Promise<CachedPage | undefined> {
  const cacheKey = `${list.shopId} ${list.kind} ${slice.limit} ${slice.offset} ${idOf(list)} ${list.id}`;
  const kept = expandedCache.get(cacheKey);
  const cached = kept?.until !== undefined && kept.until > nowMs() ? kept : undefined;
  const row = await findExpandedPage({ list, slice, cachedVersion: cached?.version });
  if (!row && idOf(list) !== DEFAULT_LIST) return undefined;
  if (cached && cached.version === row?.version) {
    expandedUse.hits++;
    return cached;
  }
  expandedUse.misses++;
  const json = Buffer.from(
    pageJson({ items: row?.items ?? "", details: row?.details ?? null }, row?.item_count ?? 0, slice),
  ).toString();
  const until = row?.until?.getTime() ?? Infinity;
  const page = { version: row?.version ?? NO_WISHLIST, tag: keyedTag(json), json, until };
  if (row?.items) expandedCache.set(cacheKey, page);
  return page;
}

/** A page in another order, or of some of the items. */
async function arrangedPage(list: ListRef, query: ItemsQuery): Promise<{ tag: string; json: string } | undefined> {
  const row = await readArranged(list, query);
  if (!row && idOf(list) !== DEFAULT_LIST) return undefined;
  const json = pageJson({ items: row?.items ?? "", details: row?.details ?? null }, row?.match_count ?? 0, query);
  return { tag: keyedTag(json), json };
}
