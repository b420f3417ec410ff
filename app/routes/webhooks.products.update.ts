import { storeWebhook } from "../http/shopify-webhooks/endpoint.server.ts";

export const action = storeWebhook("/webhooks/products/update", ["PRODUCTS_CREATE", "PRODUCTS_UPDATE"]);
