import type { HomeData } from "./home-data.ts";

/** Milliseconds before its end in which a key is about to expire. */
const SOON = 14 * 24 * 3_600_000;

export interface Concern {
  key: string;
  tone: "warning" | "critical";
  title: string;
  says: string;
  url: string;
  action: string;
}

const WHY = {
  gone: "The endpoint responded with 410 Gone, so no messages are sent to it.",
  failing: "Every delivery failed for five days, so no messages are sent to it.",
};

/** Names that a combined concern lists. */
const NAMED = 3;

interface NamedConcern extends Concern {
  /** short, for the list of a combined concern */
  name: string;
}

interface Parts {
  title: (count: number) => string;
  /** the names of the first few, then "and 2 more" */
  says: (names: string) => string;
  url: string;
  action: string;
}

/** One banner per subject: several concerns become one with their count, the most severe first. */
function combined(concerns: readonly NamedConcern[], { title, says, url, action }: Parts): Concern[] {
  const sorted = concerns.toSorted((a, b) => Number(b.tone === "critical") - Number(a.tone === "critical"));
  const [first, second] = sorted;
  if (!first) return [];
  if (!second) return [first];
  const names = sorted.slice(0, NAMED).map(({ name }) => name);
  const more = sorted.length - names.length;
  const listed = more > 0 ? `${names.join(", ")} and ${more} more` : names.join(", ");
  return [{ key: url, tone: first.tone, title: title(sorted.length), says: says(listed), url, action }];
}

/**
 * Returns what needs the merchant's attention: webhooks that are turned off or failing, and keys that expire soon without a successor.
 * @param day formats a date
 */
export function concerns({ webhooks, keys, at }: HomeData, day: (at: Date) => string): Concern[] {
  const ofWebhooks = webhooks.flatMap(({ webhookId, url, disabledReason, failingSince }): NamedConcern[] => {
    const { host } = new URL(url);
    const shared = { key: webhookId, url: `/app/webhooks/${webhookId}`, action: "View webhook" };
    // A pause is the merchant's own decision.
    if (disabledReason === "paused") return [];
    if (disabledReason !== null) {
      const title = `The webhook to ${host} is turned off`;
      return [{ ...shared, name: `${host} (turned off)`, tone: "critical", title, says: WHY[disabledReason] }];
    }
    if (failingSince === null) return [];
    const says = `No delivery has succeeded since ${day(new Date(failingSince))}. Waiting deliveries are sent when the endpoint recovers.`;
    const title = `The webhook to ${host} is failing`;
    return [{ ...shared, name: `${host} (failing)`, tone: "warning", title, says }];
  });
  const ofKeys = keys.flatMap(({ keyId, name, expiresAt, successorKeyId }): NamedConcern[] => {
    if (expiresAt === null || successorKeyId !== null || expiresAt.getTime() - at.getTime() > SOON) return [];
    return [
      {
        key: keyId,
        name: `“${name}” (${day(expiresAt)})`,
        tone: "warning",
        title: `The API key “${name}” expires on ${day(expiresAt)}`,
        says: "Systems that use it lose access then. Create a new key to replace it.",
        url: `/app/api-keys/${keyId}`,
        action: "View key",
      },
    ];
  });
  return [
    ...combined(ofWebhooks, {
      title: (count) => `${count} webhooks need your attention`,
      says: (names) => `Messages don't arrive at ${names}.`,
      url: "/app/webhooks",
      action: "View webhooks",
    }),
    ...combined(ofKeys, {
      title: (count) => `${count} API keys expire soon`,
      says: (names) => `Systems that use them lose access then: ${names}. Create new keys to replace them.`,
      url: "/app/api-keys",
      action: "View API keys",
    }),
  ];
}
