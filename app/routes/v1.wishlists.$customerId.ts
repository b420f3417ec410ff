import { z } from "zod";
import { endpoint, noBody, tagged } from "../http/endpoint.server.ts";
import { bearer } from "../http/v1/policies.server.ts";
import { resource } from "../http/resource.server.ts";
import {
  ownerInPath,
  ownerParameter,
  itemsQuery,
  PAGE_LIMIT,
  pageSchema,
  readPage,
  toItemsQuery,
} from "../wishlists/index.server.ts";

const getWishlist = endpoint({
  method: "GET",
  operationId: "getWishlist",
  tag: "Wishlists",
  summary: "Read a customer's wishlist",
  description:
    "Newest first, unless `sort` says otherwise. A customer without saved items has an empty wishlist. Send the `ETag` of an earlier response as `If-None-Match` to get 304 while nothing has changed.",
  access: bearer("read_wishlists"),
  compressed: true,
  params: z.strictObject({ customerId: ownerParameter }),
  query: itemsQuery(PAGE_LIMIT.default),
  body: noBody,
  data: pageSchema,
  async handle({ caller, params, query, knownTags }) {
    const list = ownerInPath(caller, params.customerId);
    return tagged(await readPage(list, toItemsQuery(query), knownTags));
  },
});

const route = resource("/v1/wishlists/{customerId}", [getWishlist]);

export const loader = route.loader;
export const action = route.action;
