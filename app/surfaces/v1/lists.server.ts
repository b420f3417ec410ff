import { z } from "zod";
import { FEATURES, hasFeature, PLANS } from "../../billing/index.server.ts";
import { endpoint, noBody, noParameters, tagged, dataOrFailure } from "../../http/endpoint.server.ts";
import { runOnce } from "../../http/idempotency.server.ts";
import { bearer } from "../../http/v1/policies.server.ts";
import { Failure } from "../../platform/failure.ts";
import {
  createList,
  createListBody,
  ownerInPath,
  ownerParameter,
  listSchema,
  listsQuery,
  listsSchema,
  readListsPage,
  deletedListSchema,
  deleteList,
  listIdSchema,
  readListText,
  updateList,
  updateListBody,
  historyQuery,
  historySchema,
  readHistory,
  restoreBody,
  restoredSchema,
  restoreList,
} from "../../wishlists/index.server.ts";

export const getLists = endpoint({
  operationId: "getLists",
  sdkMethod: "lists.list",
  tag: "Lists",
  summary: "List a customer's lists",
  description:
    "The default list first, then the named lists by position. Every customer has a default list, even before something is saved in it.",
  access: bearer("read_wishlists"),
  compressed: true,
  params: z.strictObject({ customerId: ownerParameter }),
  query: listsQuery,
  body: noBody,
  data: listsSchema,
  async handle({ caller, params, query, knownTags }) {
    return tagged(await readListsPage(ownerInPath(caller, params.customerId), query, knownTags));
  },
});

export const postList = endpoint({
  operationId: "createList",
  sdkMethod: "lists.create",
  tag: "Lists",
  summary: "Create a list",
  description:
    "Creates an empty named list after the others. Requires the Growth plan; existing lists work in any plan.",
  status: 201,
  access: bearer("write_wishlists"),
  params: z.strictObject({ customerId: ownerParameter }),
  query: noParameters,
  body: createListBody,
  data: listSchema,
  idempotent: true,
  failures: ["plan_required", "list_name_taken", "list_limit_reached"],
  handle(call) {
    const { caller, params, body } = call;
    if (!hasFeature(caller.plan, "lists")) {
      const { from } = FEATURES.lists;
      return new Failure("plan_required", `Named lists need the ${PLANS[from].name} plan.`, {
        details: { requiredPlan: from },
      });
    }
    const owner = ownerInPath(caller, params.customerId);
    return runOnce(call, "createList", (execution) => createList(owner, body, "api", execution));
  },
});

export const getList = endpoint({
  operationId: "getList",
  sdkMethod: "lists.get",
  tag: "Lists",
  summary: "Read a list",
  access: bearer("read_wishlists"),
  params: z.strictObject({ customerId: ownerParameter, listId: listIdSchema }),
  query: noParameters,
  body: noBody,
  data: listSchema,
  failures: ["list_not_found"],
  async handle({ caller, params, knownTags }) {
    const list = { ...ownerInPath(caller, params.customerId), listId: params.listId };
    return tagged(await readListText(list, knownTags));
  },
});

export const patchList = endpoint({
  operationId: "updateList",
  sdkMethod: "lists.update",
  tag: "Lists",
  summary: "Rename or move a list",
  description: "Changes the name, the position, or both. The default list can be renamed; it is always the first.",
  access: bearer("write_wishlists"),
  params: z.strictObject({ customerId: ownerParameter, listId: listIdSchema }),
  query: noParameters,
  body: updateListBody,
  data: listSchema,
  failures: ["list_not_found", "list_name_taken", "default_list"],
  async handle({ caller, params, body }) {
    const list = { ...ownerInPath(caller, params.customerId), listId: params.listId };
    return dataOrFailure(await updateList(list, body, "api"));
  },
});

export const removeList = endpoint({
  operationId: "deleteList",
  sdkMethod: "lists.delete",
  tag: "Lists",
  summary: "Delete a list",
  description:
    "Deletes a named list with its items and revokes its share link. `POST …/restore` takes it back as long as its history is kept. The default list can't be deleted.",
  access: bearer("write_wishlists"),
  params: z.strictObject({ customerId: ownerParameter, listId: listIdSchema }),
  query: noParameters,
  body: noBody,
  data: deletedListSchema,
  failures: ["list_not_found", "default_list"],
  async handle({ caller, params }) {
    const list = { ...ownerInPath(caller, params.customerId), listId: params.listId };
    return dataOrFailure(await deleteList(list, "api"));
  },
});

export const getHistory = endpoint({
  operationId: "getListHistory",
  sdkMethod: "lists.history",
  tag: "Lists",
  summary: "Read a list's history",
  description: "The versions of the list, newest first, as far back as changes are kept; also of a deleted list.",
  access: bearer("read_wishlists"),
  compressed: true,
  params: z.strictObject({ customerId: ownerParameter, listId: listIdSchema }),
  query: historyQuery,
  body: noBody,
  data: historySchema,
  failures: ["list_not_found"],
  async handle({ caller, params, query }) {
    const list = { ...ownerInPath(caller, params.customerId), listId: params.listId };
    return dataOrFailure(await readHistory(list, query));
  },
});

export const postRestore = endpoint({
  operationId: "restoreList",
  sdkMethod: "lists.restore",
  tag: "Lists",
  summary: "Restore an earlier version of a list",
  description:
    "Brings the items back to what they were after a version, with their times and details, as a change of its own: restoring the version before takes it back. A deleted list exists again. The name stays as it is.",
  access: bearer("write_wishlists"),
  params: z.strictObject({ customerId: ownerParameter, listId: listIdSchema }),
  query: noParameters,
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
  async handle({ caller, params, body }) {
    const list = { ...ownerInPath(caller, params.customerId), listId: params.listId };
    return dataOrFailure(await restoreList(list, body));
  },
});
