import { BlockStack, Button } from "@shopify/polaris";
import type { Event } from "../../webhooks/events/events.ts";
import type { IssuedSecret } from "../../webhooks/subscriptions/form-results.ts";
import { AdminPage } from "../admin-page.tsx";
import { FormActions } from "../form-actions.tsx";
import { useForm } from "../use-form.ts";
import { NewSecretCard } from "./new-secret-card.tsx";
import { webhookPath } from "./webhook-data.ts";
import { WebhookForm } from "./webhook-form.tsx";

const DEFAULT_EVENTS: readonly Event[] = ["wishlist.item.added", "wishlist.item.removed", "wishlist.shared"];

/** Shows the form for a new webhook, then its secret. @param props.events those that the address selects */
export function NewWebhookPage({ idempotencyKey, events }: { idempotencyKey: string; events: readonly Event[] }) {
  const initial = { name: "", url: "", events: events.length === 0 ? DEFAULT_EVENTS : events, batch: [] };
  const form = useForm<IssuedSecret>("create", initial, { hidden: { idempotencyKey } });
  const back = { label: "Webhooks", url: "/app/webhooks" };
  if (form.done) {
    return (
      <AdminPage title="Webhook added" back={back} narrowWidth>
        <BlockStack gap="400">
          <NewSecretCard secret={form.done.secret} />
          <FormActions>
            <Button variant="primary" url={webhookPath(form.done.webhookId)}>
              Done
            </Button>
          </FormActions>
        </BlockStack>
      </AdminPage>
    );
  }
  return (
    <AdminPage title="Add webhook" back={back} narrowWidth>
      <WebhookForm form={form} errorTitle="The webhook wasn't added" />
    </AdminPage>
  );
}
