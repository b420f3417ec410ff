import { useNavigate } from "@remix-run/react";
import { Banner, BlockStack } from "@shopify/polaris";
import { useCallback } from "react";
import type { WebhookDetails } from "../../webhooks/views.ts";
import { AdminPage, type TitleAction } from "../admin-page.tsx";
import { ConfirmModal } from "../confirm-modal.tsx";
import { useForm } from "../form.ts";
import { DeliveriesCard } from "./deliveries-card.tsx";
import { RedeliverCard } from "./redeliver-card.tsx";
import { SecretCard } from "./secret-card.tsx";
import { TestCard } from "./test-card.tsx";
import { useWatch } from "./watch.ts";
import { addressParts, isOnItsWay, pathTo } from "./webhook-data.ts";
import { WebhookFacts } from "./webhook-facts.tsx";
import { WebhookNotice } from "./webhook-notice.tsx";

const DELETE = "delete-webhook";
const PAUSE = "pause-webhook";

/** One webhook: its state, its deliveries and its actions. */
export function WebhookPage(props: WebhookDetails & { at: Date; submission: string }) {
  const { webhook, backlog, log, lastTest, at, submission } = props;
  const { webhookId, url, enabled } = webhook;
  const navigate = useNavigate();
  useWatch([...log.deliveries, ...(lastTest ? [lastTest] : [])].some((one) => isOnItsWay(one, webhook, at)));

  const toldPause = useCallback(() => {
    shopify.toast.show("Webhook paused");
  }, []);
  const toldResume = useCallback(() => {
    shopify.toast.show("Webhook resumed");
  }, []);
  const toldDelete = useCallback(() => {
    shopify.toast.show("Webhook deleted");
    navigate("/app/webhooks");
  }, [navigate]);
  const pause = useForm("pause", {}, { onDone: toldPause });
  const resume = useForm("resume", {}, { onDone: toldResume });
  const remove = useForm("delete", {}, { onDone: toldDelete });
  const problem = pause.problem ?? resume.problem ?? remove.problem;

  const actions: TitleAction[] = [
    { label: "Edit", onAction: `${pathTo(webhookId)}/edit` },
    enabled
      ? { label: "Pause", onAction: () => void shopify.modal.show(PAUSE), disabled: pause.busy }
      : { label: "Turn on", onAction: resume.submit, disabled: resume.busy },
    { label: "Delete", tone: "critical", disabled: remove.busy, onAction: () => void shopify.modal.show(DELETE) },
  ];
  return (
    <AdminPage title={addressParts(url).host} back={{ label: "Webhooks", url: "/app/webhooks" }} actions={actions}>
      <BlockStack gap="400">
        {problem !== undefined && (
          <Banner tone="critical" title="The webhook wasn't changed">
            <p>{problem}</p>
          </Banner>
        )}
        <WebhookNotice webhook={webhook} busy={resume.busy} onResume={resume.submit} />
        <WebhookFacts webhook={webhook} backlog={backlog} />
        <TestCard webhook={webhook} lastTest={lastTest} submission={submission} />
        <SecretCard webhook={webhook} submission={submission} />
        <RedeliverCard webhook={webhook} backlog={backlog} submission={submission} />
        <DeliveriesCard webhook={webhook} log={log} at={at} />
      </BlockStack>
      <ConfirmModal id={DELETE} title="Delete this webhook?" action="Delete webhook" onConfirm={remove.submit}>
        {url} stops receiving messages immediately. Waiting deliveries are discarded and the delivery log is deleted. To
        stop the webhook for a while, pause it instead.
      </ConfirmModal>
      {enabled && (
        <ConfirmModal id={PAUSE} title="Pause this webhook?" action="Pause webhook" onConfirm={pause.submit}>
          {url} stops receiving messages immediately. Waiting deliveries are sent when you resume the webhook. Events
          that happen while it is paused are never sent.
        </ConfirmModal>
      )}
    </AdminPage>
  );
}
