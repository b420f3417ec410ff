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

const REPORT = { tag: "Analytics", access: bearer("read_analytics"), compressed: true, body: noBody } as const;

export const getOverview = endpoint({
  ...REPORT,
  operationId: "getAnalyticsOverview",
  sdkMethod: "analytics.overview",
  summary: "Totals of the last days",
  description:
    "Activity of shoppers, including guests. Changes by staff, imports and privacy requests are excluded. Includes every change whose request has completed.",
  params: noParameters,
  query: daysQuery,
  data: overviewSchema,
  handle: async ({ caller, query }) => ({ data: await overview(caller.shopId, query.days) }),
});

export const getTopProducts = endpoint({
  ...REPORT,
  operationId: "getTopProducts",
  sdkMethod: "analytics.topProducts",
  summary: "Most saved products",
  description: "Sorted by the number of wishlist items that currently contain the product, then by product id.",
  params: noParameters,
  query: topProductsQuery,
  data: topProductsSchema,
  handle: async ({ caller, query }) => ({ data: await topProducts(caller.shopId, query.limit) }),
});

export const getProductStats = endpoint({
  ...REPORT,
  operationId: "getProductStats",
  sdkMethod: "analytics.product",
  summary: "How often a product is saved",
  description: "0 for a product that is in no wishlist, whether or not the shop has the product.",
  params: z.strictObject({ productId: productIdSchema }),
  query: noParameters,
  data: productStatsSchema,
  handle: async ({ caller, params }) => ({ data: await productStats(caller.shopId, params.productId) }),
});

export const getDaily = endpoint({
  ...REPORT,
  operationId: "getDailyBreakdown",
  sdkMethod: "analytics.daily",
  summary: "Daily figures",
  description:
    "One entry for each day, including days without activity. A change counts on the calendar day of the shop's time zone at the time of the change.",
  params: noParameters,
  query: daysQuery,
  data: dailySchema,
  handle: async ({ caller, query }) => ({ data: await daily(caller.shopId, query.days) }),
});

export const getRevenue = endpoint({
  ...REPORT,
  operationId: "getRevenue",
  sdkMethod: "analytics.revenue",
  summary: "Orders and revenue from wishlists",
  description:
    "A line of an order counts when its customer had saved the variant before. Orders of guests can't be attributed, test orders and cancelled orders are excluded, and a refund makes the figures of the order's day smaller. Requires that the merchant has granted `read_orders` on the Analytics page; until then, all figures are 0 and `countedSince` is null.",
  params: noParameters,
  query: revenueQuery,
  data: revenueSchema,
  handle: async ({ caller, query }) => ({ data: await revenue(caller.shopId, query) }),
});
