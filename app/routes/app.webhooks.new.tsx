import { useLoaderData } from "@remix-run/react";
import { PageError } from "../admin/error-page.tsx";
import { keepShown, keepTyped } from "../admin/form.ts";
import { NewWebhookPage } from "../admin/webhooks/new-webhook-page.tsx";
import { adminAction, adminHeaders, adminLoader, form } from "../http/admin.server.ts";
import { createWebhook, issuedSecretSchema, webhookForm } from "../webhooks/index.server.ts";

export const loader = adminLoader(({ submission }) => ({ submission }));

export const action = adminAction({
  create: form(webhookForm, ({ shop, once }, webhook) =>
    once(issuedSecretSchema, (tx) => createWebhook(tx, shop.id, webhook)),
  ),
});

export const clientAction = keepTyped;

export const shouldRevalidate = keepShown;

export default function NewWebhook() {
  return <NewWebhookPage {...useLoaderData<typeof loader>()} />;
}

export const headers = adminHeaders;

export { PageError as ErrorBoundary };
