import type { TestDatabase } from "./database.ts";

export const ADDED = "wishlist.item.added";
export const REMOVED = "wishlist.item.removed";
export const SHARED = "wishlist.shared";
/** An address that is fit for a receiver; nobody is there. */
export const RECEIVER = "https://hooks.example.com/wishlist";

/** Every row that a call about webhooks could have touched: equal before and after means that nothing was stored. */
export async function webhooksStored(database: TestDatabase): Promise<unknown> {
  return database.rows(
    `SELECT (SELECT json_agg(e ORDER BY e.shop_id, e.id) FROM webhook_endpoint e) AS endpoints,
            (SELECT json_agg(v ORDER BY v.shop_id, v.id) FROM webhook_event v) AS events,
            (SELECT json_agg(d ORDER BY d.shop_id, d.id) FROM webhook_delivery d) AS deliveries,
            (SELECT json_agg(a ORDER BY a.shop_id, a.delivery_id, a.number) FROM webhook_attempt a) AS attempts,
            (SELECT json_agg(i ORDER BY i.shop_id, i.key_id, i.key) FROM idempotent_answer i) AS answers`,
  );
}
