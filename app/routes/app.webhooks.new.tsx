import { useLoaderData } from "@remix-run/react";
import { processOutbox } from "../activity/index.server.ts";
import { PageError } from "../admin/error-page.tsx";
import { keepShown, keepTyped } from "../admin/form.ts";
import { NewWebhookPage } from "../admin/webhooks/new-webhook-page.tsx";
import { adminAction, adminHeaders, adminLoader, form, whose } from "../http/admin/admin.server.ts";
import { Failure } from "../platform/failure.ts";
import { audit } from "../audit/index.server.ts";
import { createWebhook, issuedSecretSchema, webhookForm } from "../webhooks/index.server.ts";

export const loader = adminLoader(({ submission }) => ({ submission }));

export const action = adminAction({
  create: form(webhookForm, async (sent, webhook) => {
    // What was answered before is not for it.
    await processOutbox(sent.shop.id);
    return sent.once(issuedSecretSchema, async (tx) => {
      const made = await createWebhook(tx, sent.shop.id, webhook);
      if (made instanceof Failure) return made;
      const details = { name: new URL(made.url).host };
      await audit(tx, { ...whose(sent), act: "webhook.created", subject: made.webhookId, details });
      return made;
    });
  }),
});

export const clientAction = keepTyped;

export const shouldRevalidate = keepShown;

export default function NewWebhook() {
  return <NewWebhookPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
