import { createHmac } from "node:crypto";
import { countCache, type CacheUse } from "../../platform/metrics/caches.server.ts";
import { batched, SMALL_READS } from "../../platform/database/batch.server.ts";
import { nowMs } from "../../platform/clock.server.ts";
import { run, statement, type Statement } from "../../platform/database/database.server.ts";
import { entityTag } from "../../platform/text/entity-tag.ts";
import { secrets } from "../../platform/process/env.server.ts";
import { Failure } from "../../platform/failure.ts";
import { textCache } from "../../platform/text-cache.ts";
import { guestUseOutdated, guestUseThreshold, recordGuestUse } from "../guests/guests.server.ts";
import { DEFAULT_LIST, idOf, type ListRef } from "../owner.ts";
import { listNotFound } from "../refusals.server.ts";
import { readTotals, savedCountSql } from "../totals.server.ts";
import { readArranged } from "./arranged.server.ts";
import { countItems, detailsText, expandedItemsJoin, itemsJson, itemsText } from "./item-text.ts";
import { isPlain, type ItemsQuery, type ListQuery, type Slice } from "./page.ts";

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
  /** `Totals.itemCount` of the list's owner, from statements that count it */
  owner_item_count?: number;
}

const SLICE = ["r.slice_limit", "r.slice_offset", "$1"] as const;

interface PageSql {
  version: string;
  items: (isCached: string) => string;
  joins?: string;
  more?: string;
}

/**
 * Returns a statement that reads count, version and items of lists together, so that they agree.
 * @param version SQL for the version of the page of the list `w`
 * @param items SQL for its columns `items`, `details` and `until`
 * @param joins SQL that joins what they are made of
 * @param more further columns of the list `w` and its owner
 */
function pagesStatement(
  name: string,
  { version, items, joins = "", more = "" }: PageSql,
): Statement<PageRow & { ordinal: number }> {
  return statement(
    name,
    `SELECT r.ordinal, p.*
     FROM unnest($2::text[], $3::text[], $4::text[], $5::int[], $6::int[], $7::text[])
          WITH ORDINALITY AS r (owner_kind, owner_id, list_id, slice_limit, slice_offset, cached_version, ordinal)
    CROSS JOIN LATERAL
          (SELECT ${version} AS version, w.item_count, ${items(`r.cached_version = ${version}`)}, ${guestUseOutdated("$8")} AS use_outdated${more}
             FROM wishlist w ${joins}
            WHERE w.shop_id = $1 AND w.owner_kind = r.owner_kind AND w.owner_id = r.owner_id AND w.handle = r.list_id AND w.deleted_at IS NULL
            -- LIMIT 1 makes the planner look up each wishlist by its key, whatever the statistics of the table say.
            LIMIT 1) p`,
  );
}

const LIST_VERSION = "w.id || '.' || w.version";

const PLAIN: PageSql = {
  version: LIST_VERSION,
  items: (isCached) =>
    `CASE WHEN ${isCached} THEN NULL ELSE ${itemsText(...SLICE)} END AS items,
     CASE WHEN NOT w.has_details OR ${isCached} THEN NULL ELSE ${detailsText(...SLICE)} END AS details, NULL::timestamptz AS until`,
};

const plainStatement = pagesStatement("wishlist_pages", PLAIN);

const totalledStatement = pagesStatement("wishlist_pages_totalled", {
  ...PLAIN,
  more: `, (SELECT ${savedCountSql({ kind: "r.owner_kind", id: "r.owner_id" })} FROM wishlist w
             WHERE w.shop_id = $1 AND w.owner_kind = r.owner_kind AND w.owner_id = r.owner_id AND w.deleted_at IS NULL) AS owner_item_count`,
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

/** A slice of a list. */
export interface ListSlice {
  /** its items as a JSON array, in the requested order */
  json: string;
  /** the number of these items */
  count: number;
  /** items in the whole list */
  itemCount: number;
  /** items that match the filter; all items without a filter */
  matchCount: number;
}

interface CachedSlice extends ListSlice {
  /** `PageRow.version` */
  version: string;
  /** entity tag of a page with this slice */
  tag: string;
  /** milliseconds since 1970 after which the slice must be read again; infinite when its version alone decides */
  until: number;
}

const EMPTY: ListSlice = { json: "[]", count: 0, itemCount: 0, matchCount: 0 };

/**
 * Returns items as a JSON array, and their number.
 * @param items in the format of `itemsText`
 * @param details in the format of `detailsText`
 */
export function toItems(items: string, details: string | null): Pick<ListSlice, "json" | "count"> {
  // V8 keeps a concatenated string as a tree and would flatten it each time it is sent; the buffer flattens it once.
  return { json: Buffer.from(itemsJson(items, details)).toString(), count: countItems(items) };
}

/** Returns an entity tag. It is keyed, because wishlist ids are counted over all shops and must not be revealed. */
function keyedTag(text: string): string {
  const hmac = createHmac("sha256", `page tag ${secrets().tokenSecrets[0]}`);
  return entityTag(hmac.update(text).digest());
}

// Lists are read far more often than they change. A cached slice is sent only when its version is still the one in PostgreSQL, which every read
// compares, so that it is never older than its request.
function sliceCache(name: string, limits: Parameters<typeof textCache>[0]) {
  const cache = textCache<CachedSlice>(limits, ({ version, tag, json }) => version.length + tag.length + json.length);
  return { cache, use: countCache(name, () => cache.size) };
}

/** A kind of slice whose content follows from a version. */
interface Kind {
  cache: ReturnType<typeof textCache<CachedSlice>>;
  use: CacheUse;
  find: (request: PageRequest) => Promise<PageRow | undefined>;
  /** Returns what an entity tag is computed from. */
  tagged: (slice: { version: string; cacheKey: string; json: string; itemCount: number }) => string;
}

const BATCHES = { ...SMALL_READS, group: ({ list }: PageRequest) => list.shopId };

/** All items, newest first: they follow from the list's version. */
const plain: Kind = {
  ...sliceCache("pages", { bytes: 48 * 1024 * 1024, entries: 75_000 }),
  find: batched(findPagesBy(plainStatement), BATCHES),
  tagged: ({ version, cacheKey }) => `${version} ${cacheKey}`,
};

/** The same with the owner's total, for which a statement of its own would cost a fifth of the read. */
const totalled: Kind = { ...plain, find: batched(findPagesBy(totalledStatement), BATCHES) };

/** The same with the data of products, which also follow from the catalog cache; most of its changes are of other products. */
const expanded: Kind = {
  ...sliceCache("expanded_pages", { bytes: 32 * 1024 * 1024, entries: 10_000 }),
  find: batched(findPagesBy(expandedStatement), BATCHES),
  tagged: ({ json, itemCount }) => `${itemCount} ${json}`,
};

export const pageCache = plain.cache;

async function readByVersion(
  { cache, use, find, tagged }: Kind,
  list: ListRef,
  slice: Slice,
): Promise<{ read: CachedSlice; row: PageRow } | undefined> {
  const cacheKey = `${list.shopId} ${list.kind} ${slice.limit} ${slice.offset} ${idOf(list)} ${list.id}`;
  const kept = cache.get(cacheKey);
  const cached = kept && kept.until > nowMs() ? kept : undefined;
  const row = await find({ list, slice, cachedVersion: cached?.version });
  if (!row) return undefined;
  if (row.use_outdated) await recordGuestUse(list);
  const { version, item_count: itemCount } = row;
  if (cached?.version === version) {
    use.hits++;
    return { read: cached, row };
  }
  use.misses++;
  const items = toItems(row.items ?? "", row.details);
  const tag = keyedTag(tagged({ version, cacheKey, json: items.json, itemCount }));
  const until = row.until?.getTime() ?? Infinity;
  const read = { version, tag, until, ...items, itemCount, matchCount: itemCount };
  // Empty slices are not cached, because a caller can request any number of them.
  if (items.count > 0) cache.set(cacheKey, read);
  return { read, row };
}

/** Reads a slice in another order, or of some of the items. Prices and stock change without a version, so it is not cached. */
async function readInOrder(list: ListRef, query: ItemsQuery): Promise<ListSlice | undefined> {
  const row = await readArranged(list, query);
  if (!row) return undefined;
  if (row.use_outdated) await recordGuestUse(list);
  return { ...toItems(row.items, row.details), itemCount: row.item_count, matchCount: row.match_count };
}

/**
 * Reads a slice of a list. An owner who saved nothing has an empty default list.
 * @param list undefined for a guest without an id
 * @returns `list_not_found` when the owner has no such named list
 */
export async function readList(
  list: ListRef | undefined,
  query: ItemsQuery,
): Promise<(ListSlice & { tag?: string }) | Failure> {
  if (!list) return EMPTY;
  const isNewest = isPlain({ ...query, expanded: false });
  const read = isNewest
    ? (await readByVersion(query.expanded ? expanded : plain, list, query))?.read
    : await readInOrder(list, query);
  return read ?? (idOf(list) === DEFAULT_LIST ? EMPTY : listNotFound());
}

/**
 * Reads a slice of a list as `readList` does, and how many variants its owner has saved over all lists.
 * @returns `list_not_found` when the owner has no such named list
 */
export async function readListAndTotal(
  list: ListRef | undefined,
  query: ListQuery,
): Promise<(ListSlice & { ownerItemCount: number }) | Failure> {
  if (!list) return { ...EMPTY, ownerItemCount: 0 };
  const found = isPlain(query) ? await readByVersion(totalled, list, query) : undefined;
  if (found) return { ...found.read, ownerItemCount: found.row.owner_item_count ?? 0 };
  const [read, { itemCount }] = await Promise.all([readList(list, query), readTotals(list)]);
  return read instanceof Failure ? read : { ...read, ownerItemCount: itemCount };
}

export interface PageText {
  tag: string;
  /** JSON text, or null when the caller's copy is current */
  json: string | null;
}

/** Returns a text with its tag, unless the caller knows it. @param knownTags entity tags of the caller's copies; `*` matches every tag */
export function unlessKnown(knownTags: readonly string[], json: string, tag = keyedTag(json)): PageText {
  return { tag, json: knownTags.includes(tag) || knownTags.includes("*") ? null : json };
}

/** Returns a page as JSON text. @param more further members, each after a comma */
export function pageJson(
  { json, count }: Pick<ListSlice, "json" | "count">,
  total: number,
  { offset }: Slice,
  more = "",
): string {
  return `{"items":${json},"count":${count},"total":${total},"has_more":${offset + count < total}${more}}`;
}

/** Returns a page of a list's items. @returns `list_not_found` when the owner has no such named list */
export async function readPage(
  list: ListRef,
  query: ItemsQuery,
  knownTags: readonly string[],
): Promise<PageText | Failure> {
  const read = await readList(list, query);
  if (read instanceof Failure) return read;
  return unlessKnown(knownTags, pageJson(read, read.matchCount, query), read.tag);
}
