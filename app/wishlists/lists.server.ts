import { z } from "zod";
import { wakeOutbox } from "../activity/index.server.ts";
import { now } from "../platform/clock.server.ts";
import {
  cursorSchema,
  decodeCursor,
  encodeCursor,
  foreignCursor,
  type CursorScope,
} from "../platform/cursor.server.ts";
import { run, shopStatement, statement } from "../platform/database.server.ts";
import { env } from "../platform/env.server.ts";
import { Failure } from "../platform/failure.ts";
import { integerParameter } from "../platform/integer-parameter.ts";
import { randomBase62 } from "../platform/ids.server.ts";
import { purge } from "../platform/retention.server.ts";
import { SINGLE, type Execution } from "../platform/transaction.server.ts";
import type { Source } from "./change.server.ts";
import { listNameSchema, nameKey } from "./list-names.ts";
import { DEFAULT_LIST, idOf, type ListRef, type Owner } from "./owner.ts";
import { keyedTag, type PageText } from "./read.server.ts";
import { listLimitReached, listNameTaken, listNotFound, MAX_LISTS, refusal, tooManyGuests } from "./refusals.server.ts";

const ID_LENGTH = 22;

/** An id of a list. Any text is accepted, because an unknown id and a malformed one mean the same: there is no such list. */
export const listIdSchema = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, "is not the id of a list")
  .meta({ example: "lst_7hQ2mX9cR4tV1bN8kZ3pWy" });

const MAX_POSITION = 1e9;

const positionSchema = z.number().min(-MAX_POSITION).max(MAX_POSITION);

const POSITION =
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
    nextCursor: z.string().nullable().meta({ description: "null on the last page", example: null }),
  })
  .meta({ id: "Lists" });

export const createListBody = z.strictObject({ name: listNameSchema }).meta({ id: "CreateList" });

export const updateListBody = z
  .strictObject({
    name: listNameSchema.optional(),
    position: positionSchema.optional().meta({ description: POSITION, example: 1.5 }),
  })
  .refine(({ name, position }) => name !== undefined || position !== undefined, "needs `name` or `position`")
  .meta({ id: "UpdateList", minProperties: 1 });

export const deletedListSchema = z
  .strictObject({
    deleted: z.literal(true),
    removedCount: z.int().meta({ description: "Items that were in the list", example: 3 }),
    version: z.int().meta({
      description:
        "The version that the deletion made. `POST …/restore` with the version before it brings the list back.",
      example: 5,
    }),
  })
  .meta({ id: "ListDeleted" });

interface ListRow {
  handle: string;
  name: string | null;
  item_count: number;
  position: number;
  version: number;
  created_at: Date;
  updated_at: Date;
  shared: boolean;
}

const listsStatement = statement<ListRow>(
  "owner_lists",
  `SELECT w.handle, w.name, w.item_count, w.position, w.version, w.created_at, w.updated_at,
          EXISTS (SELECT 1 FROM share_link l
                   WHERE l.shop_id = $1 AND l.wishlist_id = w.id AND l.revoked_at IS NULL AND l.expires_at > $4) AS shared
     FROM wishlist w
    WHERE w.shop_id = $1 AND w.owner_kind = $2 AND w.owner_id = $3 AND w.deleted_at IS NULL
    -- In the order in which cursors compare ids, whatever the collation of the database.
    ORDER BY w.handle <> '${DEFAULT_LIST}', w.position, w.handle COLLATE "C"`,
);

const NOTHING_SAVED: List = {
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

/** Returns all lists of an owner, the default list first; there are at most `MAX_LISTS`. */
export async function readLists({ shopId, kind, id }: Owner): Promise<List[]> {
  const lists = (await run(listsStatement, [shopId, kind, id, now()])).map(toList);
  return lists[0]?.isDefault === true ? lists : [NOTHING_SAVED, ...lists];
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
  const lists = await readLists(owner);
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
  return toText({ lists: page, nextCursor }, knownTags);
}

/** Returns a list as JSON text. @returns `list_not_found` */
export async function readListText(list: ListRef, knownTags: readonly string[]): Promise<PageText | Failure> {
  const found = await readOneList(list);
  return found instanceof Failure ? found : toText(found, knownTags);
}

function toText(data: unknown, knownTags: readonly string[]): PageText {
  const json = JSON.stringify(data);
  const tag = keyedTag(json);
  return { tag, json: knownTags.includes(tag) || knownTags.includes("*") ? null : json };
}

/** @returns `list_not_found` */
export async function readOneList(list: ListRef): Promise<List | Failure> {
  return (await readLists(list)).find(({ listId }) => listId === idOf(list)) ?? listNotFound();
}

const createStatement = shopStatement<{
  outcome: "created" | "name_taken" | "too_many" | "refused";
  list_position: number;
}>(
  "wishlist_create_list",
  `SELECT outcome, list_position
     FROM wishlist_create_list(p_shop_id => $1::bigint, p_owner_kind => $2, p_owner_id => $3, p_list => $4, p_name => $5, p_name_key => $6,
                               p_limit => $7::integer, p_source => $8, p_at => $9::timestamptz, p_guest_limit => $10::integer)`,
);

/**
 * Creates a named list after the owner's other lists.
 * @returns `list_name_taken` or `list_limit_reached`; for a guest also `guest_folded` or `rate_limited`
 */
export async function createList(
  owner: Owner,
  { name }: z.output<typeof createListBody>,
  source: Source,
  { runOne, afterCommit }: Execution = SINGLE,
): Promise<List | Failure> {
  const at = now();
  const listId = `lst_${randomBase62(ID_LENGTH)}`;
  try {
    const { outcome, list_position: position } = await runOne(createStatement, [
      owner.shopId,
      owner.kind,
      owner.id,
      listId,
      name,
      nameKey(name),
      MAX_LISTS,
      source,
      at,
      env().rateLimitNewGuestsPerHour,
    ]);
    if (outcome === "name_taken") return listNameTaken();
    if (outcome === "too_many") return listLimitReached();
    if (outcome === "refused") return tooManyGuests(at);
    afterCommit(() => {
      wakeOutbox(owner.shopId);
    });
    const createdAt = at.toISOString();
    return { ...NOTHING_SAVED, listId, name, isDefault: false, position, version: 1, createdAt, updatedAt: createdAt };
  } catch (error) {
    return refusal(error);
  }
}

const updateStatement = shopStatement<{ outcome: "updated" | "unchanged" | "name_taken" | "not_movable" }>(
  "wishlist_update_list",
  `SELECT outcome
     FROM wishlist_update_list(p_shop_id => $1, p_owner_kind => $2, p_owner_id => $3, p_list => $4, p_name => $5, p_name_key => $6,
                               p_position => $7, p_source => $8, p_at => $9)`,
);

/**
 * Renames a list or changes its position.
 * @returns `list_not_found`, `list_name_taken`, `default_list` for a position of the default list; for a guest also `guest_folded`
 */
export async function updateList(
  list: ListRef,
  { name, position }: z.output<typeof updateListBody>,
  source: Source,
): Promise<List | Failure> {
  try {
    const { outcome } = await SINGLE.runOne(updateStatement, [
      list.shopId,
      list.kind,
      list.id,
      idOf(list),
      name ?? null,
      name === undefined ? null : nameKey(name),
      position ?? null,
      source,
      now(),
    ]);
    if (outcome === "name_taken") return listNameTaken();
    if (outcome === "not_movable")
      return new Failure("default_list", "The default list is always the first and can't be moved.");
    if (outcome === "updated") wakeOutbox(list.shopId);
    return await readOneList(list);
  } catch (error) {
    return refusal(error);
  }
}

const deleteStatement = shopStatement<{ removed_count: number; version_after: number }>(
  "wishlist_delete_list",
  `SELECT removed_count, version_after
     FROM wishlist_delete_list(p_shop_id => $1, p_owner_kind => $2, p_owner_id => $3, p_list => $4, p_source => $5, p_at => $6)`,
);

/**
 * Deletes a named list with its items and its share link. A restore takes it back.
 * @returns `list_not_found`, `default_list`; for a guest also `guest_folded`
 */
export async function deleteList(list: ListRef, source: Source): Promise<z.infer<typeof deletedListSchema> | Failure> {
  if (idOf(list) === DEFAULT_LIST)
    return new Failure("default_list", "The default list can't be deleted. Remove its items instead.");
  try {
    const { removed_count: removedCount, version_after: version } = await SINGLE.runOne(deleteStatement, [
      list.shopId,
      list.kind,
      list.id,
      idOf(list),
      source,
      now(),
    ]);
    wakeOutbox(list.shopId);
    return { deleted: true, removedCount, version };
  } catch (error) {
    return refusal(error);
  }
}

/** Purges lists that were deleted before a time. Their history has expired by then, so that no restore can bring them back. */
export const purgeDeletedLists = purge("wishlist", { key: "deleted_at", type: "timestamptz" });
