import { now } from "../platform/clock.server.ts";
import { run, statement } from "../platform/database/database.server.ts";

const openedStatement = statement<{ product_id: string; variant_id: string }>(
  "alert_opened",
  `UPDATE alert SET opened_at = coalesce(opened_at, $3), returned_at = coalesce(returned_at, $3)
    WHERE shop_id = $1 AND id = $2 AND status = 'sent'
   RETURNING product_id, variant_id`,
);

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Tells whether a text can be the id of an alert. */
export function isAlertId(text: string): boolean {
  return UUID.test(text);
}

/**
 * Records that the link of an alert was opened.
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
