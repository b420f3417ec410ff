import { shopifyWebhookAction } from "../http/shopify-webhooks/endpoint.server.ts";

export const action = shopifyWebhookAction("/webhooks/app_subscriptions/update", ["APP_SUBSCRIPTIONS_UPDATE"]);
