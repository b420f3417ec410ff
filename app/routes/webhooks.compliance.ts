import { shopifyWebhookAction } from "../http/shopify-webhooks/endpoint.server.ts";

export const action = shopifyWebhookAction("/webhooks/compliance", [
  "CUSTOMERS_DATA_REQUEST",
  "CUSTOMERS_REDACT",
  "SHOP_REDACT",
]);
