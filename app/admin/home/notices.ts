import { PLANS } from "../../billing/plans.ts";
import { FLOW_ENDPOINT } from "../../webhooks/delivery/endpoint-key.ts";
import { combineNotices, type Notice, type NamedNotice } from "../notices.tsx";
import { ALERT_LABELS } from "../customer-alerts/alert-labels.ts";
import { describeWithheld } from "../customers-permission.tsx";
import { formatCount } from "../format.ts";
import { webhookNotices } from "../webhooks/webhook-notices.ts";
import { webhookPath, wordsOf } from "../webhooks/webhook-data.ts";
import type { HomeData } from "./home-data.ts";

/** A problem that is mended on another page, by a permission, or, without either, by loading the page's data again. */
export interface HomeNotice extends Notice {
  permission?: "customers" | "orders";
}

/** A key that expires within this time needs attention. */
const EXPIRES_SOON_MS = 14 * 24 * 3_600_000;

type FormatDate = (date: Date) => string;

function flowNotices({ withheld = [] }: HomeData): HomeNotice[] {
  if (withheld.length === 0) return [];
  const text = describeWithheld(withheld);
  return [{ key: "flow", tone: "critical", title: "Flow needs access to customers", text, permission: "customers" }];
}

function emailNotices({ alerts, missingPlan }: HomeData): HomeNotice[] {
  const withheld = alerts?.kinds.filter((kind) => alerts.withheldEmails.includes(kind)) ?? [];
  if (withheld.length === 0 || missingPlan !== undefined) return [];
  const names = withheld.map((kind) => ALERT_LABELS[kind].label).join(", ");
  const text = `This app may not read customers' addresses, so these alerts are not emailed: ${names}.`;
  return [{ key: "email", tone: "critical", title: "Email needs access to customers", text, permission: "customers" }];
}

function syncNotices({ setup }: HomeData): HomeNotice[] {
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

function planNotices({ billing }: HomeData): HomeNotice[] {
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

function requestNotices({ dataRequests: [first, ...others] = [], at }: HomeData, formatDate: FormatDate): HomeNotice[] {
  if (!first) return [];
  const isOverdue = first < at;
  const requests = formatCount(others.length + 1, "request");
  return [
    {
      key: "data-requests",
      tone: isOverdue ? "critical" : "warning",
      title: `${requests} for customer data ${isOverdue ? "overdue since" : "due on"} ${formatDate(first)}`,
      text: "A customer asked for their data. Download the file, send it to the customer, and mark it as sent.",
      url: "/app/settings/privacy",
      action: "View privacy requests",
    },
  ];
}

/** Orders were counted before, and the merchant has withdrawn the permission. */
function orderNotices({ earned, readsOrders }: HomeData): HomeNotice[] {
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

function receiverNotices({ alerts, missingPlan, withheld = [] }: HomeData): HomeNotice[] {
  if (!alerts || missingPlan !== undefined) return [];
  const missing = alerts.kinds.filter(
    (kind) =>
      !alerts.received.includes(kind) &&
      !withheld.includes(`wishlist.alert.${kind}`) &&
      !alerts.withheldEmails.includes(kind),
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

function pausedNotices({ webhooks = [] }: HomeData): NamedNotice[] {
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

function keyNotices({ keys = [], at }: HomeData, formatDate: FormatDate): NamedNotice[] {
  return keys.flatMap(({ keyId, name, expiresAt, successorKeyId }): NamedNotice[] => {
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

function unreadNotices({ setup, keys, webhooks, withheld, alerts, billing, dataRequests }: HomeData): HomeNotice[] {
  const checks = [setup, keys, webhooks, withheld, alerts, billing, dataRequests];
  if (checks.every((check) => check !== undefined)) return [];
  const title = "Some checks couldn't be made";
  const text = "There may be more that needs your attention.";
  return [{ key: "unread", tone: "warning", title, text, action: "Try again" }];
}

/** Returns what needs the merchant's attention, the most severe first. */
export function homeNotices(data: HomeData, formatDate: FormatDate): HomeNotice[] {
  const { webhooks = [], withheld = [] } = data;
  // What Shopify Flow refuses for lack of the permission has a notice of its own.
  const monitored = webhooks.filter(({ webhookId }) => withheld.length === 0 || webhookId !== FLOW_ENDPOINT);
  return [
    ...flowNotices(data),
    ...emailNotices(data),
    ...planNotices(data),
    ...syncNotices(data),
    ...requestNotices(data, formatDate),
    ...combineNotices([...webhookNotices(monitored, formatDate), ...pausedNotices(data)], {
      title: (count) => `${count} webhooks need your attention`,
      text: (names) => `Messages don't arrive at ${names}.`,
      url: "/app/webhooks",
      action: "View webhooks",
    }),
    ...receiverNotices(data),
    ...orderNotices(data),
    ...combineNotices(keyNotices(data, formatDate), {
      title: (count) => `${count} API keys expire soon`,
      text: (names) => `Systems that use them will lose access: ${names}. Create new keys to replace them.`,
      url: "/app/api-keys",
      action: "View API keys",
    }),
    ...unreadNotices(data),
  ].toSorted((a, b) => Number(b.tone === "critical") - Number(a.tone === "critical"));
}
