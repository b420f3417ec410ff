import { operations as alertOperations } from "../../alerts/index.server.ts";
import { operations as requestOperations } from "../../contacts/index.server.ts";
import { identifyAsker } from "../../http/policy.server.ts";
import { resourcesOf, type EndpointResource } from "../../http/resource.server.ts";
import { surface } from "../../http/surface.server.ts";
import { apiEndpoint } from "../../http/v1/operations.server.ts";
import type { OpenApiDocument } from "../../http/v1/openapi/document.ts";
import { operations } from "../../wishlists/index.server.ts";
import { documentation, documentOf } from "./documentation/index.server.ts";
import { exchangeToken, exchangePublishableKey, exchangeSessionToken } from "./tokens.server.ts";
import { getShared } from "./sharing.server.ts";
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

/** What a caller who sends a body with a removal must be told: the variant given there would be ignored. */
const REMOVAL = { bodyAdvice: "send the variant in the query, as `?variant_id=`" };

/** The whole API, in the order of the OpenAPI document. */
export const resources: readonly EndpointResource[] = resourcesOf(
  {
    "POST /v1/auth/token": exchangeToken,
    "POST /v1/auth/storefront-token": exchangePublishableKey,
    "POST /v1/auth/customer-account-token": exchangeSessionToken,
    "GET /v1/wishlists/{customerId}": apiEndpoint(operations.getWishlist, { compressed: true }),
    "POST /v1/wishlists/{customerId}/items": apiEndpoint(operations.addItem),
    "DELETE /v1/wishlists/{customerId}/items/{productId}": apiEndpoint(operations.removeItem, REMOVAL),
    "POST /v1/wishlists/{customerId}/merge": apiEndpoint(operations.mergeWishlist),
    "POST /v1/wishlists/{customerId}/cart": apiEndpoint(operations.recordCart),
    "GET /v1/wishlists/{customerId}/contains": apiEndpoint(operations.getListsContaining, { compressed: true }),
    "GET /v1/wishlists/{customerId}/lists": apiEndpoint(operations.getLists, { compressed: true }),
    "POST /v1/wishlists/{customerId}/lists": apiEndpoint(operations.createList, { status: 201 }),
    "GET /v1/wishlists/{customerId}/lists/{listId}": apiEndpoint(operations.getList),
    "PATCH /v1/wishlists/{customerId}/lists/{listId}": apiEndpoint(operations.updateList),
    "DELETE /v1/wishlists/{customerId}/lists/{listId}": apiEndpoint(operations.deleteList),
    "GET /v1/wishlists/{customerId}/lists/{listId}/items": apiEndpoint(operations.getListItems, { compressed: true }),
    "POST /v1/wishlists/{customerId}/lists/{listId}/items": apiEndpoint(operations.addListItem),
    "PATCH /v1/wishlists/{customerId}/lists/{listId}/items/{productId}": apiEndpoint(operations.updateListItem),
    "DELETE /v1/wishlists/{customerId}/lists/{listId}/items/{productId}": apiEndpoint(
      operations.removeListItem,
      REMOVAL,
    ),
    "POST /v1/wishlists/{customerId}/lists/{listId}/items/move": apiEndpoint(operations.moveListItems),
    "POST /v1/wishlists/{customerId}/lists/{listId}/items/batch": apiEndpoint(operations.changeListItems),
    "GET /v1/wishlists/{customerId}/lists/{listId}/history": apiEndpoint(operations.getListHistory, {
      compressed: true,
    }),
    "POST /v1/wishlists/{customerId}/lists/{listId}/restore": apiEndpoint(operations.restoreList),
    "GET /v1/wishlists/{customerId}/alerts": apiEndpoint(alertOperations.getAlertChoices),
    "PATCH /v1/wishlists/{customerId}/alerts": apiEndpoint(alertOperations.updateAlertChoices),
    "GET /v1/wishlists/{customerId}/alert-requests": apiEndpoint(requestOperations.listAlertRequests),
    "POST /v1/wishlists/{customerId}/alert-requests": apiEndpoint(requestOperations.createAlertRequest, {
      identify: identifyAsker,
    }),
    "DELETE /v1/wishlists/{customerId}/alert-requests/{productId}": apiEndpoint(requestOperations.removeAlertRequests),
    "GET /v1/wishlists/{customerId}/share": apiEndpoint(operations.shareWishlist, { writes: true }),
    "PATCH /v1/wishlists/{customerId}/share": apiEndpoint(operations.updateShareLink),
    "DELETE /v1/wishlists/{customerId}/share": apiEndpoint(operations.revokeShareLink),
    "GET /v1/wishlists/{customerId}/lists/{listId}/share": apiEndpoint(operations.shareList, { writes: true }),
    "PATCH /v1/wishlists/{customerId}/lists/{listId}/share": apiEndpoint(operations.updateListShareLink),
    "DELETE /v1/wishlists/{customerId}/lists/{listId}/share": apiEndpoint(operations.revokeListShareLink),
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
