import { Banner, BlockStack } from "@shopify/polaris";
import { useCallback } from "react";
import { AdminPage } from "../admin-page.tsx";
import { ConfirmModal } from "../confirm-modal.tsx";
import { useForm } from "../form.ts";
import { stateOf, type KeyData } from "./key-data.ts";
import { KeyFacts } from "./key-facts.tsx";
import { RotateCard } from "./rotate-card.tsx";
import { TryCard } from "./try-card.tsx";

const REVOKE = "revoke-key";

/** One API key, and what can be done with it. */
export function KeyPage(props: { apiKey: KeyData; at: Date; submission: string; origin: string }) {
  const { apiKey, at, submission, origin } = props;
  const state = stateOf(apiKey, at);
  const alive = state === "active" || state === "rotated";
  const told = useCallback(() => {
    shopify.toast.show("Key revoked");
  }, []);
  const revoke = useForm("revoke", {}, { onDone: told });
  return (
    <AdminPage
      title={apiKey.name}
      back={{ label: "API keys", url: "/app/api-keys" }}
      actions={
        alive
          ? [
              {
                label: "Revoke key",
                tone: "critical",
                disabled: revoke.busy,
                onAction: () => void shopify.modal.show(REVOKE),
              },
            ]
          : []
      }
      narrowWidth
    >
      <BlockStack gap="400">
        {revoke.problem !== undefined && (
          <Banner tone="critical" title="The key was not revoked">
            <p>{revoke.problem}</p>
          </Banner>
        )}
        <KeyFacts apiKey={apiKey} at={at} />
        <RotateCard submission={submission} origin={origin} open={state === "active"} />
        {alive && <TryCard apiKey={apiKey} />}
      </BlockStack>
      <ConfirmModal id={REVOKE} title="Revoke this key?" action="Revoke key" onConfirm={revoke.submit}>
        What uses it is locked out within a second, and it can&apos;t be undone. To replace it without an interruption,
        rotate it instead.
      </ConfirmModal>
    </AdminPage>
  );
}
