import { z } from "zod";
import { sha256 } from "../platform/crypto.server.ts";
import { now } from "../platform/clock.server.ts";
import { sendTask, task } from "../platform/jobs.server.ts";
import { log } from "../platform/log.server.ts";
import { eraseShop } from "./erasure.server.ts";
import { requestShopRefresh, shopUninstalled } from "./installation.server.ts";
import { storeDeleted } from "./mirror-store.server.ts";
import { takePrivacyRequest, type PrivacyKind } from "./privacy.server.ts";
import { requestRefresh } from "./product-refresh.server.ts";
import { keepScopes } from "./sessions.server.ts";
import { findShop } from "./shops.server.ts";

/** What Shopify tells of, under the names that its library gives the topics. */
export type Topic =
  | "APP_UNINSTALLED"
  | "APP_SCOPES_UPDATE"
  | "APP_SUBSCRIPTIONS_UPDATE"
  | "PRODUCTS_CREATE"
  | "PRODUCTS_UPDATE"
  | "PRODUCTS_DELETE"
  | "CUSTOMERS_DATA_REQUEST"
  | "CUSTOMERS_REDACT"
  | "SHOP_REDACT";

/** A delivery whose origin has been verified. */
export interface StoreEvent {
  /** the shop's domain */
  shop: string;
  topic: Topic;
  /** the same when a delivery is repeated */
  webhookId: string;
  /** when it happened, as far as Shopify says */
  triggeredAt: Date | undefined;
  payload: unknown;
}

// Ids come as numbers. What is beside them (titles, addresses, telephone numbers) is left where it is.
const idSchema = z.union([z.int().positive(), z.string().regex(/^\d+$/)]).transform(String);
const objectSchema = z.looseObject({});
const productPayload = z.object({ id: idSchema });
const scopesPayload = z.object({ current: z.array(z.string()) });
// What is asked for on people's behalf names the shop a second time, beneath the signature.
const compliancePayload = z.object({ shop_domain: z.string().toLowerCase() });
const redactPayload = compliancePayload.extend({ customer: z.object({ id: idSchema }) });
const dataRequestPayload = redactPayload.extend({ data_request: z.object({ id: idSchema }).optional() });

/** What of an event is kept until it has been dealt with: ids of things, nothing of people. */
const workSchema = z.discriminatedUnion("what", [
  z.object({ what: z.literal("uninstalled"), shopId: z.int(), at: z.iso.datetime() }),
  z.object({ what: z.literal("scopes"), shopId: z.int(), scopes: z.array(z.string()) }),
  z.object({ what: z.literal("product"), shopId: z.int(), productId: z.string() }),
  z.object({ what: z.literal("product_deleted"), shopId: z.int(), productId: z.string() }),
  z.object({ what: z.literal("erase_shop"), shopId: z.int(), at: z.iso.datetime() }),
  z.object({ what: z.literal("subscription"), shopId: z.int() }),
]);
type Work = z.infer<typeof workSchema>;

/** An id made of what makes a delivery that one: whoever makes it again finds it done. (A UUID of version 8, RFC 9562.) */
function deliveryId(shopId: number, webhookId: string): string {
  const hex = sha256(`${shopId} ${webhookId}`).toString("hex", 0, 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

async function deal(work: Work): Promise<void> {
  const { shopId } = work;
  switch (work.what) {
    case "uninstalled":
      return shopUninstalled(shopId, new Date(work.at));
    case "scopes":
      return keepScopes(shopId, work.scopes);
    case "product":
      return requestRefresh(shopId, work.productId);
    case "product_deleted":
      return storeDeleted(shopId, work.productId, now());
    case "erase_shop":
      return eraseShop(shopId, new Date(work.at));
    case "subscription":
      return requestShopRefresh(shopId);
  }
}

export const storeEvent = task("store-event", workSchema, deal);

/**
 * The headers are not signed: whoever has got hold of one shop's signed request could have another shop, or its customer, forgotten with it.
 */
function isOfShop({ shop, payload }: StoreEvent): boolean {
  return compliancePayload.safeParse(payload).data?.shop_domain === shop;
}

const COMPLIANCE: ReadonlySet<Topic> = new Set(["CUSTOMERS_DATA_REQUEST", "CUSTOMERS_REDACT", "SHOP_REDACT"]);

/** @returns the work that an event makes, or why it makes none */
function workOf(shopId: number, { topic, payload, triggeredAt }: StoreEvent): Work | PrivacyWork | z.ZodError {
  const at = (triggeredAt ?? now()).toISOString();
  switch (topic) {
    case "APP_UNINSTALLED":
      return { what: "uninstalled", shopId, at };
    case "APP_SUBSCRIPTIONS_UPDATE":
      return { what: "subscription", shopId };
    case "SHOP_REDACT":
      return { what: "erase_shop", shopId, at };
    case "APP_SCOPES_UPDATE": {
      const { data, error } = scopesPayload.safeParse(payload);
      return error ?? { what: "scopes", shopId, scopes: data.current };
    }
    case "PRODUCTS_CREATE":
    case "PRODUCTS_UPDATE":
    case "PRODUCTS_DELETE": {
      const { data, error } = productPayload.safeParse(payload);
      return error ?? { what: topic === "PRODUCTS_DELETE" ? "product_deleted" : "product", shopId, productId: data.id };
    }
    case "CUSTOMERS_REDACT": {
      const { data, error } = redactPayload.safeParse(payload);
      return error ?? { what: "privacy", kind: "redact", customerId: data.customer.id, shopifyRequestId: undefined };
    }
    case "CUSTOMERS_DATA_REQUEST": {
      const { data, error } = dataRequestPayload.safeParse(payload);
      if (error) return error;
      return {
        what: "privacy",
        kind: "data_request",
        customerId: data.customer.id,
        shopifyRequestId: data.data_request?.id,
      };
    }
  }
}

interface PrivacyWork {
  what: "privacy";
  kind: PrivacyKind;
  customerId: string;
  shopifyRequestId: string | undefined;
}

/**
 * Takes in what Shopify tells: once, however often it is delivered. It is dealt with afterwards. Of a shop that is not known (any more)
 * there is nothing to do.
 * @returns false when the payload lacks what the topic is about, or is about another shop
 */
export async function takeStoreEvent(event: StoreEvent): Promise<boolean> {
  const shop = await findShop(event.shop);
  if (!shop) return true;
  if (!objectSchema.safeParse(event.payload).success) return false;
  if (COMPLIANCE.has(event.topic) && !isOfShop(event)) {
    log.warn({ shop: event.shop }, "a privacy request names another shop in its payload than in its header, or none");
    return false;
  }
  const work = workOf(shop.id, event);
  if (work instanceof z.ZodError) return false;
  const taskId = deliveryId(shop.id, event.webhookId);
  if (work.what === "privacy") await takePrivacyRequest(shop.id, { ...work, webhookId: event.webhookId, taskId });
  else await sendTask(storeEvent, work, { id: taskId });
  return true;
}
