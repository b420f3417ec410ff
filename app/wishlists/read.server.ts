import { createHmac } from "node:crypto";
import { batched } from "../platform/batch.server.ts";
import { nowMs } from "../platform/clock.server.ts";
import { run, statement } from "../platform/database.server.ts";
import { entityTag } from "../platform/entity-tag.ts";
import { secrets } from "../platform/env.server.ts";
import { textCache } from "../platform/text-cache.ts";
import { itemsJson, itemsText } from "./items.ts";
import type { Slice } from "./page.ts";

/** Whose wishlist. The kind is part of the key: a guest's list can't be reached as a customer's. */
export interface Owner {
  shopId: number;
  kind: "customer" | "guest";
  id: string;
}

/** Who is meant when an owner's requests cause look-ups at the store. */
export function callerOf({ kind, id }: Owner): string {
  return `${kind} ${id}`;
}

interface Wanted {
  owner: Owner;
  slice: Slice;
  /** wishlist and version of the copy in memory: its items are not needed */
  kept: string | undefined;
}

interface PageRow {
  id: number;
  version: number;
  item_count: number;
  /** as `itemsText` gives them; null when this version is the one in memory */
  items: string | null;
  /** of a guest's: not used for a day; somebody should note that it is */
  unnoticed: boolean;
}

/** Milliseconds for which the use of a guest's list need not be noted again. */
const GUEST_USE_RESOLUTION = 24 * 3_600_000;

/** Whether the wishlist `w` is a guest's that was not used since the statement's parameter. */
export function guestUseOutdated(since: string): string {
  return `w.owner_kind = 'guest' AND w.updated_at < ${since}`;
}

export function guestUseThreshold(): Date {
  return new Date(nowMs() - GUEST_USE_RESOLUTION);
}

/** One statement, so that count, version and items of a page are of one moment. */
const pagesStatement = statement<PageRow & { place: number }>(
  "wishlist_pages",
  `SELECT r.place, p.id, p.version, p.item_count, p.items, p.unnoticed
     FROM unnest($1::bigint[], $2::text[], $3::text[], $4::int[], $5::int[], $6::text[])
          WITH ORDINALITY AS r (shop_id, owner_kind, owner_id, slice_limit, slice_offset, kept, place)
    CROSS JOIN LATERAL
          (SELECT w.id, w.version, w.item_count,
                  CASE WHEN r.kept = w.id || '.' || w.version THEN NULL
                       ELSE ${itemsText("r.slice_limit", "r.slice_offset")} END AS items,
                  ${guestUseOutdated("$7")} AS unnoticed
             FROM wishlist w
            WHERE w.shop_id = r.shop_id AND w.owner_kind = r.owner_kind AND w.owner_id = r.owner_id AND w.handle = 'default'
            -- one at most; said so that each is looked up by its key, whatever the planner thinks of the whole table
            LIMIT 1) p`,
);

async function findPages(wanted: readonly Wanted[]): Promise<(PageRow | undefined)[]> {
  const rows = await run(pagesStatement, [
    wanted.map(({ owner }) => owner.shopId),
    wanted.map(({ owner }) => owner.kind),
    wanted.map(({ owner }) => owner.id),
    wanted.map(({ slice }) => slice.limit),
    wanted.map(({ slice }) => slice.offset),
    wanted.map(({ kept }) => kept ?? ""),
    guestUseThreshold(),
  ]);
  const found = wanted.map((): PageRow | undefined => undefined);
  for (const row of rows) found[row.place - 1] = row;
  return found;
}

// What a statement costs besides its work is more than half of a page, so pages that are asked for at the same time share one.
export const findPage = batched(findPages, { concurrency: 2, size: 16 });

export interface PageText {
  /** an entity tag of wishlist, version and slice */
  tag: string;
  /** a wishlist page as JSON text, or null when the caller's tag is still right */
  json: string | null;
}

/** Wishlist and version of an owner without a wishlist. */
const NOTHING_SAVED = "0.0";

/** @param items as `itemsText` gives them */
export function pageJson(items: string, total: number, { limit, offset }: Slice, more = ""): string {
  const count = Math.max(0, Math.min(limit, total - offset));
  return `{"items":${itemsJson(items)},"count":${count},"total":${total},"has_more":${offset + count < total}${more}}`;
}

interface KeptPage {
  /** wishlist and version */
  of: string;
  tag: string;
  json: string;
}

// Shoppers' pages are read far more often than they change. A page that was made before is sent again when PostgreSQL says that its
// wishlist still has the version: it is asked each time, so a page is never older than its request.
export const keptPages = textCache<KeptPage>(
  { bytes: 32 * 1024 * 1024, entries: 50_000 },
  ({ of, tag, json }) => of.length + tag.length + json.length,
);

/** Keyed, because wishlists and versions are counted over all shops: a tag must not reveal how many there are. */
function pageTag(version: string, place: string): string {
  const hmac = createHmac("sha256", `page tag ${secrets().tokenSecrets[0]}`);
  return entityTag(hmac.update(`${version} ${place}`).digest());
}

/**
 * A page of an owner's wishlist; an empty one for an owner who saved nothing.
 * @param knownTags entity tags of the caller's copies; `*` stands for any
 */
export async function readPage(owner: Owner, slice: Slice, knownTags: readonly string[]): Promise<PageText> {
  const place = `${owner.shopId} ${owner.kind} ${slice.limit} ${slice.offset} ${owner.id}`;
  const kept = keptPages.get(place);
  const row = await findPage({ owner, slice, kept: kept?.of });
  const of = row ? `${row.id}.${row.version}` : NOTHING_SAVED;
  const page = kept?.of === of ? kept : makePage(of, place, row, slice);
  // Only a page with items that were read takes up memory: of empty ones, callers can ask for any number.
  if (page !== kept && row?.items) keptPages.set(place, page);
  const { tag, json } = page;
  return { tag, json: knownTags.includes(tag) || knownTags.includes("*") ? null : json };
}

function makePage(of: string, place: string, row: PageRow | undefined, slice: Slice): KeptPage {
  const json = pageJson(row?.items ?? "", row?.item_count ?? 0, slice);
  // V8 keeps what was put together as a tree of its parts, and would put it together again each time that it is sent.
  return { of, tag: pageTag(of, place), json: Buffer.from(json).toString() };
}
