import { storeWebhook } from "../http/shopify-webhooks/endpoint.server.ts";

export const action = storeWebhook("/webhooks/app/uninstalled", ["APP_UNINSTALLED"]);
