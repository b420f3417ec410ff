import type { Call } from "../app/client.ts";
import type { TestDatabase } from "../database/database.ts";
import type { TestShop } from "../app/shop.ts";

export const ADDED = "wishlist.item.added";
export const REMOVED = "wishlist.item.removed";
export const SHARED = "wishlist.shared";
export const DISABLED = "webhook.disabled";
/** A valid receiver URL on which nothing listens. */
export const RECEIVER = "https://hooks.example.com/wishlist";

/** Returns every row that a webhook request could affect. Equal results before and after mean that nothing was stored. */
export async function webhooksStored(database: TestDatabase): Promise<unknown> {
  return database.rows(
    `SELECT (SELECT json_agg(e ORDER BY e.shop_id, e.id) FROM webhook_endpoint e) AS endpoints,
            (SELECT json_agg(v ORDER BY v.shop_id, v.id) FROM webhook_event v) AS events,
            (SELECT json_agg(d ORDER BY d.shop_id, d.id) FROM webhook_delivery d) AS deliveries,
            (SELECT json_agg(a ORDER BY a.shop_id, a.delivery_id, a.number) FROM webhook_attempt a) AS attempts,
            (SELECT json_agg(i ORDER BY i.shop_id, i.key_id, i.key) FROM idempotent_response i) AS answers`,
  );
}

export interface Subscription {
  webhookId: string;
  secret: string;
}

export async function subscribe(
  call: Call,
  { token }: TestShop,
  url: string,
  events = [ADDED, REMOVED, SHARED],
): Promise<Subscription> {
  return (await call("POST", "/v1/webhooks", { token, json: { url, events } })).data<Subscription>();
}

export interface Delivery {
  deliveryId: string;
  messageId: string;
  event: string;
  kind: string;
  status: string;
  nextAttemptAt: string | null;
  attempts: {
    number: number;
    at: string;
    durationMs: number;
    status: number | null;
    error: string | null;
    response: string | null;
  }[];
}

/** Returns the newest deliveries of a webhook. */
export async function deliveriesOf(call: Call, { token }: TestShop, webhookId: string): Promise<Delivery[]> {
  const response = await call("GET", `/v1/webhooks/${webhookId}/deliveries?limit=100`, { token });
  return response.data<{ deliveries: Delivery[] }>().deliveries;
}
