import { Banner } from "@shopify/polaris";
import type { WatchedWebhook } from "../../webhooks/views.ts";
import { useShopTime } from "../shop-time.tsx";
import { stateOf } from "./webhook-data.ts";

/** Milliseconds without a successful delivery after which a failing webhook is turned off. */
const GIVE_UP_AFTER = 5 * 24 * 3_600_000;

/** Explains why a webhook does not deliver, and what to do. */
export function WebhookNotice(props: { webhook: WatchedWebhook; busy: boolean; onResume: () => void }) {
  const { webhook, busy, onResume } = props;
  const { minute } = useShopTime();
  const { failingSince, backoffUntil } = webhook;
  switch (stateOf(webhook)) {
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
        <Banner tone="warning" title={`Deliveries have been failing since ${minute(since)}`}>
          <p>
            Deliveries are tried one at a time
            {backoffUntil === null ? "" : `, the next at ${minute(new Date(backoffUntil))}`}. The others wait and are
            sent when the endpoint recovers. If none succeeds, the webhook is turned off on{" "}
            {minute(new Date(since.getTime() + GIVE_UP_AFTER))}. See the endpoint&apos;s responses in the log below.
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
            The endpoint responded with 410 Gone. Fix the endpoint or edit the address, then turn the webhook on.
            Waiting deliveries are sent then. Events that happen until then are never sent.
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
            See the endpoint&apos;s responses in the log below. Fix the endpoint or edit the address, then turn the
            webhook on. Waiting deliveries are sent then. Events that happen until then are never sent.
          </p>
        </Banner>
      );
  }
}
