import { useLoaderData } from "@remix-run/react";
import { PageError } from "../admin/error-page.tsx";
import { revalidateUnlessFailed, formClientAction } from "../admin/form-request.ts";
import { EditWebhookPage } from "../admin/webhooks/edit-webhook-page.tsx";
import { adminAction, form } from "../http/admin/action.server.ts";
import { adminHeaders, adminLoader, type AdminRequest, notFound } from "../http/admin/loader.server.ts";
import { actorOf } from "../http/admin/session.server.ts";
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
  save: form(webhookForm, (submission, change) =>
    updateWebhook(submission.shop.id, webhookIdOf(submission), change, ({ webhookId, url }, tx) =>
      audit(tx, {
        ...actorOf(submission),
        act: "webhook.changed",
        subject: webhookId,
        details: { name: new URL(url).host },
      }),
    ),
  ),
});

export const clientAction = formClientAction;

export const shouldRevalidate = revalidateUnlessFailed;

export default function EditWebhook() {
  return <EditWebhookPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
