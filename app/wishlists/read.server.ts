import { createHmac } from "node:crypto";
import { countCache } from "../platform/cache-metrics.server.ts";
import { batched } from "../platform/batch.server.ts";
import { nowMs } from "../platform/clock.server.ts";
import { run, statement } from "../platform/database.server.ts";
import { entityTag } from "../platform/entity-tag.ts";
import { secrets } from "../platform/env.server.ts";
import { textCache } from "../platform/text-cache.ts";
import { itemsJson, itemsText } from "./items.ts";
import type { Slice } from "./page.ts";

/** The owner of a wishlist. The kind is part of the key, so that a guest's list can't be read as a customer's. */
export interface Owner {
  shopId: number;
  kind: "customer" | "guest";
  id: string;
}

/** Returns the name under which an owner's look-ups in the store are budgeted. */
export function callerOf({ kind, id }: Owner): string {
  return `${kind} ${id}`;
}

interface PageRequest {
  owner: Owner;
  slice: Slice;
  /** id and version of the wishlist in memory; its items are not read again */
  cachedVersion: string | undefined;
}

interface PageRow {
  id: number;
  version: number;
  item_count: number;
  /** in the format of `itemsText`; null when this version is in memory */
  items: string | null;
  /** whether the recorded use of a guest's list is older than `GUEST_USE_RESOLUTION` */
  use_outdated: boolean;
}

/** Milliseconds for which the use of a guest's list is not recorded again. */
const GUEST_USE_RESOLUTION = 24 * 3_600_000;

/** Returns SQL for whether the wishlist `w` belongs to a guest and its recorded use is older than the statement's parameter. */
export function guestUseOutdated(since: string): string {
  return `w.owner_kind = 'guest' AND w.updated_at < ${since}`;
}

export function guestUseThreshold(): Date {
  return new Date(nowMs() - GUEST_USE_RESOLUTION);
}

/** Reads count, version and items in one statement, so that they agree. */
const pagesStatement = statement<PageRow & { place: number }>(
  "wishlist_pages",
  `SELECT r.place, p.id, p.version, p.item_count, p.items, p.use_outdated
     FROM unnest($2::text[], $3::text[], $4::int[], $5::int[], $6::text[])
          WITH ORDINALITY AS r (owner_kind, owner_id, slice_limit, slice_offset, cached_version, place)
    CROSS JOIN LATERAL
          (SELECT w.id, w.version, w.item_count,
                  CASE WHEN r.cached_version = w.id || '.' || w.version THEN NULL
                       ELSE ${itemsText("r.slice_limit", "r.slice_offset", "$1")} END AS items,
                  ${guestUseOutdated("$7")} AS use_outdated
             FROM wishlist w
            WHERE w.shop_id = $1 AND w.owner_kind = r.owner_kind AND w.owner_id = r.owner_id AND w.handle = 'default'
            -- LIMIT 1 makes the planner look up each wishlist by its key, whatever the statistics of the table say.
            LIMIT 1) p`,
);

async function findPages(requests: readonly PageRequest[]): Promise<(PageRow | undefined)[]> {
  const rows = await run(pagesStatement, [
    requests[0]?.owner.shopId,
    requests.map(({ owner }) => owner.kind),
    requests.map(({ owner }) => owner.id),
    requests.map(({ slice }) => slice.limit),
    requests.map(({ slice }) => slice.offset),
    requests.map(({ cachedVersion }) => cachedVersion ?? ""),
    guestUseThreshold(),
  ]);
  const found = requests.map((): PageRow | undefined => undefined);
  for (const row of rows) found[row.place - 1] = row;
  return found;
}

// The overhead of a statement is more than half of the cost of a page, so concurrent requests of a shop share a statement.
export const findPage = batched(findPages, { concurrency: 2, size: 16, group: ({ owner }) => owner.shopId });

export interface PageText {
  /** the entity tag of wishlist, version and slice */
  tag: string;
  /** a wishlist page as JSON text, or null when the caller's copy is current */
  json: string | null;
}

/** Stands for id and version when the owner has no wishlist. */
const NO_WISHLIST = "0.0";

/** Returns a page as JSON text. @param items in the format of `itemsText` */
export function pageJson(items: string, total: number, { limit, offset }: Slice, more = ""): string {
  const count = Math.max(0, Math.min(limit, total - offset));
  return `{"items":${itemsJson(items)},"count":${count},"total":${total},"has_more":${offset + count < total}${more}}`;
}

interface CachedPage {
  /** id and version of the wishlist */
  version: string;
  tag: string;
  json: string;
}

// Pages are read far more often than they change. A cached page is sent only when its wishlist still has the same version in PostgreSQL, which
// every read checks, so that a page is never older than its request.
export const pageCache = textCache<CachedPage>(
  { bytes: 32 * 1024 * 1024, entries: 50_000 },
  ({ version, tag, json }) => version.length + tag.length + json.length,
);

const cacheUse = countCache("pages", () => pageCache.size);

/** Returns the entity tag of a page. It is keyed, because wishlist ids are counted over all shops and must not be revealed. */
function pageTag(version: string, place: string): string {
  const hmac = createHmac("sha256", `page tag ${secrets().tokenSecrets[0]}`);
  return entityTag(hmac.update(`${version} ${place}`).digest());
}

/**
 * Returns a page of an owner's wishlist; an empty page for an owner without a wishlist.
 * @param knownTags entity tags of the caller's copies; `*` matches every tag
 */
export async function readPage(owner: Owner, slice: Slice, knownTags: readonly string[]): Promise<PageText> {
  const place = `${owner.shopId} ${owner.kind} ${slice.limit} ${slice.offset} ${owner.id}`;
  const cached = pageCache.get(place);
  const row = await findPage({ owner, slice, cachedVersion: cached?.version });
  const version = row ? `${row.id}.${row.version}` : NO_WISHLIST;
  const page = cached?.version === version ? cached : renderPage(version, place, row, slice);
  if (page === cached) cacheUse.hits++;
  else cacheUse.misses++;
  // Empty pages are not cached, because a caller can request any number of them.
  if (page !== cached && row?.items) pageCache.set(place, page);
  const { tag, json } = page;
  return { tag, json: knownTags.includes(tag) || knownTags.includes("*") ? null : json };
}

function renderPage(version: string, place: string, row: PageRow | undefined, slice: Slice): CachedPage {
  const json = pageJson(row?.items ?? "", row?.item_count ?? 0, slice);
  // V8 keeps a concatenated string as a tree and would flatten it each time it is sent; the buffer flattens it once.
  return { version, tag: pageTag(version, place), json: Buffer.from(json).toString() };
}
