import { setTimeout as wait } from "node:timers/promises";
import { request } from "undici";
import { now } from "../../app/platform/clock.server.ts";
import { holderId } from "../../app/platform/ids.server.ts";
import type { Topic } from "../options.ts";
import type { Store } from "../store/store.ts";
import { webhookHmac } from "./signature.ts";

/** In all; Shopify allows a second to connect and five until the answer. */
const TIMEOUT_MS = 5_000;

export interface Attempt {
  at: Date;
  /** undefined when there was no answer */
  status: number | undefined;
  error: string | undefined;
}

export interface WebhookDelivery {
  /** `X-Shopify-Webhook-Id`: the same on every attempt */
  id: string;
  topic: Topic;
  url: string;
  body: string;
  attempts: Attempt[];
  state: "sending" | "delivered" | "failed";
}

export interface Sender {
  send: (topic: Topic, payload: object) => void;
  /** newest first */
  deliveries: () => readonly WebhookDelivery[];
  /** Resolves when nothing is on its way any more. */
  settled: () => Promise<void>;
  close: () => Promise<void>;
}

const KEPT = 100;

export function createSender(store: Store): Sender {
  let deliveries: WebhookDelivery[] = [];
  const running = new Set<Promise<void>>();
  const closing = new AbortController();

  /** To where the app's configuration and the app itself have subscribed. */
  function addresses(topic: Topic): string[] {
    const { webhooks, appAddress, appUrl } = store.options;
    const configured = webhooks[topic];
    return [
      ...(configured === undefined ? [] : [appAddress + configured]),
      ...store.webhookSubscriptions
        .filter((subscription) => subscription.topic === topic)
        .map(({ uri }) => uri.replace(appUrl, appAddress)),
    ];
  }

  async function attempt(delivery: WebhookDelivery, triggeredAt: string, eventId: string): Promise<Attempt> {
    const { apiSecret, apiVersion } = store.options;
    const at = now();
    try {
      const answer = await request(delivery.url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "user-agent": "Shopify-Captain-Hook",
          host: new URL(store.options.appUrl).host,
          "x-shopify-topic": delivery.topic,
          "x-shopify-shop-domain": store.shop.domain,
          "x-shopify-api-version": apiVersion,
          "x-shopify-webhook-id": delivery.id,
          "x-shopify-event-id": eventId,
          "x-shopify-triggered-at": triggeredAt,
          "x-shopify-hmac-sha256": webhookHmac(delivery.body, apiSecret),
        },
        body: delivery.body,
        signal: AbortSignal.any([closing.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      await answer.body.dump();
      return { at, status: answer.statusCode, error: undefined };
    } catch (error) {
      return { at, status: undefined, error: error instanceof Error ? error.message : "no answer" };
    }
  }

  async function deliver(delivery: WebhookDelivery): Promise<void> {
    const triggeredAt = now().toISOString();
    const eventId = holderId();
    for (const delay of [0, ...store.options.webhookRetriesMs]) {
      if (delay > 0) await wait(delay, undefined, { signal: closing.signal }).catch(() => undefined);
      if (closing.signal.aborted) break;
      const made = await attempt(delivery, triggeredAt, eventId);
      delivery.attempts.push(made);
      store.journal.add({
        kind: "webhook",
        what: `${delivery.topic}, attempt ${delivery.attempts.length}${made.error === undefined ? "" : `: ${made.error}`}`,
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
      if (store.faults.webhooks === "never") return;
      const times = store.faults.webhooks === "twice" ? 2 : 1;
      for (const url of addresses(topic).flatMap((address) => Array.from({ length: times }, () => address))) {
        const delivery: WebhookDelivery = {
          id: holderId(),
          topic,
          url,
          body: JSON.stringify(payload),
          attempts: [],
          state: "sending",
        };
        deliveries = [delivery, ...deliveries].slice(0, KEPT);
        const run = deliver(delivery).finally(() => running.delete(run));
        running.add(run);
      }
    },
    deliveries: () => deliveries,
    async settled() {
      while (running.size > 0) await Promise.all(running);
    },
    async close() {
      closing.abort();
      await Promise.all(running);
    },
  };
}
