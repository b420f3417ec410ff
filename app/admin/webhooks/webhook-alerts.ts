import type { MonitoredWebhook } from "../../webhooks/views.ts";
import type { NamedAlert } from "../alerts.tsx";
import { describeLastAttempt, webhookPath } from "./webhook-data.ts";

type FormatDate = (date: Date) => string;

/** Explains since when and why a webhook is turned off, and its last error. */
export function explainTurnedOff(
  { disabledReason, disabledAt, failingSince, lastAttempt }: MonitoredWebhook,
  formatDate: FormatDate,
): string {
  const date = formatDate(new Date(disabledAt ?? 0));
  if (disabledReason === "gone") return `The endpoint responded with 410 Gone on ${date}.`;
  const since = formatDate(new Date(failingSince ?? disabledAt ?? 0));
  return `Every delivery has failed since ${since}, so the webhook was turned off on ${date}.${describeLastAttempt(lastAttempt)}`;
}

/** Returns an alert for each webhook that is turned off or failing. */
export function webhookAlerts(webhooks: readonly MonitoredWebhook[], formatDate: FormatDate): NamedAlert[] {
  return webhooks.flatMap((webhook): NamedAlert[] => {
    const { webhookId, url, disabledReason, failingSince, lastAttempt } = webhook;
    const { host } = new URL(url);
    // The merchant paused the webhook on purpose.
    if (disabledReason === "paused") return [];
    const shared = { key: webhookId, url: webhookPath(webhookId), action: "View webhook" };
    if (disabledReason !== null) {
      const title = `The webhook to ${host} is turned off`;
      const text = `${explainTurnedOff(webhook, formatDate)} Fix the endpoint or edit the URL, then turn the webhook on.`;
      return [{ ...shared, name: `${host} (turned off)`, tone: "critical", title, text }];
    }
    if (failingSince === null) return [];
    const title = `The webhook to ${host} is failing`;
    const since = formatDate(new Date(failingSince));
    const text = `No delivery has succeeded since ${since}.${describeLastAttempt(lastAttempt)} Waiting deliveries are sent when the endpoint recovers.`;
    return [{ ...shared, name: `${host} (failing)`, tone: "warning", title, text }];
  });
}
