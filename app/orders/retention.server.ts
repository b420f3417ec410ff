import { statement } from "../platform/database/database.server.ts";
import { deleteInBatches } from "../platform/jobs/retention.server.ts";

/** Days that an order is kept: longer than the 60 for which Shopify lets the service read it. The sums stay. */
export const ORDER_DAYS = 90;

const ordersStatement = statement<{ gone: number }>(
  "purge_store_order",
  `WITH old AS MATERIALIZED (
     SELECT order_id FROM store_order WHERE shop_id = $1 AND reported_at < $2 ORDER BY reported_at LIMIT $3
   ), lines AS (
     DELETE FROM order_line WHERE shop_id = $1 AND order_id IN (SELECT order_id FROM old)
   ), aside AS (
     DELETE FROM set_aside WHERE shop_id = $1 AND kind = 'order' AND subject_id IN (SELECT order_id FROM old)
   ), gone AS (
     DELETE FROM store_order WHERE shop_id = $1 AND order_id IN (SELECT order_id FROM old)
     RETURNING 1
   )
   SELECT count(*) AS gone FROM gone`,
);

/** Purges a shop's orders without a change since a time. The sums of days and products stay. */
export async function purgeOrders(shopId: number, before: Date): Promise<void> {
  await deleteInBatches(ordersStatement, [shopId, before]);
}
