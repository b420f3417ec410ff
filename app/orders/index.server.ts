export { ordersOfCustomer } from "./customer-orders.server.ts";
export { beforeOrdersAreRead, orderReading, reconcileOrders, requestOrder } from "./reading.server.ts";
export { onItemsBought } from "./records.server.ts";
export { ORDER_DAYS, purgeOrders } from "./retention.server.ts";
