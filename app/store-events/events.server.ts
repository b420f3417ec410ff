import { z } from "zod";
import { requestShopRefresh } from "../billing/index.server.ts";
import { sha256 } from "../platform/encryption/crypto.server.ts";
import { now } from "../platform/clock.server.ts";
import { sendTask, task, type Task } from "../platform/jobs/tasks.server.ts";
import { transaction } from "../platform/database/transaction.server.ts";
import { log } from "../platform/log/log.server.ts";
import { acceptPrivacyRequest, eraseShop } from "../privacy/index.server.ts";
import { mayErase, requestAccessRefresh, shopUninstalled } from "../installation/index.server.ts";
import { requestRefresh, requestRefreshOfInventoryItem } from "../catalog/index.server.ts";
import { requestOrder } from "../orders/index.server.ts";
import { findShop } from "../shops/index.server.ts";
import { namesShop, parsePayload, type Topic } from "./payloads.ts";

/** A delivery whose body Shopify has signed. Everything else comes from its headers, which are unsigned. */
export interface StoreEvent {
  /** the shop's domain */
  shop: string;
  topic: Topic;
  /** the same for repeated deliveries */
  webhookId: string;
  /** when the event happened, if Shopify says so */
  triggeredAt: Date | undefined;
  payload: unknown;
}

/** Task data of an event. It holds ids only and no personal data. */
const workSchema = z.discriminatedUnion("what", [
  z.object({ what: z.literal("uninstalled"), shopId: z.int(), at: z.iso.datetime(), receivedAt: z.iso.datetime() }),
  z.object({ what: z.literal("scopes"), shopId: z.int() }),
  z.object({ what: z.literal("product"), shopId: z.int(), productId: z.string() }),
  z.object({ what: z.literal("inventory"), shopId: z.int(), inventoryItemId: z.string() }),
  z.object({ what: z.literal("erase_shop"), shopId: z.int(), uninstalledSince: z.iso.datetime().optional() }),
  z.object({ what: z.literal("subscription"), shopId: z.int() }),
]);
type Work = z.infer<typeof workSchema>;

/** Returns the task id of a delivery, so that a repeated delivery enqueues nothing. It is a UUID of version 8 (RFC 9562). */
function taskIdOf(shopId: number, webhookId: string): string {
  const hex = sha256(`${shopId} ${webhookId}`).toString("hex", 0, 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/**
 * Processes an event. A signed body can be replayed in another shop's name or at another time, so an event only triggers a query to the store: for
 * the product, the scopes, the subscriptions, or whether the app is still installed.
 * @throws AdminApiError when the store does not respond; the task is retried
 */
async function processEvent(work: Work): Promise<void> {
  const { shopId } = work;
  switch (work.what) {
    case "uninstalled":
      return shopUninstalled(shopId, { at: new Date(work.at), receivedAt: new Date(work.receivedAt) });
    case "scopes":
      return requestAccessRefresh(shopId);
    case "product":
      return requestRefresh(shopId, work.productId);
    case "inventory":
      return requestRefreshOfInventoryItem(shopId, work.inventoryItemId);
    case "erase_shop":
      return eraseUninstalled(work);
    case "subscription":
      return requestShopRefresh(shopId);
  }
}

/** Erases a shop that has uninstalled the app. The task for a later time survives a restart, like every task. */
async function eraseUninstalled({ shopId, uninstalledSince }: Extract<Work, { what: "erase_shop" }>): Promise<void> {
  const erasure = await mayErase(shopId, uninstalledSince === undefined ? undefined : new Date(uninstalledSince));
  if (erasure.may === "now") await eraseShop(shopId);
  if (erasure.may !== "later") return;
  const later = { what: "erase_shop" as const, shopId, uninstalledSince: erasure.uninstalledSince.toISOString() };
  await sendTask(storeEvent, later, { startAfter: erasure.at });
}

export const storeEvent: Task<Work> = task("store-event", workSchema, processEvent);

/** Returns the time of an event. `X-Shopify-Triggered-At` is unsigned, so it is capped at the time of receipt. */
function happenedAt({ triggeredAt }: StoreEvent, receivedAt: Date): Date {
  return triggeredAt && triggeredAt < receivedAt ? triggeredAt : receivedAt;
}

/**
 * Accepts a webhook from Shopify and enqueues its processing; repeated deliveries are ignored. Webhooks of unknown shops are ignored, too.
 * @returns false when the payload is not a complete payload of its topic, or names another shop
 */
export async function acceptStoreEvent(event: StoreEvent): Promise<boolean> {
  const shop = await findShop(event.shop);
  if (!shop) return true;
  const parsed = parsePayload(event.topic, event.payload);
  if (!parsed) return false;
  if (!namesShop(parsed.shop, shop)) {
    log.warn({ shop: event.shop }, "a webhook from Shopify names different shops in its payload and its header");
    return false;
  }
  const { report } = parsed;
  const shopId = shop.id;
  const taskId = taskIdOf(shopId, event.webhookId);
  if (report.what === "privacy") {
    const request = { ...report, webhookId: event.webhookId, taskId };
    await transaction(shopId, (tx) => acceptPrivacyRequest(tx, shopId, request));
  } else if (report.what === "uninstalled") {
    const receivedAt = now();
    const at = happenedAt(event, receivedAt).toISOString();
    await sendTask(
      storeEvent,
      { what: "uninstalled", shopId, at, receivedAt: receivedAt.toISOString() },
      { id: taskId },
    );
  } else if (report.what === "order") {
    await requestOrder(shopId, report);
  } else {
    await sendTask(storeEvent, { shopId, ...report }, { id: taskId });
  }
  return true;
}
