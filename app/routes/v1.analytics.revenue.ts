import { revenue, revenueQuery, revenueSchema } from "../analytics/index.server.ts";
import { endpoint, noBody, noParameters } from "../http/endpoint.server.ts";
import { bearer } from "../http/v1/policies.server.ts";
import { resource } from "../http/resource.server.ts";

const getRevenue = endpoint({
  method: "GET",
  operationId: "getRevenue",
  tag: "Analytics",
  summary: "Orders and revenue from wishlists",
  description:
    "A line of an order counts when its customer had saved the variant before. Orders of guests can't be attributed, test orders and cancelled orders are excluded, and a refund makes the figures of the order's day smaller. Requires that the merchant has granted `read_orders` on the Analytics page; until then, all figures are 0 and `countedSince` is null.",
  access: bearer("read_analytics"),
  compressed: true,
  params: noParameters,
  query: revenueQuery,
  body: noBody,
  data: revenueSchema,
  async handle({ caller, query }) {
    return { data: await revenue(caller.shopId, query) };
  },
});

const route = resource("/v1/analytics/revenue", [getRevenue]);

export const loader = route.loader;
export const action = route.action;
