export { cancelPlan, requestPlan, type BillingSession } from "./charges.server.ts";
export {
  BILLED,
  FEATURES,
  hasFeature,
  missingPlan,
  type Plan,
  PLANS,
  planSchema,
  plansWith,
  subscribeForm,
  TRIAL_DAYS,
  wantedPlan,
} from "./plans.ts";
export { refreshPlan, requestShopRefresh, shopRefresh } from "./shop-refresh.server.ts";
export { billingOf, openShareLinks, readMissingPlan } from "./subscription.server.ts";
