import { storeWebhook } from "../http/shopify-webhooks/endpoint.server.ts";

export const action = storeWebhook("/webhooks/products/delete", ["PRODUCTS_DELETE"]);
