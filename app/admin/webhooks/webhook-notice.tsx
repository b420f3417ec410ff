import { Banner } from "@shopify/polaris";
import type { WatchedWebhook } from "../../webhooks/views.ts";
import { useShopTime } from "../shop-time.tsx";
import { stateOf } from "./webhook-data.ts";

/** Milliseconds of nothing but failures after which a webhook is switched off. */
const PATIENCE = 5 * 24 * 3_600_000;

/** Why a webhook does not deliver as it should, and what to do. */
export function WebhookNotice(props: { webhook: WatchedWebhook; busy: boolean; onResume: () => void }) {
  const { webhook, busy, onResume } = props;
  const { minute } = useShopTime();
  const { failingSince, restingUntil } = webhook;
  switch (stateOf(webhook)) {
    case "on":
      return null;
    case "paused":
      return (
        <Banner tone="info" title="Paused" action={{ content: "Resume", onAction: onResume, loading: busy }}>
          <p>
            Nothing is sent. What waits already is kept and goes out when you resume; what happens meanwhile is not sent
            later.
          </p>
        </Banner>
      );
    case "failing": {
      const since = new Date(failingSince ?? 0);
      return (
        <Banner tone="warning" title={`No delivery has got through since ${minute(since)}`}>
          <p>
            One at a time is tried{restingUntil === null ? "" : `, the next at ${minute(new Date(restingUntil))}`}; the
            others wait and go out when the receiver answers again. Without a success it is switched off on{" "}
            {minute(new Date(since.getTime() + PATIENCE))}. The log below says what it answers.
          </p>
        </Banner>
      );
    }
    case "gone":
      return (
        <Banner
          tone="critical"
          title="Switched off: the receiver is gone"
          action={{ content: "Turn on again", onAction: onResume, loading: busy }}
        >
          <p>
            It answered 410, which means that it wants nothing any more. Mend it or edit the address, then turn the
            webhook on again: what waits is sent then. What happens meanwhile is not sent later.
          </p>
        </Banner>
      );
    case "given-up":
      return (
        <Banner
          tone="critical"
          title="Switched off: nothing but failures for five days"
          action={{ content: "Turn on again", onAction: onResume, loading: busy }}
        >
          <p>
            The log below says what the receiver answered. Mend it or edit the address, then turn the webhook on again:
            what waits is sent then. What happens meanwhile is not sent later.
          </p>
        </Banner>
      );
  }
}
