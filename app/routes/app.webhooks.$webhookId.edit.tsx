import { useLoaderData } from "@remix-run/react";
import { PageError } from "../admin/error-page.tsx";
import { keepShown, keepTyped } from "../admin/form.ts";
import { EditWebhookPage } from "../admin/webhooks/edit-webhook-page.tsx";
import {
  adminAction,
  adminHeaders,
  adminLoader,
  form,
  notFound,
  whose,
  type Visit,
} from "../http/admin/admin.server.ts";
import { Failure } from "../platform/failure.ts";
import { audit } from "../audit/index.server.ts";
import { getWebhook, updateWebhook, webhookForm } from "../webhooks/index.server.ts";

function webhookIdOf({ params }: Visit): string {
  return params["webhookId"] ?? "";
}

export const loader = adminLoader(async (visit) => {
  const webhook = await getWebhook(visit.shop.id, webhookIdOf(visit));
  if (webhook instanceof Failure) throw notFound();
  return { webhook };
});

export const action = adminAction({
  save: form(webhookForm, (sent, change) =>
    updateWebhook(sent.shop.id, webhookIdOf(sent), change, ({ webhookId, url }, tx) =>
      audit(tx, { ...whose(sent), act: "webhook.changed", subject: webhookId, details: { name: new URL(url).host } }),
    ),
  ),
});

export const clientAction = keepTyped;

export const shouldRevalidate = keepShown;

export default function EditWebhook() {
  return <EditWebhookPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
