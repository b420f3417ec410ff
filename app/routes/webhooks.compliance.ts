import { storeWebhook } from "../http/store-webhook.server.ts";

export const action = storeWebhook("/webhooks/compliance", [
  "CUSTOMERS_DATA_REQUEST",
  "CUSTOMERS_REDACT",
  "SHOP_REDACT",
]);
