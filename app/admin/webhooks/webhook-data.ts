import { EMAIL, FLOW_ENDPOINT, KLAVIYO } from "../../webhooks/delivery/endpoint-key.ts";
import type { DeliveryKind, DeliveryStatus } from "../../webhooks/delivery/kinds.ts";
import type { Event } from "../../webhooks/events/events.ts";
import type {
  AttemptFacts,
  DeliveryFilter,
  Health,
  LoggedDelivery,
  MerchantWebhook,
} from "../../webhooks/subscriptions/views.ts";
import { formatNumber } from "../format.ts";
import { EVENT_LABELS } from "./event-labels.ts";

/** Returns the options of a selection of events. @param events by default all */
export function eventOptions(events?: readonly string[]): { value: string; label: string }[] {
  return Object.entries(EVENT_LABELS).flatMap(([value, { label }]) =>
    events?.includes(value) === false ? [] : [{ value, label }],
  );
}

export const KIND_LABELS: Record<DeliveryKind, string> = { event: "Event", test: "Test", redelivery: "Redelivery" };

export const STATUS_LABELS: Record<DeliveryStatus, string> = {
  pending: "Waiting",
  succeeded: "Succeeded",
  failed: "Failed",
};

/** `failing`: deliveries continue; `gone` and `given-up`: the webhook was turned off; `not-permitted`: Shopify Flow, without access to customers. */
export type WebhookState = "on" | "failing" | "paused" | "gone" | "given-up" | "not-permitted";

export function webhookState({
  disabledReason,
  failingSince,
}: MerchantWebhook): Exclude<WebhookState, "not-permitted"> {
  if (disabledReason === "failing") return "given-up";
  return disabledReason ?? (failingSince === null ? "on" : "failing");
}

/** Returns the path of the form for a new webhook in which these events are selected. */
export function newWebhookPath(events: readonly Event[]): string {
  return `/app/webhooks/new?${new URLSearchParams(events.map((event) => ["event", event])).toString()}`;
}

export function webhookPath(webhookId: string): string {
  return `/app/webhooks/${webhookId}`;
}

export const FLOW_PATH = webhookPath(FLOW_ENDPOINT);
export const EMAIL_PATH = webhookPath(EMAIL.endpointId);
export const KLAVIYO_PATH = webhookPath(KLAVIYO.endpointId);

/** Opens Shopify Flow in the admin. */
export function openFlow(): void {
  window.open("shopify://admin/apps/flow", "_top");
}

/** Returns the words for a webhook, and for a channel, which the pages show beside webhooks. */
export function wordsOf({ webhookId, url, name }: Pick<MerchantWebhook, "webhookId" | "url" | "name">): {
  name: string;
  noun: string;
  receiver: string;
} {
  if (webhookId === FLOW_ENDPOINT) return { name: "Shopify Flow", noun: "connection", receiver: "Shopify Flow" };
  if (webhookId === EMAIL.endpointId) return { name: "email", noun: "connection", receiver: "the mail server" };
  if (webhookId === KLAVIYO.endpointId) return { name: "Klaviyo", noun: "connection", receiver: "Klaviyo" };
  return { name: name ?? new URL(url).host, noun: "webhook", receiver: "the endpoint" };
}

/** Returns the URL of the delivery log with a filter and an optional cursor. */
export function logPath(
  webhookId: string,
  { status, event, kind }: DeliveryFilter,
  cursor: { before?: string | undefined; after?: string | undefined } = {},
): string {
  const given = Object.entries({ status, event, kind, ...cursor }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return given.length === 0
    ? webhookPath(webhookId)
    : `${webhookPath(webhookId)}?${new URLSearchParams(given).toString()}`;
}

const MAX_PATH_LENGTH = 48;

/** Splits a URL for display in a list. A long path is cut short. */
export function splitUrl(url: string): { host: string; path: string } {
  const { host, pathname, search } = new URL(url);
  const path = pathname === "/" && search === "" ? "" : pathname + search;
  return { host, path: path.length > MAX_PATH_LENGTH ? `${path.slice(0, MAX_PATH_LENGTH - 1)}…` : path };
}

/** Formats the success rate, rounded down: 100 % means that no attempt failed. */
export function formatSuccessRate({ attempts, succeeded }: Health): string | undefined {
  if (attempts === 0) return undefined;
  return `${formatNumber(Math.floor((1_000 * succeeded) / attempts) / 10)}%`;
}

export function formatAttempts({ attempts, isPart }: Health): string {
  return `of ${isPart ? "the newest " : ""}${formatNumber(attempts)} ${attempts === 1 ? "attempt" : "attempts"}`;
}

/** Formats a duration, such as "84 ms" or "2.5 s". */
export function formatDuration(ms: number): string {
  return ms < 1_000 ? `${formatNumber(ms)} ms` : `${formatNumber(ms / 1_000, 1)} s`;
}

/** Describes the outcome of an attempt. */
export function describeAttempt({ status, error, durationMs }: AttemptFacts): string {
  const response = status === null ? "No response" : `Response ${status}`;
  return error === null || status === null
    ? `${response} after ${formatDuration(durationMs)}`
    : `${response}, but ${error}`;
}

/** Describes the outcome of a delivery's last attempt. SMTP's status of an email that was accepted says nothing to merchants. */
export function describeOutcome(attempt: AttemptFacts, { webhookId }: Pick<MerchantWebhook, "webhookId">): string {
  const isAccepted = webhookId === EMAIL.endpointId && attempt.status !== null && attempt.error === null;
  return isAccepted ? "Accepted by the mail server" : describeAttempt(attempt);
}

/** Sums up the last attempt for a banner, as a sentence; empty without an attempt. */
export function describeLastAttempt(last: AttemptFacts | undefined): string {
  if (last === undefined) return "";
  return ` Last attempt: ${last.status === null ? (last.error ?? "no response") : describeAttempt(last)}.`;
}

/** How often a page with a delivery in progress reloads its data. */
export const POLL_INTERVAL_MS = 1_500;

/** Milliseconds: a delivery that is due so soon is worth polling for. */
const SOON = 15_000;

/** Whether the delivery is sent in the next moments, so that the page should poll. */
export function isSentSoon(
  { status, immediate, nextAttemptAt }: Pick<LoggedDelivery, "status" | "immediate" | "nextAttemptAt">,
  webhook: MerchantWebhook,
  at: Date,
): boolean {
  if (status !== "pending" || nextAttemptAt === null || !webhook.enabled) return false;
  // While the endpoint fails, one delivery at a time probes it and the others wait.
  if (!immediate && webhook.failingSince !== null) return false;
  return Date.parse(nextAttemptAt) - at.getTime() < SOON;
}

/**
 * Describes when the delivery is tried next.
 * @param minute formats a time
 */
export function describeNextAttempt(
  { immediate, nextAttemptAt }: Pick<LoggedDelivery, "immediate" | "nextAttemptAt">,
  webhook: MerchantWebhook,
  at: Date,
  minute: (at: Date) => string,
): string | undefined {
  if (nextAttemptAt === null) return undefined;
  const { noun, receiver } = wordsOf(webhook);
  if (!webhook.enabled) return `When the ${noun} is turned on`;
  const recovery = !immediate && webhook.backoffUntil !== null ? Date.parse(webhook.backoffUntil) : 0;
  const next = Math.max(Date.parse(nextAttemptAt), recovery);
  if (next - at.getTime() > SOON) return `${minute(new Date(next))} or later`;
  return !immediate && webhook.failingSince !== null
    ? `When ${receiver} recovers. Until then, deliveries are tried one at a time`
    : "In a moment";
}
