import { topProducts, topProductsQuery, topProductsSchema } from "../analytics/index.server.ts";
import { endpoint, noBody, noParameters } from "../http/endpoint.server.ts";
import { bearer } from "../http/v1/policies.server.ts";
import { resource } from "../http/resource.server.ts";

const getTopProducts = endpoint({
  method: "GET",
  operationId: "getTopProducts",
  tag: "Analytics",
  summary: "Most saved products",
  description: "Sorted by the number of wishlist items that currently contain the product, then by product id.",
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
