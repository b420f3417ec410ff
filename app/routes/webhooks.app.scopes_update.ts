import { storeWebhook } from "../http/shopify-webhooks/endpoint.server.ts";

export const action = storeWebhook("/webhooks/app/scopes_update", ["APP_SCOPES_UPDATE"]);
