import { topProducts, topProductsQuery, topProductsSchema } from "../analytics/index.server.ts";
import { endpoint, noBody, noParameters } from "../http/endpoint.server.ts";
import { bearer } from "../http/v1/policies.server.ts";
import { resource } from "../http/resource.server.ts";

const getTopProducts = endpoint({
  method: "GET",
  operationId: "getTopProducts",
  tag: "Analytics",
  summary: "The products saved most",
  description: "By how many wishlists' items they are now, whoever saved them; of equals the lower id first.",
  access: bearer("read_analytics"),
  compressed: true,
  params: noParameters,
  query: topProductsQuery,
  body: noBody,
  data: topProductsSchema,
  async handle({ caller, query }) {
    return { data: await topProducts(caller.shopId, query.limit) };
  },
});

const route = resource("/v1/analytics/top-products", [getTopProducts]);

export const loader = route.loader;
export const action = route.action;
