import { z } from "zod";
import { now } from "../../platform/clock.server.ts";
import {
  cursorSchema,
  decodeCursor,
  encodeCursor,
  foreignCursor,
  type CursorScope,
} from "../../platform/text/cursor.server.ts";
import { run, statement } from "../../platform/database/database.server.ts";
import { Failure } from "../../platform/failure.ts";
import { integerParameter } from "../../platform/text/integer-parameter.ts";
import { DEFAULT_LIST, idOf, type ListRef, type Owner } from "../owner.ts";
import { unlessKnown, type PageText } from "../items/read.server.ts";
import { listNotFound, MAX_LISTS } from "../refusals.server.ts";
import { savedCountSql } from "../totals.server.ts";

export const POSITION =
  "A number by which the named lists are ordered, ascending. Any number between two others places a list between them. The default list is always the first";

export const listSchema = z
  .strictObject({
    listId: z.string().meta({ description: "`default` for the default list", example: "lst_7hQ2mX9cR4tV1bN8kZ3pWy" }),
    name: z.string().nullable().meta({ description: "null while the default list has no name", example: "Birthday" }),
    itemCount: z.int().meta({ example: 3 }),
    isDefault: z.boolean().meta({ example: false }),
    position: z.number().meta({ description: POSITION, example: 1 }),
    shared: z.boolean().meta({ description: "Whether a share link of the list is open", example: false }),
    version: z.int().meta({ description: "Counts the changes of the list", example: 4 }),
    createdAt: z.iso.datetime({ precision: 3 }).nullable().meta({
      description: "null for a default list in which nothing was ever saved",
      example: "2026-11-20T09:30:00.000Z",
    }),
    updatedAt: z.iso.datetime({ precision: 3 }).nullable().meta({ example: "2026-11-21T17:05:40.120Z" }),
  })
  .meta({ id: "List", description: "A list of a customer" });

export type List = z.infer<typeof listSchema>;

export const listsSchema = z
  .strictObject({
    lists: z.array(listSchema).meta({ description: "The default list first, then by position" }),
    savedCount: z.int().meta({
      description: "Saved variants in all lists, each counted once, however many lists have it: for a counter",
      example: 3,
    }),
    nextCursor: z.string().nullable().meta({ description: "null on the last page", example: null }),
  })
  .meta({ id: "Lists" });

interface ListRow {
  handle: string;
  name: string | null;
  item_count: number;
  position: number;
  version: number;
  created_at: Date;
  updated_at: Date;
  shared: boolean;
  saved_count: number;
}

const listsStatement = statement<ListRow>(
  "owner_lists",
  `SELECT w.handle, w.name, w.item_count, w.position, w.version, w.created_at, w.updated_at,
          EXISTS (SELECT 1 FROM share_link l
                   WHERE l.shop_id = $1 AND l.wishlist_id = w.id AND l.revoked_at IS NULL AND l.expires_at > $4) AS shared,
          ${savedCountSql({ over: "OVER ()" })} AS saved_count
     FROM wishlist w
    WHERE w.shop_id = $1 AND w.owner_kind = $2 AND w.owner_id = $3 AND w.deleted_at IS NULL
    -- In the order in which cursors compare ids, whatever the collation of the database.
    ORDER BY w.handle <> '${DEFAULT_LIST}', w.position, w.handle COLLATE "C"`,
);

/** The default list of an owner who never saved anything. */
export const NOTHING_SAVED: List = {
  listId: DEFAULT_LIST,
  name: null,
  itemCount: 0,
  isDefault: true,
  position: 0,
  shared: false,
  version: 0,
  createdAt: null,
  updatedAt: null,
};

function toList(row: ListRow): List {
  return {
    listId: row.handle,
    name: row.name,
    itemCount: row.item_count,
    isDefault: row.handle === DEFAULT_LIST,
    position: row.position,
    shared: row.shared,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/**
 * Returns all lists of an owner, the default list first; there are at most `MAX_LISTS`.
 * @returns also `savedCount`, the saved variants in all lists, each once
 */
export async function readLists({ shopId, kind, id }: Owner): Promise<{ lists: List[]; savedCount: number }> {
  const rows = await run(listsStatement, [shopId, kind, id, now()]);
  const lists = rows.map(toList);
  if (lists[0]?.isDefault !== true) lists.unshift(NOTHING_SAVED);
  return { lists, savedCount: rows[0]?.saved_count ?? 0 };
}

export const listsQuery = z.strictObject({
  limit: integerParameter({
    min: 1,
    max: MAX_LISTS,
    fallback: MAX_LISTS,
    description: "Lists in the page",
    example: 20,
  }),
  cursor: cursorSchema.optional().meta({ description: "`nextCursor` of the page before" }),
});

/** Returns a page of an owner's lists as JSON text. @returns `invalid_request` for a cursor of another owner */
export async function readListsPage(
  owner: Owner,
  { limit, cursor }: z.output<typeof listsQuery>,
  knownTags: readonly string[],
): Promise<PageText | Failure> {
  const scope: CursorScope = { of: "lists", shopId: owner.shopId, filter: `${owner.kind} ${owner.id}` };
  const after = cursor === undefined ? undefined : decodeCursor(scope, cursor);
  if (cursor !== undefined && after === undefined) return foreignCursor();
  const [afterPosition = 0, afterId = ""] = after?.split(" ") ?? [];
  const { lists, savedCount } = await readLists(owner);
  // The list itself may be gone or have moved since.
  const rest =
    after === undefined
      ? lists
      : lists.filter(
          ({ position, listId, isDefault }) =>
            !isDefault &&
            (position > Number(afterPosition) || (position === Number(afterPosition) && listId > afterId)),
        );
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  const nextCursor = last && rest.length > limit ? encodeCursor(scope, `${last.position} ${last.listId}`) : null;
  return unlessKnown(knownTags, JSON.stringify({ lists: page, savedCount, nextCursor }));
}

/** Returns a list as JSON text. @returns `list_not_found` */
export async function readListText(list: ListRef, knownTags: readonly string[]): Promise<PageText | Failure> {
  const found = await readOneList(list);
  return found instanceof Failure ? found : unlessKnown(knownTags, JSON.stringify(found));
}

/** @returns `list_not_found` */
export async function readOneList(list: ListRef): Promise<List | Failure> {
  return (await readLists(list)).lists.find(({ listId }) => listId === idOf(list)) ?? listNotFound();
}
