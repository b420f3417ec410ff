import type { Prisma } from "@prisma/client";
import { useLoaderData, type ShouldRevalidateFunctionArgs } from "@remix-run/react";
import { processOutbox } from "../activity/index.server.ts";
import { PageError } from "../admin/error-page.tsx";
import { revalidateUnlessFailed, formClientAction } from "../admin/form-request.ts";
import { isDeletion } from "../admin/webhooks/is-deletion.ts";
import { WebhookPage } from "../admin/webhooks/webhook-page.tsx";
import { adminAction, emptyForm, form } from "../http/admin/action.server.ts";
import { adminHeaders, adminLoader, type AdminRequest, notFound } from "../http/admin/loader.server.ts";
import { actorOf } from "../http/admin/session.server.ts";
import { now } from "../platform/clock.server.ts";
import { transaction } from "../platform/transaction.server.ts";
import { Failure } from "../platform/failure.ts";
import { audit, type AuditAction } from "../audit/index.server.ts";
import {
  batchSchema,
  deleteWebhook,
  issuedSecretSchema,
  logFilter,
  redeliveredSchema,
  recoverWebhook,
  redeliverFailed,
  redeliverFailedForm,
  rotateSecret,
  testForm,
  testWebhook,
  updateWebhook,
  readWebhook,
  type Webhook,
} from "../webhooks/index.server.ts";

function webhookIdOf({ params }: AdminRequest): string {
  return params["webhookId"] ?? "";
}

/** Writes the audit entry of a change to a webhook. */
function auditWebhook(
  tx: Prisma.TransactionClient,
  request: AdminRequest,
  action: AuditAction,
  webhook: Webhook,
): Promise<void> {
  const { webhookId, url } = webhook;
  return audit(tx, { ...actorOf(request), action, subject: webhookId, details: { name: new URL(url).host } });
}

async function setEnabled(submission: AdminRequest, enabled: boolean): Promise<Webhook | Failure> {
  const { id } = submission.shop;
  // Earlier events keep the previous configuration.
  await processOutbox(id);
  return transaction(id, async (tx) => {
    const webhook = await updateWebhook(tx, id, webhookIdOf(submission), { enabled });
    if (webhook instanceof Failure) return webhook;
    await auditWebhook(tx, submission, enabled ? "webhook.resumed" : "webhook.paused", webhook);
    return webhook;
  });
}

export const loader = adminLoader(async (request) => {
  const at = now();
  const filter = logFilter.parse(Object.fromEntries(request.query));
  const details = await readWebhook(request.shop.id, webhookIdOf(request), filter, at);
  if (details instanceof Failure) throw notFound();
  return { ...details, at, idempotencyKey: request.idempotencyKey };
});

export const action = adminAction({
  test: form(testForm, (submission, { event }) =>
    submission.runIdempotently(redeliveredSchema, (tx) =>
      testWebhook(tx, submission.shop.id, webhookIdOf(submission), event),
    ),
  ),
  pause: form(emptyForm, (submission) => setEnabled(submission, false)),
  resume: form(emptyForm, (submission) => setEnabled(submission, true)),
  recover: form(emptyForm, async (submission) => {
    const { id } = submission.shop;
    // Earlier events keep the previous configuration.
    await processOutbox(id);
    return submission.runIdempotently(batchSchema, async (tx) => {
      const outcome = await recoverWebhook(tx, id, webhookIdOf(submission));
      if (outcome instanceof Failure) return outcome;
      await auditWebhook(tx, submission, "webhook.resumed", outcome.webhook);
      return outcome.redelivered;
    });
  }),
  rotate: form(emptyForm, (submission) =>
    submission.runIdempotently(issuedSecretSchema, async (tx) => {
      const outcome = await rotateSecret(tx, submission.shop.id, webhookIdOf(submission));
      if (outcome instanceof Failure) return outcome;
      await auditWebhook(tx, submission, "webhook.secret_rotated", outcome.webhook);
      return outcome.rotated;
    }),
  ),
  "redeliver-failed": form(redeliverFailedForm, (submission, { span }) => {
    const since = new Date(now().getTime() - span);
    return submission.runIdempotently(batchSchema, (tx) =>
      redeliverFailed(tx, submission.shop.id, webhookIdOf(submission), since),
    );
  }),
  delete: form(emptyForm, (submission) =>
    transaction(submission.shop.id, async (tx) => {
      const deleted = await deleteWebhook(tx, submission.shop.id, webhookIdOf(submission));
      if (deleted instanceof Failure) return deleted;
      await auditWebhook(tx, submission, "webhook.deleted", deleted);
      return { deleted: true };
    }),
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
