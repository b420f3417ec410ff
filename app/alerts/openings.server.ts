import { now } from "../platform/clock.server.ts";
import { run, statement } from "../platform/database/database.server.ts";

const openedStatement = statement<{ product_id: string; variant_id: string }>(
  "alert_opened",
  `WITH leader AS MATERIALIZED (
     SELECT customer_id, event_id, product_id, variant_id FROM alert WHERE shop_id = $1 AND id = $2 AND status = 'sent'
   ), opened AS (
     UPDATE alert t SET opened_at = coalesce(t.opened_at, $3), returned_at = coalesce(t.returned_at, $3)
       FROM leader l
      WHERE t.shop_id = $1 AND t.customer_id = l.customer_id AND t.status = 'sent' AND (t.id = $2 OR t.event_id = l.event_id)
   )
   SELECT product_id, variant_id FROM leader`,
);

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Tells whether a text can be the id of an alert. */
export function isAlertId(text: string): boolean {
  return UUID.test(text);
}

/**
 * Records that the link of an alert was opened, for all alerts of its event.
 * @returns the alert's variant; undefined for an unknown alert, such as one that was erased
 */
export async function openAlert(
  shopId: number,
  alertId: string,
): Promise<{ productId: string; variantId: string } | undefined> {
  if (!isAlertId(alertId)) return undefined;
  const [row] = await run(openedStatement, [shopId, alertId, now()]);
  return row && { productId: row.product_id, variantId: row.variant_id };
}
