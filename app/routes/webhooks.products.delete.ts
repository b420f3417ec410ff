import { shopifyWebhookAction } from "../http/shopify-webhooks/endpoint.server.ts";

export const action = shopifyWebhookAction("/webhooks/products/delete", ["PRODUCTS_DELETE"]);
