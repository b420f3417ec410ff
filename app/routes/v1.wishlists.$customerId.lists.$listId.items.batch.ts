import { z } from "zod";
import { endpoint, noParameters } from "../http/endpoint.server.ts";
import { LIST_BODY_LIMIT } from "../http/body.server.ts";
import { runOnce } from "../http/idempotency.server.ts";
import { bearer } from "../http/v1/policies.server.ts";
import { resource } from "../http/resource.server.ts";
import type { Execution } from "../platform/transaction.server.ts";
import {
  batchBody,
  batchSchema,
  changeTogether,
  keptBatch,
  ownerInPath,
  ownerParameter,
  listIdSchema,
} from "../wishlists/index.server.ts";

const postBatch = endpoint({
  method: "POST",
  operationId: "changeListItems",
  tag: "Lists",
  summary: "Apply many operations at once",
  description:
    "Adds, removes and updates up to 250 items, in the given order, all or none, as one version of the list. An added item without a variant means the product's default variant.",
  access: bearer("write_wishlists"),
  bodyLimit: LIST_BODY_LIMIT,
  params: z.strictObject({ customerId: ownerParameter, listId: listIdSchema }),
  query: noParameters,
  body: batchBody,
  data: batchSchema,
  idempotent: true,
  failures: [
    "list_not_found",
    "item_not_found",
    "wishlist_full",
    "product_not_found",
    "catalog_not_connected",
    "catalog_unavailable",
  ],
  handle(call) {
    const { caller, params, body } = call;
    const list = { ...ownerInPath(caller, params.customerId), listId: params.listId };
    const change = (execution: Execution) => changeTogether(list, body, "api", execution);
    return runOnce(call, "changeListItems", change, keptBatch);
  },
});

const route = resource("/v1/wishlists/{customerId}/lists/{listId}/items/batch", [postBatch]);

export const loader = route.loader;
export const action = route.action;
