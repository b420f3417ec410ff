import { LRUCache } from "lru-cache";
import { batched } from "../platform/batch.server.ts";
import { nowMs } from "../platform/clock.server.ts";
import { run, statement } from "../platform/database.server.ts";
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
  /** wishlist and version, as in an entity tag, of copies at hand: their items are not needed */
  known: readonly string[];
}

interface PageRow {
  id: number;
  version: number;
  item_count: number;
  /** as `itemsText` gives them; null when this version is among the known */
  items: string | null;
  /** of a guest's: not used for a day; somebody should note that it is */
  unnoticed: boolean;
}

/** Milliseconds for which the use of a guest's list need not be noted again. */
const NOTED_FOR = 24 * 3_600_000;

/** Whether the wishlist `w` is a guest's that was not used since the statement's parameter. */
export function unnoticed(since: string): string {
  return `w.owner_kind = 'guest' AND w.updated_at < ${since}`;
}

export function notedSince(): Date {
  return new Date(nowMs() - NOTED_FOR);
}

/** One statement, so that count, version and items of a page are of one moment. */
const pagesStatement = statement<PageRow & { place: number }>(
  "wishlist_pages",
  `SELECT r.place, p.id, p.version, p.item_count, p.items, p.unnoticed
     FROM unnest($1::int[], $2::text[], $3::text[], $4::int[], $5::int[], $6::text[])
          WITH ORDINALITY AS r (shop_id, owner_kind, owner_id, slice_limit, slice_offset, known, place)
    CROSS JOIN LATERAL
          (SELECT w.id, w.version, w.item_count,
                  CASE WHEN r.known <> '' AND w.id || '.' || w.version = ANY (string_to_array(r.known, ' ')) THEN NULL
                       ELSE ${itemsText("r.slice_limit", "r.slice_offset")} END AS items,
                  ${unnoticed("$7")} AS unnoticed
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
    wanted.map(({ known }) => known.join(" ")),
    notedSince(),
  ]);
  const found = wanted.map((): PageRow | undefined => undefined);
  for (const row of rows) found[row.place - 1] = row;
  return found;
}

// What a statement costs besides its work is more than half of a page, so pages that are asked for at the same time share one.
export const findPage = batched(findPages, { lanes: 2, size: 16 });

export interface PageText {
  /** an entity tag made of wishlist, version and slice */
  tag: string;
  /** a wishlist page as JSON text, or null when the caller's tag is still right */
  json: string | null;
}

/** Wishlist and version in the tag of who has no wishlist yet. */
const NOTHING_SAVED = "0.0";

/** @param items as `itemsText` gives them */
export function pageJson(items: string, total: number, { limit, offset }: Slice, more = ""): string {
  const count = Math.max(0, Math.min(limit, total - offset));
  return `{"items":${itemsJson(items)},"count":${count},"total":${total},"has_more":${offset + count < total}${more}}`;
}

interface KeptPage {
  /** wishlist and version */
  of: string;
  json: string;
}

const KEPT_BYTES = 32 * 1024 * 1024;

// Shoppers' pages are read far more often than they change. A page that was made before is sent again when PostgreSQL says that its
// wishlist still has the version: it is asked each time, so a page is never older than its request.
const keptPages = new LRUCache<string, KeptPage>({ maxSize: KEPT_BYTES, sizeCalculation: ({ json }) => json.length });

/**
 * A page of an owner's wishlist. Who saved nothing has an empty one.
 * @param knownTags entity tags of the caller's copies; `*` stands for any
 */
export async function readPage(owner: Owner, slice: Slice, knownTags: readonly string[]): Promise<PageText> {
  const suffix = `.${slice.limit}.${slice.offset}"`;
  const callers = knownTags.flatMap((tag) => (tag.endsWith(suffix) ? [tag.slice(1, -suffix.length)] : []));
  const place = `${owner.shopId} ${owner.kind} ${slice.limit} ${slice.offset} ${owner.id}`;
  const kept = keptPages.get(place);
  const row = await findPage({ owner, slice, known: kept ? [kept.of, ...callers] : callers });
  const version = row ? `${row.id}.${row.version}` : NOTHING_SAVED;
  const tag = `"${version}${suffix}`;
  if (knownTags.includes("*") || callers.includes(version)) return { tag, json: null };
  if (kept?.of === version) return { tag, json: kept.json };
  const json = pageJson(row?.items ?? "", row?.item_count ?? 0, slice);
  // V8 keeps what was put together as a tree of its parts, and would put it together again each time that it is sent.
  keptPages.set(place, { of: version, json: Buffer.from(json).toString() });
  return { tag, json };
}
