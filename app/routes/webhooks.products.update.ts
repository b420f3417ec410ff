import { shopifyWebhookAction } from "../http/shopify-webhooks/endpoint.server.ts";

export const action = shopifyWebhookAction("/webhooks/products/update", ["PRODUCTS_CREATE", "PRODUCTS_UPDATE"]);
