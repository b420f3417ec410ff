import { storeWebhook } from "../http/store-webhook.server.ts";

export const action = storeWebhook("/webhooks/app/scopes_update", ["APP_SCOPES_UPDATE"]);
