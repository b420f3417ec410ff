import { z } from "zod";
import { dataOrFailure, endpoint, noBody, noParameters, tagged } from "../http/endpoint.server.ts";
import { bearer } from "../http/v1/policies.server.ts";
import { resource } from "../http/resource.server.ts";
import {
  ownerInPath,
  ownerParameter,
  deletedListSchema,
  deleteList,
  listIdSchema,
  listSchema,
  readListText,
  updateList,
  updateListBody,
} from "../wishlists/index.server.ts";

const getList = endpoint({
  method: "GET",
  operationId: "getList",
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

const patchList = endpoint({
  method: "PATCH",
  operationId: "updateList",
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

const deleteOne = endpoint({
  method: "DELETE",
  operationId: "deleteList",
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

const route = resource("/v1/wishlists/{customerId}/lists/{listId}", [getList, patchList, deleteOne]);

export const loader = route.loader;
export const action = route.action;
