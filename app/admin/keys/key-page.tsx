import { Banner, BlockStack } from "@shopify/polaris";
import { useCallback } from "react";
import type { ApiKey } from "../../access/views.ts";
import { AdminPage } from "../admin-page.tsx";
import { ConfirmModal } from "../confirm-modal.tsx";
import { useForm } from "../use-form.ts";
import { useShopDates } from "../shop-dates.tsx";
import { keyState } from "./key-data.ts";
import { KeyFacts } from "./key-facts.tsx";
import { OriginsCard } from "./origins-card.tsx";
import { RotateCard } from "./rotate-card.tsx";
import { TryCard } from "./try-card.tsx";

const REVOKE_MODAL = "revoke-key";

/** Describes when the key was last used. */
function describeUse({ name, lastUsedAt }: ApiKey, formatDateTime: (date: Date) => string): string {
  return lastUsedAt === null ? `${name} has never been used.` : `${name} was last used ${formatDateTime(lastUsedAt)}.`;
}

/** Shows an API key: its properties, rotation, a sample request and revocation. */
export function KeyPage(props: { apiKey: ApiKey; at: Date; idempotencyKey: string; origin: string }) {
  const { apiKey, at, idempotencyKey, origin } = props;
  const { formatDateTime } = useShopDates();
  const use = describeUse(apiKey, formatDateTime);
  const state = keyState(apiKey, at);
  const isValid = state === "active" || state === "rotated";
  const onRevoked = useCallback(() => {
    shopify.toast.show("Key revoked");
  }, []);
  const revoke = useForm("revoke", {}, { onDone: onRevoked });
  return (
    <AdminPage
      title={apiKey.name}
      back={{ label: "API keys", url: "/app/api-keys" }}
      actions={
        isValid
          ? [
              {
                label: "Revoke key",
                tone: "critical",
                disabled: revoke.busy,
                onAction: () => void shopify.modal.show(REVOKE_MODAL),
              },
            ]
          : []
      }
      narrowWidth
    >
      <BlockStack gap="400">
        {revoke.problem !== undefined && (
          <Banner tone="critical" title="The key wasn't revoked">
            <p>{revoke.problem}</p>
          </Banner>
        )}
        <KeyFacts apiKey={apiKey} at={at} />
        <RotateCard
          idempotencyKey={idempotencyKey}
          origin={origin}
          canRotate={state === "active"}
          isPublishable={apiKey.kind === "publishable"}
          use={use}
        />
        {isValid && apiKey.kind === "publishable" && <OriginsCard origins={apiKey.allowedOrigins} />}
        {isValid && apiKey.kind !== "publishable" && <TryCard apiKey={apiKey} />}
      </BlockStack>
      <ConfirmModal id={REVOKE_MODAL} title="Revoke this key?" action="Revoke key" onConfirm={revoke.submit}>
        {use} {apiKey.kind === "publishable" ? "Storefronts" : "Systems"} that use it lose access within a second. You
        can&apos;t undo this. To replace the key without interruption, rotate it instead.
      </ConfirmModal>
    </AdminPage>
  );
}
