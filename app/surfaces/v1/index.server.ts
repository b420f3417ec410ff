import { resourcesOf, type EndpointResource } from "../../http/resource.server.ts";
import { surface } from "../../http/surface.server.ts";
import type { OpenApiDocument } from "../../http/v1/openapi/document.ts";
import { documentation, documentOf } from "./documentation/index.server.ts";
import { exchangeToken, exchangePublishableKey, exchangeSessionToken } from "./tokens.server.ts";
import {
  getWishlist,
  postItem,
  deleteItem,
  postCart,
  postMerge,
  getContaining,
  getListItems,
  postListItem,
  patchListItem,
  deleteListItem,
  postMove,
  postBatch,
} from "./items.server.ts";
import { getLists, postList, getList, patchList, removeList, getHistory, postRestore } from "./lists.server.ts";
import { getShare, deleteShare, getListShare, deleteListShare, getShared } from "./sharing.server.ts";
import { getAlerts, patchAlerts } from "./alerts.server.ts";
import { getChanges, streamChanges } from "./changes.server.ts";
import { getOverview, getTopProducts, getProductStats, getDaily, getRevenue } from "./analytics.server.ts";
import {
  postWebhook,
  getWebhooks,
  readWebhook,
  patchWebhook,
  removeWebhook,
  postRotation,
  postTest,
  getDeliveries,
  postRedelivery,
} from "./webhooks.server.ts";

/** The whole API, in the order of the OpenAPI document. */
export const resources: readonly EndpointResource[] = resourcesOf(
  {
    "POST /v1/auth/token": exchangeToken,
    "POST /v1/auth/storefront-token": exchangePublishableKey,
    "POST /v1/auth/customer-account-token": exchangeSessionToken,
    "GET /v1/wishlists/{customerId}": getWishlist,
    "POST /v1/wishlists/{customerId}/items": postItem,
    "DELETE /v1/wishlists/{customerId}/items/{productId}": deleteItem,
    "POST /v1/wishlists/{customerId}/merge": postMerge,
    "POST /v1/wishlists/{customerId}/cart": postCart,
    "GET /v1/wishlists/{customerId}/contains": getContaining,
    "GET /v1/wishlists/{customerId}/lists": getLists,
    "POST /v1/wishlists/{customerId}/lists": postList,
    "GET /v1/wishlists/{customerId}/lists/{listId}": getList,
    "PATCH /v1/wishlists/{customerId}/lists/{listId}": patchList,
    "DELETE /v1/wishlists/{customerId}/lists/{listId}": removeList,
    "GET /v1/wishlists/{customerId}/lists/{listId}/items": getListItems,
    "POST /v1/wishlists/{customerId}/lists/{listId}/items": postListItem,
    "PATCH /v1/wishlists/{customerId}/lists/{listId}/items/{productId}": patchListItem,
    "DELETE /v1/wishlists/{customerId}/lists/{listId}/items/{productId}": deleteListItem,
    "POST /v1/wishlists/{customerId}/lists/{listId}/items/move": postMove,
    "POST /v1/wishlists/{customerId}/lists/{listId}/items/batch": postBatch,
    "GET /v1/wishlists/{customerId}/lists/{listId}/history": getHistory,
    "POST /v1/wishlists/{customerId}/lists/{listId}/restore": postRestore,
    "GET /v1/wishlists/{customerId}/alerts": getAlerts,
    "PATCH /v1/wishlists/{customerId}/alerts": patchAlerts,
    "GET /v1/wishlists/{customerId}/share": getShare,
    "DELETE /v1/wishlists/{customerId}/share": deleteShare,
    "GET /v1/wishlists/{customerId}/lists/{listId}/share": getListShare,
    "DELETE /v1/wishlists/{customerId}/lists/{listId}/share": deleteListShare,
    "GET /v1/wishlists/shared/{shareToken}": getShared,
    "GET /v1/changes": getChanges,
    "GET /v1/changes/stream": streamChanges,
    "GET /v1/analytics/overview": getOverview,
    "GET /v1/analytics/top-products": getTopProducts,
    "GET /v1/analytics/product/{productId}": getProductStats,
    "GET /v1/analytics/daily": getDaily,
    "GET /v1/analytics/revenue": getRevenue,
    "POST /v1/webhooks": postWebhook,
    "GET /v1/webhooks": getWebhooks,
    "GET /v1/webhooks/{webhookId}": readWebhook,
    "PATCH /v1/webhooks/{webhookId}": patchWebhook,
    "DELETE /v1/webhooks/{webhookId}": removeWebhook,
    "POST /v1/webhooks/{webhookId}/rotate-secret": postRotation,
    "POST /v1/webhooks/{webhookId}/test": postTest,
    "GET /v1/webhooks/{webhookId}/deliveries": getDeliveries,
    "POST /v1/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver": postRedelivery,
    ...documentation(() => resources),
  },
  "any-origin",
);

export const v1 = surface(resources);

export function document(): OpenApiDocument {
  return documentOf(resources);
}
