import { storeWebhook } from "../http/store-webhook.server.ts";

export const action = storeWebhook("/webhooks/products/update", ["PRODUCTS_CREATE", "PRODUCTS_UPDATE"]);
