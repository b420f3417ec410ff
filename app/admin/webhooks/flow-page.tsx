import type { Event } from "../../webhooks/events/events.ts";
import type { WebhookDetails } from "../../webhooks/subscriptions/views.ts";
import { AdminPage } from "../admin-page.tsx";
import { FlowPermissionBanner } from "../customers-permission.tsx";
import { ChannelPage } from "./channel-page.tsx";
import { FlowCard } from "./flow-card.tsx";
import { openFlow } from "./webhook-data.ts";

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

/** Shows the connection to Shopify Flow. Merchants choose the events with the triggers of their workflows. */
export function FlowPage({ flowEvents, withheld, ...channel }: Props) {
  return (
    <ChannelPage
      {...channel}
      title="Shopify Flow"
      back={BACK}
      actions={[{ label: "Open Shopify Flow", onAction: openFlow }]}
      events={flowEvents}
      withheld={withheld}
      {...(withheld.length > 0 ? { notice: <FlowPermissionBanner withheld={withheld} /> } : {})}
    />
  );
}
