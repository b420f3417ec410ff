import { useNavigate } from "@remix-run/react";
import { useCallback } from "react";
import type { Event } from "../../webhooks/events.ts";
import { AdminPage } from "../admin-page.tsx";
import { useForm } from "../form.ts";
import { addressParts, pathTo } from "./webhook-data.ts";
import { WebhookForm } from "./webhook-form.tsx";

/** Changes a webhook's address and events. Its secret stays. */
export function EditWebhookPage(props: { webhook: { webhookId: string; url: string; events: Event[] } }) {
  const { webhookId, url, events } = props.webhook;
  const navigate = useNavigate();
  const saved = useCallback(() => {
    shopify.toast.show("Webhook saved");
    navigate(pathTo(webhookId));
  }, [navigate, webhookId]);
  const form = useForm("save", { url, events }, { onDone: saved });
  return (
    <AdminPage title="Edit webhook" back={{ label: addressParts(url).host, url: pathTo(webhookId) }} narrowWidth>
      <WebhookForm form={form} action="Save" failed="The webhook wasn't saved" />
    </AdminPage>
  );
}
