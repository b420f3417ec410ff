import { BlockStack } from "@shopify/polaris";
import { useCallback } from "react";
import type { RedeliveredBatch } from "../../webhooks/subscriptions/form-results.ts";
import type { WebhookDetails } from "../../webhooks/subscriptions/views.ts";
import { AdminPage, type TitleAction } from "../admin-page.tsx";
import { ConfirmModal } from "../confirm-modal.tsx";
import { useForm } from "../use-form.ts";
import { usePolling } from "../use-polling.ts";
import type { OpenPage } from "../use-result-page.ts";
import { FormProblem } from "../form-problem.tsx";
import { DeliveriesCard } from "./deliveries-card.tsx";
import { describeBatch, RedeliverCard } from "./redeliver-card.tsx";
import { SecretCard } from "./secret-card.tsx";
import { TestCard } from "./test-card.tsx";
import { isSentSoon, webhookPath, wordsOf, POLL_INTERVAL_MS } from "./webhook-data.ts";
import { WebhookFacts } from "./webhook-facts.tsx";
import { WebhookNotice } from "./webhook-notice.tsx";

const DELETE_MODAL = "delete-webhook";
const PAUSE_MODAL = "pause-webhook";

/** Shows a webhook: its state, deliveries and actions. */
export function WebhookPage(props: WebhookDetails & { at: Date; idempotencyKey: string }) {
  const { webhook, backlog, log, lastTest, at, idempotencyKey } = props;
  const { webhookId, url, enabled } = webhook;
  const shownDeliveries = lastTest ? [...log.deliveries, lastTest] : log.deliveries;
  usePolling(
    shownDeliveries.some((delivery) => isSentSoon(delivery, webhook, at)),
    POLL_INTERVAL_MS,
  );

  const onPaused = useCallback(() => {
    shopify.toast.show("Webhook paused");
  }, []);
  const onResumed = useCallback(() => {
    shopify.toast.show("Webhook resumed");
  }, []);
  const onDeleted = useCallback((_: unknown, open: OpenPage) => {
    shopify.toast.show("Webhook deleted");
    open("/app/webhooks");
  }, []);
  const pause = useForm("pause", {}, { onDone: onPaused });
  const resume = useForm("resume", {}, { onDone: onResumed });
  const onRecovered = useCallback((batch: RedeliveredBatch) => {
    shopify.toast.show(`Webhook resumed. ${describeBatch(batch)}`);
  }, []);
  const onTested = useCallback(() => {
    shopify.toast.show("Test sent");
  }, []);
  const test = useForm("test", { event: webhook.events[0] ?? "" }, { hidden: { idempotencyKey }, onDone: onTested });
  const recover = useForm<RedeliveredBatch>("recover", {}, { hidden: { idempotencyKey }, onDone: onRecovered });
  const remove = useForm("delete", {}, { onDone: onDeleted });

  const actions: TitleAction[] = [
    { label: "Edit", onAction: `${webhookPath(webhookId)}/edit` },
    enabled
      ? { label: "Pause", onAction: () => void shopify.modal.show(PAUSE_MODAL), disabled: pause.busy }
      : { label: "Turn on", onAction: resume.submit, disabled: resume.busy },
    { label: "Delete", tone: "critical", disabled: remove.busy, onAction: () => void shopify.modal.show(DELETE_MODAL) },
  ];
  return (
    <AdminPage title={wordsOf(webhook).name} back={{ label: "Webhooks", url: "/app/webhooks" }} actions={actions}>
      <BlockStack gap="400">
        <FormProblem of={[pause, resume, recover, remove]} title="The webhook wasn't changed" />
        <FormProblem of={[test]} title="The test wasn't sent" />
        <WebhookNotice
          {...{ webhook, backlog }}
          busy={resume.busy || recover.busy || test.busy}
          onResume={resume.submit}
          onTest={test.submit}
          onRecover={recover.submit}
        />
        <WebhookFacts webhook={webhook} backlog={backlog} />
        <TestCard webhook={webhook} lastTest={lastTest} idempotencyKey={idempotencyKey} />
        <SecretCard webhook={webhook} idempotencyKey={idempotencyKey} />
        <RedeliverCard webhook={webhook} backlog={backlog} idempotencyKey={idempotencyKey} />
        <DeliveriesCard webhook={webhook} log={log} at={at} />
      </BlockStack>
      <ConfirmModal id={DELETE_MODAL} title="Delete this webhook?" action="Delete webhook" onConfirm={remove.submit}>
        {url} stops receiving messages immediately. Waiting deliveries are discarded and the delivery log is deleted. To
        stop the webhook for a while, pause it instead.
      </ConfirmModal>
      {enabled && (
        <ConfirmModal id={PAUSE_MODAL} title="Pause this webhook?" action="Pause webhook" onConfirm={pause.submit}>
          {url} stops receiving messages immediately. Waiting deliveries are sent when you resume the webhook. Events
          that happen while it is paused are never sent.
        </ConfirmModal>
      )}
    </AdminPage>
  );
}
