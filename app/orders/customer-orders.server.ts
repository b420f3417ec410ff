import { run, shopStatement } from "../platform/database/database.server.ts";
import type { CustomerOrder, CustomerOrders } from "./customer-orders.ts";

/** Orders that are returned. */
const ORDERS = 10;

const ordersStatement = shopStatement<CustomerOrder>(
  "orders_of_customer",
  `SELECT o.order_id AS "orderId", o.ordered_at AS "orderedAt", o.units, amount_text(o.revenue, s.currency) AS revenue, s.currency,
          ARRAY(SELECT coalesce(nullif(p.title, ''), 'Product ' || l.product_id)
                  FROM order_line l LEFT JOIN product p ON p.shop_id = $1 AND p.product_id = l.product_id
                 WHERE l.shop_id = $1 AND l.order_id = o.order_id ORDER BY l.line_id) AS products
     FROM (SELECT order_id, max(ordered_at) AS ordered_at, sum(units)::integer AS units, sum(revenue) AS revenue FROM order_line
            WHERE shop_id = $1 AND customer_id = $2 GROUP BY order_id
            ORDER BY max(ordered_at) DESC, order_id DESC LIMIT ${ORDERS + 1}) AS o
     JOIN store_order s ON s.shop_id = $1 AND s.order_id = o.order_id
    ORDER BY o.ordered_at DESC, o.order_id DESC`,
);

/** Returns a customer's orders that contain items saved before, of those that are kept. */
export async function ordersOfCustomer(shopId: number, customerId: string): Promise<CustomerOrders> {
  const orders = await run(ordersStatement, [shopId, customerId]);
  return { orders: orders.slice(0, ORDERS), more: orders.length > ORDERS };
}
