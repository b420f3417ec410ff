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
  gone: "The receiver answered 410 Gone, so nothing is sent to it any more.",
  failing: "Nothing but failures for five days, so nothing is sent to it any more.",
};

/**
 * What the merchant should look at: webhooks that were switched off or are failing, keys that end soon and have no successor.
 * @param day writes a date
 */
export function concerns({ webhooks, keys, at }: HomeData, day: (at: Date) => string): Concern[] {
  const ofWebhooks = webhooks.flatMap(({ webhookId, url, disabledReason, failingSince }): Concern[] => {
    const { host } = new URL(url);
    const shared = { key: webhookId, url: `/app/webhooks/${webhookId}`, action: "Look at the webhook" };
    // Its owner knows of a pause.
    if (disabledReason === "paused") return [];
    if (disabledReason !== null) {
      return [{ ...shared, tone: "critical", title: `The webhook to ${host} is off`, says: WHY[disabledReason] }];
    }
    if (failingSince === null) return [];
    const says = `It has not taken a delivery since ${day(new Date(failingSince))}. What waits is sent when it answers again.`;
    return [{ ...shared, tone: "warning", title: `The webhook to ${host} is failing`, says }];
  });
  const ofKeys = keys.flatMap(({ keyId, name, expiresAt, successorKeyId }): Concern[] => {
    if (expiresAt === null || successorKeyId !== null || expiresAt.getTime() - at.getTime() > SOON) return [];
    return [
      {
        key: keyId,
        tone: "warning",
        title: `The API key “${name}” expires on ${day(expiresAt)}`,
        says: "Systems that use it lose access then. Create a new key to replace it.",
        url: `/app/api-keys/${keyId}`,
        action: "View key",
      },
    ];
  });
  return [...ofWebhooks, ...ofKeys];
}
