export { dashboard } from "./dashboard.server.ts";
export { demandCsv } from "./demand-csv.server.ts";
export { exportTable, LISTED } from "./exports.server.ts";
export { homeFigures } from "./home.server.ts";
export { recordPeriodStats } from "./period-stats.server.ts";
export { spanOf } from "./periods.ts";
export { rangeOf } from "./range.server.ts";
export { productCustomersCsv } from "./product-customers-csv.server.ts";
export { productIdIn } from "./product-path.ts";
export { findProduct, outOfStock, productFindings, rankedProducts } from "./products.server.ts";
export { daily, overview, productStats, topProducts } from "./reports.server.ts";
export { revenue } from "./revenue.server.ts";
export {
  dailySchema,
  daysQuery,
  overviewSchema,
  productStatsSchema,
  revenueQuery,
  revenueSchema,
  topProductsQuery,
  topProductsSchema,
} from "./schemas.ts";
