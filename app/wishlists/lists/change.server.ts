import { z } from "zod";
import type { Caller } from "../../access/caller.ts";
import { wakeOutbox } from "../../activity/index.server.ts";
import { hasFeature } from "../../billing/index.server.ts";
import { now } from "../../platform/clock.server.ts";
import { shopStatement } from "../../platform/database/database.server.ts";
import { Failure } from "../../platform/failure.ts";
import { randomBase62 } from "../../platform/ids.server.ts";
import { purge } from "../../platform/jobs/retention.server.ts";
import { SINGLE, type Execution } from "../../platform/database/transaction.server.ts";
import type { Source } from "../source.ts";
import { guestLimits } from "../guests/limits.server.ts";
import { DEFAULT_LIST, idOf, type ListRef } from "../owner.ts";
import { listLimitReached, listNameTaken, MAX_LISTS, refusal } from "../refusals.server.ts";
import { listNameSchema, nameKey } from "./names.ts";
import { NOTHING_SAVED, POSITION, readOneList, type List } from "./read.server.ts";

const ID_LENGTH = 22;

const MAX_POSITION = 1e9;

const positionSchema = z.number().min(-MAX_POSITION).max(MAX_POSITION);

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

/** Tells whether the caller can create named lists. Existing lists work in any plan. */
export function offersLists({ plan, namedLists }: Pick<Caller, "plan" | "namedLists">): boolean {
  return namedLists && hasFeature(plan, "lists");
}

const createStatement = shopStatement<{
  outcome: "created" | "name_taken" | "too_many";
  list_position: number;
}>(
  "wishlist_create_list",
  `SELECT outcome, list_position
     FROM wishlist_create_list(p_shop_id => $1::bigint, p_owner_kind => $2, p_owner_id => $3, p_list => $4, p_name => $5, p_name_key => $6,
                               p_limit => $7::integer, p_source => $8, p_at => $9::timestamptz, p_guest_limit => $10::integer,
                               p_guest_origins => $11::text[])`,
);

/**
 * Creates a named list after the owner's other lists.
 * @returns `list_name_taken` or `list_limit_reached`; for a guest also `guest_merged` or `rate_limited`
 */
export async function createList(
  owner: ListRef,
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
      ...guestLimits(owner),
    ]);
    if (outcome === "name_taken") return listNameTaken();
    if (outcome === "too_many") return listLimitReached();
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
 * @returns `list_not_found`, `list_name_taken`, `default_list` for a position of the default list; for a guest also `guest_merged`
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
 * @returns `list_not_found`, `default_list`; for a guest also `guest_merged`
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
