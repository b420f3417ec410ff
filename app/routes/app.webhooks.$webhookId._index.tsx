import { useLoaderData, type ShouldRevalidateFunctionArgs } from "@remix-run/react";
import { emptyForm } from "../access/index.server.ts";
import { PageError } from "../admin/error-page.tsx";
import { keepShown, keepTyped } from "../admin/form.ts";
import { isDeletion } from "../admin/webhooks/deleted.ts";
import { WebhookPage } from "../admin/webhooks/webhook-page.tsx";
import {
  adminAction,
  adminHeaders,
  adminLoader,
  form,
  notFound,
  whose,
  type Visit,
} from "../http/admin/admin.server.ts";
import { now } from "../platform/clock.server.ts";
import { Failure } from "../platform/failure.ts";
import { audit, type Act } from "../audit/index.server.ts";
import {
  batchSchema,
  deleteWebhook,
  issuedSecretSchema,
  logFilter,
  redeliveredSchema,
  redeliverFailed,
  redeliverFailedForm,
  rotateSecret,
  testForm,
  testWebhook,
  updateWebhook,
  wakeDeliveries,
  watchWebhook,
  type Noted,
} from "../webhooks/index.server.ts";

function webhookIdOf({ params }: Visit): string {
  return params["webhookId"] ?? "";
}

/** What was queued goes out now, if it may. */
function queued<Outcome>(visit: Visit, outcome: Outcome | Failure): Outcome | Failure {
  if (!(outcome instanceof Failure)) wakeDeliveries({ shopId: visit.shop.id, endpointIds: [webhookIdOf(visit)] });
  return outcome;
}

/** For the list of what staff changed. */
function noted(visit: Visit, act: Act): Noted {
  return ({ webhookId, url }, tx) =>
    audit(tx, { ...whose(visit), act, subject: webhookId, details: { name: new URL(url).host } });
}

export const loader = adminLoader(async (visit) => {
  const at = now();
  const filter = logFilter.parse(Object.fromEntries(visit.query));
  const details = await watchWebhook(visit.shop.id, webhookIdOf(visit), filter, at);
  if (details instanceof Failure) throw notFound();
  return { ...details, at, submission: visit.submission };
});

export const action = adminAction({
  test: form(testForm, async (sent, { event }) => {
    const made = await sent.once(redeliveredSchema, (tx) => testWebhook(tx, sent.shop.id, webhookIdOf(sent), event));
    return queued(sent, made);
  }),
  pause: form(emptyForm, (sent) =>
    updateWebhook(sent.shop.id, webhookIdOf(sent), { enabled: false }, noted(sent, "webhook.paused")),
  ),
  resume: form(emptyForm, (sent) =>
    updateWebhook(sent.shop.id, webhookIdOf(sent), { enabled: true }, noted(sent, "webhook.resumed")),
  ),
  rotate: form(emptyForm, (sent) =>
    sent.once(issuedSecretSchema, (tx) =>
      rotateSecret(sent.shop.id, webhookIdOf(sent), tx, noted(sent, "webhook.secret_rotated")),
    ),
  ),
  "redeliver-failed": form(redeliverFailedForm, async (sent, { span }) => {
    const since = new Date(now().getTime() - span);
    const batch = await sent.once(batchSchema, (tx) => redeliverFailed(tx, sent.shop.id, webhookIdOf(sent), since));
    return queued(sent, batch);
  }),
  delete: form(emptyForm, (sent) => deleteWebhook(sent.shop.id, webhookIdOf(sent), noted(sent, "webhook.deleted"))),
});

export const clientAction = keepTyped;

export function shouldRevalidate(given: ShouldRevalidateFunctionArgs): boolean {
  return !isDeletion(given.actionResult) && keepShown(given);
}

export default function Webhook() {
  return <WebhookPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
