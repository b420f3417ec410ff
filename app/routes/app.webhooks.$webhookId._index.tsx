import { useLoaderData, type ShouldRevalidateFunctionArgs } from "@remix-run/react";
import { PageError } from "../admin/error-page.tsx";
import { revalidateUnlessFailed, formClientAction } from "../admin/form-request.ts";
import { isDeletion } from "../admin/webhooks/is-deletion.ts";
import { WebhookPage } from "../admin/webhooks/webhook-page.tsx";
import { adminAction, emptyForm, form } from "../http/admin/action.server.ts";
import { adminHeaders, adminLoader, type AdminRequest, notFound } from "../http/admin/loader.server.ts";
import { auditWebhook, outageForms, setEnabled } from "../http/admin/webhook-forms.server.ts";
import { now } from "../platform/clock.server.ts";
import { transaction } from "../platform/database/transaction.server.ts";
import { Failure } from "../platform/failure.ts";
import {
  deleteWebhook,
  issuedSecretSchema,
  logFilter,
  redeliveredSchema,
  rotateSecret,
  testForm,
  testWebhook,
  readWebhook,
} from "../webhooks/index.server.ts";

function webhookIdOf({ params }: AdminRequest): string {
  return params["webhookId"] ?? "";
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
  ...outageForms(webhookIdOf),
  pause: form(emptyForm, (submission) => setEnabled(submission, webhookIdOf(submission), false)),
  rotate: form(emptyForm, (submission) =>
    submission.runIdempotently(issuedSecretSchema, async (tx) => {
      const outcome = await rotateSecret(tx, submission.shop.id, webhookIdOf(submission));
      if (outcome instanceof Failure) return outcome;
      await auditWebhook(tx, submission, "webhook.secret_rotated", outcome.webhook);
      return outcome.rotated;
    }),
  ),
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
