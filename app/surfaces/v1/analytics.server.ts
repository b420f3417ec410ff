import { z } from "zod";
import {
  daysQuery,
  overview,
  overviewSchema,
  topProducts,
  topProductsQuery,
  topProductsSchema,
  productStats,
  productStatsSchema,
  daily,
  dailySchema,
  revenue,
  revenueQuery,
  revenueSchema,
} from "../../analytics/index.server.ts";
import { endpoint, noBody, noParameters } from "../../http/endpoint.server.ts";
import { bearer } from "../../http/v1/policies.server.ts";
import { productIdSchema } from "../../wishlists/index.server.ts";

export const getOverview = endpoint({
  operationId: "getAnalyticsOverview",
  sdkMethod: "analytics.overview",
  tag: "Analytics",
  summary: "Totals of the last days",
  description:
    "Activity of shoppers, including guests. Changes by staff, imports and privacy requests are excluded. Includes every change whose request has completed.",
  access: bearer("read_analytics"),
  compressed: true,
  params: noParameters,
  query: daysQuery,
  body: noBody,
  data: overviewSchema,
  async handle({ caller, query }) {
    return { data: await overview(caller.shopId, query.days) };
  },
});

export const getTopProducts = endpoint({
  operationId: "getTopProducts",
  sdkMethod: "analytics.topProducts",
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

export const getProductStats = endpoint({
  operationId: "getProductStats",
  sdkMethod: "analytics.product",
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

export const getDaily = endpoint({
  operationId: "getDailyBreakdown",
  sdkMethod: "analytics.daily",
  tag: "Analytics",
  summary: "Daily figures",
  description:
    "One entry for each day, including days without activity. A change counts on the calendar day of the shop's time zone at the time of the change.",
  access: bearer("read_analytics"),
  compressed: true,
  params: noParameters,
  query: daysQuery,
  body: noBody,
  data: dailySchema,
  async handle({ caller, query }) {
    return { data: await daily(caller.shopId, query.days) };
  },
});

export const getRevenue = endpoint({
  operationId: "getRevenue",
  sdkMethod: "analytics.revenue",
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
