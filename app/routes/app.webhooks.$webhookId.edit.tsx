import { useLoaderData } from "@remix-run/react";
import { processOutbox } from "../activity/index.server.ts";
import { PageError } from "../admin/error-page.tsx";
import { revalidateUnlessFailed, formClientAction } from "../admin/form-request.ts";
import { EditWebhookPage } from "../admin/webhooks/edit-webhook-page.tsx";
import { adminAction, form } from "../http/admin/action.server.ts";
import { adminHeaders, adminLoader, type AdminRequest, notFound } from "../http/admin/loader.server.ts";
import { actorOf } from "../http/admin/session.server.ts";
import { transaction } from "../platform/database/transaction.server.ts";
import { Failure } from "../platform/failure.ts";
import { audit } from "../audit/index.server.ts";
import { getWebhook, updateWebhook, webhookForm } from "../webhooks/index.server.ts";

function webhookIdOf({ params }: AdminRequest): string {
  return params["webhookId"] ?? "";
}

export const loader = adminLoader(async (request) => {
  const webhook = await getWebhook(request.shop.id, webhookIdOf(request));
  if (webhook instanceof Failure) throw notFound();
  return { webhook };
});

export const action = adminAction({
  save: form(webhookForm, async (submission, change) => {
    const { id } = submission.shop;
    // Earlier events keep the previous configuration.
    await processOutbox(id);
    return transaction(id, async (tx) => {
      const webhook = await updateWebhook(tx, id, webhookIdOf(submission), change);
      if (webhook instanceof Failure) return webhook;
      const { webhookId, url } = webhook;
      const details = { name: new URL(url).host };
      await audit(tx, { ...actorOf(submission), action: "webhook.changed", subject: webhookId, details });
      return webhook;
    });
  }),
});

export const clientAction = formClientAction;

export const shouldRevalidate = revalidateUnlessFailed;

export default function EditWebhook() {
  return <EditWebhookPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
