import type { Call } from "./client.ts";
import type { TestShop } from "./shop.ts";

const EVENTS = ["wishlist.item.added", "wishlist.item.removed", "wishlist.shared"];

export interface Subscription {
  webhookId: string;
  secret: string;
}

export async function subscribe(call: Call, { token }: TestShop, url: string, events = EVENTS): Promise<Subscription> {
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

/** The newest deliveries of a webhook. */
export async function deliveriesOf(call: Call, { token }: TestShop, webhookId: string): Promise<Delivery[]> {
  const answer = await call("GET", `/v1/webhooks/${webhookId}/deliveries?limit=100`, { token });
  return answer.data<{ deliveries: Delivery[] }>().deliveries;
}
