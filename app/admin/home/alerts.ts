import { PLANS } from "../../billing/plans.ts";
import { FLOW_ENDPOINT } from "../../webhooks/delivery/endpoint-key.ts";
import { combineAlerts, type Alert, type NamedAlert } from "../alerts.tsx";
import { ALERT_LABELS } from "../customer-alerts/alert-labels.ts";
import { describeWithheld } from "../customers-permission.tsx";
import { formatCount } from "../format.ts";
import { webhookAlerts } from "../webhooks/webhook-alerts.ts";
import { webhookPath, wordsOf } from "../webhooks/webhook-data.ts";
import type { HomeData } from "./home-data.ts";

/** A problem that is mended on another page, by a permission, or, without either, by loading the page's data again. */
export interface HomeAlert extends Alert {
  permission?: "customers" | "orders";
}

/** A key that expires within this time needs attention. */
const EXPIRES_SOON_MS = 14 * 24 * 3_600_000;

type FormatDate = (date: Date) => string;

function flowAlerts({ withheld = [] }: HomeData): HomeAlert[] {
  if (withheld.length === 0) return [];
  const text = describeWithheld(withheld);
  return [{ key: "flow", tone: "critical", title: "Flow needs access to customers", text, permission: "customers" }];
}

function syncAlerts({ setup }: HomeData): HomeAlert[] {
  if (setup?.syncProblem === undefined) return [];
  return [
    {
      key: "product-sync",
      tone: "critical",
      title: "Your products haven't been synced for hours",
      text: `Prices and availability on wishlists may be out of date. ${setup.syncProblem}. The sync retries automatically. Check that your store is open and its Shopify plan is paid.`,
    },
  ];
}

function planAlerts({ billing }: HomeData): HomeAlert[] {
  if (billing?.frozen === undefined) return [];
  const { name } = PLANS[billing.frozen];
  return [
    {
      key: "plan",
      tone: "critical",
      title: `Your ${name} subscription is frozen`,
      text: `Your store has an unpaid Shopify bill. Until it is paid, the features of the ${name} plan are off.`,
      url: "/app/plan",
      action: "View plan",
    },
  ];
}

function requestAlerts({ dataRequests: [first, ...others] = [], at }: HomeData, formatDate: FormatDate): HomeAlert[] {
  if (!first) return [];
  const isOverdue = first < at;
  const requests = formatCount(others.length + 1, "request");
  return [
    {
      key: "data-requests",
      tone: isOverdue ? "critical" : "warning",
      title: `${requests} for customer data ${isOverdue ? "overdue since" : "due on"} ${formatDate(first)}`,
      text: "A customer asked for their data. Download the record and send it to the customer.",
      url: "/app/settings/privacy",
      action: "View privacy requests",
    },
  ];
}

/** Orders were counted before, and the merchant has withdrawn the permission. */
function orderAlerts({ earned, readsOrders }: HomeData): HomeAlert[] {
  if (readsOrders || typeof earned?.first !== "string") return [];
  return [
    {
      key: "orders",
      tone: "warning",
      title: "Orders aren't counted any more",
      text: "Revenue is incomplete, because this app may no longer read orders.",
      permission: "orders",
    },
  ];
}

function receiverAlerts({ alerts, requiredPlan, withheld = [] }: HomeData): HomeAlert[] {
  if (!alerts || requiredPlan !== undefined) return [];
  const missing = alerts.kinds.filter(
    (kind) => !alerts.received.includes(kind) && !withheld.includes(`wishlist.alert.${kind}`),
  );
  if (missing.length === 0) return [];
  const names = missing.map((kind) => ALERT_LABELS[kind].label).join(", ");
  return [
    {
      key: "receivers",
      tone: "warning",
      title: "Some alerts have no receiver",
      text: `No active webhook or workflow receives: ${names}. Until one does, these alerts are not sent.`,
      url: "/app/alerts",
      action: "View alerts",
    },
  ];
}

function pausedAlerts({ webhooks = [] }: HomeData): NamedAlert[] {
  return webhooks
    .filter(({ disabledReason }) => disabledReason === "paused")
    .map((webhook) => {
      const { name, noun } = wordsOf(webhook);
      return {
        key: webhook.webhookId,
        name: `${name} (paused)`,
        tone: "warning",
        title: `The ${noun} to ${name} is paused`,
        text: "No messages are sent to it. Events that happen while it is paused are never sent.",
        url: webhookPath(webhook.webhookId),
        action: `View ${noun}`,
      };
    });
}

function keyAlerts({ keys = [], at }: HomeData, formatDate: FormatDate): NamedAlert[] {
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

function unreadAlerts({ setup, keys, webhooks, withheld, alerts, billing, dataRequests }: HomeData): HomeAlert[] {
  const checks = [setup, keys, webhooks, withheld, alerts, billing, dataRequests];
  if (checks.every((check) => check !== undefined)) return [];
  const title = "Some checks couldn't be made";
  const text = "There may be more that needs your attention.";
  return [{ key: "unread", tone: "warning", title, text, action: "Try again" }];
}

/** Returns what needs the merchant's attention, the most severe first. */
export function homeAlerts(data: HomeData, formatDate: FormatDate): HomeAlert[] {
  const { webhooks = [], withheld = [] } = data;
  // What Shopify Flow refuses for lack of the permission has an alert of its own.
  const monitored = webhooks.filter(({ webhookId }) => withheld.length === 0 || webhookId !== FLOW_ENDPOINT);
  return [
    ...flowAlerts(data),
    ...planAlerts(data),
    ...syncAlerts(data),
    ...requestAlerts(data, formatDate),
    ...combineAlerts([...webhookAlerts(monitored, formatDate), ...pausedAlerts(data)], {
      title: (count) => `${count} webhooks need your attention`,
      text: (names) => `Messages don't arrive at ${names}.`,
      url: "/app/webhooks",
      action: "View webhooks",
    }),
    ...receiverAlerts(data),
    ...orderAlerts(data),
    ...combineAlerts(keyAlerts(data, formatDate), {
      title: (count) => `${count} API keys expire soon`,
      text: (names) => `Systems that use them will lose access: ${names}. Create new keys to replace them.`,
      url: "/app/api-keys",
      action: "View API keys",
    }),
    ...unreadAlerts(data),
  ].toSorted((a, b) => Number(b.tone === "critical") - Number(a.tone === "critical"));
}
