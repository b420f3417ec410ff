export { cancelPlan, requestPlan, type BillingSession } from "./charges.server.ts";
export {
  BILLED,
  FEATURES,
  hasFeature,
  type Plan,
  PLANS,
  planSchema,
  plansWith,
  subscribeForm,
  TRIAL_DAYS,
  wantedPlan,
} from "./plans.ts";
export { refreshPlan, requestShopRefresh, shopRefresh } from "./shop-refresh.server.ts";
export { billingOf, frozenPlanWith, openShareLinks } from "./subscription.server.ts";
