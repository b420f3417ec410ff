import { Banner, BlockStack } from "@shopify/polaris";
import { useCallback, useEffect, useRef } from "react";
import type { ApiKey, IssuedKeyView } from "../../access/views.ts";
import { AdminPage } from "../admin-page.tsx";
import { ConfirmModal } from "../confirm-modal.tsx";
import { useForm } from "../use-form.ts";
import { useShopDates } from "../shop-dates.tsx";
import { FormProblem } from "../form-problem.tsx";
import { keyState } from "./key-data.ts";
import { EditKeyCard } from "./edit-key-card.tsx";
import { KeyFacts } from "./key-facts.tsx";
import { IssuedKey } from "./issued-key.tsx";
import { DEFAULT_OVERLAP, RotateCard } from "./rotate-card.tsx";
import { TryCard } from "./try-card.tsx";

const REVOKE_MODAL = "revoke-key";

/** Describes when the key was last used. */
function describeUse({ name, lastUsedAt }: ApiKey, formatDateTime: (date: Date) => string): string {
  return lastUsedAt === null ? `${name} has never been used.` : `${name} was last used ${formatDateTime(lastUsedAt)}.`;
}

/**
 * Says of a rotated key until when it works, and leads to the key that replaces it.
 * @param props.hasLink false while the new key's secret is on the page, which another page would not show again
 */
function ReplacedBanner(props: { apiKey: ApiKey; isValid: boolean; hasLink: boolean }) {
  const { apiKey, isValid, hasLink } = props;
  const { formatDateTime } = useShopDates();
  const { successorKeyId, expiresAt, name } = apiKey;
  if (successorKeyId === null) return null;
  const link = hasLink ? { action: { content: "View the new key", url: `/app/api-keys/${successorKeyId}` } } : {};
  if (!isValid || expiresAt === null) {
    return <Banner tone="info" title="This key was replaced" {...link} />;
  }
  return (
    <Banner tone="warning" title={`This key stops working on ${formatDateTime(expiresAt)}`} {...link}>
      <p>A new key with the name {name} replaces it. Until then, both work.</p>
    </Banner>
  );
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
  const rotate = useForm<IssuedKeyView>("rotate", { overlap: DEFAULT_OVERLAP }, { hidden: { idempotencyKey } });
  const issued = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The button that rotated the key is further down and gone.
    if (rotate.done) issued.current?.focus();
  }, [rotate.done]);
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
        <FormProblem of={[revoke]} title="The key wasn't revoked" />
        {rotate.done && (
          <div ref={issued} tabIndex={-1} style={{ outline: "none" }} role="group" aria-label="New key">
            <IssuedKey issued={rotate.done} origin={origin} />
          </div>
        )}
        <ReplacedBanner apiKey={apiKey} isValid={isValid} hasLink={!rotate.done} />
        <KeyFacts apiKey={apiKey} at={at} />
        {isValid && <EditKeyCard apiKey={apiKey} />}
        {state === "active" && !rotate.done && (
          <RotateCard form={rotate} isPublishable={apiKey.kind === "publishable"} use={use} />
        )}
        {isValid && apiKey.kind !== "publishable" && <TryCard apiKey={apiKey} />}
      </BlockStack>
      <ConfirmModal id={REVOKE_MODAL} title="Revoke this key?" action="Revoke key" onConfirm={revoke.submit}>
        {use} {apiKey.kind === "publishable" ? "Storefronts" : "Systems"} that use it lose access within a second. You
        can&apos;t undo this. To replace the key without interruption, rotate it instead.
      </ConfirmModal>
    </AdminPage>
  );
}
