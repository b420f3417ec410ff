import type { DeliveryKind, DeliveryStatus } from "../delivery/kinds.ts";
import type { Event } from "../events/events.ts";

// Webhooks as the merchant's pages show them. Times are ISO 8601.

/** A webhook with its back-off and secret rotation, which only the merchant's pages show. */
export interface MerchantWebhook {
  webhookId: string;
  url: string;
  events: Event[];
  /** whether its requests carry several events */
  batch: boolean;
  /** what the owner calls it; null: it is known by its address */
  name: string | null;
  createdAt: string;
  enabled: boolean;
  disabledReason: "paused" | "gone" | "failing" | null;
  disabledAt: string | null;
  failingSince: string | null;
  /** end of the back-off after a failure */
  backoffUntil: string | null;
  /** until then the previous secret signs as well */
  previousSecretValidUntil: string | null;
}

/** A webhook's attempts in the last 24 hours. */
export interface Health {
  /** attempts that were evaluated */
  attempts: number;
  /** whether only the newest attempts were evaluated */
  isPart: boolean;
  succeeded: number;
  /** milliseconds until a response, 2xx or not; null without any response */
  medianMs: number | null;
  p95Ms: number | null;
}

/** A webhook's pending and failed deliveries. Both numbers are at most `counted` + 1, which means more than `counted`. */
export interface Backlog {
  waiting: number;
  /** failed after the last attempt, and not redelivered yet */
  undelivered: number;
  counted: number;
}

interface DeliveryFacts {
  deliveryId: string;
  /** the receiver's `webhook-id` */
  messageId: string;
  event: Event;
  kind: DeliveryKind;
  status: DeliveryStatus;
  createdAt: string;
  /** null unless it is pending */
  nextAttemptAt: string | null;
  /** whether it is sent during the endpoint's back-off: a test, or a redelivery of one event */
  immediate: boolean;
}

export interface AttemptFacts {
  at: string;
  durationMs: number;
  /** HTTP status of the response; null without one */
  status: number | null;
  /** why no complete response arrived */
  error: string | null;
}

/** A webhook's state, as alerts show it. */
export interface MonitoredWebhook extends Pick<
  MerchantWebhook,
  "webhookId" | "name" | "url" | "disabledReason" | "disabledAt" | "failingSince"
> {
  /** the last request to the endpoint; undefined while the webhook works */
  lastAttempt: AttemptFacts | undefined;
}

/** A delivery in the log, with its last attempt. */
export interface LoggedDelivery extends DeliveryFacts {
  attempts: number;
  last: AttemptFacts | undefined;
}

/** Filters of the delivery log. A missing filter matches every delivery. */
export interface DeliveryFilter {
  status?: DeliveryStatus | undefined;
  event?: Event | undefined;
  kind?: DeliveryKind | undefined;
}

/** A page of the log, newest first. */
export interface DeliveryLog {
  deliveries: LoggedDelivery[];
  filter: DeliveryFilter;
  /** ids of the deliveries at which the newer and older pages start; undefined when there is no such page */
  newer: string | undefined;
  older: string | undefined;
}

export interface WebhookWithHealth extends MerchantWebhook, MonitoredWebhook {
  health: Health;
}

/** A webhook with its health, its backlog and a page of its log. */
export interface WebhookDetails {
  webhook: WebhookWithHealth;
  backlog: Backlog;
  log: DeliveryLog;
  lastTest: LoggedDelivery | undefined;
}

/** An attempt with its request and response. */
export interface AttemptDetails extends AttemptFacts {
  number: number;
  /** whether the request carried a batch, with the delivery's event in it */
  batched: boolean;
  /** null when nothing was sent, or the URL was not recorded */
  request: { url: string; headers: Record<string, string> } | null;
  /** the first 2 KiB of the response */
  response: string | null;
}

/** A delivery with all its attempts and its body. */
export interface DeliveryDetails {
  webhook: MerchantWebhook;
  delivery: DeliveryFacts & { attempts: AttemptDetails[]; redeliveredAt: string | null };
  /** whom and what the event is about; null for a test and where it is about neither */
  subject: { customerId: string | null; productId: string | null };
  /** the same in every attempt; undefined when the event or its share link has been deleted */
  body: string | undefined;
}
