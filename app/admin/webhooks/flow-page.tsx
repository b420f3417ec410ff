import { BlockStack } from "@shopify/polaris";
import { useCallback } from "react";
import type { Event } from "../../webhooks/events/events.ts";
import type { RedeliveredBatch } from "../../webhooks/subscriptions/form-results.ts";
import type { WebhookDetails } from "../../webhooks/subscriptions/views.ts";
import { AdminPage } from "../admin-page.tsx";
import { FlowPermissionBanner } from "../customers-permission.tsx";
import { useForm } from "../use-form.ts";
import { usePolling } from "../use-polling.ts";
import { DeliveriesCard } from "./deliveries-card.tsx";
import { FlowCard } from "./flow-card.tsx";
import { describeBatch, RedeliverCard } from "./redeliver-card.tsx";
import { isSentSoon, openFlow, POLL_INTERVAL_MS } from "./webhook-data.ts";
import { WebhookFacts } from "./webhook-facts.tsx";
import { WebhookNotice } from "./webhook-notice.tsx";
import { FormProblem } from "../form-problem.tsx";

interface Props extends WebhookDetails {
  /** the events that fire a trigger */
  flowEvents: readonly Event[];
  /** events that workflows wait for and don't get, because the app may not read customers */
  withheld: readonly Event[];
  at: Date;
  idempotencyKey: string;
}

const BACK = { label: "Webhooks", url: "/app/webhooks" };

/** Shows how to begin with Shopify Flow. */
export function UnusedFlowPage({ isAllowed }: { isAllowed: boolean }) {
  return (
    <AdminPage title="Shopify Flow" back={BACK}>
      <FlowCard flow={undefined} isAllowed={isAllowed} />
    </AdminPage>
  );
}

/** Shows the connection to Shopify Flow: its state and its deliveries. Merchants choose the events with the triggers of their workflows. */
export function FlowPage({ webhook, backlog, log, flowEvents, withheld, at, idempotencyKey }: Props) {
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
  const resume = useForm("resume", {}, { onDone: onResumed });
  const recover = useForm<RedeliveredBatch>("recover", {}, { hidden: { idempotencyKey }, onDone: onRecovered });
  return (
    <AdminPage title="Shopify Flow" back={BACK} actions={[{ label: "Open Shopify Flow", onAction: openFlow }]}>
      <BlockStack gap="400">
        <FormProblem of={[resume, recover]} title="The connection wasn't turned on" />
        {withheld.length > 0 ? (
          <FlowPermissionBanner withheld={withheld} />
        ) : (
          <WebhookNotice
            {...{ webhook, backlog }}
            busy={resume.busy || recover.busy}
            onResume={resume.submit}
            onRecover={recover.submit}
          />
        )}
        <WebhookFacts webhook={webhook} backlog={backlog} withheld={withheld} />
        <RedeliverCard webhook={webhook} backlog={backlog} idempotencyKey={idempotencyKey} />
        <DeliveriesCard webhook={webhook} log={log} at={at} events={flowEvents} />
      </BlockStack>
    </AdminPage>
  );
}
