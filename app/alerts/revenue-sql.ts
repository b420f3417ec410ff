/** Days after an alert in which a purchase counts as its outcome: see order_record. */
const BOUGHT_DAYS = 30;

/**
 * Returns a subquery of what a customer paid for the variant of an alert after it: column `revenue`, null without a purchase. An order line counts for the
 * latest alert of the customer and variant before it, so that no line counts twice, and in the shop's currency, as in Analytics.
 * @param alert alias of the alert, whose shop is $1
 */
export function revenueOf(alert: string): string {
  return `SELECT sum(line.revenue) AS revenue
            FROM order_line line
            JOIN store_order placed ON placed.shop_id = $1 AND placed.order_id = line.order_id
            JOIN shop of_shop ON of_shop.id = $1 AND of_shop.currency = placed.currency
           WHERE line.shop_id = $1 AND line.customer_id = ${alert}.customer_id AND line.variant_id = ${alert}.variant_id
             AND line.ordered_at BETWEEN ${alert}.sent_at AND ${alert}.sent_at + interval '${BOUGHT_DAYS} days'
             AND NOT EXISTS (SELECT 1 FROM alert later
                              WHERE later.shop_id = $1 AND later.customer_id = ${alert}.customer_id AND later.variant_id = ${alert}.variant_id
                                AND later.status = 'sent' AND (later.sent_at, later.id) > (${alert}.sent_at, ${alert}.id)
                                AND later.sent_at <= line.ordered_at)`;
}
