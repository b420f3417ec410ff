import { useLoaderData } from "@remix-run/react";
import { AlertsPage } from "../admin/customer-alerts/alerts-page.tsx";
import type { SoldOut } from "../admin/customer-alerts/offer-card.tsx";
import { PageError } from "../admin/error-page.tsx";
import { formClientAction, revalidateUnlessFailed } from "../admin/form-request.ts";
import {
  alertResults,
  alertSettingsForm,
  changedAlertSettings,
  consentResults,
  readAlertSettings,
  saveAlertSettings,
  wakeAlerts,
} from "../alerts/index.server.ts";
import { outOfStock } from "../analytics/index.server.ts";
import { audit } from "../audit/index.server.ts";
import { FEATURES, hasFeature, PLANS, readMissingPlan } from "../billing/index.server.ts";
import { canSendMail } from "../email/index.server.ts";
import { adminAction, form } from "../http/admin/action.server.ts";
import { adminHeaders, adminLoader, readPartOf, type AdminRequest } from "../http/admin/loader.server.ts";
import { permissionForm, withheldEmailKinds, withheldFlowEvents } from "../http/admin/permission.server.ts";
import { actorOf, hasScope } from "../http/admin/session.server.ts";
import { Failure } from "../platform/failure.ts";
import { transaction } from "../platform/database/transaction.server.ts";
import { exampleBody, readReceivedAlertKinds } from "../webhooks/index.server.ts";
import { countSavers } from "../wishlists/index.server.ts";
import { OPTIONAL_SCOPES } from "../shopify-sessions/index.server.ts";

function payload(event: Parameters<typeof exampleBody>[0]): string {
  return JSON.stringify(exampleBody(event), undefined, 2);
}

/** Variants in the offer of the plan. */
const OFFERED_VARIANTS = 3;

/** Reads what became of alerts, and who asks for them. */
async function readResults(shopId: number) {
  const [results, consents] = await Promise.all([alertResults(shopId), consentResults(shopId)]);
  return { results, consents };
}

/** Reads the ways by which alerts reach customers, and the events that Shopify Flow refuses. */
async function readChannels(request: AdminRequest) {
  const [received, withheld, withheldEmails] = await Promise.all([
    readReceivedAlertKinds(request.shop.id),
    withheldFlowEvents(request),
    withheldEmailKinds(request),
  ]);
  const email = { kinds: received.email, isAvailable: canSendMail(), withheld: withheldEmails };
  return { ways: { ...received, email }, withheld };
}

/** Returns the most saved variants that are sold out, and who saved them. */
async function readSoldOut(shopId: number): Promise<SoldOut[]> {
  const { variants } = await outOfStock(shopId, OFFERED_VARIANTS);
  return Promise.all(
    variants.map(async ({ productId, productTitle, imageUrl, variantId, title }) => ({
      ...(await countSavers(shopId, { productId, variantId })),
      ...{ productTitle, imageUrl, variantId, title },
    })),
  );
}

export const loader = adminLoader(async (request) => {
  const { shop } = request;
  // Without the parts that can't be read, the settings can still be changed.
  const [settings, outcome, channels, soldOut, missingPlan] = await Promise.all([
    readAlertSettings(shop.id),
    readPartOf(request, readResults(shop.id)),
    readPartOf(request, readChannels(request)),
    hasFeature(shop.plan, "alerts") ? [] : readPartOf(request, readSoldOut(shop.id)),
    readMissingPlan(shop, "alerts"),
  ]);
  return {
    settings,
    outcome,
    channels,
    currency: shop.currency,
    readsOrders: hasScope(request, OPTIONAL_SCOPES.orders),
    soldOut: soldOut ?? [],
    missingPlan,
    timeZone: shop.timeZone,
    payloads: {
      price_dropped: payload("wishlist.alert.price_dropped"),
      back_in_stock: payload("wishlist.alert.back_in_stock"),
      low_stock: payload("wishlist.alert.low_stock"),
      reminder_due: payload("wishlist.alert.reminder_due"),
    },
  };
});

export const action = adminAction({
  save: form(alertSettingsForm, async (submission, { version, ...change }) => {
    const { shop } = submission;
    if (!hasFeature(shop.plan, "alerts")) {
      const { name } = PLANS[FEATURES.alerts.from];
      return new Failure("plan_required", `Alerts require the ${name} plan. Choose it on the Plan page.`, {
        details: { requiredPlan: FEATURES.alerts.from },
      });
    }
    // A save with the version of other settings than these fails, so the audit log gets the right differences.
    const before = await readAlertSettings(shop.id);
    const saved = await transaction(shop.id, async (tx) => {
      const settings = await saveAlertSettings(tx, shop.id, change, version);
      if (settings instanceof Failure) return settings;
      for (const details of changedAlertSettings(before, settings)) {
        await audit(tx, { ...actorOf(submission), action: "settings.changed", details: { ...details } });
      }
      return settings;
    });
    if (!(saved instanceof Failure)) wakeAlerts(shop.id);
    return saved;
  }),
  permission: permissionForm,
});

export const clientAction = formClientAction;

export const shouldRevalidate = revalidateUnlessFailed;

export default function Alerts() {
  return <AlertsPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
