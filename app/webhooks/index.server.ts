export { deliversForOthers, startDeliveries, wakeDeliveries } from "./delivery-loop.server.ts";
export { FLOW, FLOW_ENDPOINT, type EndpointReference } from "./endpoint-key.ts";
export {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateSecret,
  subscribeFlow,
  updateWebhook,
  type Webhook,
} from "./endpoints.server.ts";
export type { Channel, DeliveryResult, WebhookRequest } from "./send.server.ts";
export type { Event } from "./events.ts";
export { recoverWebhook, redeliver, redeliverFailed, testWebhook } from "./deliveries.server.ts";
export { listDeliveries } from "./delivery-log.server.ts";
export { publicFetch } from "./public-fetch.server.ts";
export { logFilter, redeliverFailedForm, testForm, webhookForm } from "./forms.ts";
export { batchSchema, issuedSecretSchema, redeliveredSchema } from "./form-results.ts";
export { exampleBody } from "./event-example.ts";
export { EVENT_DESCRIPTIONS } from "./event-schemas.ts";
export { SEALED_SECRETS } from "./secrets.server.ts";
export { monitorWebhooks, readDelivery, readWebhook, readWebhooks } from "./merchant.server.ts";
export { readReceivedAlertKinds } from "./received-alerts.server.ts";
export { readEndpointStates, readQueueDepth, type QueueDepth } from "./queue-depth.server.ts";
export { purgeDeliveries } from "./retention.server.ts";
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
