import { z } from "zod";
import { dataOrFailure, endpoint, noBody } from "../http/endpoint.server.ts";
import { bearer } from "../http/v1/policies.server.ts";
import { resource } from "../http/resource.server.ts";
import {
  ownerInPath,
  ownerParameter,
  historyQuery,
  historySchema,
  listIdSchema,
  readHistory,
} from "../wishlists/index.server.ts";

const getHistory = endpoint({
  method: "GET",
  operationId: "getListHistory",
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

const route = resource("/v1/wishlists/{customerId}/lists/{listId}/history", [getHistory]);

export const loader = route.loader;
export const action = route.action;
