import { shopifyWebhookAction } from "../http/shopify-webhooks/endpoint.server.ts";

export const action = shopifyWebhookAction("/webhooks/inventory_levels/update", ["INVENTORY_LEVELS_UPDATE"]);
