import { useLoaderData, type ShouldRevalidateFunctionArgs } from "@remix-run/react";
import { PageError } from "../admin/error-page.tsx";
import { revalidateUnlessFailed, formClientAction } from "../admin/form-request.ts";
import { isDeletion } from "../admin/webhooks/is-deletion.ts";
import { WebhookPage } from "../admin/webhooks/webhook-page.tsx";
import { adminAction, emptyForm, form } from "../http/admin/action.server.ts";
import { adminHeaders, adminLoader, type AdminRequest, notFound } from "../http/admin/loader.server.ts";
import { actorOf } from "../http/admin/session.server.ts";
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

function webhookIdOf({ params }: AdminRequest): string {
  return params["webhookId"] ?? "";
}

/** Wakes the delivery worker for deliveries that were just queued. */
function wakeAfter<Outcome>(request: AdminRequest, outcome: Outcome | Failure): Outcome | Failure {
  if (!(outcome instanceof Failure)) wakeDeliveries({ shopId: request.shop.id, endpointIds: [webhookIdOf(request)] });
  return outcome;
}

/** Records the change in the audit log, in its transaction. */
function recordChange(request: AdminRequest, act: Act): Noted {
  return ({ webhookId, url }, tx) =>
    audit(tx, { ...actorOf(request), act, subject: webhookId, details: { name: new URL(url).host } });
}

export const loader = adminLoader(async (request) => {
  const at = now();
  const filter = logFilter.parse(Object.fromEntries(request.query));
  const details = await watchWebhook(request.shop.id, webhookIdOf(request), filter, at);
  if (details instanceof Failure) throw notFound();
  return { ...details, at, idempotencyKey: request.idempotencyKey };
});

export const action = adminAction({
  test: form(testForm, async (submission, { event }) => {
    const made = await submission.runIdempotently(redeliveredSchema, (tx) =>
      testWebhook(tx, submission.shop.id, webhookIdOf(submission), event),
    );
    return wakeAfter(submission, made);
  }),
  pause: form(emptyForm, (submission) =>
    updateWebhook(
      submission.shop.id,
      webhookIdOf(submission),
      { enabled: false },
      recordChange(submission, "webhook.paused"),
    ),
  ),
  resume: form(emptyForm, (submission) =>
    updateWebhook(
      submission.shop.id,
      webhookIdOf(submission),
      { enabled: true },
      recordChange(submission, "webhook.resumed"),
    ),
  ),
  rotate: form(emptyForm, (submission) =>
    submission.runIdempotently(issuedSecretSchema, (tx) =>
      rotateSecret(submission.shop.id, webhookIdOf(submission), tx, recordChange(submission, "webhook.secret_rotated")),
    ),
  ),
  "redeliver-failed": form(redeliverFailedForm, async (submission, { span }) => {
    const since = new Date(now().getTime() - span);
    const batch = await submission.runIdempotently(batchSchema, (tx) =>
      redeliverFailed(tx, submission.shop.id, webhookIdOf(submission), since),
    );
    return wakeAfter(submission, batch);
  }),
  delete: form(emptyForm, (submission) =>
    deleteWebhook(submission.shop.id, webhookIdOf(submission), recordChange(submission, "webhook.deleted")),
  ),
});

export const clientAction = formClientAction;

export function shouldRevalidate(args: ShouldRevalidateFunctionArgs): boolean {
  return !isDeletion(args.actionResult) && revalidateUnlessFailed(args);
}

export default function Webhook() {
  return <WebhookPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
