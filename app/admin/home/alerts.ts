import { FLOW_ENDPOINT } from "../../webhooks/delivery/endpoint-key.ts";
import { combineAlerts, type Alert, type NamedAlert } from "../alerts.tsx";
import { webhookAlerts } from "../webhooks/webhook-alerts.ts";
import type { HomeData } from "./home-data.ts";

/** An API key that expires within this time needs attention. */
const EXPIRES_SOON_MS = 14 * 24 * 3_600_000;

type FormatDate = (date: Date) => string;

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

function syncAlerts({ setup }: Pick<HomeData, "setup">): Alert[] {
  if (setup.syncProblem === undefined) return [];
  return [
    {
      key: "product-sync",
      tone: "critical",
      title: "Your products haven't been synced for hours",
      text: `Prices and availability on wishlists may be out of date. ${setup.syncProblem}. The sync retries automatically. Check that your store is open and its Shopify plan is paid.`,
    },
  ];
}

/** Returns alerts for a product sync that fails, webhooks that are turned off or failing, and keys that expire soon without a successor. */
export function homeAlerts({ setup, webhooks, withheld, keys, at }: HomeData, formatDate: FormatDate): Alert[] {
  // What Shopify Flow refuses for lack of the permission has a banner of its own.
  const monitored = webhooks.filter(({ webhookId }) => withheld.length === 0 || webhookId !== FLOW_ENDPOINT);
  return [
    ...syncAlerts({ setup }),
    ...combineAlerts(webhookAlerts(monitored, formatDate), {
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
