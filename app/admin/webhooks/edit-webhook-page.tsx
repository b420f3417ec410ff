import { useCallback } from "react";
import type { MerchantWebhook } from "../../webhooks/subscriptions/views.ts";
import { AdminPage } from "../admin-page.tsx";
import { useForm } from "../use-form.ts";
import type { OpenPage } from "../use-result-page.ts";
import { webhookPath, wordsOf } from "./webhook-data.ts";
import { WebhookForm } from "./webhook-form.tsx";

/** Edits a webhook's name, URL, events and batches. The secret doesn't change. */
export function EditWebhookPage(props: {
  webhook: Pick<MerchantWebhook, "webhookId" | "name" | "url" | "events" | "batch">;
}) {
  const { webhookId, name, url, events, batch } = props.webhook;
  const onSaved = useCallback((_: unknown, open: OpenPage) => open(webhookPath(webhookId)), [webhookId]);
  const initial = { name: name ?? "", url, events, batch: batch ? ["on"] : [] };
  const form = useForm("save", initial, { successText: "Webhook saved", onDone: onSaved });
  return (
    <AdminPage
      title="Edit webhook"
      back={{ label: wordsOf(props.webhook).name, url: webhookPath(webhookId) }}
      narrowWidth
    >
      <WebhookForm form={form} errorTitle="The webhook wasn't saved" />
    </AdminPage>
  );
}
