import { z } from "zod";
import { productStats, productStatsSchema } from "../analytics/index.server.ts";
import { endpoint, noBody, noParameters } from "../http/endpoint.server.ts";
import { bearer } from "../http/v1/policies.server.ts";
import { resource } from "../http/resource.server.ts";
import { productIdSchema } from "../wishlists/index.server.ts";

const getProductStats = endpoint({
  method: "GET",
  operationId: "getProductStats",
  tag: "Analytics",
  summary: "How often a product is saved",
  description: "0 for a product that is in no wishlist, whether or not the shop has the product.",
  access: bearer("read_analytics"),
  compressed: true,
  params: z.strictObject({ productId: productIdSchema }),
  query: noParameters,
  body: noBody,
  data: productStatsSchema,
  async handle({ caller, params }) {
    return { data: await productStats(caller.shopId, params.productId) };
  },
});

const route = resource("/v1/analytics/product/{productId}", [getProductStats]);

export const loader = route.loader;
export const action = route.action;
