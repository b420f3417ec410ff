import { shopifyWebhookAction } from "../http/shopify-webhooks/endpoint.server.ts";

export const action = shopifyWebhookAction("/webhooks/app/scopes_update", ["APP_SCOPES_UPDATE"]);
