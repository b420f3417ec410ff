import { z } from "zod";
import { dataOrFailure, endpoint, noParameters } from "../http/endpoint.server.ts";
import { bearer } from "../http/v1/policies.server.ts";
import { resource } from "../http/resource.server.ts";
import {
  ownerInPath,
  ownerParameter,
  listIdSchema,
  restoreBody,
  restoredSchema,
  restoreList,
} from "../wishlists/index.server.ts";

const postRestore = endpoint({
  method: "POST",
  operationId: "restoreList",
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

const route = resource("/v1/wishlists/{customerId}/lists/{listId}/restore", [postRestore]);

export const loader = route.loader;
export const action = route.action;
