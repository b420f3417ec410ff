import type { Prisma } from "@prisma/client";
import { processOutbox } from "../../activity/index.server.ts";
import { audit, type AuditAction } from "../../audit/index.server.ts";
import { now } from "../../platform/clock.server.ts";
import { Failure } from "../../platform/failure.ts";
import { transaction } from "../../platform/database/transaction.server.ts";
import {
  batchSchema,
  isChannel,
  recoverWebhook,
  redeliverFailed,
  redeliverFailedForm,
  updateWebhook,
  type EndpointReference,
  type Webhook,
} from "../../webhooks/index.server.ts";
import { emptyForm, form } from "./action.server.ts";
import type { AdminRequest } from "./loader.server.ts";
import { actorOf } from "./session.server.ts";

const CHANNEL_NAMES = { flow: "Shopify Flow", email: "email" } as const;

/** Writes the audit entry of a change to a webhook or to a channel. */
export function auditWebhook(
  tx: Prisma.TransactionClient,
  request: AdminRequest,
  action: AuditAction,
  { webhookId, url }: Webhook,
): Promise<void> {
  const name = isChannel(webhookId) ? CHANNEL_NAMES[webhookId] : new URL(url).host;
  return audit(tx, { ...actorOf(request), action, subject: webhookId, details: { name } });
}

/** Pauses or resumes an endpoint. */
export async function setEnabled(
  submission: AdminRequest,
  reference: EndpointReference,
  enabled: boolean,
): Promise<Webhook | Failure> {
  const { id } = submission.shop;
  // Earlier events keep the previous configuration.
  await processOutbox(id);
  return transaction(id, async (tx) => {
    const webhook = await updateWebhook(tx, id, reference, { enabled });
    if (webhook instanceof Failure) return webhook;
    await auditWebhook(tx, submission, enabled ? "webhook.resumed" : "webhook.paused", webhook);
    return webhook;
  });
}

/** Returns the forms that end an outage of an endpoint. @param referenceOf the endpoint that the page shows */
export function outageForms(referenceOf: (request: AdminRequest) => EndpointReference) {
  return {
    resume: form(emptyForm, (submission) => setEnabled(submission, referenceOf(submission), true)),
    recover: form(emptyForm, async (submission) => {
      const { id } = submission.shop;
      // Earlier events keep the previous configuration.
      await processOutbox(id);
      return submission.runIdempotently(batchSchema, async (tx) => {
        const outcome = await recoverWebhook(tx, id, referenceOf(submission));
        if (outcome instanceof Failure) return outcome;
        await auditWebhook(tx, submission, "webhook.resumed", outcome.webhook);
        return outcome.redelivered;
      });
    }),
    "redeliver-failed": form(redeliverFailedForm, (submission, { span }) => {
      const since = new Date(now().getTime() - span);
      return submission.runIdempotently(batchSchema, (tx) =>
        redeliverFailed(tx, submission.shop.id, referenceOf(submission), since),
      );
    }),
  };
}
