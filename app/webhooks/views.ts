import type { DeliveryKind, DeliveryStatus, Event } from "./events.ts";

// What the merchant's pages show of webhooks. Moments are ISO 8601.

/** A webhook with what only its owner's pages tell. */
export interface WatchedWebhook {
  webhookId: string;
  url: string;
  events: Event[];
  createdAt: string;
  enabled: boolean;
  disabledReason: "paused" | "gone" | "failing" | null;
  failingSince: string | null;
  /** after a failure nothing is tried before */
  backoffUntil: string | null;
  /** until then the secret before this one signs as well */
  previousSecretValidUntil: string | null;
}

/** How a webhook has fared in the last 24 hours. */
export interface Health {
  /** that were looked at */
  attempts: number;
  /** there were more of them within the time: these are the newest */
  isPart: boolean;
  succeeded: number;
  /** milliseconds until an answer was there, 2xx or not; null without any answer */
  medianMs: number | null;
  p95Ms: number | null;
}

/** What a webhook has before it: at most `counted` + 1 of each, which means more than `counted`. */
export interface Backlog {
  waiting: number;
  /** has failed for good and was not made again yet */
  undelivered: number;
  counted: number;
}

interface DeliveryFacts {
  deliveryId: string;
  /** what the receiver gets as `webhook-id` */
  messageId: string;
  event: Event;
  kind: DeliveryKind;
  status: DeliveryStatus;
  createdAt: string;
  /** null unless it is pending */
  nextAttemptAt: string | null;
  /** a test, or a redelivery of one event: it does not wait for a failing endpoint to recover */
  immediate: boolean;
}

interface AttemptFacts {
  at: string;
  durationMs: number;
  /** HTTP status of the answer, if there was one */
  status: number | null;
  /** why there was no answer, or no whole one */
  error: string | null;
}

/** A delivery in a list: its last attempt says how it stands. */
export interface LoggedDelivery extends DeliveryFacts {
  attempts: number;
  last: AttemptFacts | undefined;
}

/** Which deliveries; what is left out is any. */
export interface DeliveryFilter {
  status?: DeliveryStatus | undefined;
  event?: Event | undefined;
  kind?: DeliveryKind | undefined;
}

/** A page of the log, newest first. */
export interface DeliveryLog {
  deliveries: LoggedDelivery[];
  filter: DeliveryFilter;
  /** ids that the neighbouring pages end and begin at */
  newer: string | undefined;
  older: string | undefined;
}

/** A webhook, how it fares, and a page of its log. */
export interface WebhookDetails {
  webhook: WatchedWebhook & { health: Health };
  backlog: Backlog;
  log: DeliveryLog;
  lastTest: LoggedDelivery | undefined;
}

/** What was sent, and what came back. */
export interface AttemptDetails extends AttemptFacts {
  number: number;
  /** null when nothing was sent, or it is not known any more where to */
  request: { url: string; headers: Record<string, string> } | null;
  /** the first 2 KiB of the answer */
  response: string | null;
}

/** One delivery with all that was sent. */
export interface DeliveryDetails {
  webhook: WatchedWebhook;
  delivery: DeliveryFacts & { attempts: AttemptDetails[]; redeliveredAt: string | null };
  /** as it is sent in every attempt; undefined when the event, or what it tells of, is gone */
  body: string | undefined;
}
