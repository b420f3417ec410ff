import { storeWebhook } from "../http/store-webhook.server.ts";

export const action = storeWebhook("/webhooks/app/uninstalled", ["APP_UNINSTALLED"]);
