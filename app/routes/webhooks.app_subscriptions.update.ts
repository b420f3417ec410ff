import { storeWebhook } from "../http/shopify-webhooks/endpoint.server.ts";

export const action = storeWebhook("/webhooks/app_subscriptions/update", ["APP_SUBSCRIPTIONS_UPDATE"]);
