import { useLoaderData } from "@remix-run/react";
import { PageError } from "../admin/error-page.tsx";
import { revalidateUnlessFailed, formClientAction } from "../admin/form-request.ts";
import { PlanPage } from "../admin/plan/plan-page.tsx";
import { consentCounts, readAlertSettings } from "../alerts/index.server.ts";
import { adminAction, emptyForm, form } from "../http/admin/action.server.ts";
import { adminHeaders, adminLoader, type AdminRequest } from "../http/admin/loader.server.ts";
import { adminUrl } from "../http/admin/session.server.ts";
import {
  billingOf,
  cancelPlan,
  FEATURES,
  hasFeature,
  openShareLinks,
  PLANS,
  planSchema,
  refreshPlan,
  requestPlan,
  subscribeForm,
  wantedPlan,
  type BillingSession,
} from "../billing/index.server.ts";

const OFFERED_PLANS = planSchema.options.map((plan) => ({
  plan,
  ...PLANS[plan],
  features: Object.values(FEATURES).filter(({ from }) => from === plan),
}));

function billingSession({ shop, staff, shopify: { billing } }: AdminRequest): BillingSession {
  return { shop, staff, billing };
}

/** Returns the alerts that stop with a downgrade, and the customers who asked for them. */
async function readAlerts(shopId: number) {
  const [{ kinds, mode }, consented] = await Promise.all([readAlertSettings(shopId), consentCounts(shopId)]);
  return { kinds, mode, consented };
}

export const loader = adminLoader(async ({ shop, staff, query }) => {
  const wanted = wantedPlan.parse(query.get("wanted") ?? undefined);
  // After Shopify's approval page, read the plan from Shopify instead of waiting for its webhook or trusting the URL.
  const approval = wanted && { wanted, plan: await refreshPlan(shop.id, staff) };
  const plan = approval?.plan ?? shop.plan;
  const sharing = hasFeature(plan, "sharing");
  const [billing, openLinks, alerts] = await Promise.all([
    billingOf(shop.id),
    sharing ? openShareLinks(shop.id) : 0,
    hasFeature(plan, "alerts") ? readAlerts(shop.id) : undefined,
  ]);
  return { plan, billing, openLinks, alerts, approval, offered: OFFERED_PLANS, currency: shop.currency };
});

export const action = adminAction({
  subscribe: form(subscribeForm, (submission, { plan }) =>
    requestPlan(billingSession(submission), plan, adminUrl(submission.shop, `/app/plan?wanted=${plan}`)),
  ),
  cancel: form(emptyForm, (submission) => cancelPlan(billingSession(submission))),
});

export const clientAction = formClientAction;

export const shouldRevalidate = revalidateUnlessFailed;

export default function Plan() {
  return <PlanPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
