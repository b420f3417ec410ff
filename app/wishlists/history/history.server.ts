import { z } from "zod";
import { wakeOutbox } from "../../activity/index.server.ts";
import { now } from "../../platform/clock.server.ts";
import {
  cursorSchema,
  decodeCursor,
  encodeCursor,
  foreignCursor,
  type CursorScope,
} from "../../platform/text/cursor.server.ts";
import { run, runOne, shopStatement, statement } from "../../platform/database/database.server.ts";
import type { Failure } from "../../platform/failure.ts";
import { integerParameter } from "../../platform/text/integer-parameter.ts";
import { PAGE_BYTES } from "../../platform/text/page-size.ts";
import { DEFAULT_LIST, idOf, type ListRef } from "../owner.ts";
import { listNotFound, MAX_LISTS, refusal } from "../refusals.server.ts";

const LIMIT = { default: 20, max: 100 } as const;
/** Items of a version that a response names. */
const ITEMS = 50;
/** Bytes that JSON needs for a version beyond its items. */
const JSON_BYTES = 250;
const NEWEST = Number.MAX_SAFE_INTEGER;

export const historyQuery = z.strictObject({
  limit: integerParameter({
    min: 1,
    max: LIMIT.max,
    fallback: LIMIT.default,
    description: "Versions in the page",
    example: 20,
  }),
  cursor: cursorSchema.optional().meta({ description: "`nextCursor` of the page before" }),
});

const CHANGES = ["added", "removed", "updated"] as const;
const LIST_EVENTS = ["created", "renamed", "moved", "deleted"] as const;

const versionSchema = z
  .strictObject({
    version: z.int().meta({ description: "The list's version after the change", example: 4 }),
    at: z.iso.datetime({ precision: 3 }).meta({ example: "2026-11-21T17:05:40.120Z" }),
    source: z.string().meta({
      description:
        "Where the change came from: `api`, `storefront`, `cart` (saved for later), `merge`, `guest_merge` (a login), `staff`, `import`, `move` or `restore`",
      example: "storefront",
    }),
    listEvent: z
      .enum(LIST_EVENTS)
      .nullable()
      .meta({ description: "What happened to the list itself, if anything", example: null }),
    addedCount: z.int().meta({ example: 1 }),
    removedCount: z.int().meta({ example: 0 }),
    updatedCount: z.int().meta({ example: 0 }),
    itemCount: z.int().meta({ description: "Items in the list after the change", example: 3 }),
    items: z
      .array(
        z.strictObject({
          change: z.enum(CHANGES),
          productId: z.string().meta({ example: "8401930311165" }),
          variantId: z.string().meta({ example: "44003118551387" }),
        }),
      )
      .meta({ description: `The items of the change, at most ${ITEMS}` }),
    restorable: z.boolean().meta({ description: "Whether the list can be restored to this version", example: true }),
  })
  .meta({ id: "ListVersion" });

export type ListVersion = z.infer<typeof versionSchema>;

export const historySchema = z
  .strictObject({
    versions: z.array(versionSchema).meta({ description: "Newest first" }),
    nextCursor: z.string().nullable().meta({ description: "null on the last page", example: null }),
  })
  .meta({ id: "ListHistory" });

export const restoreBody = z
  .strictObject({
    version: z
      .int()
      .min(0)
      .meta({ description: "A version of the list's history; 0 is the empty list at its creation", example: 3 }),
  })
  .meta({ id: "RestoreList" });

export const restoredSchema = z
  .strictObject({
    addedCount: z.int().meta({ example: 1 }),
    removedCount: z.int().meta({ example: 2 }),
    updatedCount: z.int().meta({ example: 0 }),
    itemCount: z.int().meta({ description: "Items in the list after the request", example: 3 }),
    version: z.int().meta({ description: "The version that the request made", example: 6 }),
  })
  .meta({ id: "ListRestored" });

/** Also finds deleted lists, whose history is kept. */
const listStatement = statement<{ id: number; version: number; oldest: number | null; incomplete: number | null }>(
  "list_for_history",
  `SELECT w.id, w.version,
          (SELECT min(a.version) FROM activity a WHERE a.shop_id = $1 AND a.wishlist_id = w.id AND a.kind = ANY ($5::text[])) AS oldest,
          (SELECT max(a.version) FROM activity a WHERE a.shop_id = $1 AND a.wishlist_id = w.id
             AND (a.kind = 'removed' AND a.before IS NULL OR a.before ? 'cut')) AS incomplete
     FROM wishlist w
    WHERE w.shop_id = $1 AND w.owner_kind = $2 AND w.owner_id = $3 AND w.handle = $4`,
);

interface VersionRow {
  version: number;
  at: Date;
  source: string;
  list_event: string | null;
  added: number;
  removed: number;
  updated: number;
  item_count: number;
  items: { change: (typeof CHANGES)[number]; productId: string; variantId: string }[] | null;
  /** versions that were read, also those that do not fit on the page */
  found: number;
}

const CHANGE_KINDS = [...CHANGES, ...LIST_EVENTS.map((event) => `list_${event}`)];

const versionsStatement = statement<VersionRow>(
  "list_versions",
  `SELECT f.version, f.at, f.source, f.list_event, f.added, f.removed, f.updated, f.item_count, f.items, f.found
     FROM (SELECT r.*, count(*) OVER () AS found, coalesce(sum(octet_length(r.items::text) + ${JSON_BYTES}) OVER (ORDER BY r.version DESC), 0) AS bytes
             FROM (SELECT v.version, v.at, v.source, v.list_event, v.added, v.removed, v.updated, v.item_count,
                          (SELECT json_agg(json_build_object('change', i.kind, 'productId', i.product_id, 'variantId', i.variant_id) ORDER BY i.id)
                             FROM (SELECT a.id, a.kind, a.product_id, a.variant_id FROM activity a
                                    WHERE a.shop_id = $1 AND a.wishlist_id = $2 AND a.version = v.version AND a.product_id IS NOT NULL AND a.kind = ANY ($5::text[])
                                    ORDER BY a.id LIMIT ${ITEMS}) AS i) AS items
                     FROM (SELECT a.version, max(a.at) AS at, max(a.source) AS source,
                                  max(substr(a.kind, 6)) FILTER (WHERE a.kind LIKE 'list@_%' ESCAPE '@') AS list_event,
                                  count(*) FILTER (WHERE a.kind = 'added') AS added, count(*) FILTER (WHERE a.kind = 'removed') AS removed,
                                  count(*) FILTER (WHERE a.kind = 'updated') AS updated, (array_agg(a.item_count ORDER BY a.id DESC))[1] AS item_count
                             FROM activity a
                            WHERE a.shop_id = $1 AND a.wishlist_id = $2 AND a.version < $3 AND a.kind = ANY ($5::text[])
                            GROUP BY a.version ORDER BY a.version DESC LIMIT $4) AS v OFFSET 0) AS r) AS f
    WHERE f.bytes <= ${PAGE_BYTES}
    ORDER BY f.version DESC`,
);

/**
 * Returns the versions of a list before a version, newest first; also those of a deleted list.
 * @returns undefined when there is no such list
 */
export async function readVersions(
  list: ListRef,
  { before = NEWEST, limit }: { before?: number | undefined; limit: number },
): Promise<{ versions: ListVersion[]; hasMore: boolean } | undefined> {
  const [found] = await run(listStatement, [list.shopId, list.kind, list.id, idOf(list), CHANGE_KINDS]);
  if (!found) return undefined;
  const rows = await run(versionsStatement, [list.shopId, found.id, before, limit + 1, CHANGE_KINDS]);
  // A version can be restored while every later change is kept, with what it removed.
  const oldest = Math.max((found.oldest ?? 1) - 1, found.incomplete ?? 0);
  const page = rows.slice(0, limit);
  return {
    versions: page.map((row) => ({
      version: row.version,
      at: row.at.toISOString(),
      source: row.source,
      listEvent: LIST_EVENTS.find((event) => event === row.list_event) ?? null,
      addedCount: row.added,
      removedCount: row.removed,
      updatedCount: row.updated,
      itemCount: row.item_count,
      items: row.items ?? [],
      restorable: row.version >= oldest,
    })),
    hasMore: (rows[0]?.found ?? 0) > page.length,
  };
}

/**
 * Returns a page of a list's versions, newest first; also those of a deleted list.
 * @returns `list_not_found`, or `invalid_request` for a cursor of another list
 */
export async function readHistory(
  list: ListRef,
  { limit, cursor }: z.output<typeof historyQuery>,
): Promise<z.infer<typeof historySchema> | Failure> {
  const scope: CursorScope = { of: "history", shopId: list.shopId, filter: `${list.kind} ${list.id} ${idOf(list)}` };
  const from = cursor === undefined ? String(NEWEST) : decodeCursor(scope, cursor);
  if (from === undefined) return foreignCursor();
  const page = await readVersions(list, { before: Number(from), limit });
  if (!page) return idOf(list) === DEFAULT_LIST ? { versions: [], nextCursor: null } : listNotFound();
  const last = page.versions.at(-1);
  return {
    versions: page.versions,
    nextCursor: page.hasMore && last ? encodeCursor(scope, String(last.version)) : null,
  };
}

const restoreStatement = shopStatement<{
  added_count: number;
  removed_count: number;
  updated_count: number;
  count_after: number;
  version_after: number;
}>(
  "wishlist_restore",
  `SELECT added_count, removed_count, updated_count, count_after, version_after
     FROM wishlist_restore(p_shop_id => $1, p_owner_kind => $2, p_owner_id => $3, p_list => $4, p_version => $5, p_limit => $6, p_source => $7, p_at => $8,
                          p_expected => $9)`,
);

/**
 * Brings the items of a list back to what they were after a version, as a change of its own. A deleted list exists again.
 * @param expected the version of the list at which alone it is brought back; `invalid_request` at another one
 * @returns `list_not_found`, `version_not_found`, `version_expired`, `wishlist_full`; for a deleted list also `list_name_taken` and `list_limit_reached`; for
 *   a guest also `guest_merged`
 */
export async function restoreList(
  list: ListRef,
  { version }: z.output<typeof restoreBody>,
  expected?: number,
): Promise<z.infer<typeof restoredSchema> | Failure> {
  try {
    const row = await runOne(restoreStatement, [
      list.shopId,
      list.kind,
      list.id,
      idOf(list),
      version,
      MAX_LISTS,
      "restore",
      now(),
      expected ?? null,
    ]);
    wakeOutbox(list.shopId);
    return {
      addedCount: row.added_count,
      removedCount: row.removed_count,
      updatedCount: row.updated_count,
      itemCount: row.count_after,
      version: row.version_after,
    };
  } catch (error) {
    return refusal(error);
  }
}
