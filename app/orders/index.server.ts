export { onItemsBought, orderReading, requestOrder } from "./orders.server.ts";
export { purgeOrders } from "./retention.server.ts";
