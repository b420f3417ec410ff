import { storeWebhook } from "../http/store-webhook.server.ts";

export const action = storeWebhook("/webhooks/app_subscriptions/update", ["APP_SUBSCRIPTIONS_UPDATE"]);
