import { z } from "zod";
import { dataOrFailure, endpoint, noParameters } from "../http/endpoint.server.ts";
import { LIST_BODY_LIMIT } from "../http/body.server.ts";
import { bearer } from "../http/v1/policies.server.ts";
import { resource } from "../http/resource.server.ts";
import {
  ownerInPath,
  ownerParameter,
  listIdSchema,
  moveBody,
  movedSchema,
  moveItems,
} from "../wishlists/index.server.ts";

const postMove = endpoint({
  method: "POST",
  operationId: "moveListItems",
  tag: "Lists",
  summary: "Move or copy items to another list",
  description:
    "All items or none. An item that the other list has is there once afterwards, as it was there. A moved item keeps its time and details; a copy is saved now, with the details. Repeating a move changes nothing.",
  access: bearer("write_wishlists"),
  bodyLimit: LIST_BODY_LIMIT,
  params: z.strictObject({ customerId: ownerParameter, listId: listIdSchema }),
  query: noParameters,
  body: moveBody,
  data: movedSchema,
  failures: ["list_not_found", "item_not_found", "wishlist_full"],
  async handle({ caller, params, body }) {
    const list = { ...ownerInPath(caller, params.customerId), listId: params.listId };
    return dataOrFailure(await moveItems(list, body, "api"));
  },
});

const route = resource("/v1/wishlists/{customerId}/lists/{listId}/items/move", [postMove]);

export const loader = route.loader;
export const action = route.action;
