import { Banner, BlockStack } from "@shopify/polaris";
import type { Backlog, MerchantWebhook, MonitoredWebhook } from "../../webhooks/subscriptions/views.ts";
import { formatNumber } from "../format.ts";
import { useShopDates } from "../shop-dates.tsx";
import { explainRepair, explainTurnedOff } from "./webhook-notices.ts";
import { describeLastAttempt, webhookState, wordsOf } from "./webhook-data.ts";

/** Time without a successful delivery after which a failing webhook is turned off. */
const TURN_OFF_AFTER_MS = 5 * 24 * 3_600_000;

interface Props {
  webhook: MerchantWebhook & MonitoredWebhook;
  backlog: Backlog;
  busy: boolean;
  onResume: () => void;
  /** sends a test; undefined for a channel, which takes none */
  onTest?: (() => void) | undefined;
  /** turns the webhook on and redelivers what failed */
  onRecover: () => void;
}

/** Explains why a webhook does not deliver, and what to do. */
export function WebhookNotice(props: Props) {
  const { webhook, busy, onResume, onTest } = props;
  const { formatDateTime, formatMoment } = useShopDates();
  const { failingSince, backoffUntil, lastAttempt } = webhook;
  const { noun, receiver } = wordsOf(webhook);
  switch (webhookState(webhook)) {
    case "on":
      return null;
    case "paused":
      return (
        <Banner
          tone="info"
          title={`This ${noun} is paused`}
          action={{ content: "Resume", onAction: onResume, loading: busy }}
        >
          <p>
            No messages are sent. Waiting deliveries are sent when you resume. Events that happen while the {noun} is
            paused are never sent.
          </p>
        </Banner>
      );
    case "failing": {
      const since = new Date(failingSince ?? 0);
      return (
        <Banner
          tone="warning"
          title={`Deliveries have been failing since ${formatMoment(since)}`}
          {...(onTest ? { action: { content: "Send test", onAction: onTest, loading: busy } } : {})}
        >
          <p>
            {describeLastAttempt(lastAttempt)} Deliveries are tried one at a time
            {backoffUntil === null ? "" : `, the next at ${formatMoment(new Date(backoffUntil))}`}. The others wait and
            are sent when {receiver} recovers. If none succeeds, the {noun} is turned off on{" "}
            {formatDateTime(new Date(since.getTime() + TURN_OFF_AFTER_MS))}. See the responses in the log below.
          </p>
        </Banner>
      );
    }
    case "gone":
    case "given-up":
      return <TurnedOffNotice {...props} />;
  }
}

/** Tells why the service turned a webhook off, and offers to turn it on and to redeliver what failed meanwhile. */
function TurnedOffNotice({ webhook, backlog, busy, onResume, onRecover }: Props) {
  const { formatDate } = useShopDates();
  const { undelivered, counted } = backlog;
  const turnOn = { content: "Turn on", onAction: onResume, loading: busy };
  const failed = undelivered > counted ? `More than ${formatNumber(counted)}` : formatNumber(undelivered);
  return (
    <Banner
      tone="critical"
      title={
        webhook.disabledReason === "gone"
          ? "Turned off: the endpoint is gone"
          : "Turned off: every delivery failed for five days"
      }
      {...(undelivered === 0
        ? { action: turnOn }
        : {
            action: { content: "Turn on and redeliver", onAction: onRecover, loading: busy },
            secondaryAction: turnOn,
          })}
    >
      <BlockStack gap="200">
        <p>
          {explainTurnedOff(webhook, formatDate)} See the responses in the log below. {explainRepair(webhook)}
        </p>
        <p>
          Waiting deliveries are sent then.
          {undelivered === 0
            ? ""
            : ` ${failed} failed and ${undelivered === 1 ? "is" : "are"} sent only if you redeliver them, up to 500 at a time.`}{" "}
          Events that happen until then are never sent.
        </p>
      </BlockStack>
    </Banner>
  );
}
