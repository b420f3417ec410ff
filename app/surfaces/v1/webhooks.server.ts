import { z } from "zod";
import { processOutbox } from "../../activity/index.server.ts";
import { endpoint, noBody, noParameters } from "../../http/endpoint.server.ts";
import { runIdempotently } from "../../http/idempotency.server.ts";
import { bearer } from "../../http/v1/policies.server.ts";
import { dataOrFailure, Failure } from "../../platform/failure.ts";
import { transaction } from "../../platform/database/transaction.server.ts";
import {
  createdWebhookSchema,
  createWebhook,
  createWebhookBody,
  listWebhooks,
  webhooksSchema,
  deletedWebhookSchema,
  deleteWebhook,
  getWebhook,
  updateWebhook,
  updateWebhookBody,
  webhookIdSchema,
  webhookSchema,
  rotatedSecretSchema,
  rotateSecret,
  deliverySchema,
  eventSchema,
  testWebhook,
  deliveriesQuery,
  deliveriesSchema,
  listDeliveries,
  deliveryIdSchema,
  redeliver,
} from "../../webhooks/index.server.ts";

const READ = { tag: "Webhooks", access: bearer("read_webhooks") } as const;
const WRITE = { tag: "Webhooks", access: bearer("write_webhooks") } as const;

const ofWebhook = z.strictObject({ webhookId: webhookIdSchema });

export const postWebhook = endpoint({
  operationId: "createWebhook",
  sdkMethod: "webhooks.create",
  summary: "Subscribe to events",
  description:
    "Sends events that happen from now on, signed according to Standard Webhooks. Unless the receiver responds with 2xx within 15 seconds, a delivery is retried for about a day. Store the `secret`: it is not shown again. A shop can have 20 webhooks.",
  status: 201,
  idempotent: true,
  ...WRITE,
  params: noParameters,
  query: noParameters,
  body: createWebhookBody,
  data: createdWebhookSchema,
  failures: ["webhook_limit_reached"],
  async handle(call) {
    // Earlier events are not for the new webhook.
    await processOutbox(call.caller.shopId);
    return runIdempotently(call, "createWebhook", (tx) => createWebhook(tx, call.caller.shopId, call.body));
  },
});

export const getWebhooks = endpoint({
  operationId: "listWebhooks",
  sdkMethod: "webhooks.list",
  summary: "List webhooks",
  ...READ,
  params: noParameters,
  query: noParameters,
  body: noBody,
  data: webhooksSchema,
  async handle({ caller }) {
    return { data: { webhooks: await listWebhooks(caller.shopId) } };
  },
});

export const readWebhook = endpoint({
  operationId: "getWebhook",
  sdkMethod: "webhooks.get",
  summary: "Read a webhook",
  ...READ,
  params: ofWebhook,
  query: noParameters,
  body: noBody,
  data: webhookSchema,
  failures: ["webhook_not_found"],
  handle: async ({ caller, params }) => dataOrFailure(await getWebhook(caller.shopId, params.webhookId)),
});

export const patchWebhook = endpoint({
  operationId: "updateWebhook",
  sdkMethod: "webhooks.update",
  summary: "Change, pause or resume a webhook",
  description:
    "Fields that are left out stay unchanged. `enabled: true`, or another `url`, enables the webhook again: its failures are reset and pending deliveries are sent. Another `url` alone does not resume a paused webhook.",
  ...WRITE,
  params: ofWebhook,
  query: noParameters,
  body: updateWebhookBody,
  data: webhookSchema,
  failures: ["webhook_not_found"],
  async handle({ caller, params, body }) {
    // Earlier events keep the previous configuration.
    await processOutbox(caller.shopId);
    return dataOrFailure(
      await transaction(caller.shopId, (tx) => updateWebhook(tx, caller.shopId, params.webhookId, body)),
    );
  },
});

export const removeWebhook = endpoint({
  operationId: "deleteWebhook",
  sdkMethod: "webhooks.delete",
  summary: "Delete a webhook",
  description: "Stops all deliveries, including pending ones.",
  ...WRITE,
  params: ofWebhook,
  query: noParameters,
  body: noBody,
  data: deletedWebhookSchema,
  failures: ["webhook_not_found"],
  async handle({ caller, params }) {
    const deleted = await transaction(caller.shopId, (tx) => deleteWebhook(tx, caller.shopId, params.webhookId));
    return deleted instanceof Failure ? deleted : { data: { deleted: true as const } };
  },
});

export const postRotation = endpoint({
  operationId: "rotateWebhookSecret",
  sdkMethod: "webhooks.rotateSecret",
  summary: "Rotate the secret",
  description:
    "For 24 hours, requests are signed with the previous secret as well, so that a receiver can switch without refusing any. Older secrets stop being used at once.",
  ...WRITE,
  params: ofWebhook,
  query: noParameters,
  body: noBody,
  data: rotatedSecretSchema,
  failures: ["webhook_not_found"],
  async handle({ caller, params }) {
    const outcome = await transaction(caller.shopId, (tx) => rotateSecret(tx, caller.shopId, params.webhookId));
    return outcome instanceof Failure ? outcome : { data: outcome.rotated };
  },
});

export const postTest = endpoint({
  operationId: "testWebhook",
  sdkMethod: "webhooks.test",
  summary: "Send a test event",
  description:
    "Creates a delivery of a sample event with ids such as `test-customer`. The list of deliveries shows its result. A delivery of a disabled webhook is sent when the webhook is enabled.",
  status: 201,
  idempotent: true,
  ...WRITE,
  params: ofWebhook,
  query: z.strictObject({
    event: eventSchema
      .optional()
      .meta({ description: "The event to send, subscribed or not; by default the webhook's first event" }),
  }),
  body: noBody,
  data: deliverySchema,
  failures: ["webhook_not_found"],
  handle(call) {
    const { caller, params, query } = call;
    return runIdempotently(call, "testWebhook", (tx) => testWebhook(tx, caller.shopId, params.webhookId, query.event));
  },
});

export const getDeliveries = endpoint({
  operationId: "listWebhookDeliveries",
  sdkMethod: "webhooks.deliveries.list",
  summary: "List the deliveries of a webhook",
  description:
    "Newest first, with every attempt and the receiver's response. Deliveries are kept for 30 days. For the next page, pass the `deliveryId` of the last delivery as `before`.",
  ...READ,
  params: ofWebhook,
  query: deliveriesQuery,
  body: noBody,
  data: deliveriesSchema,
  failures: ["webhook_not_found"],
  handle: async ({ caller, params, query }) =>
    dataOrFailure(await listDeliveries(caller.shopId, params.webhookId, query)),
});

export const postRedelivery = endpoint({
  operationId: "redeliverWebhook",
  sdkMethod: "webhooks.deliveries.redeliver",
  summary: "Redeliver an event",
  description:
    "Creates another delivery of the same event, whatever the status of this one. The receiver gets the same `webhook-id`. A delivery of a disabled webhook is sent when the webhook is enabled.",
  status: 201,
  idempotent: true,
  ...WRITE,
  params: z.strictObject({ webhookId: webhookIdSchema, deliveryId: deliveryIdSchema }),
  query: noParameters,
  body: noBody,
  data: deliverySchema,
  failures: ["webhook_not_found"],
  handle(call) {
    const { shopId } = call.caller;
    const { webhookId, deliveryId } = call.params;
    return runIdempotently(call, "redeliverWebhook", (tx) => redeliver(tx, shopId, webhookId, deliveryId));
  },
});
