import { shopifyWebhooks } from "../surfaces/shopify-webhooks.server.ts";

export { shopifyWebhooks as action, shopifyWebhooks as loader };
