import { Banner } from "@shopify/polaris";
import type { MerchantWebhook } from "../../webhooks/views.ts";
import { useShopDates } from "../shop-dates.tsx";
import { webhookState } from "./webhook-data.ts";

/** Time without a successful delivery after which a failing webhook is turned off. */
const TURN_OFF_AFTER_MS = 5 * 24 * 3_600_000;

/** Explains why a webhook does not deliver, and what to do. */
export function WebhookNotice(props: { webhook: MerchantWebhook; busy: boolean; onResume: () => void }) {
  const { webhook, busy, onResume } = props;
  const { formatDateTime } = useShopDates();
  const { failingSince, backoffUntil } = webhook;
  switch (webhookState(webhook)) {
    case "on":
      return null;
    case "paused":
      return (
        <Banner
          tone="info"
          title="This webhook is paused"
          action={{ content: "Resume", onAction: onResume, loading: busy }}
        >
          <p>
            No messages are sent. Waiting deliveries are sent when you resume. Events that happen while the webhook is
            paused are never sent.
          </p>
        </Banner>
      );
    case "failing": {
      const since = new Date(failingSince ?? 0);
      return (
        <Banner tone="warning" title={`Deliveries have been failing since ${formatDateTime(since)}`}>
          <p>
            Deliveries are tried one at a time
            {backoffUntil === null ? "" : `, the next at ${formatDateTime(new Date(backoffUntil))}`}. The others wait
            and are sent when the endpoint recovers. If none succeeds, the webhook is turned off on{" "}
            {formatDateTime(new Date(since.getTime() + TURN_OFF_AFTER_MS))}. See the endpoint&apos;s responses in the
            log below.
          </p>
        </Banner>
      );
    }
    case "gone":
      return (
        <Banner
          tone="critical"
          title="Turned off: the endpoint is gone"
          action={{ content: "Turn on", onAction: onResume, loading: busy }}
        >
          <p>
            The endpoint responded with 410 Gone. Fix the endpoint or edit the URL, then turn the webhook on. Waiting
            deliveries are sent then. Events that happen until then are never sent.
          </p>
        </Banner>
      );
    case "given-up":
      return (
        <Banner
          tone="critical"
          title="Turned off: every delivery failed for five days"
          action={{ content: "Turn on", onAction: onResume, loading: busy }}
        >
          <p>
            See the endpoint&apos;s responses in the log below. Fix the endpoint or edit the URL, then turn the webhook
            on. Waiting deliveries are sent then. Events that happen until then are never sent.
          </p>
        </Banner>
      );
  }
}
