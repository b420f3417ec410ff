import { z } from "zod";
import { DEFAULT_LIST, toShareLink } from "../../wishlists/index.server.ts";
import { isOperational } from "./events.ts";

/** A webhook's event as its row has it. */
export interface StoredEvent {
  event: string;
  /** null, like the fields below, when the event has been deleted */
  at: Date | null;
  /** the shop's domain */
  shop: string;
  /** path of the app proxy in the store */
  store_path: string;
  /** null for an operational event */
  customer_id: string | null;
  /** public id of a named list; null for the default list */
  list_id: string | null;
  product_id: string | null;
  variant_id: string | null;
  item_count: number | null;
  /** of the share link; null for a test event, which has none */
  token_sealed: string | null;
  expires_at: Date | null;
  share_link_id: number | null;
  /** of an operational event all data; of a list or an updated item what its columns do not hold */
  data: unknown;
}

/** The data of `webhook.disabled`, which the SQL function webhook_notify_disabled creates. */
export interface DisabledData {
  webhookId: string;
  /** without its query, which may hold a credential */
  url: string;
  reason: "gone" | "failing";
  disabledAt: string;
  /** time of the first failure since the last success */
  failingSince: string;
  /** deliveries that wait or have failed, at most 10,000 */
  undelivered: number;
  /** HTTP status and error of the last attempt */
  lastStatus: number | null;
  lastError: string | null;
}

const moreDataShape = z.record(z.string(), z.unknown());

function isAboutList(event: string): boolean {
  return event.startsWith("wishlist.list.");
}

const TEST_LINK_DAYS = 30;

/**
 * Returns the body of every delivery of an event: the contract's payload (specification, *Events*) and the list. The same event gives the same
 * body, so that a receiver sees no difference between a first attempt and a redelivery; only a share link follows the store's path.
 * @returns undefined when the event or its share link has been deleted
 */
export function payload(stored: StoredEvent): string | undefined {
  const { event, at, shop, customer_id: customerId } = stored;
  if (at === null) return undefined;
  const listId = stored.list_id ?? DEFAULT_LIST;
  const timestamp = at.toISOString();
  if (isOperational(event)) return JSON.stringify({ event, timestamp, shop, data: stored.data });
  if (event !== "wishlist.shared") {
    const item = { productId: stored.product_id, variantId: stored.variant_id };
    const more = stored.data === null ? {} : moreDataShape.parse(stored.data);
    const data = { customerId, ...(isAboutList(event) ? {} : item), listId, ...more };
    return JSON.stringify({ event, timestamp, shop, data });
  }
  const link = sharedLink(stored, at);
  return (
    link &&
    JSON.stringify({ event, timestamp, shop, data: { customerId, ...link, itemCount: stored.item_count, listId } })
  );
}

function sharedLink(stored: StoredEvent, at: Date): { shareUrl: string; expiresAt: string } | undefined {
  const { shop, store_path, token_sealed, expires_at, share_link_id } = stored;
  if (share_link_id === null) {
    const expiresAt = new Date(at.getTime() + TEST_LINK_DAYS * 24 * 3_600_000).toISOString();
    return { shareUrl: `https://${shop}${store_path}/shared/test`, expiresAt };
  }
  if (token_sealed === null || expires_at === null) return undefined;
  const { shareUrl, expiresAt } = toShareLink(token_sealed, expires_at, shop, store_path);
  return { shareUrl, expiresAt };
}
