export { connectAdminApi, type AdminClient } from "./admin-api.server.ts";
export { audit, AUDIT_DAYS, auditQuery, dropAudit, listAudit, staffInAudit } from "./audit.server.ts";
export type { AuditEntry, Staff } from "./audit-acts.ts";
export { billingOf, openShareLinks } from "./billing.server.ts";
export { catalog, findVariant, resolveHandles } from "./catalog.server.ts";
export { catalogSync } from "./catalog-sync.server.ts";
export { eraseCustomer, eraseShop } from "./erasure.server.ts";
export { setupState, showSetup } from "./setup.server.ts";
export { refreshPlan, shopAuthorized, shopRefresh } from "./installation.server.ts";
export { describeProducts, type MirroredProduct } from "./mirror.server.ts";
export { BILLED, FEATURES, hasFeature, PLANS, planSchema, TRIAL_DAYS, type BilledPlan, type Plan } from "./plans.ts";
export { subscribeForm, wantedPlan } from "./plan-forms.ts";
export { privacyTask, readRecord, tendPrivacyRequests } from "./privacy.server.ts";
export {
  createShop,
  findShop,
  listShops,
  setPlan,
  shopDomainSchema,
  timeZoneSchema,
  type Shop,
} from "./shops.server.ts";
export { forgetSessions } from "./sessions.server.ts";
export { productRefresh } from "./product-refresh.server.ts";
export { storeEvent, takeStoreEvent, type Topic } from "./store-events.server.ts";
