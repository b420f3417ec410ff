export { startDeliveries, wakeDeliveries } from "./delivery-loop.server.ts";
export {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateSecret,
  updateWebhook,
} from "./endpoints.server.ts";
export { listDeliveries, redeliver, testWebhook } from "./deliveries.server.ts";
export { dropDeliveries } from "./retention.server.ts";
export {
  createdWebhookSchema,
  createWebhookBody,
  deletedWebhookSchema,
  deliveriesQuery,
  deliveriesSchema,
  deliveryIdSchema,
  deliverySchema,
  eventSchema,
  rotatedSecretSchema,
  updateWebhookBody,
  webhookIdSchema,
  webhookSchema,
  webhooksSchema,
} from "./schemas.ts";
