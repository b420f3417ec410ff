import { shopifyWebhookAction } from "../http/shopify-webhooks/endpoint.server.ts";

export const action = shopifyWebhookAction("/webhooks/app/uninstalled", ["APP_UNINSTALLED"]);
