import { Banner, BlockStack } from "@shopify/polaris";
import { useCallback } from "react";
import { AdminPage } from "../admin-page.tsx";
import { ConfirmModal } from "../confirm-modal.tsx";
import { useForm } from "../form.ts";
import { useShopTime } from "../shop-time.tsx";
import { stateOf, type KeyData } from "./key-data.ts";
import { KeyFacts } from "./key-facts.tsx";
import { RotateCard } from "./rotate-card.tsx";
import { TryCard } from "./try-card.tsx";

const REVOKE = "revoke-key";

/** Says which integration stops with a key, and whether it is in use. */
function useOf({ name, lastUsedAt }: KeyData, minute: (date: Date) => string): string {
  return lastUsedAt === null ? `${name} has never been used.` : `${name} was last used ${minute(lastUsedAt)}.`;
}

/** One API key: its properties, rotation, a trial request, and revocation. */
export function KeyPage(props: { apiKey: KeyData; at: Date; submission: string; origin: string }) {
  const { apiKey, at, submission, origin } = props;
  const { minute } = useShopTime();
  const use = useOf(apiKey, minute);
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
          <Banner tone="critical" title="The key wasn't revoked">
            <p>{revoke.problem}</p>
          </Banner>
        )}
        <KeyFacts apiKey={apiKey} at={at} />
        <RotateCard submission={submission} origin={origin} open={state === "active"} use={use} />
        {alive && <TryCard apiKey={apiKey} />}
      </BlockStack>
      <ConfirmModal id={REVOKE} title="Revoke this key?" action="Revoke key" onConfirm={revoke.submit}>
        {use} Systems that use it lose access within a second. You can&apos;t undo this. To replace the key without an
        interruption, rotate it instead.
      </ConfirmModal>
    </AdminPage>
  );
}
