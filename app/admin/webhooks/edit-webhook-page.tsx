import { useNavigate } from "@remix-run/react";
import { useCallback } from "react";
import type { MerchantWebhook } from "../../webhooks/subscriptions/views.ts";
import { AdminPage } from "../admin-page.tsx";
import { useForm } from "../use-form.ts";
import { splitUrl, webhookPath } from "./webhook-data.ts";
import { WebhookForm } from "./webhook-form.tsx";

/** Edits a webhook's URL, events and batches. The secret doesn't change. */
export function EditWebhookPage(props: { webhook: Pick<MerchantWebhook, "webhookId" | "url" | "events" | "batch"> }) {
  const { webhookId, url, events, batch } = props.webhook;
  const navigate = useNavigate();
  const onSaved = useCallback(() => {
    shopify.toast.show("Webhook saved");
    navigate(webhookPath(webhookId));
  }, [navigate, webhookId]);
  const form = useForm("save", { url, events, batch: batch ? ["on"] : [] }, { onDone: onSaved });
  return (
    <AdminPage title="Edit webhook" back={{ label: splitUrl(url).host, url: webhookPath(webhookId) }} narrowWidth>
      <WebhookForm form={form} errorTitle="The webhook wasn't saved" />
    </AdminPage>
  );
}
