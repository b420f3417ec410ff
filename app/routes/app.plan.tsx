import { useLoaderData } from "@remix-run/react";
import { emptyForm } from "../access/index.server.ts";
import { PageError } from "../admin/error-page.tsx";
import { keepShown, keepTyped } from "../admin/form.ts";
import { PlanPage } from "../admin/plan/plan-page.tsx";
import { adminAction, adminHeaders, adminLoader, adminUrl, form, type Visit } from "../http/admin/admin.server.ts";
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

/** The plans as the page shows them. */
const OFFERED = planSchema.options.map((plan) => ({
  plan,
  ...PLANS[plan],
  features: Object.values(FEATURES).filter(({ from }) => from === plan),
}));

function billingSession({ shop, staff, shopify: { billing } }: Visit): BillingSession {
  return { shop, staff, billing };
}

export const loader = adminLoader(async ({ shop, staff, query }) => {
  const wanted = wantedPlan.parse(query.get("wanted") ?? undefined);
  // Who comes back from Shopify need not wait until its webhook has come, too. What the address says is not believed.
  const asked = wanted && { wanted, plan: await refreshPlan(shop.id, staff) };
  const plan = asked?.plan ?? shop.plan;
  const sharing = hasFeature(plan, "sharing");
  const [billing, openLinks] = await Promise.all([billingOf(shop.id), sharing ? openShareLinks(shop.id) : 0]);
  return { plan, billing, openLinks, returned: asked, offered: OFFERED };
});

export const action = adminAction({
  subscribe: form(subscribeForm, (sent, { plan }) =>
    requestPlan(billingSession(sent), plan, adminUrl(sent.shop, `/app/plan?wanted=${plan}`)),
  ),
  cancel: form(emptyForm, (sent) => cancelPlan(billingSession(sent))),
});

export const clientAction = keepTyped;

export const shouldRevalidate = keepShown;

export default function Plan() {
  return <PlanPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
