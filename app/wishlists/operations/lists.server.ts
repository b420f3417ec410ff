import { z } from "zod";
import { FEATURES, PLANS } from "../../billing/index.server.ts";
import { dataOrFailure, Failure } from "../../platform/failure.ts";
import {
  historyQuery,
  historySchema,
  readHistory,
  restoreBody,
  restoredSchema,
  restoreList as restore,
} from "../history/history.server.ts";
import { listIdSchema } from "../identifiers.ts";
import { containsQuery, containsSchema, findContaining } from "../items/contains.server.ts";
import {
  createList as create,
  createListBody,
  deletedListSchema,
  deleteList as remove,
  offersLists,
  updateList as update,
  updateListBody,
} from "../lists/change.server.ts";
import { listSchema, listsQuery, listsSchema, readListsPage, readListText } from "../lists/read.server.ts";
import { noBody, none, operation, textOrFailure } from "./operation.ts";

const ofList = z.strictObject({ listId: listIdSchema });

export const getListsContaining = operation({
  operationId: "getListsContaining",
  sdkMethod: "lists.containing",
  tag: "Lists",
  summary: "Find the lists that have products",
  description: "Returns which lists have the given products, by variant.",
  effect: "read",
  ids: none,
  options: containsQuery,
  body: noBody,
  data: containsSchema,
  handle: async ({ list, options }) => ({ data: await findContaining(list, options.product_id) }),
});

export const getLists = operation({
  operationId: "getLists",
  sdkMethod: "lists.list",
  tag: "Lists",
  summary: "List a customer's lists",
  description:
    "The default list first, then the named lists by position. Every customer has a default list, even before something is saved in it.",
  effect: "read",
  ids: none,
  options: listsQuery,
  body: noBody,
  data: listsSchema,
  handle: async ({ list, options, knownTags }) => textOrFailure(await readListsPage(list, options, knownTags)),
});

export const createList = operation({
  operationId: "createList",
  sdkMethod: "lists.create",
  tag: "Lists",
  summary: "Create a list",
  description:
    "Creates an empty named list after the others. Requires the Growth plan; existing lists work in any plan.",
  effect: "write",
  ids: none,
  options: none,
  body: createListBody,
  data: listSchema,
  idempotent: true,
  failures: ["plan_required", "list_name_taken", "list_limit_reached"],
  async handle({ caller, list, body, execution }) {
    if (!offersLists(caller)) {
      const { from } = FEATURES.lists;
      return new Failure("plan_required", `Named lists need the ${PLANS[from].name} plan.`, {
        details: { requiredPlan: from },
      });
    }
    return dataOrFailure(await create(list, body, caller.source, execution));
  },
});

export const getList = operation({
  operationId: "getList",
  sdkMethod: "lists.get",
  tag: "Lists",
  summary: "Read a list",
  effect: "read",
  ids: ofList,
  options: none,
  body: noBody,
  data: listSchema,
  failures: ["list_not_found"],
  handle: async ({ list, knownTags }) => textOrFailure(await readListText(list, knownTags)),
});

export const updateList = operation({
  operationId: "updateList",
  sdkMethod: "lists.update",
  tag: "Lists",
  summary: "Rename or move a list",
  description: "Changes the name, the position, or both. The default list can be renamed; it is always the first.",
  effect: "write",
  ids: ofList,
  options: none,
  body: updateListBody,
  data: listSchema,
  failures: ["list_not_found", "list_name_taken", "default_list"],
  handle: async ({ caller, list, body }) => dataOrFailure(await update(list, body, caller.source)),
});

export const deleteList = operation({
  operationId: "deleteList",
  sdkMethod: "lists.delete",
  tag: "Lists",
  summary: "Delete a list",
  description:
    "Deletes a named list with its items and revokes its share link. `POST …/restore` takes it back as long as its history is kept. The default list can't be deleted.",
  effect: "write",
  ids: ofList,
  options: none,
  body: noBody,
  data: deletedListSchema,
  failures: ["list_not_found", "default_list"],
  handle: async ({ caller, list }) => dataOrFailure(await remove(list, caller.source)),
});

export const getListHistory = operation({
  operationId: "getListHistory",
  sdkMethod: "lists.history",
  tag: "Lists",
  summary: "Read a list's history",
  description: "The versions of the list, newest first, as far back as changes are kept; also of a deleted list.",
  effect: "read",
  ids: ofList,
  options: historyQuery,
  body: noBody,
  data: historySchema,
  failures: ["list_not_found"],
  handle: async ({ list, options }) => dataOrFailure(await readHistory(list, options)),
});

export const restoreList = operation({
  operationId: "restoreList",
  sdkMethod: "lists.restore",
  tag: "Lists",
  summary: "Restore an earlier version of a list",
  description:
    "Brings the items back to what they were after a version, with their times and details, as a change of its own: restoring the version before takes it back. A deleted list exists again. The name stays as it is.",
  effect: "write",
  ids: ofList,
  options: none,
  body: restoreBody,
  data: restoredSchema,
  failures: [
    "list_not_found",
    "version_not_found",
    "version_expired",
    "wishlist_full",
    "list_name_taken",
    "list_limit_reached",
  ],
  handle: async ({ list, body, expectedVersion }) => dataOrFailure(await restore(list, body, expectedVersion)),
});
