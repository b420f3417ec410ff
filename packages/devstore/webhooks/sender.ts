import { setTimeout as wait } from "node:timers/promises";
import { now } from "../../../app/platform/clock.server.ts";
import { holderId } from "../../../app/platform/ids.server.ts";
import type { ConfiguredWebhook } from "../foundation/app-config.ts";
import { isProtected, TOPIC_SCOPES, type Topic } from "../foundation/options.ts";
import { hasScope } from "../foundation/scopes.ts";
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
  /** Resolves when every delivery has succeeded or failed, after one that is held back. */
  idle: () => Promise<void>;
  close: () => Promise<void>;
}

const MAXIMUM_DELIVERIES = 100;

/** Returns a value with the fields that a subscription's `include_fields` names; a period leads into a nested one. */
export function selectFields(value: unknown, names: readonly string[] | undefined): unknown {
  if (names === undefined || names.includes("") || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => selectFields(one, names));
  const selected = Object.entries(value).flatMap(([field, nested]): [string, unknown][] => {
    const inside = names
      .filter((name) => name === field || name.startsWith(`${field}.`))
      .map((name) => name.slice(field.length + 1));
    return inside.length === 0 ? [] : [[field, selectFields(nested, inside)]];
  });
  return Object.fromEntries(selected);
}

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
  /** held back by the fault `out_of_order` */
  let heldBack: (() => Promise<void>) | undefined;

  /** Returns the targets that the app's configuration and the app itself have subscribed, if the app may receive the topic. */
  function targets(topic: Topic): (ConfiguredWebhook & { remove?: () => void })[] {
    const scope = TOPIC_SCOPES[topic];
    if (scope !== undefined && !hasScope(store.installation.scopes, scope)) return [];
    if (isProtected(topic) && !store.protectedCustomerData) return [];
    const configured = store.options.webhooks[topic];
    return [
      ...(configured === undefined ? [] : [configured]),
      ...store.webhookSubscriptions
        .filter((subscription) => subscription.topic === topic)
        .map((subscription) => ({
          uri: subscription.uri.replace(store.options.appUrl, ""),
          includeFields: subscription.includeFields,
          remove: () => {
            const index = store.webhookSubscriptions.indexOf(subscription);
            if (index >= 0) store.webhookSubscriptions.splice(index, 1);
          },
        })),
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

  /** @param removed called when Shopify gives up, which ends a subscription made by the API */
  async function deliver(
    delivery: WebhookDelivery,
    { triggeredAt, eventId, removed }: { triggeredAt: Date; eventId: string; removed: () => void },
  ): Promise<void> {
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
    if (!closing.signal.aborted) removed();
  }

  function run(work: () => Promise<void>): void {
    const delivered = work().finally(() => running.delete(delivered));
    running.add(delivered);
  }

  /** Delivers a webhook before the one that is held back, or holds it back until the next one. */
  function deliverOutOfOrder(work: () => Promise<void>): void {
    const earlier = heldBack;
    heldBack = earlier === undefined ? work : undefined;
    if (earlier !== undefined) run(() => work().then(earlier));
  }

  function release(): void {
    if (heldBack !== undefined) run(heldBack);
    heldBack = undefined;
  }

  return {
    send(topic, payload) {
      const { switches } = store.faults;
      const subscribed = targets(topic);
      if (subscribed.length === 0 || switches.webhooks === "never") return;
      if (switches.webhooks === "next_lost") {
        switches.webhooks = "none";
        store.journal.record({ kind: "webhook", summary: `${topic}: lost` });
        return;
      }
      const triggeredAt = now();
      const eventId = holderId();
      const times = switches.webhooks === "twice" ? 2 : 1;
      // Duplicates of a webhook share both ids.
      for (const { id, uri, includeFields, remove } of subscribed
        .map((target) => ({ ...target, id: holderId() }))
        .flatMap((target) => Array.from({ length: times }, () => target))) {
        const delivery: WebhookDelivery = {
          id,
          topic,
          url: uri,
          body: JSON.stringify(selectFields(payload, includeFields)),
          attempts: [],
          state: "sending",
        };
        deliveries = [delivery, ...deliveries].slice(0, MAXIMUM_DELIVERIES);
        const work = () => deliver(delivery, { triggeredAt, eventId, removed: () => remove?.() });
        if (switches.webhooks === "out_of_order") deliverOutOfOrder(work);
        else run(work);
      }
      if (switches.webhooks !== "out_of_order") release();
    },
    deliveries: () => deliveries,
    async idle() {
      release();
      while (running.size > 0) await Promise.all(running);
    },
    async close() {
      closing.abort();
      await Promise.all(running);
    },
  };
}
