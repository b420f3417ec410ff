import { storeWebhook } from "../http/store-webhook.server.ts";

export const action = storeWebhook("/webhooks/products/delete", ["PRODUCTS_DELETE"]);
