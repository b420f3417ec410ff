import { shopifyWebhookAction } from "../http/shopify-webhooks/endpoint.server.ts";

export const action = shopifyWebhookAction("/webhooks/orders/create", ["ORDERS_CREATE", "ORDERS_CANCELLED"]);
