import { z } from "zod";
import { DEFAULT_LIST, toShareLink } from "../../wishlists/index.server.ts";
import { alertData, isAlert, type Recipient } from "./alert-payload.ts";

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
  /** of the share link; null for a test of a share, which has none */
  token_sealed: string | null;
  expires_at: Date | null;
  share_link_id: number | null;
  /** the fields of the body's data that the columns do not hold */
  data: unknown;
  /** of an alert: not stored, but read for a delivery */
  recipient?: Recipient | undefined;
}

const dataSchema = z.record(z.string(), z.unknown()).nullable();

/** Returns the fields of a share's data that the row does not hold, or undefined when the link has been deleted. */
function linkOf({ shop, store_path, token_sealed, expires_at, share_link_id }: StoredEvent) {
  if (share_link_id === null) return {};
  if (token_sealed === null || expires_at === null) return undefined;
  const { shareUrl, expiresAt } = toShareLink(token_sealed, expires_at, shop, store_path);
  return { shareUrl, expiresAt };
}

/**
 * Returns the body of every delivery of an event: the contract's payload (specification, *Events*) and the list. The same event gives the same
 * body, so that a receiver sees no difference between a first attempt and a redelivery; only a share link follows the store's path, and the customer
 * of an alert is the present one.
 * @returns undefined when the event or its share link has been deleted
 */
export function payload(stored: StoredEvent): string | undefined {
  const { event, at, shop, customer_id: customerId } = stored;
  const link = linkOf(stored);
  if (at === null || !link) return undefined;
  // JSON has no field for undefined.
  const subject = customerId !== null && {
    customerId,
    productId: stored.product_id ?? undefined,
    variantId: stored.variant_id ?? undefined,
    ...link,
    itemCount: stored.item_count ?? undefined,
    listId: stored.list_id ?? DEFAULT_LIST,
  };
  const facts = { ...subject, ...dataSchema.parse(stored.data) };
  const data = isAlert(event) ? alertData(facts, stored.recipient) : facts;
  return JSON.stringify({ event, timestamp: at.toISOString(), shop, data });
}
