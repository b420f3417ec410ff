export { keepPeriodStats } from "./nightly.server.ts";
export { daily, overview, productStats, topProducts } from "./reports.server.ts";
export {
  dailySchema,
  daysQuery,
  overviewSchema,
  productStatsSchema,
  topProductsQuery,
  topProductsSchema,
} from "./schemas.ts";
