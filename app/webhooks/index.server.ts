export { deliversForOthers, startDeliveries, wakeDeliveries } from "./delivery/loop.server.ts";
export { EMAIL, FLOW, isChannel, KLAVIYO, type EndpointReference } from "./delivery/endpoint-key.ts";
export {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  readChannelEvents,
  readReceivedAlertKinds,
  rotateSecret,
  subscribeChannel,
  updateWebhook,
  type Webhook,
} from "./subscriptions/endpoints.server.ts";
export type { ChannelType, DeliveryResult, OutgoingMessage } from "./delivery/channel.ts";
export { EVENT_DESCRIPTIONS, EVENT_TABLE, EVENTS, type Event } from "./events/events.ts";
export { recoverWebhook, redeliver, redeliverFailed, testWebhook } from "./log/deliveries.server.ts";
export { listDeliveries } from "./log/log.server.ts";
export { publicFetch } from "./delivery/connect.server.ts";
export { logFilter, redeliverFailedForm, testForm, webhookForm } from "./subscriptions/forms.ts";
export { batchSchema, issuedSecretSchema, redeliveredSchema } from "./subscriptions/form-results.ts";
export { exampleBody } from "./events/example.ts";
export { SEALED_SECRETS } from "./subscriptions/secrets.server.ts";
export { monitorWebhooks, readDelivery, readWebhook, readWebhooks } from "./subscriptions/merchant.server.ts";
export { readEndpointStates, readQueueDepth, type QueueDepth } from "./delivery/queue-depth.server.ts";
export { purgeDeliveries } from "./log/retention.server.ts";
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
} from "./subscriptions/schemas.ts";
