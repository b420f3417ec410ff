import { flowLifecycle } from "../http/shopify-webhooks/flow.server.ts";
import { storeEvents } from "../http/shopify-webhooks/store-events.server.ts";
import { surface } from "../http/surface.server.ts";

/** What Shopify delivers, by the paths that `shopify.app.toml` names. */
export const resources = [
  storeEvents("/webhooks/app/scopes_update", ["APP_SCOPES_UPDATE"]),
  storeEvents("/webhooks/app/uninstalled", ["APP_UNINSTALLED"]),
  storeEvents("/webhooks/app_subscriptions/update", ["APP_SUBSCRIPTIONS_UPDATE"]),
  storeEvents("/webhooks/compliance", ["CUSTOMERS_DATA_REQUEST", "CUSTOMERS_REDACT", "SHOP_REDACT"]),
  storeEvents("/webhooks/inventory_levels/update", ["INVENTORY_LEVELS_UPDATE"]),
  storeEvents("/webhooks/orders/create", ["ORDERS_CREATE", "ORDERS_CANCELLED"]),
  storeEvents("/webhooks/orders/edited", ["ORDERS_EDITED"]),
  storeEvents("/webhooks/products/delete", ["PRODUCTS_DELETE"]),
  storeEvents("/webhooks/products/update", ["PRODUCTS_CREATE", "PRODUCTS_UPDATE"]),
  storeEvents("/webhooks/refunds/create", ["REFUNDS_CREATE"]),
  flowLifecycle("/webhooks/flow"),
];

export const shopifyWebhooks = surface(resources);
