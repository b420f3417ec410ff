export { cancelPlan, requestPlan, type BillingSession } from "./charges.server.ts";
export { subscribeForm, wantedPlan } from "./plan-forms.ts";
export {
  BILLED,
  FEATURES,
  hasFeature,
  missingPlan,
  PLANS,
  plansWith,
  planSchema,
  TRIAL_DAYS,
  type Plan,
} from "./plans.ts";
export { refreshPlan, requestShopRefresh, shopRefresh } from "./shop-refresh.server.ts";
export { billingOf, openShareLinks, readMissingPlan } from "./subscription.server.ts";
