import { useNavigate } from "@remix-run/react";
import { useCallback } from "react";
import type { MerchantWebhook } from "../../webhooks/subscriptions/views.ts";
import { AdminPage } from "../admin-page.tsx";
import { useForm } from "../use-form.ts";
import { webhookPath, wordsOf } from "./webhook-data.ts";
import { WebhookForm } from "./webhook-form.tsx";

/** Edits a webhook's name, URL, events and batches. The secret doesn't change. */
export function EditWebhookPage(props: {
  webhook: Pick<MerchantWebhook, "webhookId" | "name" | "url" | "events" | "batch">;
}) {
  const { webhookId, name, url, events, batch } = props.webhook;
  const navigate = useNavigate();
  const onSaved = useCallback(() => {
    shopify.toast.show("Webhook saved");
    navigate(webhookPath(webhookId));
  }, [navigate, webhookId]);
  const form = useForm("save", { name: name ?? "", url, events, batch: batch ? ["on"] : [] }, { onDone: onSaved });
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
