import { useLoaderData } from "@remix-run/react";
import { processOutbox } from "../activity/index.server.ts";
import { PageError } from "../admin/error-page.tsx";
import { revalidateUnlessFailed, formClientAction } from "../admin/form-request.ts";
import { NewWebhookPage } from "../admin/webhooks/new-webhook-page.tsx";
import { adminAction, form } from "../http/admin/action.server.ts";
import { adminHeaders, adminLoader } from "../http/admin/loader.server.ts";
import { actorOf } from "../http/admin/session.server.ts";
import { Failure } from "../platform/failure.ts";
import { audit } from "../audit/index.server.ts";
import { createWebhook, EVENTS, issuedSecretSchema, webhookForm } from "../webhooks/index.server.ts";

export const loader = adminLoader(({ idempotencyKey, query }) => {
  // Another page may select events in the address. Unknown ones are ignored.
  const selected = query.getAll("event");
  return { idempotencyKey, events: EVENTS.filter((event) => selected.includes(event)) };
});

export const action = adminAction({
  create: form(webhookForm, async (submission, webhook) => {
    // Events of earlier requests must not reach the new webhook.
    await processOutbox(submission.shop.id);
    return submission.runIdempotently(issuedSecretSchema, async (tx) => {
      const created = await createWebhook(tx, submission.shop.id, webhook);
      if (created instanceof Failure) return created;
      const details = { name: new URL(created.url).host };
      await audit(tx, { ...actorOf(submission), action: "webhook.created", subject: created.webhookId, details });
      return created;
    });
  }),
});

export const clientAction = formClientAction;

export const shouldRevalidate = revalidateUnlessFailed;

export default function NewWebhook() {
  return <NewWebhookPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
