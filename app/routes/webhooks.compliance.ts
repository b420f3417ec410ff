import { storeWebhook } from "../http/shopify-webhooks/endpoint.server.ts";

export const action = storeWebhook("/webhooks/compliance", [
  "CUSTOMERS_DATA_REQUEST",
  "CUSTOMERS_REDACT",
  "SHOP_REDACT",
]);
