import type { DeliveryKind, DeliveryStatus, Event } from "../../webhooks/events.ts";
import type { DeliveryFilter, Health, LoggedDelivery, WatchedWebhook } from "../../webhooks/views.ts";
import { readable } from "../numbers.ts";

/** What a merchant reads of an event. */
export const EVENT_WORDS: Record<Event, { label: string; help: string }> = {
  "wishlist.item.added": {
    label: "Item saved",
    help: "A customer saves a product. What a guest saved is sent when they log in.",
  },
  "wishlist.item.removed": {
    label: "Item removed",
    help: "A customer, or your staff, takes a product off a wishlist.",
  },
  "wishlist.shared": {
    label: "Wishlist shared",
    help: "A customer makes a share link. The message has the link in it.",
  },
};

export const KIND_WORDS: Record<DeliveryKind, string> = { event: "Event", test: "Test", redelivery: "Redelivery" };

export const STATUS_WORDS: Record<DeliveryStatus, string> = {
  pending: "Waiting",
  succeeded: "Succeeded",
  failed: "Failed",
};

/** `failing` is still tried; `gone` and `given-up` were switched off. */
export type WebhookState = "on" | "failing" | "paused" | "gone" | "given-up";

export function stateOf({ disabledReason, failingSince }: WatchedWebhook): WebhookState {
  if (disabledReason === "failing") return "given-up";
  return disabledReason ?? (failingSince === null ? "on" : "failing");
}

/** A secret that was just made, which nobody can see again. */
export interface IssuedSecretData {
  webhookId: string;
  secret: string;
}

export function pathTo(webhookId: string): string {
  return `/app/webhooks/${webhookId}`;
}

/** The log's address with a filter, and perhaps a place in it. */
export function logPath(
  webhookId: string,
  { status, event, kind }: DeliveryFilter,
  place: { before?: string | undefined; after?: string | undefined } = {},
): string {
  const given = Object.entries({ status, event, kind, ...place }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return given.length === 0 ? pathTo(webhookId) : `${pathTo(webhookId)}?${new URLSearchParams(given).toString()}`;
}

/** Characters of an address' path that a list has room for. */
const PATH_MAX = 48;

/** An address as a list shows it: what tells it from others, and the rest cut short. */
export function addressParts(url: string): { host: string; path: string } {
  const { host, pathname, search } = new URL(url);
  const path = pathname === "/" && search === "" ? "" : pathname + search;
  return { host, path: path.length > PATH_MAX ? `${path.slice(0, PATH_MAX - 1)}…` : path };
}

/** Rounded down: only what never failed is 100 %. */
export function successRate({ attempts, succeeded }: Health): string | undefined {
  if (attempts === 0) return undefined;
  return `${readable(Math.floor((1_000 * succeeded) / attempts) / 10)}%`;
}

export function ofHowMany({ attempts, isPart }: Health): string {
  return `of ${isPart ? "the newest " : ""}${readable(attempts)} ${attempts === 1 ? "attempt" : "attempts"}`;
}

/** How long something took, such as "84 ms" or "2.5 s". */
export function duration(ms: number): string {
  return ms < 1_000 ? `${readable(ms)} ms` : `${readable(ms / 1_000, 1)} s`;
}

/** What an attempt came to, in a few words. */
export function outcome({ status, error, durationMs }: NonNullable<LoggedDelivery["last"]>): string {
  const answer = status === null ? "No answer" : `Answered ${status}`;
  return error === null || status === null ? `${answer} after ${duration(durationMs)}` : `${answer}, but ${error}`;
}

/** Milliseconds: what is due so soon is worth waiting for. */
const SOON = 15_000;

/** Will it be sent in the next moments, so that the page should look again? */
export function isOnItsWay(
  { status, kind, nextAttemptAt }: Pick<LoggedDelivery, "status" | "kind" | "nextAttemptAt">,
  webhook: WatchedWebhook,
  at: Date,
): boolean {
  if (status !== "pending" || nextAttemptAt === null || !webhook.enabled) return false;
  // While it fails, events wait for one that finds out whether it works again.
  if (kind === "event" && webhook.failingSince !== null) return false;
  return Date.parse(nextAttemptAt) - at.getTime() < SOON;
}

/**
 * When it is tried next, in words.
 * @param minute writes a moment
 */
export function nextTry(
  { kind, nextAttemptAt }: Pick<LoggedDelivery, "kind" | "nextAttemptAt">,
  webhook: WatchedWebhook,
  at: Date,
  minute: (at: Date) => string,
): string | undefined {
  if (nextAttemptAt === null) return undefined;
  if (!webhook.enabled) return "When the webhook is on again";
  const resting = kind === "event" && webhook.restingUntil !== null ? Date.parse(webhook.restingUntil) : 0;
  const next = Math.max(Date.parse(nextAttemptAt), resting);
  if (next - at.getTime() > SOON) return `Not before ${minute(new Date(next))}`;
  return kind === "event" && webhook.failingSince !== null
    ? "When the receiver answers again: one delivery at a time is tried until then"
    : "In a moment";
}
