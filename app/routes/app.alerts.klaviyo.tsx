import { useLoaderData } from "@remix-run/react";
import { processOutbox } from "../activity/index.server.ts";
import { KlaviyoPage } from "../admin/customer-alerts/klaviyo-page.tsx";
import { PageError } from "../admin/error-page.tsx";
import { formClientAction, revalidateUnlessFailed } from "../admin/form-request.ts";
import { audit } from "../audit/index.server.ts";
import { readMissingPlan } from "../billing/index.server.ts";
import { OPTIONAL_SCOPES } from "../shopify-sessions/index.server.ts";
import { adminAction, emptyForm, form } from "../http/admin/action.server.ts";
import { adminHeaders, adminLoader } from "../http/admin/loader.server.ts";
import { permissionForm } from "../http/admin/permission.server.ts";
import { actorOf, hasScope } from "../http/admin/session.server.ts";
import {
  checkKlaviyoKey,
  connectKlaviyo,
  disconnectKlaviyo,
  klaviyoConnectForm,
  klaviyoEventsForm,
  klaviyoTestForm,
  readKlaviyoConnection,
  saveKlaviyoEvents,
} from "../klaviyo/index.server.ts";
import { now } from "../platform/clock.server.ts";
import { Failure } from "../platform/failure.ts";
import { transaction } from "../platform/database/transaction.server.ts";
import { KLAVIYO, logFilter, readWebhook, redeliveredSchema, testWebhook } from "../webhooks/index.server.ts";

export const loader = adminLoader(async (request) => {
  const { shop, idempotencyKey } = request;
  const at = now();
  const details = await readWebhook(shop.id, KLAVIYO, logFilter.parse({}), at);
  // After the channel: a refused key turns it off, which ends the page's polling, so the page must not learn of that before the refusal.
  const connection = await readKlaviyoConnection(shop.id);
  // Nothing has been connected yet.
  const channel = details instanceof Failure ? undefined : details;
  return {
    connection,
    webhook: channel?.webhook,
    lastTest: channel?.lastTest,
    isAllowed: hasScope(request, OPTIONAL_SCOPES.customers),
    missingPlan: await readMissingPlan(shop, "alerts"),
    at,
    idempotencyKey,
  };
});

export const action = adminAction({
  connect: form(klaviyoConnectForm, async (submission, { key }) => {
    const { shop } = submission;
    const account = await checkKlaviyoKey(key);
    if (account instanceof Failure) return account;
    const before = await readKlaviyoConnection(shop.id);
    // Earlier events keep the previous configuration.
    await processOutbox(shop.id);
    return transaction(shop.id, async (tx) => {
      await connectKlaviyo(tx, shop.id, key, account);
      const details = { name: "the Klaviyo account", from: before?.accountName ?? "none", to: account.name };
      await audit(tx, { ...actorOf(submission), action: "settings.changed", details });
      const test = await testWebhook(tx, shop.id, KLAVIYO, undefined);
      return test instanceof Failure ? test : { accountName: account.name };
    });
  }),
  disconnect: form(emptyForm, async (submission) => {
    const { shop } = submission;
    const before = await readKlaviyoConnection(shop.id);
    if (!before) return { disconnected: true };
    await processOutbox(shop.id);
    return transaction(shop.id, async (tx) => {
      await disconnectKlaviyo(tx, shop.id);
      const details = { name: "the Klaviyo account", from: before.accountName, to: "none" };
      await audit(tx, { ...actorOf(submission), action: "settings.changed", details });
      return { disconnected: true };
    });
  }),
  save: form(klaviyoEventsForm, async (submission, { events }) => {
    const { shop } = submission;
    await processOutbox(shop.id);
    return transaction(shop.id, async (tx) => {
      const saved = await saveKlaviyoEvents(tx, shop.id, events);
      if (saved instanceof Failure) return saved;
      const details = { name: "the events for Klaviyo", from: `${saved.before}`, to: `${saved.events.length}` };
      await audit(tx, { ...actorOf(submission), action: "settings.changed", details });
      return { events: saved.events };
    });
  }),
  test: form(klaviyoTestForm, (submission, { event }) =>
    submission.runIdempotently(redeliveredSchema, (tx) => testWebhook(tx, submission.shop.id, KLAVIYO, event)),
  ),
  permission: permissionForm,
});

export const clientAction = formClientAction;

export const shouldRevalidate = revalidateUnlessFailed;

export default function Klaviyo() {
  return <KlaviyoPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
