import type { HomeData } from "./home-data.ts";

/** An API key that expires within this time needs attention. */
const EXPIRES_SOON_MS = 14 * 24 * 3_600_000;

export interface Alert {
  key: string;
  tone: "warning" | "critical";
  title: string;
  text: string;
  url: string;
  action: string;
}

const DISABLED_REASONS = {
  gone: "The endpoint responded with 410 Gone, so no messages are sent to it.",
  failing: "Every delivery failed for five days, so no messages are sent to it.",
};

/** Names that a combined alert lists. */
const MAX_NAMES = 3;

interface NamedAlert extends Alert {
  /** short name for the list of a combined alert */
  name: string;
}

interface CombinedText {
  title: (count: number) => string;
  /** @param names the first names, then "and 2 more" */
  text: (names: string) => string;
  url: string;
  action: string;
}

/** Combines several alerts on one subject into one with their count. The most severe comes first. */
function combineAlerts(alerts: readonly NamedAlert[], { title, text, url, action }: CombinedText): Alert[] {
  const sorted = alerts.toSorted((a, b) => Number(b.tone === "critical") - Number(a.tone === "critical"));
  const [first, second] = sorted;
  if (!first) return [];
  if (!second) return [first];
  const names = sorted.slice(0, MAX_NAMES).map(({ name }) => name);
  const more = sorted.length - names.length;
  const listed = more > 0 ? `${names.join(", ")} and ${more} more` : names.join(", ");
  return [{ key: url, tone: first.tone, title: title(sorted.length), text: text(listed), url, action }];
}

type FormatDate = (date: Date) => string;

function webhookAlerts(webhooks: HomeData["webhooks"], formatDate: FormatDate): NamedAlert[] {
  return webhooks.flatMap(({ webhookId, url, disabledReason, failingSince }): NamedAlert[] => {
    const { host } = new URL(url);
    const shared = { key: webhookId, url: `/app/webhooks/${webhookId}`, action: "View webhook" };
    // The merchant paused the webhook on purpose.
    if (disabledReason === "paused") return [];
    if (disabledReason !== null) {
      const title = `The webhook to ${host} is turned off`;
      const text = DISABLED_REASONS[disabledReason];
      return [{ ...shared, name: `${host} (turned off)`, tone: "critical", title, text }];
    }
    if (failingSince === null) return [];
    const title = `The webhook to ${host} is failing`;
    const text = `No delivery has succeeded since ${formatDate(new Date(failingSince))}. Waiting deliveries are sent when the endpoint recovers.`;
    return [{ ...shared, name: `${host} (failing)`, tone: "warning", title, text }];
  });
}

function keyAlerts(keys: HomeData["keys"], at: Date, formatDate: FormatDate): NamedAlert[] {
  return keys.flatMap(({ keyId, name, expiresAt, successorKeyId }): NamedAlert[] => {
    if (expiresAt === null || successorKeyId !== null) return [];
    if (expiresAt.getTime() - at.getTime() > EXPIRES_SOON_MS) return [];
    return [
      {
        key: keyId,
        name: `“${name}” (${formatDate(expiresAt)})`,
        tone: "warning",
        title: `The API key “${name}” expires on ${formatDate(expiresAt)}`,
        text: "Systems that use it will lose access. Create a new key to replace it.",
        url: `/app/api-keys/${keyId}`,
        action: "View key",
      },
    ];
  });
}

/** Returns alerts for webhooks that are turned off or failing, and for keys that expire soon without a successor. */
export function homeAlerts({ webhooks, keys, at }: HomeData, formatDate: FormatDate): Alert[] {
  return [
    ...combineAlerts(webhookAlerts(webhooks, formatDate), {
      title: (count) => `${count} webhooks need your attention`,
      text: (names) => `Messages don't arrive at ${names}.`,
      url: "/app/webhooks",
      action: "View webhooks",
    }),
    ...combineAlerts(keyAlerts(keys, at, formatDate), {
      title: (count) => `${count} API keys expire soon`,
      text: (names) => `Systems that use them will lose access: ${names}. Create new keys to replace them.`,
      url: "/app/api-keys",
      action: "View API keys",
    }),
  ];
}
