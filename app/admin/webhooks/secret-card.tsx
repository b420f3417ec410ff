import { BlockStack, Button, Card, InlineStack, Link, Text } from "@shopify/polaris";
import type { IssuedSecret } from "../../webhooks/subscriptions/form-results.ts";
import type { MerchantWebhook } from "../../webhooks/subscriptions/views.ts";
import { ConfirmModal } from "../confirm-modal.tsx";
import { useForm } from "../use-form.ts";
import { useShopDates } from "../shop-dates.tsx";
import { FormProblem } from "../form-problem.tsx";
import { NewSecretCard } from "./new-secret-card.tsx";

const ROTATE_AGAIN = "rotate-secret-again";

/** Rotates the secret. The new secret replaces the card while it is shown. */
export function SecretCard({ webhook, idempotencyKey }: { webhook: MerchantWebhook; idempotencyKey: string }) {
  const { formatDateTime } = useShopDates();
  const form = useForm<IssuedSecret>("rotate", {}, { hidden: { idempotencyKey } });
  const overlap = webhook.previousSecretValidUntil;
  if (form.done) return <NewSecretCard secret={form.done.secret} />;
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          Secret
        </Text>
        <Text as="p" tone="subdued">
          Each message is signed with this secret. After you rotate it, the old and the new secret both sign for 24
          hours so that your receiver can switch without rejecting messages.{" "}
          <Link url="/app/webhooks/receiver">Get receiver code</Link>
        </Text>
        {overlap !== null && (
          <Text as="p">
            The previous secret also signs until {formatDateTime(new Date(overlap))}. If you rotate again before then,
            the previous secret stops immediately.
          </Text>
        )}
        <FormProblem of={[form]} />
        <InlineStack align="end">
          <Button
            onClick={() => (overlap === null ? form.submit() : void shopify.modal.show(ROTATE_AGAIN))}
            loading={form.busy}
          >
            Rotate secret
          </Button>
        </InlineStack>
      </BlockStack>
      {overlap !== null && (
        <ConfirmModal id={ROTATE_AGAIN} title="Rotate the secret again?" action="Rotate secret" onConfirm={form.submit}>
          The previous secret stops signing immediately, instead of on {formatDateTime(new Date(overlap))}. A receiver
          that still uses it rejects every message until you give it a newer secret.
        </ConfirmModal>
      )}
    </Card>
  );
}
