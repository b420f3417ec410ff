import { BlockStack, Card } from "@shopify/polaris";
import { useCallback, type ReactNode } from "react";
import type { Event } from "../../webhooks/events/events.ts";
import type { RedeliveredBatch } from "../../webhooks/subscriptions/form-results.ts";
import type { WebhookDetails } from "../../webhooks/subscriptions/views.ts";
import { AdminPage, type TitleAction } from "../admin-page.tsx";
import { ConfirmModal } from "../confirm-modal.tsx";
import { EmptyList } from "../empty-list.tsx";
import { FormProblem } from "../form-problem.tsx";
import { useForm } from "../use-form.ts";
import { usePolling } from "../use-polling.ts";
import { DeliveriesCard } from "./deliveries-card.tsx";
import { describeBatch, RedeliverCard } from "./redeliver-card.tsx";
import { isSentSoon, POLL_INTERVAL_MS } from "./webhook-data.ts";
import { WebhookFacts } from "./webhook-facts.tsx";
import { WebhookNotice } from "./webhook-notice.tsx";

const PAUSE_MODAL = "pause-connection";

interface Props extends WebhookDetails {
  title: string;
  back: { label: string; url: string };
  actions: readonly TitleAction[];
  /** the events that the channel can send */
  events: readonly Event[];
  /** events that it does not send for lack of a permission */
  withheld?: readonly Event[];
  /** whether staff can pause it; the page's action then has the form `pause` */
  canPause?: boolean;
  /** why nothing is sent, in place of what the last deliveries say */
  notice?: ReactNode;
  at: Date;
  idempotencyKey: string;
}

/** Leads to the settings of a channel that has not been used yet. */
export function UnusedChannelPage({ title, back }: Pick<Props, "title" | "back">) {
  return (
    <AdminPage title={title} back={back}>
      <Card>
        <EmptyList glyph="bell" heading="Nothing has been sent yet" action={{ content: back.label, url: back.url }}>
          <p>Choose what is sent first. Then each delivery is listed here, with what became of it.</p>
        </EmptyList>
      </Card>
    </AdminPage>
  );
}

/** Shows a channel: its state and its deliveries. */
export function ChannelPage(props: Props) {
  const { webhook, backlog, log, title, back, actions, events, withheld = [], notice, at, idempotencyKey } = props;
  const { canPause = false } = props;
  usePolling(
    log.deliveries.some((delivery) => isSentSoon(delivery, webhook, at)),
    POLL_INTERVAL_MS,
  );
  const onResumed = useCallback(() => {
    shopify.toast.show("Connection resumed");
  }, []);
  const onRecovered = useCallback((batch: RedeliveredBatch) => {
    shopify.toast.show(`Connection resumed. ${describeBatch(batch)}`);
  }, []);
  const onPaused = useCallback(() => {
    shopify.toast.show("Connection paused");
  }, []);
  const pause = useForm("pause", {}, { onDone: onPaused });
  const pausing =
    canPause && webhook.enabled
      ? [{ label: "Pause", onAction: () => void shopify.modal.show(PAUSE_MODAL), disabled: pause.busy }]
      : [];
  const resume = useForm("resume", {}, { onDone: onResumed });
  const recover = useForm<RedeliveredBatch>("recover", {}, { hidden: { idempotencyKey }, onDone: onRecovered });
  return (
    <AdminPage title={title} back={back} actions={[...pausing, ...actions]}>
      <BlockStack gap="400">
        <FormProblem of={[pause, resume, recover]} title="The connection wasn't changed" />
        {notice ?? (
          <WebhookNotice
            {...{ webhook, backlog }}
            busy={resume.busy || recover.busy}
            onResume={resume.submit}
            onRecover={recover.submit}
          />
        )}
        <WebhookFacts webhook={webhook} backlog={backlog} withheld={withheld} />
        <RedeliverCard webhook={webhook} backlog={backlog} idempotencyKey={idempotencyKey} />
        <DeliveriesCard webhook={webhook} log={log} at={at} events={events} />
        <ConfirmModal id={PAUSE_MODAL} title="Pause this connection?" action="Pause" onConfirm={pause.submit}>
          Waiting deliveries are sent when you resume. Events that happen while it is paused are never sent.
        </ConfirmModal>
      </BlockStack>
    </AdminPage>
  );
}
