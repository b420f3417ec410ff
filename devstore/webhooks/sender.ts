import { setTimeout as wait } from "node:timers/promises";
import { now } from "../../app/platform/clock.server.ts";
import { holderId } from "../../app/platform/ids.server.ts";
import type { Topic } from "../foundation/options.ts";
import { webhookSignature } from "../foundation/signatures.ts";
import type { Store } from "../store/store.ts";

/** For the whole request; Shopify allows one second to connect and five until the response. */
const TIMEOUT_MS = 5_000;

export interface Attempt {
  at: Date;
  /** undefined without a response */
  status: number | undefined;
  error: string | undefined;
}

export interface WebhookDelivery {
  /** `X-Shopify-Webhook-Id`, which all attempts share */
  id: string;
  topic: Topic;
  url: string;
  body: string;
  attempts: Attempt[];
  state: "sending" | "delivered" | "failed";
}

export interface WebhookSender {
  /** Delivers a webhook to every subscription to its topic, with retries, in the background. */
  send: (topic: Topic, payload: object) => void;
  /** newest first */
  deliveries: () => readonly WebhookDelivery[];
  /** Resolves when every delivery has succeeded or failed. */
  idle: () => Promise<void>;
  close: () => Promise<void>;
}

const MAXIMUM_DELIVERIES = 100;

/** Returns the headers of a webhook. */
export function webhookHeaders(
  { options, shop }: Store,
  { topic, body, webhookId, triggeredAt }: { topic: string; body: string; webhookId: string; triggeredAt: Date },
): Record<string, string> {
  return {
    "content-type": "application/json",
    "user-agent": "Shopify-Captain-Hook",
    "x-shopify-topic": topic,
    "x-shopify-shop-domain": shop.domain,
    "x-shopify-api-version": options.apiVersion,
    "x-shopify-webhook-id": webhookId,
    "x-shopify-triggered-at": triggeredAt.toISOString(),
    "x-shopify-hmac-sha256": webhookSignature(body, options.apiSecret),
  };
}

export function createWebhookSender(store: Store): WebhookSender {
  let deliveries: WebhookDelivery[] = [];
  const running = new Set<Promise<void>>();
  const closing = new AbortController();

  /** Returns the targets that the app's configuration and the app itself have subscribed. */
  function targets(topic: Topic): string[] {
    const configured = store.options.webhooks[topic];
    return [
      ...(configured === undefined ? [] : [configured]),
      ...store.webhookSubscriptions
        .filter((subscription) => subscription.topic === topic)
        .map(({ uri }) => uri.replace(store.options.appUrl, "")),
    ];
  }

  async function attempt(delivery: WebhookDelivery, triggeredAt: Date, eventId: string): Promise<Attempt> {
    const at = now();
    try {
      const { status } = await store.app.send(delivery.url, {
        method: "POST",
        headers: new Headers({
          ...webhookHeaders(store, { ...delivery, webhookId: delivery.id, triggeredAt }),
          host: new URL(store.options.appUrl).host,
          "x-shopify-event-id": eventId,
        }),
        body: delivery.body,
        signal: AbortSignal.any([closing.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      return { at, status, error: undefined };
    } catch (error) {
      return { at, status: undefined, error: error instanceof Error ? error.message : "no response" };
    }
  }

  async function deliver(delivery: WebhookDelivery): Promise<void> {
    const triggeredAt = now();
    const eventId = holderId();
    for (const delay of [0, ...store.options.webhookRetriesMs]) {
      if (delay > 0) await wait(delay, undefined, { signal: closing.signal }).catch(() => undefined);
      if (closing.signal.aborted) break;
      const made = await attempt(delivery, triggeredAt, eventId);
      delivery.attempts.push(made);
      store.journal.record({
        kind: "webhook",
        summary: `${delivery.topic}, attempt ${delivery.attempts.length}${made.error === undefined ? "" : `: ${made.error}`}`,
        status: made.status,
      });
      if (made.status !== undefined && made.status >= 200 && made.status < 300) {
        delivery.state = "delivered";
        return;
      }
    }
    delivery.state = "failed";
  }

  return {
    send(topic, payload) {
      const fault = store.faults.switches.webhooks;
      if (fault === "never") return;
      const times = fault === "twice" ? 2 : 1;
      for (const url of targets(topic).flatMap((target) => Array.from({ length: times }, () => target))) {
        const delivery: WebhookDelivery = {
          id: holderId(),
          topic,
          url,
          body: JSON.stringify(payload),
          attempts: [],
          state: "sending",
        };
        deliveries = [delivery, ...deliveries].slice(0, MAXIMUM_DELIVERIES);
        const run = deliver(delivery).finally(() => running.delete(run));
        running.add(run);
      }
    },
    deliveries: () => deliveries,
    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
    async close() {
      closing.abort();
      await Promise.all(running);
    },
  };
}
