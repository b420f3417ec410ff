import { useLoaderData } from "@remix-run/react";
import { EmailPage } from "../admin/customer-alerts/email-page.tsx";
import { PageError } from "../admin/error-page.tsx";
import { formClientAction, revalidateUnlessFailed } from "../admin/form-request.ts";
import { readAlertSettings } from "../alerts/index.server.ts";
import { audit } from "../audit/index.server.ts";
import { FEATURES, hasFeature, PLANS, readMissingPlan } from "../billing/index.server.ts";
import { OPTIONAL_SCOPES } from "../shopify-sessions/index.server.ts";
import {
  canSendMail,
  changedEmailSettings,
  emailPreviewForm,
  emailSettingsForm,
  emailTestForm,
  exampleMessage,
  proposeEmailSettings,
  readEmailSettings,
  saveEmailSettings,
  sendTest,
} from "../email/index.server.ts";
import { adminAction, form } from "../http/admin/action.server.ts";
import { adminHeaders, adminLoader } from "../http/admin/loader.server.ts";
import { permissionForm } from "../http/admin/permission.server.ts";
import { actorOf, hasScope } from "../http/admin/session.server.ts";
import { Failure } from "../platform/failure.ts";
import { readStoreMoney } from "../shops/index.server.ts";
import { transaction } from "../platform/database/transaction.server.ts";

export const loader = adminLoader(async (request) => {
  const { shop } = request;
  const [saved, alerts, { moneyFormat }, missingPlan] = await Promise.all([
    readEmailSettings(shop.id),
    readAlertSettings(shop.id),
    readStoreMoney(shop.id),
    readMissingPlan(shop, "alerts"),
  ]);
  const settings = saved ?? (await proposeEmailSettings(shop.domain));
  const { subject, html } = exampleMessage(settings, "price_dropped", "en", moneyFormat);
  return {
    settings,
    alertKinds: alerts.kinds,
    isAvailable: canSendMail(),
    isAllowed: hasScope(request, OPTIONAL_SCOPES.customers),
    missingPlan,
    example: { subject, html },
  };
});

export const action = adminAction({
  save: form(emailSettingsForm, async (submission, settings) => {
    const { shop } = submission;
    if (!hasFeature(shop.plan, "alerts")) {
      return new Failure(
        "plan_required",
        `Alerts need the plan ${PLANS[FEATURES.alerts.from].name}. Nothing was saved.`,
      );
    }
    const before = await readEmailSettings(shop.id);
    return transaction(shop.id, async (tx) => {
      const saved = await saveEmailSettings(tx, shop.id, settings, hasScope(submission, OPTIONAL_SCOPES.customers));
      if (saved instanceof Failure) return saved;
      for (const details of changedEmailSettings(before, saved)) {
        await audit(tx, { ...actorOf(submission), action: "settings.changed", details: { ...details } });
      }
      return saved;
    });
  }),
  preview: form(emailPreviewForm, async ({ shop }, { settings, kind, language }) => {
    const { moneyFormat } = await readStoreMoney(shop.id);
    const { subject, html } = exampleMessage(settings, kind, language, moneyFormat);
    return { subject, html };
  }),
  test: form(emailTestForm, async ({ shop }, fields) => {
    const settings = await readEmailSettings(shop.id);
    if (!settings) return new Failure("invalid_request", "Save the settings first. The test has what is saved.");
    return sendTest(shop.id, settings, fields);
  }),
  permission: permissionForm,
});

export const clientAction = formClientAction;

export const shouldRevalidate = revalidateUnlessFailed;

export default function Email() {
  return <EmailPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
