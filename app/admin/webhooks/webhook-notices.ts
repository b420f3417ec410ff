import { isChannel } from "../../webhooks/delivery/endpoint-key.ts";
import type { MonitoredWebhook } from "../../webhooks/subscriptions/views.ts";
import type { NamedNotice } from "../notices.tsx";
import { describeLastAttempt, webhookPath, wordsOf } from "./webhook-data.ts";

type FormatDate = (date: Date) => string;

/** Explains since when and why a webhook is turned off, and its last error. */
export function explainTurnedOff(webhook: MonitoredWebhook, formatDate: FormatDate): string {
  const { disabledReason, disabledAt, failingSince, lastAttempt } = webhook;
  const date = formatDate(new Date(disabledAt ?? 0));
  if (disabledReason === "gone") return `The endpoint responded with 410 Gone on ${date}.`;
  const since = formatDate(new Date(failingSince ?? disabledAt ?? 0));
  return `Every delivery has failed since ${since}, so the ${wordsOf(webhook).noun} was turned off on ${date}.${describeLastAttempt(lastAttempt)}`;
}

/** Tells what to do before deliveries are turned on again. */
export function explainRepair({ webhookId }: MonitoredWebhook): string {
  return isChannel(webhookId)
    ? "Remove the cause, then turn the connection on."
    : "Fix the endpoint or edit the URL, then turn the webhook on.";
}

/** Returns a notice for each webhook that is turned off or failing. */
export function webhookNotices(webhooks: readonly MonitoredWebhook[], formatDate: FormatDate): NamedNotice[] {
  return webhooks.flatMap((webhook): NamedNotice[] => {
    const { webhookId, disabledReason, failingSince, lastAttempt } = webhook;
    const { name, noun, receiver } = wordsOf(webhook);
    // The merchant paused the webhook on purpose.
    if (disabledReason === "paused") return [];
    const shared = { key: webhookId, url: webhookPath(webhookId), action: `View ${noun}` };
    if (disabledReason !== null) {
      const title = `The ${noun} to ${name} is turned off`;
      const text = `${explainTurnedOff(webhook, formatDate)} ${explainRepair(webhook)}`;
      return [{ ...shared, name: `${name} (turned off)`, tone: "critical", title, text }];
    }
    if (failingSince === null) return [];
    const title = `The ${noun} to ${name} is failing`;
    const since = formatDate(new Date(failingSince));
    const text = `No delivery has succeeded since ${since}.${describeLastAttempt(lastAttempt)} Waiting deliveries are sent when ${receiver} recovers.`;
    return [{ ...shared, name: `${name} (failing)`, tone: "warning", title, text }];
  });
}
