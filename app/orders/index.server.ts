export { ordersOfCustomer } from "./customer-orders.server.ts";
export { createDraftOrder } from "./draft-orders.server.ts";
export { draftOrderOutcome } from "./draft-order.ts";
export { beforeOrdersAreRead, orderReading, reconcileOrders, requestOrder } from "./reading.server.ts";
export { onItemsBought } from "./records.server.ts";
export { ORDER_DAYS, purgeOrders } from "./retention.server.ts";
