import { BlockStack, Button } from "@shopify/polaris";
import { AdminPage } from "../admin-page.tsx";
import { FormActions } from "../form-actions.tsx";
import { useForm } from "../form.ts";
import { IssuedSecret } from "./issued-secret.tsx";
import { pathTo, type IssuedSecretData } from "./webhook-data.ts";
import { WebhookForm } from "./webhook-form.tsx";

const INITIAL = { url: "", events: ["wishlist.item.added", "wishlist.item.removed", "wishlist.shared"] };

/** The form for a new webhook, then its secret. */
export function NewWebhookPage({ submission }: { submission: string }) {
  const form = useForm<IssuedSecretData>("create", INITIAL, { hidden: { submission } });
  const back = { label: "Webhooks", url: "/app/webhooks" };
  if (form.done) {
    return (
      <AdminPage title="Webhook added" back={back} narrowWidth>
        <BlockStack gap="400">
          <IssuedSecret secret={form.done.secret} />
          <FormActions>
            <Button variant="primary" url={pathTo(form.done.webhookId)}>
              Done
            </Button>
          </FormActions>
        </BlockStack>
      </AdminPage>
    );
  }
  return (
    <AdminPage title="Add webhook" back={back} narrowWidth>
      <WebhookForm form={form} action="Add webhook" failed="The webhook wasn't added" />
    </AdminPage>
  );
}
