import { z } from "zod";
import { endpoint, noBody } from "../http/endpoint.server.ts";
import { bearer } from "../http/v1/policies.server.ts";
import { resource } from "../http/resource.server.ts";
import {
  containsQuery,
  containsSchema,
  ownerInPath,
  ownerParameter,
  findContaining,
} from "../wishlists/index.server.ts";

const getContaining = endpoint({
  method: "GET",
  operationId: "getListsContaining",
  tag: "Lists",
  summary: "Find the lists that have products",
  description: "Returns which lists have the given products, by variant.",
  access: bearer("read_wishlists"),
  compressed: true,
  params: z.strictObject({ customerId: ownerParameter }),
  query: containsQuery,
  body: noBody,
  data: containsSchema,
  async handle({ caller, params, query }) {
    const owner = ownerInPath(caller, params.customerId);
    return { data: await findContaining(owner, query.product_id) };
  },
});

const route = resource("/v1/wishlists/{customerId}/contains", [getContaining]);

export const loader = route.loader;
export const action = route.action;
